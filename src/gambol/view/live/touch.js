// Grabs links of a live figure with the mouse, a pen or a finger, and draws the spring as an arrow.
import * as THREE from "three";
import { Arrow } from "arrows";
import { pick, rayAt } from "picking";

export class Touch {
  constructor(player, live) {
    Object.assign(this, { player, live, pointer: null, arrow: new Arrow(player.scene, player.film.look.force, true), listening: new AbortController() });
    const { canvas } = player, options = { capture: true, signal: this.listening.signal };
    // In the capture phase, so that the camera's controls do not receive the events of a pointer that grabs.
    window.addEventListener("pointerdown", (e) => e.target === canvas && e.button === 0 && this.down(e), options);
    window.addEventListener("pointermove", (e) => this.move(e), options);
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, (e) => this.up(e), options);
  }

  dispose() { this.listening.abort(); }

  canvasPoint(e) {
    const box = this.player.canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  down(e) {
    if (this.pointer !== null || !this.live.about.hand || this.player.showsFilm) return;
    const { player, live } = this, found = pick(player, ...this.canvasPoint(e), e.pointerType);
    const link = found && live.about.hand.links.find((each) => each.link === found.link);
    if (!link) return;
    const body = player.bodies[0][link.link], point = found.point.clone().applyMatrix4(new THREE.Matrix4().copy(body.matrix).invert());
    Object.assign(this, { pointer: e.pointerId, following: player.following, anchor: found.point });
    this.normal = player.camera.getWorldDirection(new THREE.Vector3());
    player.following = false; // else the camera would follow the body that is pulled
    player.canvas.setPointerCapture?.(e.pointerId);
    this.grabbed = [link.name, this.metres(point)];
    if (!live.frozen) live.grab(...this.grabbed, this.metres(found.point));
    e.stopPropagation();
  }

  metres(p) { return p.toArray().map((x) => x * this.player.film.size); }

  // The target is where the pointer's ray meets the plane through the grabbed point, parallel to the picture.
  move(e) {
    if (e.pointerId !== this.pointer) return;
    const { origin, direction } = rayAt(this.player, ...this.canvasPoint(e)), across = direction.dot(this.normal);
    const distance = this.anchor.clone().sub(origin).dot(this.normal) / across;
    if (distance > 0) this.aim(this.metres(origin.addScaledVector(direction, distance)));
    e.stopPropagation();
  }

  // Moves the hand's target or, of a frozen figure, the posture; one posture at a time, and then the newest.
  async aim(target) {
    if (!this.live.frozen) return this.live.aim(target);
    this.nextTarget = target;
    if (this.posing) return;
    for (this.posing = true; this.nextTarget;) {
      const next = this.nextTarget;
      this.nextTarget = null;
      await this.live.pose(...this.grabbed, next);
    }
    this.posing = false;
  }

  up(e) {
    if (e.pointerId !== this.pointer) return;
    this.pointer = null;
    this.player.following = this.following;
    this.live.release();
    e.stopPropagation();
  }

  // Sets the arrow from the grabbed point to the target.
  draw() {
    const { player, live: { hand }, arrow } = this;
    if (!hand) return arrow.hide();
    const { size } = player.film, start = new THREE.Vector3(...hand.point.map((x) => x / size)).applyMatrix4(player.bodies[0][hand.link].matrix);
    arrow.set(start.toArray(), hand.target.map((x, k) => x / size - start.getComponent(k)));
  }
}
