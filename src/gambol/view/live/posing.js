// Moves the joints between a link and the root so that a point of the link goes to a target, in the worker of a live
// page. Vectors are arrays of three numbers, in world axes; functions of hand.js.

const NUDGE = 1e-6; // [rad], or of the figure's size: change of a coordinate for derivatives
const CLOSE = 1e-7; // of the figure's size: a distance that is none
const MOST_TRIALS = 80, MOST_DAMPING = 1e8;

// The product of quaternions.
const times = ([a, ...u], [b, ...v]) => [a * b - dot(u, v), ...plus(plus(cross(u, v), v, a), u, b)];

class Posing {
  // about: the description of the world; link: index; rows: of its state; placeOf(rows): the point's place there.
  constructor(about, link, rows, placeOf) {
    Object.assign(this, { about, rows, placeOf });
    const chain = [], joints = about.pose.joints;
    for (let l = link; l >= 0; l = joints[l].parent) if (joints[l].rows.length) chain.push(joints[l]);
    const bent = chain.filter((joint) => joint.parent >= 0 || joint.turns || joint.rows.length < 3);
    this.moves = (bent.length ? bent : chain).flatMap((joint) => joint.turns
      ? [0, 1, 2].map((axis) => ({ joint, axis })) : joint.rows.map((row, k) => ({ row, bounds: joint.bounds[k] })));
  }

  // The rows after changes of the coordinates, within their bounds.
  moved(changes) {
    const rows = this.rows.slice();
    this.moves.forEach(({ joint, axis, row, bounds }, k) => {
      if (joint) return this.turn(rows, joint, axis, changes[k]);
      rows[row] = Math.min(Math.max(rows[row] + changes[k], bounds[0] ?? -Infinity), bounds[1] ?? Infinity);
    });
    return rows;
  }

  turn(rows, { rows: places, bounds }, axis, angle) {
    const step = [Math.cos(angle / 2), 0, 0, 0];
    step[1 + axis] = Math.sin(angle / 2);
    let q = times(places.map((row) => rows[row]), step);
    if (q[0] < 0) q = q.map((x) => -x);
    const most = (bounds[0]?.[1] ?? 2 * Math.PI) / 2, s = Math.hypot(q[1], q[2], q[3]);
    if (Math.atan2(s, q[0]) > most) q = [Math.cos(most), ...q.slice(1).map((x) => (x / s) * Math.sin(most))];
    const length = Math.hypot(...q);
    places.forEach((row, k) => { rows[row] = q[k] / length; });
  }

  // Columns of the derivative of the point by the coordinates; those at a bound that they would pass are 0.
  derivatives(place) {
    return this.moves.map((_, k) => {
      const nudge = (x) => this.placeOf(this.moved(this.moves.map((_, j) => (j === k ? x : 0))));
      return plus(nudge(NUDGE), place, -1).map((x) => x / NUDGE);
    });
  }

  // Levenberg and Marquardt. Returns the rows of the nearest posture that was found.
  solve(target, size) {
    let place = this.placeOf(this.rows), damping = 1e-3;
    for (let trial = 0; trial < MOST_TRIALS && damping < MOST_DAMPING;) {
      const gap = plus(target, place, -1), distance = Math.hypot(...gap);
      if (distance < CLOSE * size) break;
      const columns = this.derivatives(place), scale = columns.reduce((sum, c) => sum + dot(c, c), Number.MIN_VALUE);
      for (let better = false; !better && trial < MOST_TRIALS && damping < MOST_DAMPING; trial++) {
        const matrix = AXES.map((axis) => columns.reduce((sum, c) => plus(sum, c, dot(c, axis)), axis.map((x) => x * damping * scale)));
        const force = solve(matrix, gap), rows = this.moved(columns.map((c) => dot(c, force))), there = this.placeOf(rows);
        better = Math.hypot(...plus(target, there, -1)) < distance;
        damping = better ? Math.max(damping / 5, 1e-9) : damping * 6;
        if (better) Object.assign(this, { rows }), (place = there);
      }
    }
    return this.rows;
  }
}
