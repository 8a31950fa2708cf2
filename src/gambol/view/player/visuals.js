// Meshes and materials of visuals: geometry from differences between points, textures from images in the film.
import * as THREE from "three";

export class Visuals {
  // film: description; getArray: returns an array by its name; decode: decodes differences; changed: called when a texture
  // is loaded.
  constructor(film, getArray, decode, changed) {
    const { points, normals, uv } = film.visualUnits;
    this.geometries = film.visuals.map((visual, k) => {
      const numbers = (name, columns, unit) => decode(getArray(`visual${k}${name}`), columns, [unit]);
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(numbers("points", 3, points), 3));
      geometry.setAttribute("normal", new THREE.BufferAttribute(numbers("normals", 3, normals), 3));
      if (visual.uv) geometry.setAttribute("uv", new THREE.BufferAttribute(numbers("uv", 2, uv), 2));
      geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(numbers("triangles", 1, 1)), 1));
      return geometry;
    });
    this.textures = Array.from({ length: film.textures }, (_, k) => {
      const texture = new THREE.TextureLoader().load(URL.createObjectURL(new Blob([getArray(`texture${k}`)])), changed);
      texture.colorSpace = THREE.SRGBColorSpace;
      texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
      texture.anisotropy = 8;
      return texture;
    });
    this.materials = new Map();
  }

  // The material of a shape with a mesh, opacity or finish; null for a plain one. options: options of a material of its colour.
  material(shape, options) {
    const own = [shape.visual, shape.opacity, shape.roughness, shape.metallic, shape.emission];
    if (own.every((value) => value === undefined)) return null;
    const key = [options.color, shape.texture, ...own.slice(1)].join();
    if (!this.materials.has(key)) {
      const opacity = shape.opacity ?? 1, map = shape.texture === undefined ? null : this.textures[shape.texture];
      const blended = opacity < 1 || shape.alpha === "blend";
      this.materials.set(key, new THREE.MeshStandardMaterial({ ...options, map, opacity, transparent: blended, depthWrite: !blended,
        alphaTest: shape.alpha === "mask" && !blended ? 0.5 : 0, roughness: shape.roughness ?? options.roughness,
        metalness: shape.metallic ?? options.metalness, emissive: shape.emission ?? "#000000", side: THREE.DoubleSide }));
    }
    return this.materials.get(key);
  }
}
