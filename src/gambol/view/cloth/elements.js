// Elements of four points in the worker of a page of cloth: hinges, and pairs that may touch, see
// gambol.matter.motion.point_elements. A lane of their programs is an element.

class Elements {
  // group: description; about: description of the page; program: of its kind; placeOf(point): start of a point's rows.
  constructor(group, about, program, placeOf) {
    Object.assign(this, { group, about, program, placeOf, count: 0 });
    program.fill(2, [program.lanes, ...group.law]);
    if (group.isStatic) this.hold(group.first.map((corners, k) => [corners, group.numbers[k]]));
  }

  // Keeps the elements of this control step: pairs of four points and their numbers, as inputs of the program's blocks.
  hold(elements) {
    const { program: { lanes, inputs: [corners, numbers] }, placeOf } = this, blocks = Math.ceil(elements.length / lanes);
    this.count = elements.length;
    this.corners = new Int32Array(4 * this.count);
    this.blocks = Array.from({ length: blocks }, () => [new Float64Array(corners.length), new Float64Array(numbers.length)]);
    for (let k = 0; k < blocks * lanes; k++) {
      const e = Math.min(k, this.count - 1), [points, values] = elements[e], [places, rows] = this.blocks[Math.floor(k / lanes)], lane = k % lanes;
      points.forEach((point, c) => { places[c * lanes + lane] = placeOf(point); });
      values.forEach((x, r) => { rows[r * lanes + lane] = x; });
      if (k < this.count) points.forEach((point, c) => { this.corners[4 * e + c] = point; });
    }
  }

  // Finds the pairs that may touch in a control step. ways: for each point and axis, the bounds of its way [m].
  find(ways) {
    const { group: { isStatic, first, second, law }, about: { bounds, margin } } = this, least = margin * law[3], found = [];
    if (isStatic) return;
    const boxesOf = (parts) => parts.map((points) => [0, 1, 2].flatMap((axis) => [Math.min(...points.map((p) => ways[p][axis][0])), Math.max(...points.map((p) => ways[p][axis][1]))]));
    const boxes = boxesOf(second);
    boxesOf(first).forEach((own, a) => boxes.forEach((other, b) => {
      for (let k = 0; k < 6; k += 2) if (own[k] - least > other[k + 1] || other[k] - least > own[k + 1]) return;
      const points = [...first[a], ...second[b]];
      found.push([points, points.map((point) => bounds[point])]);
    }));
    this.hold(found);
  }

  // Adds what the elements give to their points. state, start: of all points now, and at the start of the control step;
  // add(point, row, value): adds to what a point receives.
  run(state, start, add) {
    const { program, count, corners, group: { isStatic } } = this, { lanes } = program;
    if (!count) return;
    program.setTable(0, state);
    program.setTable(1, start);
    const [places, numbers] = program.inputs, [output] = program.outputs, rows = output.length / lanes;
    this.results = this.results?.length >= rows * count ? this.results : new Float64Array(rows * count);
    this.blocks.forEach(([first, second], b) => {
      places.set(first);
      numbers.set(second);
      program.run();
      const filled = Math.min(lanes, count - b * lanes);
      for (let lane = 0; lane < filled; lane++) for (let row = 0; row < rows; row++) this.results[(b * lanes + lane) * rows + row] = output[row * lanes + lane];
    });
    const { results } = this, touches = (e) => isStatic || results[e * rows] !== 0 || results[e * rows + 1] !== 0 || results[e * rows + 2] !== 0;
    for (let c = 0; c < 4; c++) {
      for (let e = 0; e < count; e++) if (touches(e)) for (let axis = 0; axis < 3; axis++) add(corners[4 * e + c], axis, results[e * rows + 3 * c + axis]);
    }
    for (let e = 0; e < count; e++) if (touches(e)) for (let row = 12; row < rows; row++) add(corners[4 * e], row - 9, results[e * rows + row]);
  }
}
