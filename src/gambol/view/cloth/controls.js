// The controls of the page of a cloth: time, settings, energies, files, and a hand that pulls its points.
import * as THREE from "three";
import { Arrow } from "arrows";
import { Clock } from "clock";
import { Live } from "live";
import { Panel } from "panel";
import { rayAt } from "picking";
import { Player, unpack } from "player";
import { VideoRecorder, savePicture } from "saving";
import { readAddress, writeAddress } from "settings";

const byId = (id) => document.getElementById(id);
const SHADOW = 2048; // size of the shadow map [pixels]
const LAG = 0.25; // time constant with which the camera follows a cloth that is let go [s]
const RINGS = { mouse: 26, pen: 26, touch: 44 }; // distance from the pointer at which points are found [pixels]

class LiveCloth extends Live {
  content(getArray) {
    const { about } = this, arrays = Object.fromEntries(["state", "elements", "points", "numbers"].map((name) => [name, new Float64Array(getArray(name).slice().buffer)]));
    const codes = Object.fromEntries(Object.keys(about.elementPrograms).map((kind) => [kind, getArray(kind).slice()]));
    return { about, arrays, codes, code: getArray("code").slice(), software: location.hash.slice(1).split("&").includes("software-fma") };
  }

  // Pulls a point, by its index, by a spring to a target [m], until it is released.
  async grab(point, target) {
    if (!(Number.isInteger(point) && point >= 0 && point < this.about.count)) throw new Error(`${point} is no point; they are 0 to ${this.about.count - 1}`);
    if (!(Array.isArray(target) && target.length === 3 && target.every(Number.isFinite))) throw new Error(`${target} must be an array of three numbers`);
    await this.ready;
    await this.ask("grab", { point, target });
  }

  async push() { throw new Error("a cloth is not pushed; grab(point, target) pulls one of its points"); }

  async pose() { throw new Error("a cloth has no posture; grab(point, target) pulls one of its points"); }
}

// Grabs points of the cloth with the mouse, a pen or a finger, and draws the spring as an arrow.
class Touch {
  constructor(player, live, places) {
    Object.assign(this, { player, live, places, pointer: null, arrow: new Arrow(player.scene, player.film.look.force, true) });
    const { canvas } = player, options = { capture: true }; // before the camera's controls
    window.addEventListener("pointerdown", (e) => e.target === canvas && e.button === 0 && this.down(e), options);
    window.addEventListener("pointermove", (e) => this.move(e), options);
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, (e) => this.up(e), options);
  }

  place(k) { return new THREE.Vector3().fromArray(this.places, 3 * k); }

  canvasPoint(e) {
    const box = this.player.canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  // The point of the cloth nearest to a place of the canvas, if it is within a ring [pixels]; else -1. A ball within which the
  // place is comes first.
  pick(x, y, ring) {
    const { player: { camera, canvas, film }, live: { about } } = this, found = { distance: ring, point: -1 }, up = new THREE.Vector3(0, 1, 0).applyQuaternion(camera.quaternion);
    const pixels = (p) => { p.project(camera); return [((p.x + 1) * canvas.clientWidth) / 2, ((1 - p.y) * canvas.clientHeight) / 2]; };
    for (let k = 0; k < about.count; k++) {
      const [px, py] = pixels(this.place(k)), radius = about.balls[k - about.count + about.balls.length] ?? 0;
      const [ex, ey] = radius ? pixels(this.place(k).addScaledVector(up, radius / film.size)) : [px, py];
      const distance = Math.hypot(px - x, py - y) - Math.hypot(ex - px, ey - py);
      if (distance < found.distance) Object.assign(found, { distance, point: k });
    }
    return found.point;
  }

  down(e) {
    const { player, live } = this, point = this.pointer === null ? this.pick(...this.canvasPoint(e), RINGS[e.pointerType] ?? RINGS.mouse) : -1;
    if (point < 0) return;
    Object.assign(this, { pointer: e.pointerId, anchor: this.place(point), normal: player.camera.getWorldDirection(new THREE.Vector3()) });
    player.canvas.setPointerCapture?.(e.pointerId);
    live.grab(point, this.metres(this.anchor));
    e.stopPropagation();
  }

  metres(p) { return p.toArray().map((x) => x * this.player.film.size); }

  // The target is where the pointer's ray meets the plane through the grabbed point, parallel to the picture.
  move(e) {
    if (e.pointerId !== this.pointer) return;
    const { origin, direction } = rayAt(this.player, ...this.canvasPoint(e)), distance = this.anchor.clone().sub(origin).dot(this.normal) / direction.dot(this.normal);
    if (distance > 0) this.live.aim(this.metres(origin.addScaledVector(direction, distance)));
    e.stopPropagation();
  }

  up(e) {
    if (e.pointerId !== this.pointer) return;
    this.pointer = null;
    this.live.release();
    e.stopPropagation();
  }

  draw() {
    const { live: { hand }, player: { film } } = this;
    if (!hand) return this.arrow.hide();
    const start = this.place(hand.point);
    this.arrow.set(start.toArray(), hand.target.map((x, k) => x / film.size - start.getComponent(k)));
  }
}

