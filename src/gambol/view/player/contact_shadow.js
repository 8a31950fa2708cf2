// The soft shadow below and around feet on level ground (ambient occlusion). It is drawn from below: shapes near the
// ground are dark, then the picture is blurred.
import * as THREE from "three";

const RESOLUTION = 256; // [pixels] of the picture: the shadow is blurred
const REACH = 0.4; // [figure sizes] shapes higher above the ground cast none
const BLUR = [0.045, 0.015]; // [figure sizes] radii, one blur after the other: a wide halo, and no grain
const LAYER = 1; // of three.js: objects that cast these shadows

const HEIGHT_VERTEX = `#include <common>
  varying float vHeight;
  void main() {
    #include <begin_vertex>
    #include <project_vertex>
    vHeight = -mvPosition.z;
  }`;
const HEIGHT_FRAGMENT = `varying float vHeight; uniform float reach;
  void main() {
    float near = 1.0 - clamp(vHeight / reach, 0.0, 1.0);
    gl_FragColor = vec4(near * sqrt(near));
  }`;
const BLUR_VERTEX = "varying vec2 vUv; void main() { vUv = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }";
// Gaussian weights at nine points up to two standard deviations.
const BLUR_FRAGMENT = `varying vec2 vUv; uniform sampler2D image; uniform vec2 spacing;
  void main() {
    float sum = 0.0, total = 0.0;
    for (int k = -4; k <= 4; k++) {
      float x = float(k) / 4.0, weight = exp(-2.0 * x * x);
      sum += weight * texture2D(image, vUv + x * spacing).r;
      total += weight;
    }
    gl_FragColor = vec4(sum / total);
  }`;

export class ContactShadow {
  // width: of the square around the focus that has these shadows; height: of the ground.
  constructor(width, height) {
    Object.assign(this, { width, height });
    this.centre = new THREE.Vector2(); // of the square, as drawn last
    const target = () => new THREE.WebGLRenderTarget(RESOLUTION, RESOLUTION, { generateMipmaps: false });
    [this.target, this.other] = [target(), target()];
    this.camera = new THREE.OrthographicCamera(-width / 2, width / 2, width / 2, -width / 2, 0, REACH);
    this.camera.rotation.x = Math.PI; // looks up from the ground
    this.camera.layers.set(LAYER);
    this.heights = new THREE.ShaderMaterial({ vertexShader: HEIGHT_VERTEX, fragmentShader: HEIGHT_FRAGMENT,
      uniforms: { reach: { value: REACH } }, side: THREE.DoubleSide });
    this.blur = new THREE.ShaderMaterial({ vertexShader: BLUR_VERTEX, fragmentShader: BLUR_FRAGMENT, depthTest: false,
      uniforms: { image: { value: null }, spacing: { value: new THREE.Vector2() } } });
    this.screen = new THREE.Scene();
    const screen = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.blur);
    screen.frustumCulled = false;
    screen.layers.set(LAYER);
    this.screen.add(screen);
  }

  get texture() { return this.target.texture; }

  render(renderer, scene, focus) {
    const { camera, heights } = this, clear = renderer.getClearColor(new THREE.Color()), alpha = renderer.getClearAlpha();
    scene.traverse((object) => object.castShadow && object.isMesh && object.layers.enable(LAYER));
    camera.position.set(focus.x, focus.y, this.height);
    this.centre.set(focus.x, focus.y);
    const { shadowMap } = renderer, automatic = shadowMap.autoUpdate;
    shadowMap.autoUpdate = false;
    scene.overrideMaterial = heights;
    renderer.setClearColor("#000000", 0);
    renderer.setRenderTarget(this.target);
    renderer.render(scene, camera);
    scene.overrideMaterial = null;
    for (const radius of BLUR) for (const [x, y] of [[radius, 0], [0, radius]]) this.pass(renderer, x, y);
    renderer.setRenderTarget(null);
    renderer.setClearColor(clear, alpha);
    shadowMap.autoUpdate = automatic;
  }

  // One blur in one direction, from this.target to this.other, which change places.
  pass(renderer, x, y) {
    this.blur.uniforms.image.value = this.target.texture;
    this.blur.uniforms.spacing.value.set((2 * x) / this.width, (2 * y) / this.width);
    renderer.setRenderTarget(this.other);
    renderer.render(this.screen, this.camera);
    [this.target, this.other] = [this.other, this.target];
  }
}
