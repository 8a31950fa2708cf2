// The hand that grabs a point of a link, in the worker of a live page. Vectors are arrays of three numbers.

const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const plus = (a, b, s = 1) => a.map((x, k) => x + s * b[k]);

// Returns R(q) p; quaternion q = (w, x, y, z).
function rotated([w, ...u], p) {
  const t = cross(u, p).map((x) => 2 * x);
  return plus(plus(p, t, w), cross(u, t));
}

// Returns the rows of the inverse of a matrix, given by its columns.
function inverse(a, b, c) {
  const det = dot(a, cross(b, c));
  return [cross(b, c), cross(c, a), cross(a, b)].map((row) => row.map((x) => x / det));
}

class Hand {
  // about: the description of the world; name: of the link; point: in its frame [m]; target: of the point, in world axes [m].
  constructor(about, { name, point, target }) {
    const { hand, dt } = about, link = hand.links.find((each) => each.name === name), r = plus(point, link.com, -1);
    Object.assign(this, { about, hand, dt, point, target, link: link.link, before: null, wrench: [0, 0, 0, 0, 0, 0] });
    this.row = about.numbers[`wrenches.${name}[0]`];
    const gain = dt * hand.damping + dt * dt * hand.stiffness;
    const mobility = (f) => plus(f.map((x) => x * link.perMass), cross(link.inverseInertia.map((row) => dot(row, cross(r, f))), r));
    this.softening = inverse(...[[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((e) => plus(e, mobility(e), gain)));
  }

  // Sets the wrench of the next control step, from the snapshot at its beginning. See gambol.view.live.hand.
  pull(snapshot) {
    const { about, hand, dt, link } = this, take = (first, count) => Array.from(snapshot.slice(first, first + count));
    const [w, ...u] = take(about.quaternions + 4 * link, 4), arm = rotated([w, ...u], this.point);
    this.place = plus(take(about.positions + 3 * link, 3), arm);
    const v = this.before ? plus(this.place, this.before, -1).map((x) => x / dt) : [0, 0, 0];
    this.before = this.place;
    const load = plus(plus(plus(this.target, this.place, -1), v, -dt).map((x) => x * hand.stiffness), v, -hand.damping);
    const local = rotated([w, ...u.map((x) => -x)], load), f = this.softening.map((row) => dot(row, local));
    const most = Math.min(1, hand.most / Math.max(Math.hypot(...f), Number.MIN_VALUE));
    const force = rotated([w, ...u], f).map((x) => x * most);
    this.wrench = [...cross(arm, force), ...force];
  }
}
