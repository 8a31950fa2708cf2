// The segments of a run in the worker of a live page: between two of them a script changed the world or its state, see
// gambol.view.live.segments. Other pages have one segment.

class Segments {
  // worlds: arguments of LiveWorld; segments: each with the index of its world, its first state (rows), numbers and
  // description (about), the control step at which it ends (until) or null, and where rows of its first state come from
  // (origin) or null; software: true for the fma in software.
  constructor({ worlds, segments, software }) {
    Object.assign(this, { list: segments, sources: worlds, software, worlds: [], index: 0 });
    this.size = Math.max(...segments.map(({ rows }) => rows.length));
    this.world = this.worldOf(0);
    this.world.begin(segments[0], segments[0].numbers.slice());
    this.reset();
  }

  worldOf(index) {
    const k = this.list[index].world, history = { add: (rows) => this.history.add(this.entry(rows)), replace: (rows) => this.history.replace(this.entry(rows)) };
    return (this.worlds[k] ??= new LiveWorld(this.sources[k], this.software, history));
  }

  // What the history keeps of a state: the segment, and then the rows.
  entry(rows, index = this.index) {
    const entry = new Float64Array(this.size + 1);
    entry[0] = index;
    entry.set(rows, 1);
    return entry;
  }

  timeOf(entry) {
    const { about } = this.list[entry[0]];
    return about.offset + entry[1 + about.controlSteps] * about.dt + entry[1 + about.elapsed];
  }

  // A history of the first states of the segments up to one.
  historyUntil(last) {
    const { historyBytes } = this.list[0].about, states = this.list.slice(0, last + 1).map(({ rows }, k) => this.entry(k ? rows : this.firstRows, k));
    const history = new History(states[0], (entry) => this.timeOf(entry), historyBytes);
    for (const state of states.slice(1)) history.add(state);
    return history;
  }

  // The first state of the run; genes may have changed it.
  get firstRows() { return this.index === 0 ? this.world.start : this.list[0].rows; }

  reset() {
    this.goTo(0, this.firstRows);
    this.history = this.historyUntil(0);
  }

  // Goes to the beginning of a segment, in the state that it had in the run.
  enter({ segment }) {
    this.goTo(segment, segment ? this.list[segment].rows : this.firstRows);
    this.history = this.historyUntil(segment);
  }

  // Returns to the last kept state at or before a time.
  seek({ time }) {
    const entry = this.history.at(time), index = entry[0];
    this.goTo(index, entry.slice(1, 1 + this.list[index].rows.length));
  }

  // Goes on from another state, without what was before it.
  continueFrom({ rows, segment }) {
    this.goTo(segment, rows);
    this.history = new History(this.entry(rows), (entry) => this.timeOf(entry), this.list[0].about.historyBytes);
  }

  // Goes to a state of a segment, and lets go of what is pulled.
  goTo(index, rows) {
    this.world.release();
    if (index !== this.index) this.change(index);
    this.world.restore(rows);
  }

  // Makes another segment the present one. Numbers that the visitor has changed keep their values.
  change(index) {
    const { world: before } = this, segment = this.list[index], numbers = segment.numbers.slice();
    for (const [name, row] of Object.entries(before.about.numbers)) {
      if (before.numbers[row] !== before.first.numbers[row] && name in segment.about.numbers) numbers[segment.about.numbers[name]] = before.numbers[row];
    }
    this.index = index;
    this.world = this.worldOf(index);
    this.world.watched = before.watched;
    if (this.world !== before) before.release();
    this.world.begin(segment, numbers);
  }

  // Goes on to the next segment: what the script changed in the state gets its value in the run, all else goes on.
  next() {
    const { rows: first, origin } = this.list[this.index + 1], last = this.world.rows;
    this.change(this.index + 1);
    this.world.restore(origin ? first.map((x, row) => (origin[row] < 0 ? x : last[origin[row]])) : last);
  }

  get isOver() {
    const { until } = this.list[this.index];
    return until !== null && this.world.controlStep >= until;
  }

  // Takes up to `count` control steps, and stops after `limit` milliseconds.
  step({ count, limit }) {
    const end = performance.now() + limit;
    for (let left = count; left > 0 && this.world.isRunning;) {
      while (this.isOver) this.next();
      const { world } = this, before = world.controlStep, until = this.list[this.index].until ?? Infinity;
      world.step({ count: Math.min(left, until - before), limit: end - performance.now() });
      left -= world.controlStep - before;
      if (world.controlStep === before || performance.now() > end) return;
    }
  }

  // segment: that whose rows the values have; the motion may have gone on to another since the visitor chose them.
  set({ values, segment, coordinates }) {
    const from = this.list[segment].about.numbers, to = this.list[this.index].about.numbers;
    const names = from === to ? null : new Map(Object.entries(from).map(([name, row]) => [row, name]));
    const placed = names ? values.map(([row, x]) => [to[names.get(row)], x]).filter(([row]) => row !== undefined) : values;
    if (this.world.set({ values: placed, coordinates })) this.reset();
  }

  grab(argument) { this.world.grab(argument); }

  aim(argument) { this.world.aim(argument); }

  release() { this.world.release(); }

  pose(argument) { this.world.pose(argument); }

  grow(argument) { this.world.grow(argument); }

  watch(argument) { this.world.watch(argument); }

  // Returns the data that the page shows after a message; with the numbers of the world if it is in another segment.
  answer() {
    const numbers = this.index === this.answered ? null : this.world.numbers.slice();
    this.answered = this.index;
    return { ...this.world.answer(), segment: this.index, numbers, latestTime: this.history.latest };
  }
}
