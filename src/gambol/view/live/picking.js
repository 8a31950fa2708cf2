// Finds the shape of a figure under a pointer. Scene units are figure sizes.
import * as THREE from "three";

const RINGS = { mouse: 4, pen: 8, touch: 18 }; // distance from the pointer at which shapes are also found [pixels]

// Returns the smallest distance at which a ray meets the triangles of a geometry, or Infinity [Moller and Trumbore 1997].
function intersect(origin, direction, geometry) {
  const { position } = geometry.attributes, { index } = geometry, count = (index ?? position).count;
  const corner = (k, v) => v.fromBufferAttribute(position, index ? index.getX(k) : k);
  const a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3(), p = new THREE.Vector3(), q = new THREE.Vector3();
  let nearest = Infinity;
  for (let k = 0; k < count; k += 3) {
    corner(k, a); corner(k + 1, b).sub(a); corner(k + 2, c).sub(a);
    p.crossVectors(direction, c);
    const det = b.dot(p);
    if (det === 0) continue;
    q.subVectors(origin, a);
    const u = q.dot(p) / det;
    q.cross(b);
    const v = direction.dot(q) / det, t = c.dot(q) / det;
    if (u >= 0 && v >= 0 && u + v <= 1 && t > 0 && t < nearest) nearest = t;
  }
  return nearest;
}

// Returns the ray of a point of the canvas [pixels from its upper left corner]: origin and direction.
export function rayAt(player, x, y) {
  const { camera, canvas } = player;
  camera.updateMatrixWorld();
  const origin = new THREE.Vector3().setFromMatrixPosition(camera.matrixWorld);
  const through = new THREE.Vector3((2 * x) / canvas.clientWidth - 1, 1 - (2 * y) / canvas.clientHeight, 0.5).unproject(camera);
  return { origin, direction: through.sub(origin).normalize() };
}

// Returns link and place of the nearest shape of world 0 on a ray, or null.
function nearestShape(player, { origin, direction }) {
  const { figures } = player, bodies = figures.bodies[0], found = { t: Infinity, link: -1 };
  const inverse = new THREE.Matrix4();
  const test = (link, matrix, geometry) => {
    inverse.copy(matrix).invert();
    const o = origin.clone().applyMatrix4(inverse), d = origin.clone().add(direction).applyMatrix4(inverse).sub(o);
    const t = intersect(o, d, geometry);
    if (t < found.t) Object.assign(found, { t, link });
  };
  for (const { mesh, instances } of figures.batches) {
    for (const { body, local } of instances) {
      const link = bodies.indexOf(body);
      if (link >= 0 && body.visible) test(link, new THREE.Matrix4().multiplyMatrices(body.matrix, local), mesh.geometry);
    }
  }
  bodies.forEach((body, link) => body.visible && body.children.forEach((mesh) => test(link, new THREE.Matrix4().multiplyMatrices(body.matrix, mesh.matrix), mesh.geometry)));
  return found.link < 0 ? null : { link: found.link, point: origin.clone().addScaledVector(direction, found.t) };
}

// Returns link and place of the shape under a pointer, or beside it where nothing is under it; or null.
export function pick(player, x, y, pointer) {
  const ring = RINGS[pointer] ?? RINGS.mouse;
  const around = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [ring * Math.cos((k * Math.PI) / 4), ring * Math.sin((k * Math.PI) / 4)]);
  for (const [dx, dy] of [[0, 0], ...around.map(([a, b]) => [a / 2, b / 2]), ...around]) {
    const found = nearestShape(player, rayAt(player, x + dx, y + dy));
    if (found) return found;
  }
  return null;
}
