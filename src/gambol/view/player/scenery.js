// What is around the figures of a film: renderer, camera, light, sky and fog. Scene units are figure sizes; z is up.
import * as THREE from "three";
import { ContactShadow } from "contact_shadow";
import { makeEnvironment } from "environment";
import { Ground } from "ground";
import { SimpleLook } from "simple_look";
import { themed } from "theme";

const MAX_PIXELS = 8.3e6, MAX_PIXEL_RATIO = 3; // largest number of pixels of the canvas: of a 4K screen; largest number for each CSS pixel along an edge: of a phone
const SOFTNESS = 6 / 4096; // radius of the blur of shadows, as a fraction of the shadow map's width
const SKY_RADIUS = 150, SUN_DISTANCE = 10;

const SKY_VERTEX = `varying vec3 vDirection;
  void main() {
    vDirection = position;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;
// From the horizon's colour, which is that of the fog, to the zenith's; the noise hides steps between colours.
const SKY_FRAGMENT = `varying vec3 vDirection; uniform vec3 horizon, zenith;
  void main() {
    float height = clamp(normalize(vDirection).z, 0.0, 1.0);
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    gl_FragColor = vec4(mix(horizon, zenith, smoothstep(0.0, 0.45, height)), 1.0);
    #include <colorspace_fragment>
    gl_FragColor.rgb += noise / 255.0;
  }`;

export class Scenery {
  // getHeights: returns the heights of an uneven ground; spread: largest distance between figures at the start;
  // shadow: size of the shadow map [pixels].
  constructor(film, canvas, getHeights, spread, shadow) {
    Object.assign(this, { film, spread });
    this.detail = 1; // resolution of the picture, as a fraction of that of the screen
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping; // leaves the colours of figures as they are
    this.scene = new THREE.Scene();
    this.scene.fog = new THREE.Fog("#ffffff");
    this.camera = new THREE.PerspectiveCamera(film.look.field, 1, 0.02, 2 * SKY_RADIUS);
    this.camera.up.set(0, 0, 1);
    this.addLights(shadow);
    this.sky = new THREE.Mesh(
      new THREE.SphereGeometry(SKY_RADIUS, 32, 24),
      new THREE.ShaderMaterial({ vertexShader: SKY_VERTEX, fragmentShader: SKY_FRAGMENT, side: THREE.BackSide, depthWrite: false,
        fog: false, uniforms: { horizon: { value: new THREE.Color() }, zenith: { value: new THREE.Color() } } }),
    );
    this.contactShadow = film.ground ? null : new ContactShadow(2 * (1.2 + spread / 2), film.floor / film.size);
    this.ground = new Ground(film, getHeights, this.contactShadow);
    this.first = { ground: this.ground, contactShadow: this.contactShadow };
    this.scene.add(this.sky, this.ground.group);
    this.applyTheme();
  }

  addLights(shadow) {
    this.environment = makeEnvironment();
    this.sun = new THREE.DirectionalLight("#fff1dd");
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(shadow, shadow);
    this.widen(0);
    this.sun.shadow.normalBias = 0.006;
    this.sun.shadow.radius = SOFTNESS * shadow;
    this.scene.add(this.environment, this.sun, this.sun.target);
  }

  // Casts the shadows of figures up to half of an additional width away from the middle.
  widen(width) {
    const halfWidth = 1.6 + (this.spread + width) / 2, far = 2 * (SUN_DISTANCE + halfWidth), { camera } = this.sun.shadow;
    Object.assign(camera, { left: -halfWidth, right: halfWidth, top: halfWidth, bottom: -halfWidth, near: 0.1, far });
    camera.updateProjectionMatrix();
  }

  applyTheme() {
    const look = themed(this.film.look), { horizon, zenith } = this.sky.material.uniforms;
    this.scene.fog.color.set(look.sky);
    horizon.value.set(look.sky);
    zenith.value.set(look.zenith);
    this.environment.intensity = look.environment;
    this.sun.intensity = look.sunlight;
    this.ground.applyTheme(look);
  }

  // Draws another ground, without soft shadows below feet; null: the first one again.
  replaceGround(ground) {
    this.scene.remove(this.ground.group);
    Object.assign(this, ground ? { ground, contactShadow: null } : this.first);
    this.scene.add(this.ground.group);
    this.applyTheme();
  }

  // Sets the size of the picture to that of the canvas in the page. Returns true if it changed.
  resize() {
    const { clientWidth: width, clientHeight: height } = this.renderer.domElement, { renderer } = this;
    const ratio = Math.min(window.devicePixelRatio, MAX_PIXEL_RATIO, Math.sqrt(MAX_PIXELS / Math.max(width * height, 1))) * this.detail;
    const before = renderer.getSize(new THREE.Vector2());
    if (before.x === width && before.y === height && renderer.getPixelRatio() === ratio) return false;
    renderer.setPixelRatio(ratio);
    renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    return true;
  }

  // Gives what is in the scene now a simple look, until refine() has finished; called before the first picture.
  simplify() { this.look = new SimpleLook(this); }

  // Called when a picture is finished: goes on towards the full look. Returns true if the next picture looks different.
  refine(now) {
    const { look } = this, before = look.faded, changed = look.refine(now);
    if (look.faded !== before || look.isSimple) this.soften(look.faded);
    return changed;
  }

  // Draws shadows and grain at a fraction of their strength.
  soften(fraction) {
    this.sun.shadow.intensity = fraction;
    this.first.ground.soften(fraction);
  }

  // Gives all objects their full look at once.
  complete() {
    if (this.look.isFinished) return;
    this.look.finish();
    this.soften(1);
  }

  // Draws the scene. focus: the point that is looked at; sunward: direction of the sun.
  render(focus, sunward) {
    const distance = this.camera.position.distanceTo(focus), { fog } = this.scene;
    fog.far = Math.min(30 + 6 * distance + 2 * this.spread, distance + Math.max(this.ground.edgeDistance(focus), 4));
    fog.near = Math.min(2 * distance + this.spread, 0.5 * (distance + fog.far));
    this.sun.target.position.copy(focus);
    this.sun.position.copy(focus).addScaledVector(sunward, SUN_DISTANCE + this.spread);
    this.sky.position.copy(this.camera.position);
    this.ground.follow(focus);
    this.look.update();
    this.renderer.shadowMap.autoUpdate = this.look.hasShadows;
    if (this.look.hasShadows) this.contactShadow?.render(this.renderer, this.scene, focus);
    this.renderer.render(this.scene, this.camera);
  }

  dispose() {
    this.renderer.setAnimationLoop(null);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
