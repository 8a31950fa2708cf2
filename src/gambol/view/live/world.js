// A world in the worker of a live page: its programs, its numbers and its state.

const DISTURBED = ["advance", "disturbed", "hills", "larger disturbed", "larger hills"]; // the programs whose bodies can be pulled; the first only in pages without the second

class LiveWorld {
  // about: its description; table, heights: of the ground; software: true for the fma in software; history: see Segments.
  constructor({ programs, about, table, heights }, software, history) {
    Object.assign(this, { about, table, heights, history, sources: programs, programs: new Map(), watched: false });
    this.hillsRow = about.numbers.hills ?? -1;
    this.shapeRow = about.numbers["hills shape"] ?? -1;
    this.inputs = new Map(about.programs.map((name) => [name, new Map(about.inputSources[name].map(([row, factor], index) => [row, [index, factor]]))]));
    this.fused = software ? false : undefined;
    this.wrenches = Object.keys(about.numbers).filter((name) => name.startsWith("wrenches.")).map((name) => about.numbers[name]);
  }

  // Takes the description, the first state and the first numbers of a segment. numbers: its present numbers.
  begin({ about, rows, numbers: firstNumbers }, numbers) {
    Object.assign(this, { about, numbers, start: rows, first: { rows, numbers: firstNumbers } });
    for (const name of this.programs.keys()) this.writeNumbers(name);
    this.fused = this.program("advance").fused;
    this.chooseProgram();
  }

  writeNumbers(name) { this.numbers.forEach((x, row) => this.write(name, row, x)); }

  // A program, which is compiled when it is first needed.
  program(name) {
    if (!this.programs.has(name)) {
      const { code, description } = this.sources[name], program = new WasmProgram(code, description, this.fused);
      const table = this.tableOf(name);
      if (table.length && description.tables.length) program.setTable(0, table);
      this.programs.set(name, program);
      this.about.inputSources[name].forEach(([row, x], index) => row === null && this.fill(name, index, x));
      this.writeNumbers(name);
    }
    return this.programs.get(name);
  }

  // The heights of the ground of a program [m].
  tableOf(name) {
    const { about: { hilly, grid }, numbers } = this;
    if (!hilly.includes(name)) return this.table;
    const count = grid.rows * grid.columns, first = numbers[this.shapeRow] * count;
    return Float64Array.from(this.heights.subarray(first, first + count), (x) => (x / grid.steps) * numbers[this.hillsRow]);
  }

  // True while the program of the world itself cannot take the steps: while a body is pulled, the ground is tilted, or the
  // figure is another one.
  get isDisturbed() { return !!this.hand || this.about.disturbing.some((row) => this.numbers[row] !== this.first.numbers[row]); }

  // Chooses the program that takes the steps, and copies the state to it.
  chooseProgram() {
    this.chosenName = this.numbers[this.hillsRow] > 0 ? "hills" : "disturbed" in this.sources && this.isDisturbed ? "disturbed" : "advance";
    const chosen = this.program(this.chosenName);
    if (this.advance && this.advance !== chosen) chosen.inputs[0].set(this.advance.inputs[0]);
    this.advance = chosen;
  }

  restore(state) {
    this.advance.fill(0, state);
    this.controlStep = state[this.about.controlSteps];
  }

  // values: pairs of a row of the numbers and its value. coordinates: null, or those of the first state of another body,
  // with which the world starts again; empty for the first body. The ledger gets the change of energy by a cut. Returns
  // true if the world has to start again.
  set({ values, coordinates = null }) {
    const cuts = Object.keys(this.about.cuts).map((name) => this.about.numbers[name]);
    const isCut = values.some(([row, value]) => cuts.includes(row) && value !== this.numbers[row]), rows = this.firstLane(this.advance.inputs[0]);
    const isMoved = values.some(([row, value]) => (row === this.hillsRow || row === this.shapeRow) && value !== this.numbers[row]);
    const before = (isCut || isMoved) && this.energyOf(rows), below = isMoved && this.groundBelow(rows);
    for (const [row, value] of values) {
      this.numbers[row] = value;
      for (const name of this.programs.keys()) this.write(name, row, value);
    }
    if (coordinates) {
      this.start = this.first.rows.slice();
      this.start.set(coordinates);
      return true;
    }
    if (isMoved && !this.moveGround(rows, below)) return true;
    this.chooseProgram();
    if (isCut || isMoved) this.replace(this.withWork(rows, this.energyOf(rows) - before));
    return false;
  }

