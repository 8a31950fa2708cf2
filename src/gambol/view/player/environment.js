// Light from all around: a bright sky, a floor that reflects it, and three panels of light, as formulas in the shaders of
// all lit materials. Nothing has to be drawn before, as for a picture of a room, which takes seconds without a GPU.
// Its strength is that of the scene's ambient light, which it replaces.
import * as THREE from "three";

// A panel is a spherical Gaussian a exp(k (d.p - 1)) around its direction p. Roughness widens it: the lobe of a rough
// surface is about one of sharpness 1 / (2 roughness^4), and two Gaussians of sharpness k, l make one of k l / (k + l).
// [Wang et al. 2009, All-frequency rendering of dynamic, spatially-varying reflectance, section 3]
export const ROOM = `
const vec3 ROOM_SKY = vec3(1.05, 1.08, 1.12), ROOM_FLOOR = vec3(0.50, 0.45, 0.38);
const vec4 ROOM_PANELS[3] = vec4[3](vec4(0.36, -0.62, 0.70, 9.0), vec4(-0.83, -0.21, 0.52, 22.0), vec4(0.34, 0.83, 0.44, 16.0));
const vec3 ROOM_COLORS[3] = vec3[3](vec3(3.4, 3.3, 3.1), vec3(5.0, 5.2, 5.6), vec3(4.4, 4.2, 3.8));

// Light that a surface reflects from a direction of the world.
vec3 roomRadiance(vec3 d, float roughness) {
  float softness = 0.08 + roughness, sharpness = 0.5 / max(pow(roughness, 4.0), 1e-4);
  vec3 sum = mix(ROOM_FLOOR, ROOM_SKY, smoothstep(-softness, softness, d.z));
  for (int i = 0; i < 3; i++) {
    float k = ROOM_PANELS[i].w, widened = k * sharpness / (k + sharpness);
    sum += ROOM_COLORS[i] * (widened / k) * exp(widened * (dot(d, ROOM_PANELS[i].xyz) - 1.0));
  }
  return sum;
}

// Light from all directions above a surface, divided by pi. A panel's is 2 pi / k, at a cosine that is softened for its size.
vec3 roomIrradiance(vec3 n) {
  vec3 sum = mix(ROOM_FLOOR, ROOM_SKY, 0.5 + 0.5 * n.z);
  for (int i = 0; i < 3; i++) {
    float cosine = max(0.0, (dot(n, ROOM_PANELS[i].xyz) + 0.2) / 1.2);
    sum += ROOM_COLORS[i] * (2.0 / ROOM_PANELS[i].w) * cosine;
  }
  return sum;
}
`;
const LIT = `
#if defined(RE_IndirectDiffuse)
  irradiance += ambientLightColor * (PI * roomIrradiance((vec4(geometryNormal, 0.0) * viewMatrix).xyz) - 1.0);
#endif
#if defined(RE_IndirectSpecular) && defined(STANDARD)
  vec3 mirrored = (vec4(reflect(-geometryViewDir, geometryNormal), 0.0) * viewMatrix).xyz;
  radiance += ambientLightColor * roomRadiance(mirrored, material.roughness);
#endif
`;
THREE.ShaderChunk.lights_pars_begin += ROOM;
THREE.ShaderChunk.lights_fragment_maps += LIT;

// Returns the light that carries the strength of the room.
export const makeEnvironment = () => new THREE.AmbientLight("#ffffff");
