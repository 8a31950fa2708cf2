// The surface of the medium of a live page: a translucent plane across gravity. Scene units are figure sizes.
import * as THREE from "three";

const WIDTH = 300, DENSE = 1000, OPACITY = 0.45, COLOR = "#4b8fb0"; // of water: density [kg/m3] and opacity

export class Water {
  constructor(live, player) {
    const material = new THREE.MeshStandardMaterial({ color: COLOR, transparent: true, depthWrite: false, roughness: 0.15, side: THREE.DoubleSide });
    Object.assign(this, { live, player, mesh: new THREE.Mesh(new THREE.PlaneGeometry(WIDTH, WIDTH), material) });
    this.mesh.visible = false;
    this.mesh.renderOrder = 1; // after translucent figures
    player.scene.add(this.mesh);
  }

  // Shows the surface as the numbers of the world say.
  update() {
    const { live: { numbers, about }, player: { camera, film }, mesh } = this, rows = about.numbers;
    const density = numbers[rows["medium.density"]], height = numbers[rows["medium.surface"]];
    mesh.visible = density > 0 && height !== undefined;
    if (!mesh.visible) return;
    mesh.material.opacity = OPACITY * Math.min(1, Math.sqrt(density / DENSE));
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), camera.up);
    mesh.position.copy(camera.up).multiplyScalar(height / film.size);
  }
}
