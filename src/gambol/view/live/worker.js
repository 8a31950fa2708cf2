// The worker of a live page: holds the programs of a world and its state, and answers messages one after the other.
// A message is {id, name, argument}; the answer {id, ...} has what changed, or {id, error}.

let world = null;

class LiveWorld {
  constructor({ advance, observe, about, rows, numbers, table, software }) {
    this.about = about;
    this.start = rows;
    this.numbers = numbers;
    this.advance = new WasmProgram(advance.code, advance.description, software ? false : undefined);
    this.observe = new WasmProgram(observe.code, observe.description, this.advance.fused);
    for (const program of [this.advance, this.observe]) {
      if (table.length) program.setTable(0, table);
      program.fill(1, numbers);
    }
    this.reset();
  }

  reset() {
    this.advance.fill(0, this.start);
    this.controlStep = this.start[this.about.controlSteps];
  }

  set({ row, value }) {
    const { lanes } = this.advance;
    for (const program of [this.advance, this.observe]) program.inputs[1].fill(value, row * lanes, (row + 1) * lanes);
  }

  // Takes up to `count` control steps, and stops after `limit` milliseconds.
  step({ count, limit }) {
    const begin = performance.now(), [rows, , until] = this.advance.inputs, [result] = this.advance.outputs;
    for (let k = 0; k < count && this.isRunning; k++) {
      until.fill(this.controlStep + 1);
      this.advance.run();
      rows.set(result);
      this.controlStep = rows[this.about.controlSteps * this.advance.lanes];
      if (performance.now() - begin > limit) break;
    }
  }

  get isRunning() { return this.advance.inputs[0][this.about.status * this.advance.lanes] < 0.5; }

  // The rows of world 0 of an array.
  firstLane(array) { return Float64Array.from({ length: array.length / this.advance.lanes }, (_, k) => array[k * this.advance.lanes]); }

  // What the page shows after a message.
  answer() {
    this.observe.inputs[0].set(this.advance.inputs[0]);
    this.observe.run();
    return { state: this.firstLane(this.advance.inputs[0]), snapshot: this.firstLane(this.observe.outputs[0]),
      running: this.isRunning, fused: this.advance.fused };
  }
}

onmessage = ({ data: { id, name, argument } }) => {
  const begin = performance.now();
  try {
    if (name === "load") world = new LiveWorld(argument);
    else world[name](argument);
    postMessage({ id, ...world.answer(), milliseconds: performance.now() - begin });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
