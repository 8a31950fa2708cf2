// The camera of a page of creatures side by side, and the names above them. Scene units are sizes of the whole scene.
import * as THREE from "three";

const AZIMUTH = 0.32, ELEVATION = 0.4; // direction from which the camera looks [rad]: to the left of the heading, above the ground
const MARGIN = 0.94; // part of the width of the picture that creatures fill
const PAD = 0.16; // space around the joints of a creature, as a fraction of its own size
const LAG = 0.25; // time constant with which the camera follows [s]
const ITERATIONS = 12; // of distance and target, which depend on each other

export class Framing {
  // labels: element for the names; bars: elements above and below the creatures, which they should not be behind.
  constructor(player, labels, bars) {
    Object.assign(this, { player, labels, bars, members: [], chosen: null, onChoice: () => {} });
  }

  // Shows one creature, or all of them if it is null.
  choose(member) {
    this.chosen = member;
    this.spans ??= this.members.map(({ name }) => this.labels.appendChild(Object.assign(document.createElement("span"), { textContent: name })));
    this.spans.forEach((span, k) => span.classList.toggle("chosen", this.members[k] === member));
    this.aim(member ? [member] : this.members);
    this.onChoice(member);
  }

  // The box around the joints of a creature, and a space: its lowest and highest coordinates.
  box({ first, links }) {
    const { motion } = this.player, along = (k) => Array.from({ length: links }, (_, l) => motion[7 * (first + l) + k]);
    const box = boxOf([0, 1, 2].map(along)), space = PAD * Math.hypot(...box.map(([low, high]) => high - low));
    return box.map(([low, high]) => [low - space, high + space]);
  }

  // Places the camera so that creatures fill the picture between the bars.
  aim(members) {
    const { player } = this, { camera, canvas, controls, film: { heading: [hx, hy] } } = player;
    const c = Math.cos(ELEVATION), a = Math.cos(AZIMUTH), s = Math.sin(AZIMUTH);
    const towards = new THREE.Vector3(c * (a * hx - s * hy), c * (a * hy + s * hx), Math.sin(ELEVATION)), ahead = towards.clone().negate();
    const right = new THREE.Vector3().crossVectors(ahead, camera.up).normalize(), up = new THREE.Vector3().crossVectors(right, ahead);
    const corners = members.flatMap((member) => cornersOf(this.box(member)));
    const [top, bottom] = this.bars.map((bar) => (2 * bar.getBoundingClientRect().height + 30) / canvas.clientHeight);
    const slope = Math.tan((camera.fov * Math.PI) / 360), aspect = canvas.clientWidth / Math.max(canvas.clientHeight, 1);
    const high = slope * Math.max(0.3, 1 - top), low = -slope * Math.max(0.3, 1 - bottom), wide = MARGIN * slope * aspect;
    const target = new THREE.Vector3(...boxOf(["x", "y", "z"].map((name) => corners.map((p) => p[name]))).map(([a, b]) => (a + b) / 2));
    let distance = 0;
    for (let k = 0; k < ITERATIONS; k++) {
      const seen = corners.map((p) => p.clone().sub(target)).map((p) => [p.dot(right), p.dot(up), p.dot(ahead)]);
      distance = Math.max(...seen.map(([x, y, z]) => Math.max(Math.abs(x) / wide, y / high, y / low) - z));
      const across = seen.map(([x, , z]) => x / (distance + z)), upward = seen.map(([, y, z]) => y / (distance + z));
      target.addScaledVector(right, 0.5 * distance * (Math.max(...across) + Math.min(...across)));
      target.addScaledVector(up, 0.5 * distance * (Math.max(...upward) + Math.min(...upward) - high - low));
    }
    controls.target.copy(target);
    camera.position.copy(target).addScaledVector(towards, distance);
    player.path.set(target.toArray());
    this.offset = target.clone().sub(this.middle(members)); // of what is looked at from the middle of the creatures
    Object.assign(player, { following: true, stale: true });
  }

  // The point that the camera follows: the median of the creatures' way, since some fall and are left behind.
  middle(members) {
    const ways = members.filter((each) => each.centre).map(({ centre, origin }) => centre.map((x, k) => x - origin[k]));
    const median = (k) => ways.map((way) => way[k]).sort((x, y) => x - y)[ways.length >> 1] ?? 0;
    return new THREE.Vector3(median(0), median(1), 0);
  }

  // Moves what the camera looks at. seconds: since the last picture.
  follow(seconds) {
    const { player: { path } } = this, wanted = this.middle(this.chosen ? [this.chosen] : this.members).add(this.offset ?? new THREE.Vector3());
    const part = 1 - Math.exp(-seconds / LAG);
    wanted.toArray().forEach((x, k) => { path[k] += part * (x - path[k]); });
  }

  // Puts the names above the creatures, where they are drawn.
  label() {
    const { player: { camera, canvas }, spans } = this;
    this.members.forEach((member, k) => {
      const [x, y, [, top]] = this.box(member), point = new THREE.Vector3((x[0] + x[1]) / 2, (y[0] + y[1]) / 2, top).project(camera);
      spans[k].hidden = point.z > 1;
      spans[k].style.transform = `translate(${((1 + point.x) * canvas.clientWidth) / 2}px, ${((1 - point.y) * canvas.clientHeight) / 2}px) translate(-50%, -100%)`;
    });
  }
}

const boxOf = (rows) => rows.map((row) => [Math.min(...row), Math.max(...row)]);

function cornersOf([x, y, z]) { return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new THREE.Vector3(x[k & 1], y[(k >> 1) & 1], z[k >> 2])); }
