// The controls of a live page: play, pause, step, reset, speed, and sliders for numbers of the world.
import { Live } from "live";
import { Player, unpack } from "player";
import { Recorded } from "recorded";
import { readSettings, writeSettings } from "settings";
import { Touch } from "touch";

const byId = (id) => document.getElementById(id);
const LIMIT = 25; // least time for computation from one picture to the next [ms]
const SHARE = 0.8; // of the time from one picture to the next that may be computation, where drawing is slow
const LONGEST = 0.25; // seconds between pictures that are made up for; after longer ones the motion is slower
const SMOOTHING = 0.15; // of the camera: the part of the way to the figure's centre in each picture

// Gives the player's film of one frame the poses of a snapshot; lengths are in figure sizes.
function pose(player, about, snapshot, following) {
  const { size, links } = player.film, { positions, quaternions, centre } = about;
  for (let l = 0; l < links; l++) {
    for (let k = 0; k < 3; k++) player.motion[7 * l + k] = snapshot[positions + 3 * l + k] / size;
    for (let k = 0; k < 4; k++) player.motion[7 * l + 3 + k] = snapshot[quaternions + 4 * l + k];
  }
  for (let k = 0; k < 3; k++) player.path[k] += (snapshot[centre + k] / size - player.path[k]) * (following ? SMOOTHING : 1);
  player.stale = true;
}

function addSlider({ label, name, low, high, unit, value }, change) {
  const row = document.createElement("label"), input = document.createElement("input"), output = document.createElement("output");
  Object.assign(input, { type: "range", min: low, max: high, step: "any", value, id: `number ${name}` });
  const show = () => (output.textContent = `${(+input.value).toPrecision(3)} ${unit}`);
  input.oninput = () => { show(); change(name, +input.value); };
  show();
  row.append(label, input, output);
  byId("sliders").append(row);
}

// Asks the worker for as many control steps as the time since the last picture holds; never for two pictures at once.
class Clock {
  constructor(live, speed) {
    Object.assign(this, { live, speed, owed: 0, busy: false, simulated: 0, real: 0, rate: null });
  }

  async tick(seconds) {
    const { live } = this;
    if (!live.playing || !live.running) return;
    this.owed = Math.min(this.owed + seconds * this.speed, LONGEST * this.speed);
    this.real += seconds;
    const count = Math.floor(this.owed / live.dt + 1e-9);
    if (this.busy || !count) return;
    this.busy = true;
    const before = live.time;
    await live.ask("step", { count, limit: Math.max(LIMIT, 1000 * SHARE * Math.min(seconds, LONGEST)) });
    this.busy = false;
    this.owed = Math.max(0, this.owed - (live.time - before));
    this.simulated += Math.max(0, live.time - before);
    if (this.real > 1) {
      this.rate = this.simulated / this.real;
      this.simulated = this.real = 0;
    }
  }
}

const rateText = (speed) => (speed === 1 ? "real time" : speed < 1 ? `1/${+(1 / speed).toPrecision(3)} real time` : `${speed} x`);

function status(live, clock) {
  const notes = [];
  if (!live.running) notes.push("stopped: the motion became infinite, or its step too small");
  if (live.playing && clock.rate !== null && clock.rate < 0.9 * clock.speed) {
    notes.push(`this machine manages ${clock.rate.toPrecision(2)} of real time instead of ${clock.speed}`);
  }
  if (!live.fused) notes.push("slower, since this browser has no fused multiply-add");
  const { overCapacity } = live.about;
  if (overCapacity !== null && live.rows[overCapacity] > 0) notes.push("more contacts than this page has room for");
  return notes;
}

