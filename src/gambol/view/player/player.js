// Draws a film encoded by gambol.view.page on a canvas. Scene units are figure sizes; z is up.
import * as THREE from "three";
import { CameraTrack } from "camera_track";
import { Matter } from "matter";
import { ForceArrows } from "arrows";
import { Figures } from "figures";
import { Pace } from "pace";
import { Scenery } from "scenery";
import { onThemeChange } from "theme";

const NARROW = 0.85; // width divided by height of a picture that is filled by a figure; a narrower one is taken from farther away
const LOW = 0.5; // height of the free part of a picture, divided by its height: a lower one is taken from farther away
const POSE = 7; // count of numbers per link and frame: x y z, then the quaternion w x y z

// Decodes a text in base64 to bytes, and decompresses them (gzip).
export async function inflate(text) {
  const decoded = atob(text), bytes = new Uint8Array(decoded.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = decoded.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

// Decodes a film. Returns its description, and a function that returns an array by its name.
export async function unpack(text) {
  const buffer = await inflate(text);
  const length = new DataView(buffer).getUint32(0, true);
  const film = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const getArray = (name) => new Uint8Array(buffer, 4 + length + film.arrays[name][0], film.arrays[name][1]);
  return { film, getArray };
}

// Decodes differences between frames, stored as four byte planes, to numbers [frame][channel].
export function decodeDifferences(bytes, channels, units) {
  const n = bytes.length / 4, frames = n / channels, out = new Float32Array(n);
  for (let c = 0, index = 0; c < channels; c++) {
    for (let f = 0, sum = 0; f < frames; f++, index++) {
      sum = (sum + (bytes[index] | (bytes[n + index] << 8) | (bytes[2 * n + index] << 16) | (bytes[3 * n + index] << 24))) | 0;
      out[f * channels + c] = sum * units[c % units.length];
    }
  }
  return out;
}

// Gives bodies [world][link] their poses between frames a and b of a film's motion, at the fraction s.
export function poseBodies(bodies, film, motion, a, b, s) {
  const n = film.worlds * film.links * POSE, from = new THREE.Quaternion(), to = new THREE.Quaternion();
  for (let w = 0; w < film.worlds; w++) {
    const [x, y, z] = film.offsets[w].map((offset) => offset / film.size);
    for (let l = 0; l < film.links; l++) {
      const i = a * n + (w * film.links + l) * POSE, j = b * n + (w * film.links + l) * POSE, { position, quaternion } = bodies[w][l];
      const mix = (k) => (1 - s) * motion[i + k] + s * motion[j + k];
      position.set(mix(0) + x, mix(1) + y, mix(2) + z);
      from.set(motion[i + 4], motion[i + 5], motion[i + 6], motion[i + 3]).normalize();
      to.set(motion[j + 4], motion[j + 5], motion[j + 6], motion[j + 3]).normalize();
      quaternion.slerpQuaternions(from, to, s);
    }
  }
}

// The two frames around a time of a film, and the position of the time between them, from 0 to 1.
export function framesAround(film, time) {
  const position = Math.min(Math.max(time, 0) * film.rate, film.frames - 1);
  const before = Math.min(Math.floor(position + 1e-6), film.frames - 1);
  return [before, Math.min(before + 1, film.frames - 1), Math.max(0, position - before)];
}

// Returns a function: the set of the links that are cut off in a frame of a film.
export function cutLinksOf(film, getArray) {
  const cut = film.cuts ? getArray("cut") : null;
  return (frame) => new Set(cut ? [...cut.subarray(film.links * frame, film.links * (frame + 1)).keys()].filter((l) => cut[film.links * frame + l]) : []);
}

export class Player {
  // canvas: element to draw on, of the size of its layout; shadow: size of the shadow map [pixels].
  constructor(film, getArray, canvas, shadow = 4096) {
    this.film = film;
    this.canvas = canvas;
    const { worlds, links, unit, size } = film;
    const posUnit = unit / size, rotUnit = 1 / 32767;
    this.motion = decodeDifferences(getArray("motion"), worlds * links * POSE, [posUnit, posUnit, posUnit, rotUnit, rotUnit, rotUnit, rotUnit]);
    this.path = decodeDifferences(getArray("path"), worlds * 3, [posUnit]);
    this.stepping = film.legs.length ? getArray("stepping") : null; // [world][leg][frame]
    this.active = film.actives ? getArray("active") : null; // [frame][world][link]
    this.cutLinks = cutLinksOf(film, getArray);
    this.duration = (film.frames - 1) / film.rate;
    this.paused = this.holdsResolution = false;
    this.following = true;
    this.time = this.world = 0;
    this.rate = film.playback;
    this.stale = true; // a redraw is needed
    this.covered = { top: 0, right: 0, bottom: 0, left: 0 }; // of the canvas, by controls [pixels]
    this.makeScenery(getArray, shadow);
    this.pace = new Pace(this.renderer);
    this.showFigures(new Figures(film, getArray, decodeDifferences, () => (this.stale = true)));
    const lengths = (name) => decodeDifferences(getArray(name), worlds * film.arrows * 3, [posUnit]);
    this.arrows = film.arrows ? new ForceArrows(film, this.scene, lengths) : null;
    this.matter = new Matter({ ...film, decode: decodeDifferences }, getArray, this.scene);
    this.track = new CameraTrack(film, getArray, decodeDifferences);
    this.resetView();
    this.usesFilmCamera = film.tracks.camera; // the film's own camera is shown, until the viewer drags
    this.scenery.simplify();
  }

  // Draws figures instead of the present ones, if there are any.
  showFigures(figures) {
    if (this.figures) this.scene.remove(this.figures.group);
    this.figures = figures;
    this.bodies = figures.bodies; // [world][link]
    this.scene.add(figures.group);
    this.stale = true;
  }

  makeScenery(getArray, shadow) {
    const { film } = this, getHeights = () => decodeDifferences(getArray("heights"), film.ground.columns, [film.unit / film.size]);
    this.scenery = new Scenery(film, this.canvas, getHeights, this.spread(), shadow);
    Object.assign(this, { renderer: this.scenery.renderer, scene: this.scenery.scene, camera: this.scenery.camera });
    this.controls = new THREE.OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.maxPolarAngle = 0.495 * Math.PI; // stay above the ground
    this.controls.minDistance = 0.3;
    this.controls.maxDistance = 60;
    this.controls.addEventListener("change", () => (this.stale = true));
    this.controls.addEventListener("start", () => this.takeOver());
    this.endTheme = onThemeChange(() => {
      this.scenery.applyTheme();
      this.stale = true;
    });
  }

  // Largest distance between the worlds' figures at the start, in figure sizes.
  spread() {
    const starts = this.film.offsets.map((_, w) => this.centre(w, 0));
    return Math.max(0, ...starts.map((p) => p.distanceTo(starts[0])));
  }

  // The smoothed centre of a world's figure at a time.
  centre(world, time) {
    const [a, b, s] = framesAround(this.film, time), n = 3 * this.film.worlds, k = 3 * world, P = this.path, offset = this.film.offsets[world];
    const x = [0, 1, 2].map((i) => (1 - s) * P[a * n + k + i] + s * P[b * n + k + i] + offset[i] / this.film.size);
    return new THREE.Vector3(...x);
  }

  // Shows the figure in the middle of the free part of the canvas. covered: widths at its edges that are not free [pixels].
  cover(covered) {
    this.covered = covered;
    this.centreView();
  }

  // A video has the middle of the whole canvas.
  centreView() {
    const { camera, canvas: { clientWidth: width, clientHeight: height }, covered: { top, right, bottom, left } } = this;
    if (this.holdsResolution || !(width && height)) camera.clearViewOffset();
    else camera.setViewOffset(width, height, (right - left) / 2, (bottom - top) / 2, width, height);
    this.stale = true;
  }

  pose() {
    const { film, motion } = this, [a, b, s] = framesAround(this.film, this.time);
    poseBodies(this.bodies, film, motion, a, b, s);
    if (film.cuts) this.figures.hide(this.cutLinks(a));
    this.figures.update((world, link, leg) => this.isStepping(world, leg, a) || this.isActive(world, link, a));
    if (this.arrows) this.arrows.pose(a, b, s);
    this.matter.pose(a, b, s, this.camera, this.renderer.getDrawingBufferSize(new THREE.Vector2()).y);
  }

  isStepping(world, leg, frame) {
    return leg !== null && this.stepping !== null && this.stepping[(world * this.film.legs.length + leg) * this.film.frames + frame] === 1;
  }

  // Tells whether the joint of a link is active in adaptive dynamics, where others are held.
  isActive(world, link, frame) {
    return this.active !== null && this.active[(frame * this.film.worlds + world) * this.film.links + link] === 1;
  }

  get focus() { return this.centre(this.world, this.time); }

  // Move camera and target together, so that the user's view of the figure is unchanged.
  follow() {
    const shift = this.focus.sub(this.controls.target);
    this.controls.target.add(shift);
    this.camera.position.add(shift);
  }

  // Show the film's own camera again.
  useFilmCamera() {
    this.usesFilmCamera = this.film.tracks.camera;
    this.stale = true;
  }

  // Leave the film's own camera, and keep its view: follow only if it looks at the figure.
  takeOver() {
    if (!this.usesFilmCamera) return;
    this.usesFilmCamera = false;
    this.camera.up.set(0, 0, 1);
    this.following = this.following && this.controls.target.distanceTo(this.focus) < 0.25;
  }

  resetView() {
    this.takeOver();
    this.camera.fov = this.film.look.field;
    this.camera.updateProjectionMatrix();
    const { look, offsets, heading } = this.film;
    const centres = offsets.map((_, w) => this.centre(w, this.time));
    const middle = centres.reduce((sum, p) => sum.add(p), new THREE.Vector3()).divideScalar(centres.length);
    this.world = centres.reduce((best, p, w) => (p.distanceTo(middle) < centres[best].distanceTo(middle) ? w : best), 0);
    const { canvas: { clientWidth: width, clientHeight: height }, covered } = this;
    const freeWidth = Math.max(width - covered.left - covered.right, 1), freeHeight = Math.max(height - covered.top - covered.bottom, 1);
    const farther = Math.max(1, (NARROW * height) / freeWidth, (LOW * height) / freeHeight);
    const distance = farther * (1.25 * look.distance + 1.1 * this.spread());
    const a = (look.azimuth * Math.PI) / 180, e = (look.elevation * Math.PI) / 180;
    const [x, y] = heading;
    const left = [-y, x];
    const horizontal = [0, 1].map((i) => Math.cos(e) * (Math.cos(a) * heading[i] + Math.sin(a) * left[i]));
    this.controls.target.copy(this.focus);
    this.camera.position.set(...horizontal, Math.sin(e)).multiplyScalar(distance).add(this.focus);
    this.sunward = new THREE.Vector3(
      look.sun[0] * x + look.sun[1] * left[0], look.sun[0] * y + look.sun[1] * left[1], look.sun[2]).normalize();
    this.stale = true;
  }

  // Moves the camera around what it looks at by angles [rad], to the left and up.
  turn(left, up) {
    this.takeOver();
    this.controls.rotateLeft(left);
    this.controls.rotateUp(up);
  }

  // Multiplies the distance of the camera.
  zoom(factor) {
    this.takeOver();
    this.controls.dollyIn(factor);
  }

  seek(time) {
    this.time = Math.min(Math.max(time, 0), this.duration);
    this.stale = true;
  }

  // Draws a picture of an animation, in a resolution that the machine reaches; elapsed: time since the last call [s].
  // Returns false if nothing has changed, or if the last picture is still being drawn.
  animate(elapsed) {
    const { pace, scenery } = this, now = performance.now();
    this.advance(elapsed);
    if (!pace.isFree(now)) return false;
    if (pace.count && scenery.refine(now)) this.stale = true;
    pace.fixed = this.holdsResolution || scenery.look.isSimple;
    const isStill = !this.stale && pace.isStill(now);
    scenery.detail = isStill || (!this.stale && pace.refined) ? 1 : pace.detail;
    if (!this.drawPicture()) return false;
    pace.begin(now, isStill);
    return true;
  }

  // Keeps the present resolution of moving pictures, or lets it change again.
  holdResolution(held) {
    if (held) this.scenery.complete();
    this.holdsResolution = held;
    this.centreView();
    this.pace.refined = false;
    this.stale = true;
  }

  advance(elapsed) {
    if (this.paused || this.duration === 0) return;
    const next = this.time + elapsed * this.rate;
    this.seek(next > this.duration ? 0 : next);
  }

  // Draws the present picture in its full look, if it has changed. Returns true if it was drawn.
  draw(elapsed) {
    this.scenery.complete();
    this.advance(elapsed);
    return this.drawPicture();
  }

  drawPicture() {
    if (this.scenery.resize()) this.centreView();
    const around = framesAround(this.film, this.time);
    if (this.usesFilmCamera) {
      if (this.stale) this.track.aim(this.camera, this.controls.target, ...around);
    } else {
      if (this.following && this.stale) this.follow();
      this.controls.update();
    }
    if (!this.stale) return false;
    if (this.track.light) this.track.aimLight(this.sunward, ...around);
    this.pose();
    this.scenery.render(this.focus, this.sunward);
    this.stale = false;
    return true;
  }

  dispose() {
    this.endTheme();
    this.controls.dispose();
    this.scenery.dispose();
  }
}
