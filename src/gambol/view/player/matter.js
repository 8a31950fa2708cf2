// Draws the meshes and the particles of a film, see gambol.view.scene.matter. Scene units are figure sizes.
import * as THREE from "three";

const HALF_RANGE = 32767; // largest stored coordinate of a particle

// Balls that face the camera, or with glow points of light that add up.
const VERTEX = `attribute vec4 tint; attribute float radius; varying vec4 vTint; uniform float pixels;
  void main() {
    vTint = tint;
    vec4 seen = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * seen;
    gl_PointSize = max(1.5, pixels * radius / -seen.z);
  }`;
const FRAGMENT = `varying vec4 vTint; uniform float glow;
  void main() {
    vec2 p = 2.0 * gl_PointCoord - 1.0;
    float r = dot(p, p);
    if (r > 1.0) discard;
    float shade = mix(0.55 + 0.45 * sqrt(1.0 - r), 1.0, glow);
    gl_FragColor = vec4(vTint.rgb * shade, vTint.a * mix(1.0, 1.0 - r, glow));
  }`;

export class Matter {
  constructor(film, getArray, scene) {
    this.film = film;
    this.parts = film.matter.map((part) => (part.kind === "mesh" ? new MovingMesh(film, part, getArray) : new Particles(film, part, getArray)));
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
    if (threads.length) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", this.positions);
      geometry.setIndex(new THREE.BufferAttribute(threads, 1));
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

  // Leave out the triangles that are torn in a frame.
  tear(frame) {
    const total = this.triangles.length / 3, row = Math.ceil(total / 8), index = this.geometry.index;
    let used = 0;
    for (let k = 0; k < total; k++) {
      if (!((this.visible[frame * row + (k >> 3)] >> (k & 7)) & 1)) continue;
      for (let c = 0; c < 3; c++) index.array[used++] = this.triangles[3 * k + c];
    }
    this.geometry.setDrawRange(0, used);
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
    this.geometry.setAttribute("radius", dynamic(this.part.most, 1));
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: !this.part.glow,
      blending: this.part.glow ? THREE.AdditiveBlending : THREE.NormalBlending,
      uniforms: { pixels: { value: 1 }, glow: { value: this.part.glow ? 1 : 0 } },
    });
    return new THREE.Points(this.geometry, this.material);
  }

  makeStreaks() {
    this.geometry = this.makeGeometry(2);
    const blending = this.part.glow ? THREE.AdditiveBlending : THREE.NormalBlending;
    return new THREE.LineSegments(this.geometry, new THREE.ShaderMaterial({
      vertexShader: VERTEX.replace("attribute float radius;", "").replace(/gl_PointSize[^;]*;/, ""), transparent: true, depthWrite: false, blending,
      fragmentShader: "varying vec4 vTint; void main() { gl_FragColor = vTint; }", uniforms: { pixels: { value: 1 } },
    }));
  }

  // A geometry with `ends` points for each particle.
  makeGeometry(ends) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", dynamic(ends * this.part.most, 3));
    geometry.setAttribute("tint", dynamic(ends * this.part.most, 4));
    return geometry;
  }

  // Particles between frames are those of the earlier one, moved on at their velocities.
  pose(a, b, s, camera, height) {
    const { part, film } = this, first = this.starts[a], count = this.starts[a + 1] - first;
    const { position, tint, radius } = this.geometry.attributes, ends = part.streak > 0 ? 2 : 1;
    const scale = part.half / HALF_RANGE / film.size, speed = part.fastest / HALF_RANGE / film.size, elapsed = (s * (b - a)) / film.rate;
    for (let i = 0; i < count; i++) {
      const row = first + i;
      for (let k = 0; k < 3; k++) {
        const v = this.velocities[3 * row + k] * speed;
        const x = part.middle[k] / film.size + this.points[3 * row + k] * scale + elapsed * v;
        position.array[3 * ends * i + k] = x;
        if (ends === 2) position.array[6 * i + 3 + k] = x - part.streak * v;
      }
      for (let k = 0; k < 4; k++) {
        const c = this.colors[4 * row + k] / 255;
        tint.array[4 * ends * i + k] = c;
        if (ends === 2) tint.array[8 * i + 4 + k] = k === 3 ? 0 : c; // a streak fades towards its tail
      }
      if (radius) radius.array[i] = (this.radii[row] / 255) * (part.largest / film.size);
    }
    for (const attribute of [position, tint, radius]) if (attribute) attribute.needsUpdate = true;
    this.geometry.setDrawRange(0, ends * count);
    if (this.material) this.material.uniforms.pixels.value = height / Math.tan((camera.fov * Math.PI) / 360);
  }
}

const words = (bytes) => new Uint32Array(bytes.slice().buffer);

function dynamic(count, width) {
  return new THREE.BufferAttribute(new Float32Array(count * width), width).setUsage(THREE.DynamicDrawUsage);
}
