// The figure of a creature whose genes of the body are changed: the meshes of its film, stretched to other sizes.
import { Figures } from "figures";
import { decodeDifferences } from "player";

// A mesh that is scaled along its axes. p: a corner; n: its normal; f: factors of its sizes.
function scaled(p, n, f) {
  return [p.map((x, k) => x * f[k]), n.map((x, k) => x / f[k])];
}

// Functions from a corner and its normal to those of the shape with other sizes: from and to are its sizes.
const STRETCH = {
  box: (p, n, from, to) => scaled(p, n, to.map((x, k) => x / from[k])),
  ellipsoid: (p, n, from, to) => scaled(p, n, to.map((x, k) => x / from[k])),
  sphere: (p, n, [from], [to]) => scaled(p, n, [to / from, to / from, to / from]),
  capsule([x, y, z], n, [r, l], [R, L]) { // two halves of a ball, which move apart
    const f = R / r;
    return [[f * x, f * y, f * (z - (Math.sign(z) * l) / 2) + (Math.sign(z) * L) / 2], n];
  },
  frustum([x, y, z], [nx, ny, nz], [a, b, l], [A, B, L]) { // scaled by a factor that varies along z
    const u = z / l + 0.5, r = a + (b - a) * u, R = A + (B - A) * u, f = R / r, t = L / l;
    const slope = ((B - A) / l - (f * (b - a)) / l) / r; // df/dz
    return [[f * x, f * y, t * z], [nx / f, ny / f, (nz - (slope / f) * (x * nx + y * ny)) / t]];
  },
};

export class Growth {
  // player: player of the page; film, getArray: its film, see unpack(); shapes: kind and sizes of each of its shapes.
  constructor(player, { film, getArray }, shapes) {
    Object.assign(this, { player, film, getArray, shapes, first: player.figures });
    this.show = this.show.bind(this);
  }

  // numbers: for each shape its sizes and its position in its link [m]; null: the first ones.
  show(numbers) {
    this.player.showFigures(numbers ? this.figures([...numbers]) : this.first);
  }

  figures(numbers) {
    const { film, player } = this, indices = new Map(), meshes = [];
    const shapes = film.shapes.map((shape, k) => {
      const { kind, sizes } = this.shapes[k], to = numbers.splice(0, sizes.length), key = [shape.mesh, ...to].join();
      if (!indices.has(key)) {
        indices.set(key, meshes.length);
        meshes.push(this.stretched(shape.mesh, STRETCH[kind], sizes, to));
      }
      return { ...shape, mesh: indices.get(key), position: numbers.splice(0, 3) };
    });
    const getArray = (name) => (name.startsWith("mesh") ? new Uint8Array(meshes[+name.slice(4)].buffer) : this.getArray(name));
    return new Figures({ ...film, shapes, meshes: meshes.map((_, k) => k) }, getArray, decodeDifferences, () => (player.stale = true));
  }

  // Corners and normals of a mesh with other sizes.
  stretched(mesh, stretch, from, to) {
    const numbers = new Float32Array(this.getArray(`mesh${mesh}`).slice().buffer), half = numbers.length / 2;
    for (let k = 0; k < half; k += 3) {
      const [corner, normal] = stretch(Array.from(numbers.slice(k, k + 3)), Array.from(numbers.slice(half + k, half + k + 3)), from, to);
      const length = Math.hypot(...normal);
      numbers.set(corner, k);
      numbers.set(normal.map((x) => x / length), half + k);
    }
    return numbers;
  }
}
