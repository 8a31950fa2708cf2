// The hand that grabs a point of a link, in the worker of a live page. Vectors are arrays of three numbers, in world axes.

const REFRESH = 0.2; // age at which the mobility is computed again, in units of 1 / (angular frequency of the spring)
const AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const plus = (a, b, s = 1) => a.map((x, k) => x + s * b[k]);

// Returns R(q) p; quaternion q = (w, x, y, z).
function rotated([w, ...u], p) {
  const t = cross(u, p).map((x) => 2 * x);
  return plus(plus(p, t, w), cross(u, t));
}

// Returns the solution x of A x = y; a, b, c: columns of A.
function solve([a, b, c], y) {
  const det = dot(a, cross(b, c));
  return [dot(cross(b, c), y) / det, dot(cross(c, a), y) / det, dot(cross(a, b), y) / det];
}

class Hand {
  // about: description of the world; name: name of the link; point: the grabbed point in its frame [m]; target: the
  // pointer in world axes [m].
  constructor(about, { name, point, target }) {
    const { link } = about.hand.links.find((each) => each.name === name);
    Object.assign(this, { about, point, target, link, previous: null, wrench: [0, 0, 0, 0, 0, 0] });
    this.refresh = Math.max(1, Math.floor((REFRESH * about.hand.damping) / (2 * about.hand.stiffness * about.dt))); // control steps
    this.steps = 0;
    this.row = about.numbers[`wrenches.${name}[0]`];
  }

  // Sets the wrench of the next control step. See gambol.view.live.hand.
  // snapshot: at the start of the step; respond(row, wrench): returns the accelerations of all links by a wrench.
  pull(snapshot, respond) {
    const { about: { hand, dt, positions, quaternions }, link } = this, take = (rows, first, count) => Array.from(rows.slice(first, first + count));
    const arm = rotated(take(snapshot, quaternions + 4 * link, 4), this.point), wrenchOf = (force) => [...cross(arm, force), ...force];
    const position = plus(take(snapshot, positions + 3 * link, 3), arm);
    const v = this.previous ? plus(position, this.previous, -1).map((x) => x / dt) : [0, 0, 0];
    this.previous = position;
    const pull = plus(plus(plus(this.target, position, -1), v, -dt).map((x) => x * hand.stiffness), v, -hand.damping);
    if (this.steps++ % this.refresh === 0) {
      this.mobility = AXES.map((axis) => {
        const [a, b, c, ...origin] = take(respond(this.row, wrenchOf(axis)), 6 * link, 6);
        return plus(origin, cross([a, b, c], arm));
      });
    }
    const gain = dt * hand.damping + dt * dt * hand.stiffness;
    const force = solve(AXES.map((axis, k) => plus(axis, this.mobility[k], gain)), pull);
    const factor = Math.min(1, hand.maxForce / Math.max(Math.hypot(...force), Number.MIN_VALUE));
    this.wrench = wrenchOf(force.map((x) => x * factor));
  }
}
