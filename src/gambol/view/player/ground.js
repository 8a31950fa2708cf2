// The ground: a floor or hills, with a grid and grain that stay in their places, so that sliding shows.
import * as THREE from "three";

const FLOOR_WIDTH = 300;
const GRAIN_STRENGTH = 0.13, CONTACT_STRENGTH = 0.85;

// Uniform noise from 0 to 1, bilinear between the corners of unit squares; weaker where squares are smaller than a pixel.
const NOISE = `
  float hash(vec2 p) {
    vec3 q = fract(vec3(p.xyx) * 0.1031);
    q += dot(q, q.yzx + 33.33);
    return fract((q.x + q.y) * q.z);
  }
  float noise(vec2 p) {
    vec2 i = floor(p), f = fract(p), s = f * f * (3.0 - 2.0 * f);
    return mix(mix(hash(i), hash(i + vec2(1, 0)), s.x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), s.x), s.y);
  }
  float grainOf(vec2 p) {
    vec2 width = fwidth(p);
    return (noise(p) - 0.5) * exp(-2.0 * max(width.x, width.y));
  }`;
const GRAIN = "\n  diffuseColor.rgb *= 1.0 + grain * (grainOf(vGround.xy / cell * 1.7) + 1.2 * grainOf(vGround.xy / cell * 23.0));";
const GRID = `
  vec2 cellPosition = vGround.xy / cell, cellWidth = fwidth(cellPosition);
  float fading = exp(-3.0 * max(cellWidth.x, cellWidth.y));
  vec2 parity = floor(cellPosition), gridDistance = abs(fract(cellPosition - 0.5) - 0.5) / cellWidth;
  diffuseColor.rgb *= 1.0 - checker * fading * mod(parity.x + parity.y, 2.0);
  float gridWeight = 1.0 - smoothstep(0.2, 1.1, min(gridDistance.x, gridDistance.y));
  diffuseColor.rgb = mix(diffuseColor.rgb, ink, gridWeight * lines * fading);`;
const RELIEF = `
  diffuseColor.rgb = mix(valley, peak, clamp((vGround.z - low) / (high - low), 0.0, 1.0));
  float level = vGround.z / contour + 0.5, slope = max(fwidth(level), 1e-6);
  float contourWeight = 1.0 - smoothstep(0.3, 1.3, abs(fract(level - 0.5) - 0.5) / slope);
  diffuseColor.rgb = mix(diffuseColor.rgb, contourInk, contourWeight * exp(-3.0 * slope));`;
// The picture of the contact shadow is seen from below: its y axis is reversed.
const CONTACT = `
  vec2 fromCentre = (vGround.xy - contactCentre) / contactWidth;
  float inside = step(max(abs(fromCentre.x), abs(fromCentre.y)), 0.5);
  diffuseColor.rgb *= 1.0 - contactStrength * inside * texture2D(contactShadow, vec2(0.5 + fromCentre.x, 0.5 - fromCentre.y)).r;`;

// Light that a matte surface reflects. The standard material has a faint gloss too, which takes most of the time of a pixel.
const MATTE = `
  void reflectMatte(IncidentLight light, vec3 position, vec3 normal, vec3 view, vec3 coat, PhysicalMaterial material, inout ReflectedLight reflected) {
    reflected.directDiffuse += saturate(dot(normal, light.direction)) * light.color * BRDF_Lambert(material.diffuseColor);
  }
  void reflectRoom(vec3 irradiance, vec3 position, vec3 normal, vec3 view, vec3 coat, PhysicalMaterial material, inout ReflectedLight reflected) {
    reflected.indirectDiffuse += irradiance * BRDF_Lambert(material.diffuseColor);
  }
  #undef RE_Direct
  #undef RE_IndirectDiffuse
  #undef RE_IndirectSpecular
  #define RE_Direct reflectMatte
  #define RE_IndirectDiffuse reflectRoom`;

export class Ground {
  // getHeights: returns the heights of hills; contactShadow: contact shadow of level ground, or null.
  constructor(film, getHeights, contactShadow) {
    const { ground, size, offsets, floor } = film, hilly = Boolean(ground && ground.contour > 0);
    this.uniforms = makeUniforms(film, contactShadow);
    const material = new THREE.MeshStandardMaterial();
    this.material = material;
    addPattern(material, this.uniforms, hilly, contactShadow);
    this.group = new THREE.Group();
    this.height = floor / size;
    if (!ground) {
      this.floor = new THREE.Mesh(new THREE.PlaneGeometry(FLOOR_WIDTH, FLOOR_WIDTH), material);
      this.floor.receiveShadow = true;
      this.group.add(this.floor);
      return;
    }
    this.grid = { ...ground, size, heights: getHeights() };
    const geometry = groundGeometry(ground, this.grid.heights, size);
    const uniqueOffsets = new Map(offsets.map((o) => [String(o), o])); // worlds without an offset share one ground
    if (uniqueOffsets.size === 1) this.edges = edgesOf(ground, size);
    for (const o of uniqueOffsets.values()) {
      const hills = new THREE.Mesh(geometry, material);
      hills.position.set(...o.map((x) => x / size));
      hills.receiveShadow = hills.castShadow = true;
      this.group.add(hills);
    }
  }

