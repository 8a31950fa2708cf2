// A simple look for the first pictures: without shadows and grain, lit at the corners of faces. Its shaders compile
// in a fraction of the time of the others, which are compiled meanwhile, for one kind of object after the other.
import * as THREE from "three";
import { ROOM } from "environment";

const FADE = 300; // [ms] in which shadows and grain appear when all shaders are there
const GLOSS = 0.045; // part of the light from around that a surface of roughness 0.6 reflects like a mirror, at most angles

const VERTEX = `#include <common>
  uniform vec3 tint, ambient, sunlight, sunward;
  uniform float gloss, roughness;
  varying vec3 vTint, vLight, vGloss, vGround;
  varying vec2 vImage;
  varying float vDepth;
  ${ROOM}
  void main() {
    #include <beginnormal_vertex>
    #include <defaultnormal_vertex>
    #include <begin_vertex>
    #include <project_vertex>
    vec3 facing = normalize(transformedNormal);
    #ifdef TWO_SIDED
      facing *= dot(facing, mvPosition.xyz) > 0.0 ? -1.0 : 1.0;
    #endif
    facing = (vec4(facing, 0.0) * viewMatrix).xyz;
    vLight = ambient * roomIrradiance(facing) + sunlight * max(0.0, dot(facing, sunward)) / PI;
    vec3 away = normalize((modelMatrix * vec4(transformed, 1.0)).xyz - cameraPosition);
    vGloss = gloss * ambient * roomRadiance(reflect(away, facing), roughness);
    vTint = tint;
    #ifdef USE_INSTANCING_COLOR
      vTint *= instanceColor.rgb;
    #endif
    vGround = (modelMatrix * vec4(position, 1.0)).xyz;
    vImage = uv;
    vDepth = -mvPosition.z;
  }`;
const fragmentShader = ({ declarations, code }) => `varying vec3 vTint, vLight, vGloss, vGround;
  varying vec2 vImage;
  varying float vDepth;
  uniform vec3 fogColor, emission;
  uniform float fogNear, fogFar, visibility;
  uniform sampler2D image;
  ${declarations}
  void main() {
    vec4 diffuseColor = vec4(vTint, visibility);
    #ifdef IMAGE
      diffuseColor *= texture2D(image, vImage);
    #endif
    #ifdef MASKED
      if (diffuseColor.a < 0.5) discard;
    #endif
    ${code}
    gl_FragColor = vec4(diffuseColor.rgb * vLight + vGloss + emission, diffuseColor.a);
    #include <tonemapping_fragment>
    #include <colorspace_fragment>
    gl_FragColor.rgb = mix(gl_FragColor.rgb, fogColor, smoothstep(fogNear, fogFar, vDepth));
  }`;

// Objects of one kind have equal shaders.
const kindOf = ({ isInstancedMesh, material }) =>
  [!!isInstancedMesh, material.side, material.transparent, material.alphaTest > 0, !!material.map, material.customProgramCacheKey()].join();

export class SimpleLook {
  // scenery: renderer, scene, camera and lights. The objects that are in the scene now look simple until refine() has finished.
  constructor(scenery) {
    Object.assign(this, { scenery, hasShadows: false, faded: 0, compiling: null, begun: null, kinds: new Map() });
    const value = (x) => ({ value: x }), vector = () => value(new THREE.Vector3());
    this.uniforms = { ambient: vector(), sunlight: vector(), sunward: vector(), fogColor: value(new THREE.Color()), fogNear: value(0), fogFar: value(1) };
    scenery.scene.traverse((mesh) => {
      if (!mesh.isMesh || !mesh.material.isMeshStandardMaterial) return;
      const { material } = mesh, kind = kindOf(mesh), simple = this.simplified(material);
      if (!this.kinds.has(kind)) this.kinds.set(kind, []);
      this.kinds.get(kind).push({ mesh, material, simple });
      mesh.material = simple;
    });
  }

  // A material of the colour, image and opacity of another one, which it follows when they change.
  simplified(material) {
    const { side, transparent, depthWrite, depthTest, map } = material, pattern = material.userData.simple ?? { uniforms: {}, declarations: "", code: "" };
    const value = (x) => ({ value: x }), of = { tint: value(material.color), emission: value(material.emissive), image: value(map), roughness: value(material.roughness) };
    const gloss = value(material.userData.simple ? 0 : GLOSS), visibility = { get value() { return material.opacity; } };
    return new THREE.ShaderMaterial({ side, transparent, depthWrite, depthTest, vertexShader: VERTEX, fragmentShader: fragmentShader(pattern),
      defines: { ...(side === THREE.DoubleSide && { TWO_SIDED: "" }), ...(map && { IMAGE: "" }), ...(material.alphaTest > 0 && { MASKED: "" }) },
      uniforms: { ...this.uniforms, ...pattern.uniforms, ...of, gloss, visibility } });
  }

  get isSimple() { return this.kinds.size > 0; }

  get isFinished() { return this.faded === 1; }

  // Called before each picture, with the light and the fog of the scene.
  update() {
    const { uniforms, scenery: { scene: { fog }, sun, environment } } = this, { fogColor, fogNear, fogFar } = uniforms;
    if (!this.isSimple) return;
    const strength = (light, { value }) => value.set(light.color.r, light.color.g, light.color.b).multiplyScalar(light.intensity);
    strength(environment, uniforms.ambient);
    strength(sun, uniforms.sunlight);
    uniforms.sunward.value.copy(sun.position).sub(sun.target.position).normalize();
    fog.color.getRGB(fogColor.value, THREE.SRGBColorSpace);
    fogNear.value = fog.near;
    fogFar.value = fog.far;
  }

  // Called when a picture is finished: goes on to the next shader, if the browser has compiled it. Returns true if the
  // next picture differs. now: the time [ms].
  refine(now) {
    if (!this.isSimple) return this.fade(now);
    if (!this.hasShadows) return (this.hasShadows = true);
    const { scenery: { renderer, camera, scene } } = this, [[kind, objects]] = this.kinds, [{ mesh, material, simple }] = objects;
    if (!this.compiling) {
      mesh.material = material;
      this.compiling = renderer.compile(mesh, camera, scene);
      mesh.material = simple;
    }
    if (![...this.compiling].every((each) => renderer.properties.get(each).currentProgram?.isReady() ?? true)) return false;
    this.compiling = null;
    this.show(kind);
    return true;
  }

  // Gives the objects of a kind their own look.
  show(kind) {
    for (const { mesh, material, simple } of this.kinds.get(kind)) {
      if (mesh.material === simple) mesh.material = material;
      simple.dispose();
    }
    this.kinds.delete(kind);
  }

  fade(now) {
    if (this.isFinished) return false;
    this.begun ??= now;
    this.faded = Math.min(1, (now - this.begun) / FADE);
    return true;
  }

  // Gives all objects their own look at once.
  finish() {
    for (const kind of [...this.kinds.keys()]) this.show(kind);
    Object.assign(this, { hasShadows: true, faded: 1 });
  }
}