// Draws cloth and balls where the worker says. places: of all points, in figure sizes; count: number of points.
function makeCloth(player, { parts, balls, count }) {
  const { film: { size } } = player, drawn = player.matter.parts.slice(0, parts.length), places = new Float32Array(3 * count), first = count - balls.length;
  const round = player.matter.parts.slice(parts.length), shapes = round.map(({ points }) => {
    const half = [0, 1, 2].map((axis) => points.filter((_, k) => k % 3 === axis)).map((xs) => (Math.min(...xs) + Math.max(...xs)) / 2);
    return Float32Array.from(points, (x, k) => x - half[k % 3]); // about the centre
  });
  for (const part of player.matter.parts) part.pose = () => {};
  for (const { geometry, positions, points } of round) {
    positions.array.set(points);
    geometry.computeVertexNormals(); // a ball only moves
  }
  return { places, count, show: (metres) => {
    for (let k = 0; k < metres.length; k++) places[k] = metres[k] / size;
    let start = 0;
    for (const { positions, geometry, triangles } of drawn) {
      positions.array.set(places.subarray(start, start + positions.array.length));
      positions.needsUpdate = true;
      if (triangles.length) geometry.computeVertexNormals();
      start += positions.array.length;
    }
    round.forEach(({ positions }, b) => {
      for (let k = 0; k < positions.array.length; k++) positions.array[k] = shapes[b][k] + places[3 * (first + b) + (k % 3)];
      positions.needsUpdate = true;
    });
    player.stale = true;
  } };
}

// Lets the camera follow the cloth while nothing holds it; else it looks at the first place. seconds: since the last picture.
function follow(player, live, { places: array, count }, seconds) {
  const { path } = player, wanted = [0, 0, 0]; // of a film of one frame
  player.firstPath ??= path.slice();
  if (live.hand) return;
  if (live.numbers[live.about.numbers.held] > 0.5) wanted.splice(0, 3, ...player.firstPath);
  else for (let k = 0; k < array.length; k++) wanted[k % 3] += array[k] / count;
  const steps = wanted.map((x, k) => (x - path[k]) * Math.min(1, seconds / LAG));
  steps.forEach((step, k) => { path[k] += step; });
  if (Math.max(...steps.map(Math.abs)) > 1e-5) player.stale = true;
}

function status(live, clock) {
  const notes = [];
  if (!live.running) notes.push("stopped: the motion became infinite");
  if (live.playing && clock.rate !== null && clock.rate < 0.9 * clock.speed) notes.push(`this machine reaches ${clock.rate.toPrecision(2)} of real time instead of ${clock.speed}`);
  if (!live.fused) notes.push("slower, since this browser has no fused multiply-add");
  return notes;
}

const rateText = (speed) => (speed === 1 ? "real time" : speed < 1 ? `1/${+(1 / speed).toPrecision(3)} real time` : `${speed} x`);

