// The world of a live page: its programs run in a worker, and every call returns a promise.
import { Settings } from "settings";

function requireVector(x) {
  if (!(Array.isArray(x) && x.length === 3 && x.every(Number.isFinite))) throw new Error(`${x} must be an array of three numbers`);
}

const floats = (getArray, name) => new Float64Array(getArray(name).slice().buffer);

// The segments of a run, see gambol.view.live.segments: one, if no script changes the world. Each has the description of its
// world (about), its first state (rows) and its numbers.
function segmentsOf(about, getArray) {
  if (about.served) return [{ about, numbers: floats(getArray, "numbers"), begin: 0, label: "" }];
  const { segments, worlds, ...page } = about, states = floats(getArray, "state"), numbers = floats(getArray, "numbers");
  if (!segments) return [{ about: { offset: 0, ...about }, world: 0, rows: states, numbers, until: null, origin: null, begin: 0, label: "" }];
  let state = 0, number = 0;
  return segments.map(({ rows, own, offset, ...segment }) => {
    const world = worlds[segment.world], count = Object.keys(world.numbers).length;
    return { ...segment, about: { ...page, ...world, ...own, offset }, rows: states.slice(state, (state += rows)), numbers: numbers.slice(number, (number += count)) };
  });
}

export class Live {
  // data: the description and arrays of gambol.view.live; script: the text of the worker; onChange: called with each answer.
  constructor({ film: about, getArray }, script, onChange) {
    this.segment = 0;
    this.segments = segmentsOf(about, getArray);
    this.worlds = about.worlds ?? [about]; // descriptions of the worlds of all segments
    this.about = this.segments[0].about;
    this.time = 0;
    this.fused = null;
    this.playing = this.frozen = false;
    this.latestTime = 0;
    this.hand = null;
    this.settings = new Settings(this.about);
    this.onChange = onChange;
    this.waiting = new Map();
    this.count = 0;
    this.worker = this.makeWorker(script);
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => this.fail(new Error(event.message));
    this.first = this.segments[0].numbers;
    this.numbers = this.first.slice(); // present values
    this.ready = this.ask("load", this.content(getArray)).then(() => undefined);
  }

