// Draws the meshes, particles and muscles of a film, see gambol.view.scene.matter. Scene units are figure sizes.
import * as THREE from "three";
import { MovingMuscle } from "muscles";

const HALF_RANGE = 32767; // largest stored coordinate of a particle

// Balls that face the camera, or with glow points of light that add up.
const VERTEX = `attribute vec4 tint; attribute float radius; varying vec4 vTint; uniform float pixels;
  void main() {
    vTint = tint;
    vec4 inView = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * inView;
    gl_PointSize = max(1.5, pixels * radius / -inView.z);
  }`;
const FRAGMENT = `varying vec4 vTint; uniform float glow;
  void main() {
    vec2 p = 2.0 * gl_PointCoord - 1.0;
    float r = dot(p, p);
    if (r > 1.0) discard;
    float shade = mix(0.55 + 0.45 * sqrt(1.0 - r), 1.0, glow);
    gl_FragColor = vec4(vTint.rgb * shade, vTint.a * mix(1.0, 1.0 - r, glow));
  }`;

// A streak is two triangles that face the camera: for each corner, 1 at the tail, and the side of the line.
const CORNERS = [[0, 1], [0, -1], [1, 1], [0, -1], [1, -1], [1, 1]];
const STREAK = `attribute vec4 tint; attribute vec3 other; attribute float radius, side; varying vec4 vTint; uniform float pixels, aspect;
  void main() {
    vTint = tint;
    vec4 here = projectionMatrix * modelViewMatrix * vec4(position, 1.0), there = projectionMatrix * modelViewMatrix * vec4(other, 1.0);
    vec2 along = (there.xy / there.w - here.xy / here.w) * vec2(aspect, 1.0);
    vec2 across = length(along) > 1e-9 ? normalize(vec2(-along.y, along.x)) / vec2(aspect, 1.0) : vec2(1.0, 0.0);
    float flip = tint.a > 0.0 ? 1.0 : -1.0; // seen from the tail, the line runs the other way
    float halfWidth = max(radius * projectionMatrix[1][1] / here.w, 2.0 * projectionMatrix[1][1] / pixels);
    gl_Position = here + vec4(across * side * flip * halfWidth * here.w, 0.0, 0.0);
  }`;

export class Matter {
  constructor(film, getArray, scene) {
    this.film = film;
    this.parts = film.matter.map((part) => new KINDS[part.kind](film, part, getArray));
    for (const part of this.parts) {
      part.group.position.set(...film.offsets[part.world].map((x) => x / film.size));
      scene.add(part.group);
    }
  }

  // Show the time at the fraction s of the way from frame a to frame b. camera, height [pixels]: of the view.
  pose(a, b, s, camera, height) {
    for (const part of this.parts) part.pose(a, b, s, camera, height);
  }
}

class MovingMesh {
  constructor(film, part, getArray) {
    const units = [film.unit / film.size];
    this.world = part.world;
    this.part = part;
    this.points = film.decode(getArray(part.key + "points"), 3 * part.count, units);
    this.triangles = words(getArray(part.key + "triangles"));
    this.visible = part.tears ? getArray(part.key + "visible") : null;
    this.geometry = new THREE.BufferGeometry();
    this.positions = new THREE.BufferAttribute(new Float32Array(3 * part.count), 3);
    this.positions.setUsage(THREE.DynamicDrawUsage);
    this.geometry.setAttribute("position", this.positions);
    this.geometry.setIndex(new THREE.BufferAttribute(this.triangles.slice(), 1));
    const material = new THREE.MeshStandardMaterial({ color: part.color, roughness: 0.9, side: THREE.DoubleSide });
    const cloth = new THREE.Mesh(this.geometry, material);
    cloth.castShadow = cloth.receiveShadow = true;
    cloth.frustumCulled = false;
    this.group = new THREE.Group();
    if (this.triangles.length) this.group.add(cloth);
    const threads = words(getArray(part.key + "lines"));
    this.torn = [this.geometry, this.triangles, 3];
    if (threads.length) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", this.positions);
      geometry.setIndex(new THREE.BufferAttribute(threads.slice(), 1));
      if (!this.triangles.length) this.torn = [geometry, threads, 2];
      const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: part.color }));
      lines.frustumCulled = false;
      this.group.add(lines);
    }
  }

  pose(a, b, s) {
    const { every, frames, count } = this.part, at = Math.min((a + s * (b - a)) / every, frames - 1);
    const i = Math.floor(at), j = Math.min(i + 1, frames - 1), t = at - i, n = 3 * count, out = this.positions.array;
    for (let k = 0; k < n; k++) out[k] = (1 - t) * this.points[i * n + k] + t * this.points[j * n + k];
    this.positions.needsUpdate = true;
    if (this.visible) this.tear(i);
    if (this.triangles.length) this.geometry.computeVertexNormals();
  }

  // Leave out the triangles, or lines of a mesh without triangles, that are torn in a frame.
  tear(frame) {
    const [geometry, corners, width] = this.torn, index = geometry.index;
    const total = corners.length / width, row = Math.ceil(total / 8);
    let used = 0;
    for (let k = 0; k < total; k++) {
      if (!((this.visible[frame * row + (k >> 3)] >> (k & 7)) & 1)) continue;
      for (let c = 0; c < width; c++) index.array[used++] = corners[width * k + c];
    }
    geometry.setDrawRange(0, used);
    index.needsUpdate = true;
  }
}

