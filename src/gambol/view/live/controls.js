// The controls of a live page: play, pause, step, reset, speed, settings of the world, views of it, and files.
import { Beside } from "beside";
import { Clock } from "clock";
import { Growth } from "growth";
import { Hills } from "hills";
import { Layout } from "layout";
import { Live } from "live";
import { Marks } from "marks";
import { Panel, isRoomy } from "panel";
import { Player, unpack } from "player";
import { Pose } from "pose";
import { Recorded } from "recorded";
import { VideoRecorder, saveNumbers, savePicture } from "saving";
import { Served, ServedClock } from "served";
import { readAddress, writeAddress } from "settings";
import { Signals } from "signals";
import { Touch } from "touch";
import { tiltView } from "tilt";
import { Water } from "water";

const byId = (id) => document.getElementById(id);
const SHADOW = 2048; // size of the shadow map [pixels]: without a GPU, one of 4096 takes 0.4 s

const rateText = (speed) => (speed === 1 ? "real time" : speed < 1 ? `1/${+(1 / speed).toPrecision(3)} real time` : `${speed} x`);

function status(live, clock) {
  const notes = [];
  if (clock.lost) notes.push("the program that shows this world has ended, or does not respond");
  if (live.failure) notes.push(live.failure);
  if (!live.running) notes.push("stopped: the motion became infinite, or its step too small");
  if (live.playing && clock.rate !== null && clock.rate < 0.9 * clock.speed) {
    notes.push(`this machine reaches ${clock.rate.toPrecision(2)} of real time instead of ${clock.speed}`);
  }
  if (!live.fused) notes.push("slower, since this browser has no fused multiply-add");
  const { overCapacity } = live.about;
  if (overCapacity !== null && live.rows[overCapacity] > 0) notes.push("more contacts than this program has capacity for");
  return notes;
}

// The source of the motion that is shown: the simulated world, or the film of its run.
const shown = (player, live) => (player.showsFilm ? player.recorded : live);

// Shows the film of the run alone, or the world again, in its present state. film: true for the film.
async function showSource(player, live, film) {
  player.recorded[film ? "play" : "pause"]();
  await live.pause();
  player.showsFilm = film;
  byId("shown").value = film ? "film" : "live";
  player.marks.group.visible = !film;
  player.figures.hide(film ? new Set() : live.cutLinks);
  byId("recorded").parentElement.hidden = film;
  if (film) return;
  await live.step(0);
  live.play();
}

// Goes to a time, and pauses. What was before the first simulated time, as in a script whose first segments are not simulated, is
// shown by the film of the run, until time goes on to the simulation.
async function goTo(player, live, time) {
  const isBefore = player.recorded !== null && time < player.begin - 1e-9;
  if (!player.showsFilm || player.showsPast) {
    player.showsPast = isBefore;
    if (isBefore !== !!player.showsFilm) await showSource(player, live, isBefore);
  }
  const source = shown(player, live);
  source.pause();
  await source.seek(time);
}

// Goes on from the film to the simulation, when the film has come to its first time.
function endPast(player, live) {
  if (!player.showsPast || !player.recorded.playing || player.recorded.time < player.begin) return;
  player.showsPast = false;
  live.seek(player.begin).then(() => showSource(player, live, false));
}

// The list of the segments of a script: shows the present one, and goes to the beginning of another.
function makeSegments(player, live) {
  const list = byId("segment");
  list.parentElement.hidden = live.segments.length < 2;
  live.segments.forEach(({ begin, label }, k) => list.add(new Option(`${+begin.toFixed(3)} s${label ? `: ${label}` : ""}`, k)));
  list.onchange = async () => {
    const k = +list.value; // the list follows the motion
    if (player.showsFilm) await showSource(player, live, false);
    await live.enter(k);
  };
}

// Shows a speed, which is added to the choices if it is not among them.
function showSpeed(speed) {
  const rates = byId("rate");
  if (![...rates.options].some((option) => +option.value === speed)) rates.add(new Option(rateText(speed), speed));
  rates.value = speed;
}