function makeTransport(player, live, clock, saveAddress) {
  const rates = byId("rate"), toggle = () => (live.playing ? live.pause() : live.play());
  const actions = { play: toggle, step: () => live.step(1), back: () => live.seek(live.time - live.dt), restart: () => live.reset(), reset: () => player.resetView() };
  for (const [id, action] of Object.entries(actions)) byId(id).onclick = action;
  for (const speed of new Set([...live.about.speeds, clock.speed])) rates.add(new Option(rateText(speed), speed));
  rates.value = clock.speed;
  rates.onchange = () => { Object.assign(clock, { speed: +rates.value, rate: null, simulated: 0, real: 0 }); saveAddress(); };
  byId("scrub").oninput = (e) => live.seek(+e.target.value);
  const keys = { " ": toggle, r: actions.restart, ".": actions.step, ",": actions.back };
  window.addEventListener("keydown", (e) => {
    const key = e.key.toLowerCase();
    if (e.ctrlKey || e.altKey || e.metaKey || !(key in keys) || ["SELECT", "BUTTON", "SUMMARY"].includes(e.target.tagName) || e.target.type === "checkbox") return;
    keys[key]();
    e.preventDefault();
  });
}

function makeFiles(player, live) {
  const video = new VideoRecorder(player, live.about.name);
  byId("picture").onclick = () => savePicture(player, live.about.name);
  byId("link").onclick = () => navigator.clipboard?.writeText(location.href).then(() => { byId("link").textContent = "copied"; });
  byId("video").onclick = () => {
    video.toggle();
    byId("video").classList.toggle("on");
  };
}

function showEnergies({ about }, { energy, ledger }) {
  const rows = [["stored and of motion", energy], ...about.ledger.map((name, k) => [name, ledger[k]])];
  byId("energies").textContent = rows.map(([name, x]) => `${name}: ${x === null ? "" : x.toPrecision(4)} J`).join("\n");
}

function show(live, clock, notes) {
  byId("play").textContent = live.playing ? "pause" : "play";
  const until = Math.max(live.latestTime, live.time), scrub = byId("scrub");
  byId("clock").textContent = `${live.time.toFixed(3)} s${until > live.time + 1e-9 ? ` of ${until.toFixed(3)} s simulated` : ""}`;
  Object.assign(scrub, { min: 0, max: until, value: live.time });
  scrub.setAttribute("aria-valuetext", byId("clock").textContent);
  const text = [...notes, ...status(live, clock)].join("; ");
  if (byId("status").textContent !== text) byId("status").textContent = text; // else screen readers repeat it
}

try {
  const [drawn, data] = await Promise.all([unpack(byId("film").textContent), unpack(byId("live").textContent)]);
  let cloth = null;
  const live = (window.gambol = new LiveCloth(data, byId("worker").textContent, (answer) => {
    cloth.show(answer.positions);
    showEnergies(live, answer);
  }));
  const player = (window.player = new Player(drawn.film, drawn.getArray, byId("stage"), SHADOW));
  player.animate(0); // before the browser draws the panels
  cloth = makeCloth(player, live.about);
  const { settings, about } = live, read = readAddress(location.hash, settings.names), clock = new Clock(live, read.speed ?? about.speed);
  const saveAddress = () => writeAddress(settings.values, clock.speed === about.speed ? null : clock.speed);
  const panel = new Panel(settings, (name, value) => live.set(name, value).then(saveAddress));
  live.onSetting = (name, value) => panel.show(name, value);
  makeTransport(player, live, clock, saveAddress);
  makeFiles(player, live);
  const touch = new Touch(player, live, cloth.places), notes = read.unknown.map((name) => `the address sets "${name}", which this cloth does not have`);
  byId("facts").textContent = [about.note, about.facts, drawn.film.facts].filter(Boolean).join("; ");
  await Promise.all([...read.values].map(([name, value]) => live.set(name, value)));
  await live.ready;
  live.play();
  await clock.tick(0);
  let last = performance.now();
  player.renderer.setAnimationLoop((now) => {
    const seconds = Math.max(0, now - last) / 1000;
    last = now;
    clock.tick(seconds);
    follow(player, live, cloth, seconds);
    touch.draw();
    player.animate(0);
    show(live, clock, notes);
  });
} catch (error) {
  byId("error").hidden = false;
  byId("error").textContent = `This cloth cannot be simulated here: ${error.message}`;
  throw error;
}