  // Computes for the answer what genes give: numbers, first coordinates, sizes and positions of shapes.
  grow({ genes }) {
    const program = this.program("genes");
    program.fill(0, genes);
    program.run();
    this.grown = program.outputs.map((output) => Array.from(output).filter((_, k) => k % program.lanes === 0));
  }

  // Gives programs another ground, and lifts the roots, so that no link is deeper in the ground than before. Returns false if
  // the roots cannot be lifted. rows: of the state, which is changed; below: heights of the ground before.
  moveGround(rows, below) {
    const { about: { hilly, grid } } = this;
    for (const name of hilly) this.programs.get(name)?.setTable(0, this.tableOf(name));
    const rise = Math.max(...this.groundBelow(rows).map((height, l) => height - below[l]));
    for (const row of grid.roots) rows[row] += rise;
    return grid.roots.length > 0;
  }

  // The heights of the ground below the links in a state [m].
  groundBelow(rows) {
    const { about: { grid, positions, quaternions } } = this, table = this.tableOf("observe"), snapshot = this.observeAt("observe", rows);
    const places = snapshot.subarray(positions, quaternions); // x, y, z of all links
    return Array.from({ length: places.length / 3 }, (_, l) => heightAt(grid, table, places[3 * l], places[3 * l + 1]));
  }

  energyOf(rows) {
    const snapshot = this.observeAt("observe", rows);
    return this.about.energies.reduce((sum, row) => sum + snapshot[row], 0);
  }

  // The rows of a state with more work by the visitor in the ledger [J].
  withWork(rows, work) {
    const { row, sign } = this.about.ledger[this.about.outside];
    rows[row] += sign * work;
    return rows;
  }

  // Replaces the state at the present time.
  replace(rows) {
    this.advance.fill(0, rows);
    this.history.replace(rows);
  }

  // Sets an input of a program from a number of the page, if the program has this input. The steepest slope follows from
  // height and shape of hills.
  write(name, row, value) {
    const { hillsRow, shapeRow, numbers, about: { grid } } = this;
    if (row === shapeRow) return this.write(name, hillsRow, numbers[hillsRow]);
    const [index, factor] = this.inputs.get(name).get(row) ?? [];
    if (index !== undefined) this.fill(name, index, (row === hillsRow ? grid.slopes[numbers[shapeRow]] : factor) * value);
  }

  fill(name, index, value) {
    const { lanes, inputs: [, numbers] } = this.programs.get(name);
    numbers.fill(value, index * lanes, (index + 1) * lanes);
  }

  // Grabs a point of a link, or moves the target of the hand that holds it.
  grab(argument) {
    this.release();
    this.hand = new Hand(this.about, argument);
    this.chooseProgram();
    this.pull();
  }

  pull() {
    const { hand, wrenches } = this, responses = this.program("respond");
    responses.inputs[0].set(this.advance.inputs[0]);
    hand.pull(this.snapshot(), (first, wrench) => {
      for (const row of wrenches) this.write("respond", row, wrench[row - first] ?? 0);
      responses.run();
      return this.firstLane(responses.outputs[0]);
    });
  }

  aim({ target }) { if (this.hand) this.hand.target = target; }

  release() {
    if (this.hand) this.actOn(this.hand.row, [0, 0, 0, 0, 0, 0]);
    this.hand = null;
    this.chooseProgram();
  }

