// The film of a run, drawn over the figure that lives: translucent, so that both are seen where they differ.
import * as THREE from "three";
import { Figures } from "figures";
import { decodeDifferences, framesAround, poseBodies } from "player";

const COLOR = "#3c8fc0", OPACITY = 0.4, POSE = 7;

export class Recorded {
  // film, getArray: as of unpack(); player: that of the page.
  constructor(film, getArray, player) {
    const pos = film.unit / film.size, rot = 1 / 32767;
    Object.assign(this, { film, player });
    this.motion = decodeDifferences(getArray("motion"), film.links * POSE, [pos, pos, pos, rot, rot, rot, rot]);
    this.figures = new Figures(film, getArray, decodeDifferences, () => (player.stale = true));
    this.bodies = this.figures.bodies;
    const material = new THREE.MeshStandardMaterial({ color: COLOR, opacity: OPACITY, transparent: true, depthWrite: false,
      polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 }); // in front of an equal surface
    this.figures.group.traverse((mesh) => {
      if (mesh.isMesh) Object.assign(mesh, { material, instanceColor: null, castShadow: false, receiveShadow: false });
    });
    this.figures.group.scale.setScalar(film.size / player.film.size);
    this.figures.group.visible = false;
    player.scene.add(this.figures.group);
  }

  // Shows the film at a time of the world [s], and nothing before its start and after its end.
  show(time, wanted) {
    const { film, figures, player } = this, t = time - film.start, half = 0.5 / film.rate;
    figures.group.visible = wanted && t > -half && t < (film.frames - 1) / film.rate + half;
    if (!figures.group.visible) return;
    poseBodies(this.bodies, film, this.motion, ...framesAround(film, t));
    figures.update(() => false);
    player.stale = true;
  }
}
