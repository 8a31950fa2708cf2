// The forces of contacts, from the rows of gambol.world.contact_points and the contact cache of the state.

const NUMBERS = 10; // of a contact: point (3), normal (3), gap, force or first tangent (3)
const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];

// Returns contacts with a force: link (0 is the first one), other (-1 is the ground), point [m], force on link [N].
export function contactForces({ contactsOf: about }, values, state) {
  const found = [], { links, cache } = about;
  const add = (k, force) => {
    if (!force.some((x) => x !== 0)) return;
    found.push({ link: links[k][0] - 1, other: links[k][1] - 1, point: Array.from(values.slice(NUMBERS * k, NUMBERS * k + 3)), force });
  };
  if (!cache) {
    for (let k = 0; k < links.length; k++) add(k, Array.from(values.slice(NUMBERS * k + 7, NUMBERS * k + 10)));
    return found;
  }
  const h = state[cache.step];
  cache.impulses.forEach((rows, slot) => {
    const k = cache.indices.length ? Math.round(state[cache.indices[slot]]) : slot;
    if (!(h > 0) || k < 0 || k >= links.length) return;
    const normal = Array.from(values.slice(NUMBERS * k + 3, NUMBERS * k + 6)), tangent = Array.from(values.slice(NUMBERS * k + 7, NUMBERS * k + 10));
    const axes = [normal, tangent, cross(normal, tangent)], impulse = rows.map((row) => state[row]);
    add(k, [0, 1, 2].map((c) => axes.reduce((sum, axis, a) => sum + (axis[c] * impulse[a]) / h, 0)));
  });
  return found;
}

// Returns the convex hull of points (x, y) in counter-clockwise order [Andrew 1979].
export function hullOf(points) {
  const sorted = points.toSorted(([a, b], [x, y]) => a - x || b - y), half = (order) => {
    const chain = [];
    for (const p of order) {
      while (chain.length > 1) {
        const [a, b] = chain.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return sorted.length < 2 ? sorted : [...half(sorted), ...half(sorted.toReversed())];
}

// True if a convex polygon, counter-clockwise, contains a point.
export const contains = (hull, [x, y]) => hull.length > 2 && hull.every(([a, b], k) => {
  const [c, d] = hull[(k + 1) % hull.length];
  return (c - a) * (y - b) - (d - b) * (x - a) >= 0;
});
