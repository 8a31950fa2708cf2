// The worker of the page of a cloth: runs the program of a step for all points, and answers messages one after the other.
// A message is {id, name, argument}; the answer {id, ...} has what changed, or {id, error}.

let cloth = null;

class Cloth {
  // about: description of the page; code: of the program; arrays: blocks of state, elements and points, and the numbers.
  constructor({ about, code, codes, arrays: { state, elements, points, numbers }, software }) {
    Object.assign(this, { about, elements, points, numbers, start: Float64Array.of(...state, 0, 0), hand: null });
    this.program = new WasmProgram(code, about.program, software ? false : undefined);
    this.blocks = about.columns / this.program.lanes;
    this.widths = this.program.inputs.slice(0, 3).map((input) => input.length); // of a block
    const { lanes } = this.program, placeOf = (point) => Math.floor(point / lanes) * about.rows * lanes + (point % lanes);
    this.groups = about.groups.map((group) => new Elements(group, about, new WasmProgram(codes[group.kind], about.elementPrograms[group.kind], software ? false : undefined), placeOf));
    this.reset();
  }

  timeOf(rows) { return rows[this.about.controlSteps] * this.about.dt; }

  reset() {
    this.release();
    this.state = this.start.slice();
    this.next = this.start.slice();
    this.energies = null;
    this.history = new History(this.start, (rows) => this.timeOf(rows));
  }

  seek({ time }) {
    this.release();
    this.state.set(this.history.at(time));
    this.energies = null;
  }

  set({ values }) {
    for (const [row, value] of values) this.numbers[row] = value;
    this.program.fill(3, this.numbers);
  }

  // Pulls a point, by its index, to a target [m].
  grab({ point, target }) {
    this.hand = { point, target };
    this.hold();
  }

  aim({ target }) {
    if (!this.hand) return;
    this.hand.target = target;
    this.hold();
  }

  release() {
    this.hand = null;
    this.hold();
  }

  // Gives the program the hand's point and target.
  hold() {
    const { about: { numbers: rows }, hand } = this, values = [[rows["hand.point"], hand ? hand.point : -1]];
    if (hand) ["x", "y", "z"].forEach((axis, k) => values.push([rows[`hand.target.${axis}`], hand.target[k]]));
    this.set({ values });
  }

  // Takes up to `count` control steps, and stops after `limit` milliseconds.
  step({ count, limit }) {
    const begin = performance.now(), { about } = this;
    for (let k = 0; k < count && this.isRunning; k++) {
      this.findPairs();
      for (let s = 0; s < about.substeps; s++) this.advance();
      this.state[about.controlSteps]++;
      this.history.add(this.state);
      if (performance.now() - begin > limit) break;
    }
  }

  // Finds the pairs that may touch in this control step, which begins here.
  findPairs() {
    const { about: { groups, controlSteps, count, substeps, numbers: { step } } } = this, seconds = substeps * this.numbers[step];
    if (!groups.length) return;
    this.began = this.state.slice(0, controlSteps);
    const bounds = Array.from({ length: count }, (_, k) => [0, 1, 2].map((axis) => { // of the way of a point
      const now = this.row(k, axis), end = now + seconds * this.row(k, 3 + axis);
      return [Math.min(now, end), Math.max(now, end)];
    }));
    for (const group of this.groups) group.find(bounds);
  }

  // Gives the points what hinges and contacts give, in the last rows of their elements.
  addElements() {
    const { about: { extraRows, controlSteps }, elements, widths: [, width], program: { lanes } } = this, first = width - extraRows * lanes;
    if (!extraRows) return;
    for (let b = 0; b < this.blocks; b++) elements.fill(0, b * width + first, (b + 1) * width);
    const add = (point, row, x) => { elements[Math.floor(point / lanes) * width + first + row * lanes + (point % lanes)] += x; };
    for (const group of this.groups) group.run(this.state.subarray(0, controlSteps), this.began, add);
  }

  // One step of all points: the state before it is the table that the program reads.
  advance() {
    this.addElements();
    const { program, state, next, elements, points, widths: [size, width, height], about } = this, { lanes } = program;
    program.setTable(0, state.subarray(0, about.controlSteps));
    const [input, slots, numbers] = program.inputs, [output, energy] = program.outputs;
    this.energies ??= new Float64Array(about.columns);
    for (let b = 0; b < this.blocks; b++) {
      input.set(state.subarray(b * size, (b + 1) * size));
      slots.set(elements.subarray(b * width, (b + 1) * width));
      numbers.set(points.subarray(b * height, (b + 1) * height));
      program.run();
      next.set(output, b * size);
      this.energies.set(energy, b * lanes);
    }
    next.set(state.subarray(about.controlSteps), about.controlSteps);
    [this.state, this.next] = [next, state];
  }

  get isRunning() { return this.state.every(Number.isFinite); }

  // The rows of a point in the state.
  row(point, row) {
    const { lanes } = this.program, { rows } = this.about;
    return this.state[Math.floor(point / lanes) * rows * lanes + row * lanes + (point % lanes)];
  }

  // The sum of a row over all points.
  total(row) {
    let sum = 0;
    for (let k = 0; k < this.about.count; k++) sum += this.row(k, row);
    return sum;
  }

  // Returns the data that the page shows after a message.
  answer() {
    const { about, hand, history } = this, positions = new Float32Array(3 * about.count);
    for (let k = 0; k < about.count; k++) for (let c = 0; c < 3; c++) positions[3 * k + c] = this.row(k, c);
    const energy = this.energies && this.energies.subarray(0, about.count).reduce((sum, x) => sum + x, 0);
    return { state: this.state.slice(), positions, energy, ledger: about.ledger.map((_, k) => this.total(6 + k)), running: this.isRunning,
      fused: this.program.fused, latestTime: history.latest, hand: hand && { ...hand } };
  }
}

onmessage = ({ data: { id, name, argument } }) => {
  try {
    if (name === "load") cloth = new Cloth(argument);
    else cloth[name](argument);
    postMessage({ id, ...cloth.answer() });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
