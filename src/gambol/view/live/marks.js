// Marks that a live page draws besides the figure: forces of contacts, centre of mass and support polygon, trails of feet,
// and a mark in front of the figure. Scene units are figure sizes.
import * as THREE from "three";
import { Arrow } from "arrows";
import { contactForces, contains, hullOf } from "contacts";

const WEIGHT_LENGTH = 0.5; // of the arrow of a force as large as the figure's weight
const DOT = 0.012, TRAIL = 600, SPACING = 0.02; // radius of dots, number of dots of a trail, and their smallest distance
const BALL = 0.035, LIFT = 0.004; // radius of the centre of mass; height of what lies on the ground
const AHEAD = 0.8, FRONT = [0.1, 0.06]; // distance of the front mark from the centre, its length and half width
const INSIDE = "#4f9d69", OUTSIDE = "#d0503a", TRAIL_COLOR = "#c9803f"; // the centre above the support polygon, and beside it

const flat = (color, opacity) => new THREE.MeshStandardMaterial({ color, transparent: true, opacity, depthWrite: false,
  side: THREE.DoubleSide, roughness: 1 });

function meshIn(scene, geometry, material) {
  const mesh = new THREE.Mesh(geometry, material);
  mesh.visible = mesh.frustumCulled = false;
  scene.add(mesh);
  return mesh;
}

