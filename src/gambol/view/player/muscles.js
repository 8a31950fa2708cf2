// Draws the muscles of a film as tubes, coloured by their activation: the tube of gambol.view.scene.tube.
import * as THREE from "three";

// Activation and force of a muscle, from 0 to 1: [frame][activation, force].
export const levelsOf = (part, getArray) => Array.from(getArray(part.key + "levels"), (x) => x / 255);

export class MovingMuscle {
  constructor(film, part, getArray) {
    this.look = film.look.muscles;
    this.part = part;
    this.world = part.world;
    this.width = part.width / film.size;
    this.points = film.decode(getArray(part.key + "points"), 3 * part.count, [film.unit / film.size]);
    this.levels = levelsOf(part, getArray);
    const { rings, sides } = this.look, index = [];
    for (let r = 0; r + 1 < rings; r++) {
      for (let k = 0; k < sides; k++) {
        const a = r * sides + k, b = r * sides + ((k + 1) % sides);
        index.push(a, b, b + sides, a, b + sides, a + sides);
      }
    }
    const buffer = () => new THREE.BufferAttribute(new Float32Array(3 * rings * sides), 3).setUsage(THREE.DynamicDrawUsage);
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute("position", buffer());
    this.geometry.setAttribute("normal", buffer());
    this.geometry.setIndex(index);
    this.idle = new THREE.Color(this.look.idle);
    this.active = new THREE.Color(this.look.active);
    this.material = new THREE.MeshStandardMaterial({ color: this.look.idle, roughness: 0.5 });
    const tube = new THREE.Mesh(this.geometry, this.material);
    tube.castShadow = true;
    tube.frustumCulled = false;
    this.group = new THREE.Group();
    this.group.add(tube);
    this.line = Array.from({ length: part.count }, () => new THREE.Vector3());
  }

  // Show the time at the fraction s of the way from frame a to frame b.
  pose(a, b, s) {
    const n = 3 * this.part.count, mix = (x, i, j) => (1 - s) * x[i] + s * x[j];
    this.line.forEach((p, k) => p.set(...[0, 1, 2].map((c) => mix(this.points, a * n + 3 * k + c, b * n + 3 * k + c))));
    const [activation, force] = [0, 1].map((c) => mix(this.levels, 2 * a + c, 2 * b + c));
    this.material.color.lerpColors(this.idle, this.active, activation);
    this.shape(this.resampled(), force);
  }

  // Points at equal distances along the line.
  resampled() {
    const { rings } = this.look, lengths = [0];
    for (let k = 1; k < this.line.length; k++) lengths.push(lengths[k - 1] + this.line[k].distanceTo(this.line[k - 1]));
    const total = lengths[lengths.length - 1];
    return Array.from({ length: rings }, (_, r) => {
      const length = (total * r) / (rings - 1);
      let k = 1;
      while (k < lengths.length - 1 && lengths[k] < length) k++;
      const piece = lengths[k] - lengths[k - 1];
      return this.line[k - 1].clone().lerp(this.line[k], piece > 0 ? (length - lengths[k - 1]) / piece : 0);
    });
  }

  shape(line, force) {
    const { rings, sides, ends, swelling } = this.look, { position, normal } = this.geometry.attributes;
    const tangent = new THREE.Vector3(), across = new THREE.Vector3(), chord = line[rings - 1].clone().sub(line[0]);
    const axis = new THREE.Vector3(), out = new THREE.Vector3();
    const half = 0.5 * this.width * (1 - swelling + 2 * swelling * force);
    for (let r = 0; r < rings; r++) {
      tangent.copy(line[Math.min(r + 1, rings - 1)]).sub(line[Math.max(r - 1, 0)]);
      if (tangent.lengthSq() < 1e-18) tangent.copy(chord);
      tangent.normalize();
      if (r === 0) {
        const sizes = tangent.toArray().map(Math.abs);
        axis.set(0, 0, 0).setComponent(sizes.indexOf(Math.min(...sizes)), 1);
      }
      axis.addScaledVector(tangent, -axis.dot(tangent)).normalize();
      across.crossVectors(tangent, axis);
      const radius = half * (ends + (1 - ends) * Math.sin((Math.PI * r) / (rings - 1)));
      for (let k = 0; k < sides; k++) {
        const angle = (2 * Math.PI * k) / sides, index = r * sides + k;
        out.copy(axis).multiplyScalar(Math.cos(angle)).addScaledVector(across, Math.sin(angle));
        normal.setXYZ(index, out.x, out.y, out.z);
        position.setXYZ(index, line[r].x + radius * out.x, line[r].y + radius * out.y, line[r].z + radius * out.z);
      }
    }
    position.needsUpdate = normal.needsUpdate = true;
  }
}