class Particles {
  constructor(film, part, getArray) {
    const bytes = (name) => getArray(part.key + name).slice().buffer;
    this.world = part.world;
    this.part = part;
    this.film = film;
    this.starts = new Uint32Array(bytes("starts"));
    this.points = new Int16Array(bytes("points"));
    this.velocities = new Int16Array(bytes("velocities"));
    this.colors = new Uint8Array(bytes("colors"));
    this.radii = new Uint8Array(bytes("radii"));
    this.group = part.streak > 0 ? this.makeStreaks() : this.makeBalls();
    this.group.frustumCulled = false;
  }

  makeBalls() {
    this.geometry = this.makeGeometry(1);
    this.geometry.setAttribute("radius", dynamic(this.part.maxCount, 1));
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: !this.part.glow,
      blending: this.part.glow ? THREE.AdditiveBlending : THREE.NormalBlending,
      uniforms: { pixels: { value: 1 }, glow: { value: this.part.glow ? 1 : 0 } },
    });
    return new THREE.Points(this.geometry, this.material);
  }

  makeStreaks() {
    this.geometry = this.makeGeometry(CORNERS.length);
    this.geometry.setAttribute("radius", dynamic(CORNERS.length * this.part.maxCount, 1));
    this.geometry.setAttribute("other", dynamic(CORNERS.length * this.part.maxCount, 3));
    const sides = dynamic(CORNERS.length * this.part.maxCount, 1);
    for (let i = 0; i < sides.count; i++) sides.array[i] = CORNERS[i % CORNERS.length][1];
    this.geometry.setAttribute("side", sides);
    this.material = new THREE.ShaderMaterial({
      vertexShader: STREAK, fragmentShader: "varying vec4 vTint; void main() { gl_FragColor = vTint; }", transparent: true,
      depthWrite: false, side: THREE.DoubleSide, blending: this.part.glow ? THREE.AdditiveBlending : THREE.NormalBlending,
      uniforms: { pixels: { value: 1 }, aspect: { value: 1 } },
    });
    return new THREE.Mesh(this.geometry, this.material);
  }

  // A geometry with `ends` points for each particle.
  makeGeometry(ends) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", dynamic(ends * this.part.maxCount, 3));
    geometry.setAttribute("tint", dynamic(ends * this.part.maxCount, 4));
    return geometry;
  }

  // Particles between frames are those of the earlier one, moved on at their velocities.
  pose(a, b, s, camera, height) {
    const { part, film } = this, first = this.starts[a], count = this.starts[a + 1] - first;
    const { position, other, tint, radius } = this.geometry.attributes, corners = part.streak > 0 ? CORNERS : [[0, 0]];
    const scale = part.half / HALF_RANGE / film.size, speed = part.fastest / HALF_RANGE / film.size, elapsed = (s * (b - a)) / film.rate;
    const ends = corners.length, x = [0, 0, 0], v = [0, 0, 0];
    for (let i = 0; i < count; i++) {
      const row = first + i;
      for (let k = 0; k < 3; k++) {
        v[k] = this.velocities[3 * row + k] * speed;
        x[k] = part.middle[k] / film.size + this.points[3 * row + k] * scale + elapsed * v[k];
      }
      corners.forEach(([tail], c) => {
        const n = ends * i + c;
        for (let k = 0; k < 3; k++) position.array[3 * n + k] = x[k] - tail * part.streak * v[k];
        if (other) for (let k = 0; k < 3; k++) other.array[3 * n + k] = x[k] - (1 - tail) * part.streak * v[k];
        for (let k = 0; k < 4; k++) tint.array[4 * n + k] = this.colors[4 * row + k] / 255;
        if (tail) tint.array[4 * n + 3] = 0; // a streak fades towards its tail
        radius.array[n] = (this.radii[row] / 255) * (part.largest / film.size);
      });
    }
    for (const attribute of [position, other, tint, radius]) if (attribute) attribute.needsUpdate = true;
    this.geometry.setDrawRange(0, ends * count);
    this.material.uniforms.pixels.value = height / Math.tan((camera.fov * Math.PI) / 360);
    if (this.material.uniforms.aspect) this.material.uniforms.aspect.value = camera.aspect;
  }
}

const KINDS = { mesh: MovingMesh, particles: Particles, muscle: MovingMuscle };

const words = (bytes) => new Uint32Array(bytes.slice().buffer);

function dynamic(count, width) {
  return new THREE.BufferAttribute(new Float32Array(count * width), width).setUsage(THREE.DynamicDrawUsage);
}