// Buttons and keys for time and view. saveAddress(): called when the speed changes.
function makeTransport(player, live, clock, saveAddress) {
  const rates = byId("rate");
  const setSpeed = (speed) => {
    showSpeed(speed);
    clock.speed = speed;
    clock.rate = null;
    clock.simulated = clock.real = 0;
  };
  const faster = (by) => {
    const speeds = [...rates.options].map((option) => +option.value).sort((a, b) => a - b), k = speeds.indexOf(clock.speed) + by;
    if (k in speeds) { setSpeed(speeds[k]); saveAddress(); }
  };
  const [hx, hy] = player.film.heading, push = () => live.push([-hy * live.about.push.force, hx * live.about.push.force, 0], live.about.push.seconds);
  const source = () => shown(player, live), toggle = () => (source().playing ? source().pause() : source().play());
  const back = () => (source() === live ? live.seek(live.time - live.dt) : source().step(-1));
  const actions = { play: toggle, step: () => source().step(1), back, restart: () => source().reset(), pose: () => source() === live && (live.frozen ? live.play() : live.freeze()), push: () => source() === live && push(),
    reset: () => player.resetView() };
  for (const [id, action] of Object.entries(actions)) byId(id).onclick = action;
  for (const speed of live.about.speeds) rates.add(new Option(rateText(speed), speed));
  rates.onchange = () => { setSpeed(+rates.value); saveAddress(); };
  byId("pose").hidden = !live.about.pose;
  byId("follow").onchange = (e) => { player.following = e.target.checked; };
  byId("scrub").oninput = (e) => goTo(player, live, +e.target.value);
  byId("shown").onchange = (e) => (player.showsPast = false, showSource(player, live, e.target.value === "film"));
  const footer = document.querySelector("footer");
  footer.classList.add("folded");
  byId("unfold").onclick = () => byId("unfold").setAttribute("aria-expanded", !footer.classList.toggle("folded"));
  const keys = { " ": toggle, r: actions.restart, ".": actions.step, ",": actions.back, p: actions.push, f: actions.pose, "[": () => faster(-1), "]": () => faster(1) };
  window.addEventListener("keydown", (e) => {
    const key = e.key.toLowerCase();
    if (e.ctrlKey || e.altKey || e.metaKey || !(key in keys) || e.target.tagName === "SELECT") return;
    if (key === " " && (["BUTTON", "SUMMARY"].includes(e.target.tagName) || e.target.type === "checkbox")) return;
    keys[key]();
    e.preventDefault();
  });
  return setSpeed;
}

// Arrow keys: left and right turn while they are held, up and down change the speed permanently.
function makeSteering(settings, set) {
  const turn = settings.byName.get("turn"), pace = settings.byName.get("stroke") ?? settings.byName.get("speed");
  byId("steering").hidden = !turn && !pace;
  const faster = (by) => pace && set(pace.name, Math.min(pace.high, Math.max(pace.low, settings.valueOf(pace.name) + (by * (pace.high - pace.low)) / 10)));
  const turns = { ArrowLeft: "high", ArrowRight: "low" }, speedSteps = { ArrowUp: 1, ArrowDown: -1 };
  window.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey || ["SELECT", "INPUT"].includes(e.target.tagName)) return;
    if (turn && e.key in turns) { if (!e.repeat) set("turn", turn[turns[e.key]]); } else if (e.key in speedSteps) faster(speedSteps[e.key]);
    else return;
    e.preventDefault();
  });
  window.addEventListener("keyup", (e) => { if (turn && e.key in turns) set("turn", turn.value); });
}

// Switches of what is drawn besides the figure, and buttons that save files.
function makeViews(player, live, marks) {
  for (const kind of ["forces", "support", "trail", "front"]) byId(kind).onchange = (e) => marks.toggle(kind, e.target.checked);
  byId("trails").hidden = !live.about.feet.length;
  const name = live.about.name.replace(/[^\w.-]+/g, "_") || "world", video = new VideoRecorder(player, name);
  byId("picture").onclick = () => savePicture(player, name);
  byId("numbers").onclick = () => saveNumbers(live, name);
  byId("link").onclick = () => navigator.clipboard?.writeText(location.href).then(() => { byId("link").textContent = "copied"; });
  byId("video").onclick = () => {
    video.toggle();
    byId("video").classList.toggle("on");
  };
}

// All controls. Returns set(name, value), which changes a setting, and what was wrong in the address.
async function makeControls(player, live, clock, { marks, signals, hills, water }) {
  const { about, settings } = live, read = readAddress(about.served ? "" : location.hash, settings.names);
  const saveAddress = () => about.served || writeAddress(settings.values, clock.speed === about.speed ? null : clock.speed);
  const setSpeed = makeTransport(player, live, clock, saveAddress);
  setSpeed(about.served ? about.speed : read.speed ?? about.speed);
  const change = (name, value) => live.set(name, value).then(saveAddress), panel = new Panel(settings, change);
  live.onSetting = (name, value) => {
    panel.show(name, value);
    if (name === "slope") tiltView(player, settings.slope);
    if (name.startsWith("hills")) hills.show(live.numbers[live.about.numbers.hills], live.numbers[live.about.numbers["hills shape"]]);
    player.figures.hide(live.cutLinks);
    water.update();
    player.stale = true;
  };
  live.onSegment = () => {
    panel.describe();
    signals.describe();
    for (const name of settings.values.keys()) panel.show(name, settings.valueOf(name));
    player.figures.hide(live.cutLinks);
    water.update();
    tiltView(player, settings.slope);
  };
  water.update();
  player.figures.hide(live.cutLinks);
  makeSegments(player, live);
  makeSteering(settings, change);
  makeViews(player, live, marks);
  await Promise.all([...read.values].map(([name, value]) => live.set(name, value)));
  return read.unknown.map((name) => `the address sets "${name}", which this world does not have`);
}