  makeWorker(script) { return new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" }))); }

  // Returns the data of the worker: programs and grounds of all worlds, and the segments of the run.
  content(getArray) {
    const { worlds, segments } = this, table = (k) => (worlds.length > 1 || segments.length > 1 ? `table${k}` : "table"), heights = new Uint16Array(getArray(worlds[0].codes?.heights ?? "heights").slice().buffer);
    const programs = (of) => Object.fromEntries(of.programs.map((name) => [name, { code: getArray(of.codes?.[name] ?? name).slice(), description: of[name] }]));
    return { worlds: worlds.map((of, k) => ({ programs: programs(of), about: of, table: floats(getArray, table(k)), heights })),
      segments, software: location.hash.slice(1).split("&").includes("software-fma") };
  }

  ask(name, argument) {
    const id = this.count++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { name, resolve, reject });
      this.worker.postMessage({ id, name, argument });
    });
  }

  receive(answer) {
    const { resolve, reject } = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.error) return reject(new Error(answer.error));
    if ((answer.segment ?? this.segment) !== this.segment) this.changeSegment(answer);
    this.rows = answer.state;
    this.fused = answer.fused;
    this.running = answer.running;
    this.hand = answer.hand;
    this.latestTime = answer.latestTime;
    this.time = (this.about.offset ?? 0) + answer.state[this.about.controlSteps] * this.dt + answer.state[this.about.elapsed];
    this.onChange(answer);
    resolve(answer);
  }

  // A script changed the world, or the motion went back to before it did.
  changeSegment({ segment, numbers }) {
    const { about, numbers: first } = this.segments[segment];
    Object.assign(this, { segment, about, first, numbers });
    this.settings.describe(about);
    this.onSegment?.();
  }

  get dt() { return this.about.dt; }

  fail(error) {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    this.worker.terminate();
  }

  play() {
    this.frozen = false;
    this.playing = true;
  }

  // Pauses; until it plays again, bodies that are dragged take another posture.
  freeze() {
    this.frozen = !!this.about.pose;
    return this.pause();
  }

  // Resolves when nothing moves any more.
  async pause() {
    this.playing = false;
    await this.ready;
    await this.ask("step", { count: 0, limit: 0 });
  }

  // Returns to the first state; numbers that were set stay as they are.
  async reset() {
    await this.ready;
    await this.ask("reset");
  }

  // Goes to the beginning of a segment, in the state that it had in the run.
  async enter(segment) {
    if (!(segment in this.segments)) throw new Error(`enter(${segment}): give the number of a segment, from 0 to ${this.segments.length - 1}`);
    await this.ready;
    await this.ask("enter", { segment });
  }

  // Takes a number of control steps, whatever time they take, and pauses.
  async step(count = 1) {
    if (!Number.isInteger(count) || count < 0) throw new Error(`step(${count}): give a number of control steps`);
    this.playing = false;
    await this.ready;
    await this.ask("step", { count, limit: Infinity });
  }

  // Changes a setting of the page or a number of the world, such as "gravity" or "touch.friction".
  async set(name, value) {
    const { settings } = this;
    if (!settings.names.includes(name)) throw new Error(`"${name}" is not a number of this world; they are ${settings.names.join(", ")}`);
    if (!Number.isFinite(value)) throw new Error(`${name} cannot be ${value}`);
    await this.ready;
    const values = settings.change(name, value), { grows, restarts } = settings.byName.get(name) ?? {};
    const grown = grows ? await this.grown(settings.genes) : { values: [] };
    values.push(...grown.values);
    for (const [row, x] of values) this.numbers[row] = x;
    await this.ask("set", { values, segment: this.segment, coordinates: restarts ? grown.coordinates : null });
    if (restarts) this.body = grown;
    if (restarts) this.onBody?.(grown.shapes);
    this.onSetting?.(name, value);
  }

  // What genes give: pairs of a row and a value of the numbers, first coordinates, and sizes and positions of shapes (null:
  // the first ones). genes: their values, or null for those of the creature itself.
  async grown(genes) {
    const { growth, numbers } = this.about, rows = growth.numbers.map((name) => numbers[name]);
    if (genes === null) return { values: rows.map((row) => [row, this.first[row]]), coordinates: [], shapes: null };
    const { grown: [values, coordinates, shapes] } = await this.ask("grow", { genes });
    return { values: rows.map((row, k) => [row, values[k]]), coordinates, shapes };
  }

  // The links of limbs that are cut off.
  get cutLinks() {
    return new Set(Object.entries(this.about.cuts).flatMap(([name, links]) => (this.numbers[this.about.numbers[name]] > 0.5 ? links : [])));
  }

  // Returns to the last kept state at or before a time [s], and pauses; steps from there have the same bits.
  async seek(time) {
    if (!Number.isFinite(time)) throw new Error(`seek(${time}): give a time in seconds`);
    this.playing = false;
    await this.ready;
    await this.ask("seek", { time });
  }

  // Pulls a point of a link, in the link's frame, by a spring to a target in world axes [m], until it is released.
  async grab(name, point, target) {
    const links = this.about.hand?.links.map((link) => link.name) ?? [];
    if (!links.includes(name)) throw new Error(`"${name}" is no link that can be grabbed; they are ${links.join(", ") || "none"}`);
    for (const x of [point, target]) requireVector(x);
    await this.ready;
    await this.ask("grab", { name, point, target });
  }

  // Moves the joints between a link and the root, so that a point of the link, in its frame, goes to a target in world
  // axes [m], or as near as their limits allow; stops all motion, and pauses.
  async pose(name, point, target) {
    const links = this.about.pose ? this.about.hand.links.map((link) => link.name) : [];
    if (!links.includes(name)) throw new Error(`"${name}" is no link that can be posed; they are ${links.join(", ") || "none"}`);
    for (const x of [point, target]) requireVector(x);
    this.playing = false;
    await this.ready;
    await this.ask("pose", { name, point, target });
  }

  // Moves the target of the grabbed point.
  async aim(target) {
    requireVector(target);
    await this.ready;
    await this.ask("aim", { target });
  }

  // Includes contacts in all answers, or in none.
  async watch(contacts) {
    await this.ready;
    await this.ask("watch", { contacts });
  }

  async release() {
    await this.ready;
    await this.ask("release");
  }

  // Pushes the root by a force [N] in world axes for some seconds from now on.
  async push(force, seconds) {
    requireVector(force);
    if (!(seconds > 0 && seconds < Infinity)) throw new Error(`push(${seconds}): give a positive time in seconds`);
    const { shortest } = this.about.push;
    if (seconds < shortest) throw new Error(`push(${seconds}): give ${shortest} s or more; a shorter push is an impulse, force times ${seconds} s`);
    await this.ready;
    const row = this.about.numbers["push[0]"], values = [...force, this.time, this.time + seconds];
    await this.ask("set", { values: values.map((value, k) => [row + k, value]), segment: this.segment });
  }

  get controlSteps() { return this.rows[this.about.controlSteps]; }

  get lived() { return this.latestTime; } // its name in earlier versions

  // A copy of all rows of the state of world 0, as of the last promise that was resolved.
  state() { return this.rows.slice(); }
}
