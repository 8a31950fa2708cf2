// The hills of a live page, drawn in place of level ground. Scene units are figure sizes.
import { Ground } from "ground";

const CONTOURS = 6; // between the lowest point and the highest

export class Hills {
  // about: description of the page; heights: heights of the grids of all shapes, in steps; player: player of the page.
  constructor(about, heights, player) { Object.assign(this, { about, heights, player, grounds: new Map() }); }

  // Shows hills of a height [m]; 0: level ground. shape: index of their shape.
  show(height, shape) {
    const { player: { scenery, film } } = this;
    this.player.stale = true;
    if (!(height > 0)) return scenery.replaceGround(null);
    if (!this.grounds.has(shape)) this.grounds.set(shape, this.makeGround(shape));
    const ground = this.grounds.get(shape);
    for (const mesh of ground.group.children) mesh.scale.z = height;
    const { high, contour } = ground.uniforms;
    high.value = height / film.size;
    contour.value = height / film.size / CONTOURS;
    scenery.replaceGround(ground);
  }

  // Returns the ground with hills of 1 m.
  makeGround(shape) {
    const { about: { grid }, player: { film } } = this, shown = { ...film, ground: { ...grid, low: 0, high: 1, contour: 1 } };
    const count = grid.rows * grid.columns, heights = this.heights.subarray(shape * count, (shape + 1) * count);
    return new Ground(shown, () => Float32Array.from(heights, (x) => x / grid.steps / film.size), null);
  }
}