  // Moves joints so that a point of a link goes to a target, and stops all motion. The ledger gets the work.
  pose({ name, point, target }) {
    this.release();
    const { about } = this, { link } = about.hand.links.find((each) => each.name === name);
    const take = (snapshot, first, count) => Array.from(snapshot.slice(first, first + count));
    const positionOf = (rows) => {
      const snapshot = this.observeAt("observe", rows);
      return plus(take(snapshot, about.positions + 3 * link, 3), rotated(take(snapshot, about.quaternions + 4 * link, 4), point));
    };
    const first = this.firstLane(this.advance.inputs[0]);
    const rows = new Posing(about, link, first, positionOf).solve(target, about.size);
    rows.fill(0, ...about.pose.velocities);
    this.replace(this.withWork(rows, this.energyOf(rows) - this.energyOf(first)));
  }

  // Adds a wrench to that of the world's numbers.
  actOn(row, wrench) {
    for (const name of DISTURBED) if (this.programs.has(name)) wrench.forEach((x, k) => this.write(name, row + k, this.numbers[row + k] + x));
  }

  // Takes up to `count` control steps, and stops after `limit` milliseconds.
  step({ count, limit }) {
    const begin = performance.now(), [rows, , until] = this.advance.inputs, [result] = this.advance.outputs;
    for (let k = 0; k < count && this.isRunning; k++) {
      if (this.hand) {
        this.pull();
        this.actOn(this.hand.row, this.hand.wrench);
      }
      until.fill(this.controlStep + 1);
      this.advance.run();
      if (this.exceedsCapacity) this.repeatWithMoreContacts();
      else rows.set(result);
      this.controlStep = rows[this.about.controlSteps * this.advance.lanes];
      this.history.add(this.firstLane(rows));
      if (performance.now() - begin > limit) break;
    }
  }

  // True if the last step had more contacts than the capacity, and a program with a larger one is in the page.
  get exceedsCapacity() {
    const { about: { overCapacity }, advance: { lanes, inputs: [before], outputs: [after] } } = this;
    return overCapacity !== null && `larger ${this.chosenName}` in this.sources && after[overCapacity * lanes] > before[overCapacity * lanes];
  }

  // Repeats the step with twice the capacity, see gambol.world.capacity.
  repeatWithMoreContacts() {
    const program = this.program(`larger ${this.chosenName}`), [small, large] = this.about.layouts, { hand } = this;
    if (hand) this.actOn(hand.row, hand.wrench);
    program.fill(0, resized(this.firstLane(this.advance.inputs[0]), small, large));
    program.inputs[2].fill(this.controlStep + 1);
    program.run();
    this.advance.fill(0, resized(this.firstLane(program.outputs[0]), large, small));
  }

  // The rows of the present state.
  get rows() { return this.firstLane(this.advance.inputs[0]); }

  get isRunning() { return this.advance.inputs[0][this.about.status * this.advance.lanes] < 0.5; }

  // The rows of world 0 of an array.
  firstLane(array) {
    const { lanes } = this.advance, rows = new Float64Array(array.length / lanes);
    for (let k = 0; k < rows.length; k++) rows[k] = array[k * lanes];
    return rows;
  }

  snapshot() { return this.observe("observe"); }

  // Returns what an observing program computes of the present state.
  observe(name) { return this.observeAt(name, this.firstLane(this.advance.inputs[0])); }

  // Returns what an observing program computes of a state.
  observeAt(name, rows) {
    const program = this.program(name);
    program.fill(0, rows);
    program.run();
    return this.firstLane(program.outputs[0]);
  }

  // Asks for contacts in all answers, or for none.
  watch({ contacts }) { this.watched = contacts; }

  // Returns the data that the page shows after a message.
  answer() {
    const { hand } = this;
    return { state: this.firstLane(this.advance.inputs[0]), snapshot: this.snapshot(), running: this.isRunning,
      grown: this.grown, contacts: this.watched ? this.observe("contacts") : null, fused: this.advance.fused, hand: hand && { link: hand.link, point: hand.point, target: hand.target, wrench: hand.wrench } };
  }
}
