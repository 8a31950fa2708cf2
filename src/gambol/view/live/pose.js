// Shows the state of the world of a live page: gives the player's film of one frame the poses, muscles and attachments of a snapshot.
// The player's lengths are in figure sizes.
import * as THREE from "three";

const CAMERA_LAG = 0.1; // time constant with which the camera follows the figure [s of wall time]

// Moves the lines of attachments to the present poses of their links, and hides those that are broken, and those of other
// segments of a script. attachments: see the description of the world; isIntact(attachment): true if it holds.
export function poseAttachments(player, attachments, isIntact) {
  const lines = new Map(player.matter.parts.filter(({ part }) => part.name?.startsWith("attachment ")).map((line) => [line.part.name, line]));
  for (const { group } of lines.values()) group.visible = false;
  for (const attachment of attachments) {
    const line = lines.get(attachment.name);
    line.group.visible = isIntact(attachment);
    attachment.ends.forEach(({ link, point }, e) => line.points.set(placeOf(player, link, point), 3 * e));
  }
}

// A point of a link, or of the world if link is -1 [m], in the world, in figure sizes.
function placeOf({ film, motion }, link, point) {
  const p = new THREE.Vector3(...point).divideScalar(film.size);
  if (link < 0) return p.toArray();
  const [x, y, z, w, i, j, k] = motion.slice(7 * link, 7 * link + 7);
  return p.applyQuaternion(new THREE.Quaternion(i, j, k, w)).add(new THREE.Vector3(x, y, z)).toArray();
}

export class Pose {
  constructor(player, live) { Object.assign(this, { player, live, time: 0 }); }

  // speed: of the motion, in multiples of real time.
  update(snapshot, speed) {
    const { player, live } = this, { size, links } = player.film, { positions, quaternions, centre } = live.about;
    const elapsed = live.time - this.time, fraction = live.playing && elapsed >= 0 ? 1 - Math.exp(-elapsed / (CAMERA_LAG * speed)) : 1;
    this.time = live.time;
    if (player.showsFilm) return;
    for (let l = 0; l < links; l++) {
      for (let k = 0; k < 3; k++) player.motion[7 * l + k] = snapshot[positions + 3 * l + k] / size;
      for (let k = 0; k < 4; k++) player.motion[7 * l + 3 + k] = snapshot[quaternions + 4 * l + k];
    }
    const cut = live.cutLinks;
    live.about.muscles.forEach(({ levels, points, links }, m) => {
      const tube = player.matter.parts[m];
      tube.group.visible = !links.some((link) => cut.has(link));
      for (let k = 0; k < tube.points.length; k++) tube.points[k] = snapshot[points + k] / size;
      tube.levels = [snapshot[levels], snapshot[levels + 1]];
    });
    poseAttachments(player, live.about.attachments, ({ intact }) => live.rows[intact] > 0.5);
    for (let k = 0; k < 3; k++) player.path[k] += (snapshot[centre + k] / size - player.path[k]) * fraction;
    player.stale = true;
  }
}
