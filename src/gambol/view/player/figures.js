// The figures of all worlds. Plain shapes of equal size are drawn at once, whatever the number of worlds and links; a
// shape with a material of its own is a mesh in the group of its link. Scene units are figure sizes.
import * as THREE from "three";
import { Visuals } from "visuals";

const NOTHING = new THREE.Matrix4().makeScale(0, 0, 0);

export class Figures {
  // decode: decodes differences; changed: called when a texture is loaded.
  constructor(film, getArray, decode, changed) {
    this.film = film;
    this.group = new THREE.Group();
    this.bodies = Array.from({ length: film.worlds }, () => film.linkColor.map(() => new THREE.Group())); // [world][link]
    this.stepping = new THREE.Color(film.look.stepping);
    const visuals = new Visuals(film, getArray, decode, changed), plain = film.meshes.map(() => []);
    for (const shape of film.shapes) {
      const material = visuals.material(shape, this.materialOptions(this.colorOf(shape)));
      if (material) this.addMeshes(shape, shape.visual === undefined ? this.geometry(getArray, shape.mesh) : visuals.geometries[shape.visual], material);
      else plain[shape.mesh].push(shape);
    }
    this.batches = [];
    plain.forEach((shapes, mesh) => shapes.length && this.addBatch(shapes, this.geometry(getArray, mesh)));
    for (const body of this.bodies.flat()) if (body.children.length) this.group.add(body);
  }

  colorOf(shape) {
    return shape.color ?? this.film.linkColor[shape.link];
  }

  materialOptions(color) {
    return { color, roughness: this.film.look.roughness, metalness: 0.05 };
  }

  // Corners and normals of a mesh, each an array of float32.
  geometry(getArray, mesh) {
    const numbers = new Float32Array(getArray(`mesh${mesh}`).slice().buffer), half = numbers.length / 2;
    const geometry = new THREE.BufferGeometry(), { size } = this.film;
    geometry.setAttribute("position", new THREE.BufferAttribute(numbers.slice(0, half).map((x) => x / size), 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(numbers.slice(half), 3));
    return geometry;
  }

  addMeshes(shape, geometry, material) {
    for (const bodies of this.bodies) {
      const mesh = new THREE.Mesh(geometry, material);
      this.place(mesh, shape);
      mesh.castShadow = !(shape.opacity < 0.5);
      mesh.receiveShadow = true;
      bodies[shape.link].add(mesh);
    }
  }

  // Sets the pose of an object to that of a shape in its link.
  place(object, shape) {
    const [qw, qx, qy, qz] = shape.quaternion;
    object.position.set(...shape.position.map((x) => x / this.film.size));
    object.quaternion.set(qx, qy, qz, qw);
    object.updateMatrix();
  }

  // One instance for each shape of each world.
  addBatch(shapes, geometry) {
    const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshStandardMaterial(this.materialOptions("#ffffff")), shapes.length * this.bodies.length);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    const holder = new THREE.Object3D(), instances = [];
    this.bodies.forEach((bodies, world) => shapes.forEach((shape) => {
      this.place(holder, shape);
      const color = new THREE.Color(this.colorOf(shape)), { link } = shape;
      mesh.setColorAt(instances.length, color);
      instances.push({ body: bodies[link], local: holder.matrix.clone(), world, link, leg: this.film.linkLeg[link], color, steps: false });
    }));
    this.batches.push({ mesh, instances, matrix: new THREE.Matrix4() });
    this.group.add(mesh);
  }

  // Hides some links in all worlds, and shows all others. links: set of the indices of the hidden links.
  hide(links) {
    for (const bodies of this.bodies) bodies.forEach((body, link) => { body.visible = !links.has(link); });
  }

  // Draws the shapes where their bodies are. isColored: tells whether a link of a world, of a leg or of none (null), has
  // the colour of a step.
  update(isColored) {
    for (const body of this.bodies.flat()) body.updateMatrix();
    for (const { mesh, instances, matrix } of this.batches) {
      instances.forEach((instance, k) => {
        matrix.multiplyMatrices(instance.body.matrix, instance.local);
        mesh.setMatrixAt(k, instance.body.visible ? matrix : NOTHING);
        const steps = isColored(instance.world, instance.link, instance.leg);
        if (steps === instance.steps) return;
        instance.steps = steps;
        mesh.setColorAt(k, steps ? this.stepping : instance.color);
        mesh.instanceColor.needsUpdate = true;
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}
