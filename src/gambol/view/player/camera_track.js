// Camera and light of a film that has its own: numbers for each frame, linear between frames.
const CAMERA = 7; // numbers per frame: x y z of the camera, x y z of its target, field of view
const MIN_HORIZONTAL = 1e-3; // horizontal part of the view's direction below which the heading is up in the picture

// A value of a track between two frames; channels: numbers per frame.
const between = (numbers, channels, a, b, s) =>
  Array.from({ length: channels }, (_, k) => (1 - s) * numbers[a * channels + k] + s * numbers[b * channels + k]);

export class CameraTrack {
  // decode: decodes differences; getArray: returns an array of the film by its name.
  constructor(film, getArray, decode) {
    const unit = film.unit / film.size, { tracks, offsets } = film;
    const units = [unit, unit, unit, unit, unit, unit, tracks.degrees];
    this.heading = film.heading;
    this.shift = offsets[0].map((x) => x / film.size);
    this.camera = tracks.camera ? decode(getArray("camera"), CAMERA, units) : null;
    this.light = tracks.light ? decode(getArray("light"), 3, [1 / 32767]) : null;
  }

  // Places a camera of three.js, and the target of its controls, between frames a and b.
  aim(camera, target, a, b, s) {
    const x = between(this.camera, CAMERA, a, b, s), [dx, dy, dz] = [0, 1, 2].map((k) => x[k] - x[k + 3]);
    camera.position.set(...[0, 1, 2].map((k) => x[k] + this.shift[k]));
    target.set(...[0, 1, 2].map((k) => x[k + 3] + this.shift[k]));
    const vertical = Math.hypot(dx, dy) < MIN_HORIZONTAL * Math.hypot(dx, dy, dz);
    camera.up.set(...(vertical ? [...this.heading, 0] : [0, 0, 1]));
    camera.lookAt(target);
    camera.fov = x[6];
    camera.updateProjectionMatrix();
  }

  // Sets a vector of three.js to the direction towards the light.
  aimLight(sunward, a, b, s) {
    sunward.set(...between(this.light, 3, a, b, s)).normalize();
  }
}
