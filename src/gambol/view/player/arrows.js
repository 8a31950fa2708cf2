// Draws forces as arrows that begin at the points where they act. Scene units are figure sizes.
import * as THREE from "three";

const SHAFT = 0.008, HEAD = 0.024, HEAD_LENGTH = 0.07; // radii of shaft and head, and length of the head
const LEAST = 0.01; // length below which an arrow is hidden
const UP = new THREE.Vector3(0, 0, 1);

export class ForceArrows {
  // decoded: returns an array by its name: points and forces [frame][world][contact][x y z], in scene units.
  constructor(film, scene, decoded) {
    Object.assign(this, { film, feet: decoded("arrowFeet"), arrows: decoded("arrows") });
    const material = new THREE.MeshStandardMaterial({ color: film.look.force, roughness: 0.7 });
    const shaft = new THREE.CylinderGeometry(SHAFT, SHAFT, 1, 12).translate(0, 0.5, 0).rotateX(Math.PI / 2);
    const head = new THREE.ConeGeometry(HEAD, HEAD_LENGTH, 16).translate(0, -HEAD_LENGTH / 2, 0).rotateX(Math.PI / 2);
    this.groups = Array.from({ length: film.worlds * film.arrows }, () => {
      const group = new THREE.Group();
      group.add(new THREE.Mesh(shaft, material), new THREE.Mesh(head, material));
      scene.add(group);
      return group;
    });
  }

  // Sets all arrows at a time between frames a and b, at the fraction s. Forces may jump, so they are those of frame a.
  pose(a, b, s) {
    const { film, feet, arrows } = this, count = this.groups.length;
    this.groups.forEach((group, k) => {
      const i = 3 * (a * count + k), j = 3 * (b * count + k), offset = film.offsets[Math.floor(k / film.arrows)];
      const foot = [0, 1, 2].map((c) => (1 - s) * feet[i + c] + s * feet[j + c] + offset[c] / film.size);
      const force = new THREE.Vector3(arrows[i], arrows[i + 1], arrows[i + 2]), length = force.length();
      group.visible = length > LEAST;
      if (!group.visible) return;
      group.position.set(...foot);
      group.quaternion.setFromUnitVectors(UP, force.normalize());
      const [shaft, head] = group.children, scale = Math.min(1, length / (2 * HEAD_LENGTH));
      shaft.scale.z = length - 0.9 * HEAD_LENGTH * scale;
      head.position.z = length;
      head.scale.setScalar(scale);
    });
  }
}
