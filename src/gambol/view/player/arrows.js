// Draws forces as arrows that begin at the points where they act. Scene units are figure sizes.
import * as THREE from "three";

const SHAFT = 0.008, HEAD = 0.024, HEAD_LENGTH = 0.07; // radii of shaft and head, and length of the head
const MIN_LENGTH = 0.01; // length below which an arrow is hidden
const UP = new THREE.Vector3(0, 0, 1);

// An arrow, which is hidden until it is set. color: colour; onTop: true to draw it over everything else.
export class Arrow {
  constructor(scene, color, onTop = false) {
    const material = new THREE.MeshStandardMaterial({ color, roughness: 0.7, depthTest: !onTop });
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(SHAFT, SHAFT, 1, 12).translate(0, 0.5, 0).rotateX(Math.PI / 2), material);
    this.head = new THREE.Mesh(new THREE.ConeGeometry(HEAD, HEAD_LENGTH, 16).translate(0, -HEAD_LENGTH / 2, 0).rotateX(Math.PI / 2), material);
    this.shaft.renderOrder = this.head.renderOrder = onTop ? 1 : 0;
    this.group = new THREE.Group();
    this.group.add(this.shaft, this.head);
    this.group.visible = false;
    scene.add(this.group);
  }

  // Sets the arrow from a point (x, y, z) along a vector.
  set(start, vector) {
    const { group, shaft, head } = this, along = new THREE.Vector3(...vector), length = along.length();
    group.visible = length > MIN_LENGTH;
    if (!group.visible) return;
    group.position.set(...start);
    group.quaternion.setFromUnitVectors(UP, along.normalize());
    const scale = Math.min(1, length / (2 * HEAD_LENGTH));
    shaft.scale.z = length - 0.9 * HEAD_LENGTH * scale;
    head.position.z = length;
    head.scale.setScalar(scale);
  }

  hide() { this.group.visible = false; }
}

export class ForceArrows {
  // decoded: returns an array by its name: points and forces [frame][world][contact][x y z], in scene units.
  constructor(film, scene, decoded) {
    Object.assign(this, { film, starts: decoded("arrowStarts"), forces: decoded("arrows") });
    this.arrows = Array.from({ length: film.worlds * film.arrows }, () => new Arrow(scene, film.look.force));
  }

  // Sets all arrows at a time between frames a and b, at the fraction s. Forces may jump, so they are those of frame a.
  pose(a, b, s) {
    const { film, starts, forces } = this, count = this.arrows.length;
    this.arrows.forEach((arrow, k) => {
      const i = 3 * (a * count + k), j = 3 * (b * count + k), offset = film.offsets[Math.floor(k / film.arrows)];
      arrow.set([0, 1, 2].map((c) => (1 - s) * starts[i + c] + s * starts[j + c] + offset[c] / film.size), forces.slice(i, i + 3));
    });
  }
}