export class Marks {
  constructor(player, live) {
    Object.assign(this, { player, live, shown: new Set(), arrows: [], trails: [] });
    const scene = (this.group = new THREE.Group());
    player.scene.add(scene);
    this.ball = meshIn(scene, new THREE.SphereGeometry(BALL, 20, 14), new THREE.MeshStandardMaterial({ color: INSIDE, roughness: 0.4, depthTest: false }));
    this.ball.renderOrder = 1; // seen through the figure
    this.plumb = meshIn(scene, new THREE.CylinderGeometry(0.004, 0.004, 1, 8).rotateX(Math.PI / 2), new THREE.MeshStandardMaterial({ color: INSIDE }));
    this.support = meshIn(scene, new THREE.BufferGeometry(), flat(INSIDE, 0.35));
    const [length, width] = FRONT, tip = new THREE.BufferGeometry();
    tip.setAttribute("position", new THREE.BufferAttribute(new Float32Array([length, 0, 0, -length / 3, width, 0, 0, 0, 0, 0, 0, 0, -length / 3, -width, 0, length, 0, 0]), 3));
    tip.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(Array.from({ length: 18 }, (_, k) => +(k % 3 === 2))), 3));
    this.front = meshIn(scene, tip, flat(player.film.look.stepping, 0.9));
    this.dots = new THREE.SphereGeometry(DOT, 8, 6);
  }

  // Shows or hides a kind: "forces", "support", "trail" or "front".
  async toggle(kind, on) {
    if (on) this.shown.add(kind);
    else this.shown.delete(kind);
    if (kind === "trail" && !on) this.clear();
    await this.live.watch(this.live.about.contactsOf.links.length > 0 && (this.shown.has("forces") || this.shown.has("support")));
  }

  // Called with each answer of the worker.
  update({ snapshot, contacts, state }) {
    const { live: { about, cutLinks: cut }, player: { film } } = this, units = (values) => Array.from(values, (x) => x / film.size);
    const forces = contacts ? contactForces(about, contacts, state) : [];
    this.centre = units(snapshot.slice(about.centre, about.centre + 3));
    this.showForces(this.shown.has("forces") ? forces : [], units);
    this.showSupport(forces.filter(({ other }) => other < 0).map(({ point }) => units(point)));
    if (this.shown.has("trail")) about.feet.forEach(({ row, link }, k) => cut.has(link) || this.addDot(k, units(snapshot.slice(row, row + 3))));
    this.showFront(snapshot);
    this.player.stale = true;
  }

  // One arrow for each link and each body that it touches: the sum of the forces, at their mean point.
  showForces(forces, units) {
    const { arrows, group: scene, player: { film }, live: { about } } = this, sums = new Map();
    for (const { link, other, point, force } of forces) {
      const key = `${link} ${other}`, size = Math.hypot(...force);
      if (!sums.has(key)) sums.set(key, { sum: [0, 0, 0], middle: [0, 0, 0], size: 0 });
      const entry = sums.get(key);
      for (let k = 0; k < 3; k++) { entry.sum[k] += force[k]; entry.middle[k] += size * point[k]; }
      entry.size += size;
    }
    const all = [...sums.values()];
    while (arrows.length < all.length) arrows.push(new Arrow(scene, film.look.force));
    arrows.forEach((arrow, k) => {
      if (k >= all.length) return arrow.hide();
      const { sum, middle, size } = all[k];
      arrow.set(units(middle.map((x) => x / size)), sum.map((x) => (WEIGHT_LENGTH * x) / about.weight));
    });
  }

  showSupport(points) {
    const { ball, plumb, support, centre } = this, on = this.shown.has("support");
    ball.visible = plumb.visible = on;
    support.visible = on && points.length > 2;
    if (!on) return;
    const hull = hullOf(points.map(([x, y]) => [x, y])), height = points.length ? Math.max(...points.map((p) => p[2])) : 0;
    const below = this.below(centre, height), color = contains(hull, below) ? INSIDE : OUTSIDE;
    for (const mesh of [ball, plumb, support]) mesh.material.color.set(color);
    ball.position.set(...centre);
    plumb.position.set((centre[0] + below[0]) / 2, (centre[1] + below[1]) / 2, (centre[2] + height) / 2);
    plumb.scale.z = Math.hypot(...centre.map((x, k) => x - below[k]));
    plumb.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), this.player.camera.up);
    this.setTriangles(support, hull.slice(2).flatMap((p, k) => [hull[0], hull[k + 1], p]).flatMap(([x, y]) => [x, y, height + LIFT]));
  }

  // The point below the centre of mass, along gravity, at a height.
  below([x, y, z], height) {
    const { up } = this.player.camera, t = (z - height) / up.z;
    return [x - t * up.x, y - t * up.y, height];
  }

  setTriangles(mesh, numbers) {
    mesh.geometry.dispose();
    mesh.geometry = new THREE.BufferGeometry();
    mesh.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(numbers), 3));
    mesh.geometry.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(numbers.map((_, k) => +(k % 3 === 2))), 3));
  }

  // Adds a dot at the position of foot k, if it has moved.
  addDot(k, position) {
    this.trails[k] ??= { mesh: this.newTrail(), count: 0, last: null };
    const trail = this.trails[k], matrix = new THREE.Matrix4().setPosition(...position);
    if (trail.last && Math.hypot(...position.map((x, c) => x - trail.last[c])) < SPACING) return;
    trail.mesh.setMatrixAt(trail.count++ % TRAIL, matrix);
    trail.mesh.count = Math.min(trail.count, TRAIL);
    trail.mesh.instanceMatrix.needsUpdate = true;
    trail.last = position;
  }

  newTrail() {
    const mesh = new THREE.InstancedMesh(this.dots, new THREE.MeshStandardMaterial({ color: TRAIL_COLOR, roughness: 0.6 }), TRAIL);
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return mesh;
  }

  // Removes the trails.
  clear() {
    for (const { mesh } of this.trails) this.group.remove(mesh);
    this.trails = [];
  }

  // The heading is the initial heading, rotated with the first link.
  showFront(snapshot) {
    const { player: { film, scenery }, live: { about }, front, centre } = this, [w, x, y, z] = snapshot.slice(about.quaternions, about.quaternions + 4);
    const rotation = new THREE.Quaternion(x, y, z, w);
    this.heading ??= new THREE.Vector3(...film.heading, 0).applyQuaternion(rotation.clone().invert());
    front.visible = this.shown.has("front");
    const ahead = this.heading.clone().applyQuaternion(rotation), angle = Math.atan2(ahead.y, ahead.x);
    front.position.set(centre[0] + AHEAD * Math.cos(angle), centre[1] + AHEAD * Math.sin(angle), 0);
    front.position.z = LIFT + scenery.ground.heightAt(front.position.x, front.position.y);
    front.rotation.z = angle;
  }
}
