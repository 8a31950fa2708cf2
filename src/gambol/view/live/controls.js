// The controls of a live page: play, pause, step, reset, speed, and sliders for numbers of the world.
import { Live } from "live";
import { Player, unpack } from "player";

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

function addSlider({ label, name, low, high, unit, value }, live) {
  const row = document.createElement("label"), input = document.createElement("input"), output = document.createElement("output");
  Object.assign(input, { type: "range", min: low, max: high, step: "any", value, id: `number ${name}` });
  const show = () => (output.textContent = `${(+input.value).toPrecision(3)} ${unit}`);
  input.oninput = () => { show(); live.set(name, +input.value); };
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

function status(live, clock) {
  const notes = [];
  if (!live.running) notes.push("stopped: the motion became infinite, or its step too small");
  if (live.playing && clock.rate !== null && clock.rate < 0.9 * clock.speed) {
    notes.push(`this machine manages ${clock.rate.toPrecision(2)} of real time instead of ${clock.speed}`);
  }
  if (!live.fused) notes.push("slower, since this browser has no fused multiply-add");
  const { overCapacity } = live.about;
  if (overCapacity !== null && live.rows[overCapacity] > 0) notes.push("more contacts than this page has room for");
  return notes.join("; ");
}

try {
  const [drawn, data] = await Promise.all([unpack(byId("film").textContent), unpack(byId("live").textContent)]);
  const player = (window.player = new Player(drawn.film, drawn.getArray, byId("stage")));
  const live = (window.gambol = new Live(data, byId("worker").textContent, (answer) => pose(player, data.film, answer.snapshot, live.playing)));
  const clock = new Clock(live, data.film.speed);
  for (const speed of data.film.speeds) byId("rate").add(new Option(speed === 1 ? "real time" : `${+speed.toPrecision(3)} of real time`, speed, false, speed === data.film.speed));
  byId("rate").onchange = (e) => { clock.speed = +e.target.value; clock.rate = null; clock.simulated = clock.real = 0; };
  const toggle = () => (live.playing ? live.pause() : live.play());
  byId("play").onclick = toggle;
  byId("step").onclick = () => live.step(1);
  byId("restart").onclick = () => live.reset();
  byId("reset").onclick = () => player.resetView();
  byId("follow").onchange = (e) => { player.following = e.target.checked; };
  window.addEventListener("keydown", (e) => {
    if (e.code === "Space" && e.target.tagName !== "BUTTON") { toggle(); e.preventDefault(); }
    else if (e.code === "KeyR") live.reset();
    else if (e.key === ".") live.step(1);
  });
  byId("facts").textContent = `${data.film.facts}; ${drawn.film.facts}`;
  data.film.sliders.forEach((slider) => addSlider(slider, live));
  await live.ready;
  live.play();
  let last = performance.now();
  player.renderer.setAnimationLoop((now) => {
    clock.tick(Math.max(0, now - last) / 1000);
    last = now;
    player.draw(0);
    byId("play").textContent = live.playing ? "pause" : "play";
    byId("clock").textContent = `${live.time.toFixed(3)} s`;
    byId("status").textContent = status(live, clock);
  });
} catch (error) {
  byId("error").hidden = false;
  byId("error").textContent = `This world cannot live here: ${error.message}`;
  throw error;
}
