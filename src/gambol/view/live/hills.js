// The hills of a live page, drawn in place of level ground. Scene units are figure sizes.
import { Ground } from "ground";

const CONTOURS = 6; // between the lowest point and the highest

export class Hills {
  // about: description of the page; heights: heights of its grid, in steps; player: player of the page.
  constructor(about, heights, player) { Object.assign(this, { about, heights, player }); }

  // Shows hills of a height [m]; 0: level ground.
  show(height) {
    const { player: { scenery, film } } = this;
    this.player.stale = true;
    if (!(height > 0)) return scenery.replaceGround(null);
    this.ground ??= this.makeGround();
    for (const mesh of this.ground.group.children) mesh.scale.z = height;
    const { high, contour } = this.ground.uniforms;
    high.value = height / film.size;
    contour.value = height / film.size / CONTOURS;
    scenery.replaceGround(this.ground);
  }

  // Returns the ground with hills of 1 m.
  makeGround() {
    const { about: { grid }, heights, player: { film } } = this;
    const shown = { ...film, ground: { ...grid, low: 0, high: 1, contour: 1 } };
    return new Ground(shown, () => Float32Array.from(heights, (x) => x / grid.steps / film.size), null);
  }
}
