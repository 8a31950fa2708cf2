// Tilts the view, so that gravity points down in the picture and the ground of a slope rises.
import * as THREE from "three";

// Arguments: player of the page; slope of the ground along x [rad].
export function tiltView({ camera, controls }, slope) {
  camera.up.set(Math.sin(slope), 0, Math.cos(slope));
  // OrbitControls reads the camera's up vector only when it is created: these are the rotations to and from its own axes.
  controls._quat.setFromUnitVectors(camera.up, new THREE.Vector3(0, 1, 0));
  controls._quatInverse.copy(controls._quat).invert();
  controls.update();
}
