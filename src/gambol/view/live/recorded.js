// The film of a run, drawn over the simulated figure: translucent, so that differences are visible. It can also
// play alone, by its own time.
import * as THREE from "three";
import { Figures } from "figures";
import { levelsOf } from "muscles";
import { poseAttachments } from "pose";
import { cutLinksOf, decodeDifferences, framesAround, poseBodies } from "player";

const COLOR = "#3c8fc0", OPACITY = 0.4, POSE = 7;

export class Recorded {
  // film, getArray: results of unpack(); player: player of the page.
  constructor(film, getArray, player) {
    const pos = film.unit / film.size, rot = 1 / 32767;
    Object.assign(this, { film, player, time: film.start, playing: false, shown: null, posed: null });
    this.until = film.start + (film.frames - 1) / film.rate;
    this.motion = decodeDifferences(getArray("motion"), film.links * POSE, [pos, pos, pos, rot, rot, rot, rot]);
    this.path = decodeDifferences(getArray("path"), 3, [pos]);
    this.cutLinks = cutLinksOf(film, getArray);
    const muscles = film.matter.filter((part) => part.kind === "muscle");
    this.holds = new Map(film.matter.filter((part) => part.kind === "mesh").map((part) => [part.name, { every: part.every, visible: part.tears ? getArray(part.key + "visible") : null }]));
    this.attachments = []; // those of all worlds of the page, see their descriptions
    this.muscles = muscles.map((part) => ({ points: decodeDifferences(getArray(part.key + "points"), 3 * part.count, [pos]), levels: levelsOf(part, getArray) }));
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
  show(time, isShown) {
    const { film, figures, player } = this, t = time - film.start, half = 0.5 / film.rate;
    figures.group.visible = isShown && t > -half && t < (film.frames - 1) / film.rate + half;
    const shown = figures.group.visible ? t : null;
    if (shown === this.shown) return;
    this.shown = shown;
    player.stale = true;
    if (shown === null) return;
    poseBodies(this.bodies, film, this.motion, ...framesAround(film, t));
    if (film.cuts) figures.hide(this.cutLinks(framesAround(film, t)[0]));
    figures.update(() => false);
  }

  // Plays some seconds of the film alone, and begins again after its end.
  draw(seconds) {
    if (this.playing) this.time = this.time < this.until ? Math.min(this.time + seconds, this.until) : this.film.start;
    if (this.posed !== this.time) this.pose();
  }

  seek(time) { this.time = Math.min(Math.max(time, this.film.start), this.until); }

  play() {
    this.playing = true;
    this.posed = null;
  }

  pause() { this.playing = false; }

  reset() { this.time = this.film.start; }

  // Goes on by frames of the film, and pauses.
  step(count) {
    this.pause();
    this.seek(this.time + count / this.film.rate);
  }

  // Sets the player's film of one frame to the present poses and muscles.
  pose() {
    const { film, player, bodies } = this, ratio = film.size / player.film.size;
    this.posed = this.time;
    poseBodies(bodies, film, this.motion, ...framesAround(film, this.time - film.start));
    bodies[0].forEach(({ position, quaternion }, l) => {
      player.motion.set([...position.toArray().map((x) => x * ratio), quaternion.w, quaternion.x, quaternion.y, quaternion.z], POSE * l);
    });
    if (film.cuts) player.figures.hide(this.cutLinks(framesAround(film, this.time - film.start)[0]));
    this.poseMuscles(ratio);
    poseAttachments(player, this.attachments, ({ name }) => this.holdsOn(name));
    for (let k = 0; k < 3; k++) player.path[k] = this.centre(k) * ratio;
    player.stale = true;
  }

  // True if an attachment is intact in the present frame.
  holdsOn(name) {
    const { every, visible } = this.holds.get(name) ?? {}, [frame] = framesAround(this.film, this.time - this.film.start);
    return !visible || visible[Math.floor(frame / every)] > 0;
  }

  poseMuscles(ratio) {
    const [a, b, s] = framesAround(this.film, this.time - this.film.start), mix = (x, n, k) => (1 - s) * x[a * n + k] + s * x[b * n + k];
    this.muscles.forEach(({ points, levels }, m) => {
      const tube = this.player.matter.parts[m], n = tube.points.length;
      tube.group.visible = true;
      for (let k = 0; k < n; k++) tube.points[k] = mix(points, n, k) * ratio;
      tube.levels = [mix(levels, 2, 0), mix(levels, 2, 1)];
    });
  }

  centre(k) {
    const [a, b, s] = framesAround(this.film, this.time - this.film.start);
    return (1 - s) * this.path[3 * a + k] + s * this.path[3 * b + k];
  }
}