  applyTheme(look) {
    const { uniforms } = this;
    this.material.color.set(look.ground);
    for (const [name, color] of [["ink", look.grid], ["valley", look.valley], ["peak", look.peak], ["contourInk", look.contourInk]]) {
      uniforms[name].value.set(color);
    }
  }

  // Draws grain and contact shadows at a fraction of their strength.
  soften(fraction) {
    this.uniforms.grain.value = GRAIN_STRENGTH * fraction;
    if (this.uniforms.contactStrength) this.uniforms.contactStrength.value = CONTACT_STRENGTH * fraction;
  }

  // Returns the distance from a point to the nearest edge of hills; Infinity for a floor, and for hills side by side.
  edgeDistance({ x, y }) {
    if (!this.edges) return Infinity;
    const [left, right, front, back] = this.edges;
    return Math.max(0, Math.min(x - left, right - x, y - front, back - y));
  }

  // Returns the height of the drawn triangles at a point; beyond the grid, that of its nearest edge.
  heightAt(x, y) {
    if (!this.grid) return this.height;
    const { rows, columns, x0, y0, spacing, size, heights } = this.grid, offset = this.group.children[0].position;
    const cell = (p, first, count) => {
      const u = Math.min(Math.max((p * size - first) / spacing, 0), count - 1), k = Math.min(Math.floor(u), count - 2);
      return [k, u - k];
    };
    const [i, s] = cell(x - offset.x, x0, rows), [j, t] = cell(y - offset.y, y0, columns), at = (a, b) => heights[(i + a) * columns + j + b];
    const low = at(0, 0), high = at(1, 1), side = s >= t ? at(1, 0) : at(0, 1), [long, short] = s >= t ? [s, t] : [t, s];
    return (low + long * (side - low) + short * (high - side)) * this.group.children[0].scale.z;
  }

  // Moves an infinite floor with the point that the camera looks at.
  follow(focus) {
    this.floor?.position.set(focus.x, focus.y, this.height);
  }
}

function makeUniforms(film, contactShadow) {
  const { ground, size, grid } = film, value = (x) => ({ value: x }), color = () => value(new THREE.Color());
  const numbers = { cell: grid / size, grain: GRAIN_STRENGTH, checker: ground ? 0 : 0.05, lines: ground ? 0.35 : 1 };
  if (ground) Object.assign(numbers, { low: ground.low / size, high: ground.high / size, contour: ground.contour / size });
  const uniforms = Object.fromEntries(Object.entries(numbers).map(([name, x]) => [name, value(x)]));
  Object.assign(uniforms, { ink: color(), valley: color(), peak: color(), contourInk: color() });
  if (!contactShadow) return uniforms;
  const contact = { contactShadow: value(contactShadow.texture), contactCentre: value(contactShadow.centre), contactWidth: value(contactShadow.width) };
  return Object.assign(uniforms, contact, { contactStrength: value(CONTACT_STRENGTH) });
}

// Draws a square grid into a material, one and a half pixels wide, faded where cells are too small, and grain; on hills
// also colours by height and contour lines, at half their spacing from height 0, the height of level ground.
function addPattern(material, uniforms, hilly, contactShadow) {
  const declared = [["float", "cell, grain, checker, lines"], ["vec3", "ink"]], declare = () => declared.map(([type, names]) => `uniform ${type} ${names};`).join("\n");
  if (hilly) declared.push(["float", "low, high, contour"], ["vec3", "valley, peak, contourInk"]);
  material.userData.simple = { uniforms, declarations: declare(), code: `${hilly ? RELIEF : ""}${GRID}` }; // see simple_look.js
  if (contactShadow) declared.push(["sampler2D", "contactShadow"], ["vec2", "contactCentre"], ["float", "contactWidth, contactStrength"]);
  material.customProgramCacheKey = () => declared.join(); // a page may have a floor and hills
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = "varying vec3 vGround;\n" + shader.vertexShader.replace(
      "#include <begin_vertex>", "#include <begin_vertex>\nvGround = (modelMatrix * vec4(position, 1.0)).xyz;");
    const lights = "#include <lights_physical_pars_fragment>";
    shader.fragmentShader = `varying vec3 vGround;\n${declare()}${NOISE}\n` + shader.fragmentShader.replace(
      lights, `${lights}${MATTE}`).replace("#include <color_fragment>", `#include <color_fragment>${hilly ? RELIEF : ""}${GRAIN}${GRID}${contactShadow ? CONTACT : ""}`);
  };
}

function edgesOf({ rows, columns, x0, y0, spacing }, size) {
  return [x0, x0 + (rows - 1) * spacing, y0, y0 + (columns - 1) * spacing].map((x) => x / size);
}

function groundGeometry({ rows, columns, x0, y0, spacing }, heights, size) {
  const points = new Float32Array(3 * rows * columns), faces = [];
  for (let i = 0, k = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++, k++) {
      points.set([(x0 + i * spacing) / size, (y0 + j * spacing) / size, heights[k]], 3 * k);
      if (i + 1 < rows && j + 1 < columns) faces.push(k, k + columns, k + columns + 1, k, k + columns + 1, k + 1);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
}