// Buttons, sliders and keys. Settings that change go into the address of the page.
function makeControls(player, live, clock) {
  const { about } = live, rates = byId("rate"), settings = readSettings(location.hash, about.numbers);
  const share = () => writeSettings(live.changed, clock.speed === about.speed ? null : clock.speed);
  const setSpeed = (speed) => {
    if (![...rates.options].some((option) => +option.value === speed)) rates.add(new Option(rateText(speed), speed));
    rates.value = clock.speed = speed;
    clock.rate = null;
    clock.simulated = clock.real = 0;
  };
  const faster = (by) => {
    const speeds = [...rates.options].map((option) => +option.value).sort((a, b) => a - b), k = speeds.indexOf(clock.speed) + by;
    if (k in speeds) { setSpeed(speeds[k]); share(); }
  };
  const set = (name, value) => live.set(name, value).then(share);
  const [hx, hy] = player.film.heading, push = () => live.push([-hy * about.push.force, hx * about.push.force, 0], about.push.seconds);
  const toggle = () => (live.playing ? live.pause() : live.play());
  const actions = { play: toggle, step: () => live.step(1), back: () => live.seek(live.time - live.dt), restart: () => live.reset(), push,
    reset: () => player.resetView() };
  for (const [id, action] of Object.entries(actions)) byId(id).onclick = action;
  for (const speed of about.speeds) rates.add(new Option(rateText(speed), speed));
  setSpeed(settings.speed ?? about.speed);
  rates.onchange = () => { setSpeed(+rates.value); share(); };
  byId("follow").onchange = (e) => { player.following = e.target.checked; };
  byId("scrub").oninput = (e) => live.seek(+e.target.value);
  about.sliders.forEach((slider) => addSlider({ ...slider, value: settings.numbers.get(slider.name) ?? slider.value }, set));
  const keys = { " ": toggle, r: actions.restart, ".": actions.step, ",": actions.back, p: push, "[": () => faster(-1), "]": () => faster(1) };
  window.addEventListener("keydown", (e) => {
    const key = e.key.toLowerCase();
    if (e.ctrlKey || e.altKey || e.metaKey || !(key in keys) || e.target.tagName === "SELECT") return;
    if (key === " " && (e.target.tagName === "BUTTON" || e.target.type === "checkbox")) return;
    keys[key]();
    e.preventDefault();
  });
  return settings;
}

// The film of the run, if the page has one.
async function makeRecorded(player) {
  const text = byId("recording").textContent;
  if (!text) return null;
  byId("recorded").parentElement.hidden = false;
  const { film, getArray } = await unpack(text);
  return new Recorded(film, getArray, player);
}

function show(live, clock, notes) {
  byId("play").textContent = live.playing ? "pause" : "play";
  byId("clock").textContent = `${live.time.toFixed(3)} s of ${live.lived.toFixed(3)} s lived`;
  const scrub = byId("scrub");
  scrub.max = Math.max(live.lived, live.time);
  scrub.value = live.time;
  scrub.setAttribute("aria-valuetext", byId("clock").textContent);
  const text = [...notes, ...status(live, clock)].join("; ");
  if (byId("status").textContent !== text) byId("status").textContent = text; // else screen readers repeat it
}

try {
  const [drawn, data] = await Promise.all([unpack(byId("film").textContent), unpack(byId("live").textContent)]);
  const player = (window.player = new Player(drawn.film, drawn.getArray, byId("stage")));
  const live = (window.gambol = new Live(data, byId("worker").textContent, (answer) => pose(player, data.film, answer.snapshot, live.playing)));
  const clock = new Clock(live, data.film.speed), touch = new Touch(player, live), settings = makeControls(player, live, clock);
  const notes = settings.unknown.map((name) => `the address sets "${name}", which this world does not have`);
  const recorded = (player.recorded = await makeRecorded(player));
  byId("facts").textContent = `${data.film.facts}; ${drawn.film.facts}`;
  await Promise.all([...settings.numbers].map(([name, value]) => live.set(name, value)));
  await live.ready;
  live.play();
  let last = performance.now();
  player.renderer.setAnimationLoop((now) => {
    clock.tick(Math.max(0, now - last) / 1000);
    last = now;
    touch.draw();
    recorded?.show(live.time, byId("recorded").checked);
    player.draw(0);
    show(live, clock, notes);
  });
} catch (error) {
  byId("error").hidden = false;
  byId("error").textContent = `This world cannot live here: ${error.message}`;
  throw error;
}
