// Creatures side by side: each is a world with programs of its own, in a worker of its own. One scene draws all of them.
import { Clock } from "clock";
import { Framing } from "framing";
import { Herd } from "herd";
import { Live } from "live";
import { Player, inflate, unpack } from "player";
import { Touch } from "touch";

const byId = (id) => document.getElementById(id);
const SHADOW = 2048; // size of the shadow map [pixels]
const rateText = (speed) => (speed === 1 ? "real time" : speed < 1 ? `1/${+(1 / speed).toPrecision(3)} real time` : `${speed} x`);

// Returns the creatures of the page, whose programs are compiled in their workers.
async function readCreatures() {
  const programs = await unpack(byId("programs").textContent), script = byId("worker").textContent;
  const rows = JSON.parse(new TextDecoder().decode(await inflate(byId("creatures").textContent)));
  let first = 0;
  return Promise.all(rows.map(async (row, k) => {
    const world = await unpack(byId(`world${k}`).textContent);
    const getArray = (name) => (name in world.film.arrays ? world : programs).getArray(name);
    return { ...row, world: { film: world.film, getArray }, script };
  })).then((creatures) => creatures.map((creature) => {
    const links = (creature.world.film.quaternions - creature.world.film.positions) / 3;
    first += links;
    return { ...creature, links, first: first - links };
  }));
}

function makeTransport(player, herd, clock, framing) {
  const rates = byId("rate"), [hx, hy] = player.film.heading;
  const push = () => herd.push(framing.chosen, ({ force }) => [-hy * force, hx * force, 0]);
  const toggle = () => (herd.playing ? herd.pause() : herd.play());
  const actions = { play: toggle, step: () => herd.step(1), push, restart: () => herd.reset(), reset: () => framing.choose(null) };
  for (const [id, action] of Object.entries(actions)) byId(id).onclick = action;
  for (const speed of player.film.rates) rates.add(new Option(rateText(speed), speed, false, speed === 1));
  rates.onchange = () => Object.assign(clock, { speed: +rates.value, rate: null, simulated: 0, real: 0 });
  byId("scrub").oninput = (e) => herd.seek(+e.target.value);
  byId("labelled").onchange = (e) => { byId("labels").hidden = !e.target.checked; };
  const keys = { " ": toggle, ".": actions.step, p: push, r: actions.restart };
  window.addEventListener("keydown", (e) => {
    const key = e.key.toLowerCase();
    if (e.ctrlKey || e.altKey || e.metaKey || !(key in keys) || e.target.tagName === "SELECT") return;
    if (key === " " && (e.target.tagName === "BUTTON" || e.target.type === "checkbox")) return;
    keys[key]();
    e.preventDefault();
  });
}

// A button for each creature: the camera shows it alone; once more, or another button, all of them.
function makeNames(herd, framing) {
  const buttons = herd.members.map((creature) => {
    const button = Object.assign(document.createElement("button"), { textContent: creature.name, title: creature.summary });
    button.onclick = () => framing.choose(framing.chosen === creature ? null : creature);
    byId("names").append(button);
    return button;
  });
  framing.onChoice = (chosen) => buttons.forEach((button, k) => button.setAttribute("aria-pressed", herd.members[k] === chosen));
  framing.onChoice(null);
}

function status(herd, clock) {
  const notes = herd.members.filter(({ live }) => !live.running).map(({ name }) => `${name} stopped: its motion became infinite`);
  if (herd.playing && clock.rate !== null && clock.rate < 0.9 * clock.speed) {
    notes.push(`this machine reaches ${clock.rate.toPrecision(2)} of real time instead of ${clock.speed}`);
  }
  if (!herd.fused) notes.push("slower, since this browser has no fused multiply-add");
  return notes.join("; ");
}

function show(herd, clock) {
  const text = `${herd.time.toFixed(3)} s of ${herd.latestTime.toFixed(3)} s`;
  byId("play").textContent = herd.playing ? "pause" : "play";
  byId("clock").textContent = text;
  Object.assign(byId("scrub"), { max: herd.latestTime, value: herd.time });
  byId("scrub").setAttribute("aria-valuetext", text);
  byId("status").textContent = status(herd, clock);
}

try {
  const { film, getArray } = await unpack(byId("film").textContent);
  const player = (window.player = new Player(film, getArray, byId("stage"), SHADOW)); // for the console, and for tests
  Object.assign(player, { paused: true, stepping: null }); // its film is only the posture that is computed
  const framing = new Framing(player, byId("labels"), [document.querySelector("header"), document.querySelector("footer")]);
  const creatures = await readCreatures(), herd = new Herd(player, creatures, Live), clock = new Clock(herd, 1);
  byId("facts").textContent = `${creatures.length} creatures, each simulated in this page by its own program; their sizes are chosen so that all move equally fast`;
  framing.members = herd.members;
  player.resetView = () => framing.choose(null);
  framing.choose(null);
  makeNames(herd, framing);
  makeTransport(player, herd, clock, framing);
  const touch = new Touch(player, herd);
  let last = performance.now();
  player.renderer.setAnimationLoop((now) => {
    const seconds = Math.max(0, now - last) / 1000;
    last = now;
    if (herd.fused !== null) clock.tick(seconds);
    touch.draw();
    framing.follow(seconds);
    if (player.animate(0)) framing.label();
    if (herd.fused !== null) show(herd, clock);
  });
  byId("status").textContent = "compiling the programs";
  herd.play();
  window.gambol = herd; // for scripts, see docs/use/live.md
  await herd.ready;
} catch (error) {
  byId("error").hidden = false;
  byId("error").textContent = `These creatures cannot be simulated here: ${error.message}`;
  throw error;
}