// The film of the run, if the page has one.
async function makeRecorded(player) {
  const text = byId("recording").textContent;
  if (!text) return null;
  for (const id of ["recorded", "shown"]) byId(id).parentElement.hidden = false;
  const { film, getArray } = await unpack(text);
  return new Recorded(film, getArray, player);
}

function show(player, live, clock, notes) {
  const source = shown(player, live), film = source !== live, { time } = source, until = film && !player.showsPast ? source.until : Math.max(live.latestTime, time);
  byId("play").textContent = source.playing ? "pause" : "play";
  byId("pose").classList.toggle("on", live.frozen);
  byId("pose").setAttribute("aria-pressed", live.frozen);
  byId("clock").textContent = `${time.toFixed(3)} s${until > time + 1e-9 || film ? ` of ${until.toFixed(3)} s ${film ? "filmed" : "simulated"}` : ""}`;
  if (+byId("rate").value !== clock.speed) showSpeed(clock.speed);
  if (live.segments.length > 1 && !film && byId("segment") !== document.activeElement) byId("segment").value = live.segment;
  const scrub = byId("scrub");
  scrub.min = film ? source.film.start : 0;
  scrub.max = until;
  scrub.value = time;
  scrub.setAttribute("aria-valuetext", byId("clock").textContent);
  const text = (film ? notes : [...notes, ...status(live, clock)]).join("; ");
  if (byId("status").textContent !== text) byId("status").textContent = text; // else screen readers repeat it
}

try {
  const [drawn, data] = await Promise.all([unpack(byId("film").textContent), unpack(byId("live").textContent)]);
  const onChange = (answer) => {
    pose.update(answer.snapshot, clock.speed);
    marks.update(answer);
    signals.update(answer, live.time);
  };
  // The worker prepares its programs while the player prepares the picture.
  const script = byId("worker").textContent, live = (window.gambol = data.film.served ? new Served(data, "", onChange) : new Live(data, script, onChange));
  const player = (window.player = new Player(drawn.film, drawn.getArray, byId("stage"), SHADOW)), pose = new Pose(player, live);
  const layout = new Layout(player, isRoomy() && live.about.settings.length > 0);
  player.animate(0); // before the browser draws the panels, which takes as long without a GPU
  const marks = (player.marks = new Marks(player, live)), signals = (player.signals = new Signals(live));
  const clock = new (data.film.served ? ServedClock : Clock)(live, data.film.speed), touch = new Touch(player, live);
  const hills = new Hills(data.film, data.film.grid && new Uint16Array(data.getArray("heights").slice().buffer), player);
  const beside = (player.beside = new Beside(player, live, drawn, [data, script], byId("copies")));
  for (const [id, action] of [["beside", () => beside.add()], ["alone", () => beside.clear()]]) byId(id).onclick = action;
  byId("comparison").hidden = !!data.film.served;
  if (data.film.growth) live.growth = new Growth(player, drawn, data.film.growth.shapes);
  live.onBody = live.growth?.show;
  const [notes, recorded] = await Promise.all([makeControls(player, live, clock, { marks, signals, hills, water: new Water(live, player) }), makeRecorded(player)]);
  player.recorded = recorded;
  if (recorded) recorded.attachments = live.worlds.flatMap(({ attachments }) => attachments);
  byId("facts").textContent = [data.film.note, data.film.facts, drawn.film.facts].filter(Boolean).join("; ");
  layout.begin();
  await live.ready;
  player.begin = live.time; // first simulated time
  if (!data.film.served) {
    live.play();
    await clock.tick(0); // the first picture waits for the first step, not for the time of one
  }
  let last = performance.now();
  player.renderer.setAnimationLoop((now) => {
    const seconds = Math.max(0, now - last) / 1000;
    last = now;
    clock.tick(seconds);
    beside.follow();
    if (player.showsFilm) recorded.draw(seconds * clock.speed);
    endPast(player, live);
    touch.draw();
    recorded?.show(live.time, byId("recorded").checked && !player.showsFilm);
    player.animate(0);
    signals.draw(clock.speed);
    show(player, live, clock, notes);
  });
} catch (error) {
  byId("error").hidden = false;
  byId("error").textContent = `This world cannot be simulated here: ${error.message}`;
  throw error;
}
