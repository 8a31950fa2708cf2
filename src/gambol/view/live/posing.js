// Moves the joints between a link and the root so that a point of the link goes to a target, in the worker of a live
// page. Vectors are arrays of three numbers, in world axes; functions of hand.js.

const STEP = 1e-6; // [rad], or of the figure's size: change of a coordinate for derivatives
const CLOSE = 1e-7; // of the figure's size: the distance from the target at which the search ends
const MAX_TRIALS = 80, MAX_DAMPING = 1e8;

// The product of quaternions.
const times = ([a, ...u], [b, ...v]) => [a * b - dot(u, v), ...plus(plus(cross(u, v), v, a), u, b)];

class Posing {
  // about: description of the world; link: index of the link; rows: rows of the state; positionOf(rows): returns the
  // position of the point in a state.
  constructor(about, link, rows, positionOf) {
    Object.assign(this, { about, rows, positionOf });
    const chain = [], joints = about.pose.joints;
    for (let l = link; l >= 0; l = joints[l].parent) if (joints[l].rows.length) chain.push(joints[l]);
    const jointed = chain.filter((joint) => joint.parent >= 0 || joint.isQuaternion || joint.rows.length < 3);
    this.coordinates = (jointed.length ? jointed : chain).flatMap((joint) => joint.isQuaternion
      ? [0, 1, 2].map((axis) => ({ joint, axis })) : joint.rows.map((row, k) => ({ row, bounds: joint.bounds[k] })));
  }

  // Returns the rows after changes of the coordinates, within their bounds.
  changedRows(changes) {
    const rows = this.rows.slice();
    this.coordinates.forEach(({ joint, axis, row, bounds }, k) => {
      if (joint) return this.turn(rows, joint, axis, changes[k]);
      rows[row] = Math.min(Math.max(rows[row] + changes[k], bounds[0] ?? -Infinity), bounds[1] ?? Infinity);
    });
    return rows;
  }

  turn(rows, { rows: quaternionRows, bounds }, axis, angle) {
    const step = [Math.cos(angle / 2), 0, 0, 0];
    step[1 + axis] = Math.sin(angle / 2);
    let q = times(quaternionRows.map((row) => rows[row]), step);
    if (q[0] < 0) q = q.map((x) => -x);
    const maxHalfAngle = (bounds[0]?.[1] ?? 2 * Math.PI) / 2, s = Math.hypot(q[1], q[2], q[3]);
    if (Math.atan2(s, q[0]) > maxHalfAngle) q = [Math.cos(maxHalfAngle), ...q.slice(1).map((x) => (x / s) * Math.sin(maxHalfAngle))];
    const length = Math.hypot(...q);
    quaternionRows.forEach((row, k) => { rows[row] = q[k] / length; });
  }

  // Returns the derivatives of the point's position by the coordinates; 0 for a coordinate at its upper bound.
  derivatives(position) {
    return this.coordinates.map((_, k) => {
      const shifted = (x) => this.positionOf(this.changedRows(this.coordinates.map((_, j) => (j === k ? x : 0))));
      return plus(shifted(STEP), position, -1).map((x) => x / STEP);
    });
  }

  // The method of Levenberg and Marquardt. Returns the rows of the nearest posture that was found.
  solve(target, size) {
    let position = this.positionOf(this.rows), damping = 1e-3;
    for (let trial = 0; trial < MAX_TRIALS && damping < MAX_DAMPING;) {
      const gap = plus(target, position, -1), distance = Math.hypot(...gap);
      if (distance < CLOSE * size) break;
      const columns = this.derivatives(position), scale = columns.reduce((sum, c) => sum + dot(c, c), Number.MIN_VALUE);
      for (let better = false; !better && trial < MAX_TRIALS && damping < MAX_DAMPING; trial++) {
        const matrix = AXES.map((axis) => columns.reduce((sum, c) => plus(sum, c, dot(c, axis)), axis.map((x) => x * damping * scale)));
        const force = solve(matrix, gap), rows = this.changedRows(columns.map((c) => dot(c, force))), moved = this.positionOf(rows);
        better = Math.hypot(...plus(target, moved, -1)) < distance;
        damping = better ? Math.max(damping / 5, 1e-9) : damping * 6;
        if (better) Object.assign(this, { rows }), (position = moved);
      }
    }
    return this.rows;
  }
}
