// The worlds of a page of creatures side by side, with one time. Has the interface of one Live for the clock and for the
// hand: lengths are those of the scene [m], in which each creature has a scale and a place of its own.

export class Herd {
  // creatures: each with name, scale, place (x, y), first (index of its first link in the scene), links (their number),
  // world (data of its Live) and script (of its worker); Live: the class.
  constructor(player, creatures, Live) {
    Object.assign(this, { player, playing: false, frozen: false, grabbed: null });
    this.members = creatures.map((creature) => {
      const member = { ...creature };
      member.live = new Live(creature.world, creature.script, ({ snapshot }) => this.pose(member, snapshot));
      return member;
    });
    this.creatures = Object.fromEntries(this.members.map(({ name, live }) => [name, live]));
    const links = this.members.flatMap(({ name, first, live }) => live.about.hand.links.map((each) => ({ name: `${name}/${each.name}`, link: first + each.link })));
    this.about = { hand: { links } };
    this.dt = this.members[0].live.dt;
    this.ready = Promise.all(this.members.map(({ live }) => live.ready)).then(() => undefined);
  }

  // Shows the state of a creature: writes its poses to the player's film of one frame.
  pose(member, snapshot) {
    const { player: { motion, film: { size } }, player } = this, { scale, place: [x, y], first, links, live } = member, { positions, quaternions, centre } = live.about;
    const placed = (row) => [scale * snapshot[row] + x, scale * snapshot[row + 1] + y, scale * snapshot[row + 2]].map((each) => each / size);
    for (let l = 0; l < links; l++) {
      motion.set(placed(positions + 3 * l), 7 * (first + l));
      for (let k = 0; k < 4; k++) motion[7 * (first + l) + 3 + k] = snapshot[quaternions + 4 * l + k];
    }
    member.centre = placed(centre);
    member.origin ??= member.centre;
    player.stale = true;
  }

  get lives() { return this.members.map(({ live }) => live); }

  // Null until all programs are compiled; then true if all fuse multiplication and addition.
  get fused() { return this.lives.some((live) => live.fused === null) ? null : this.lives.every((live) => live.fused); }

  get running() { return this.lives.some((live) => live.running); }

  // The time that all creatures have reached: of those that were stopped by an error, none is waited for.
  get controlSteps() {
    const running = this.lives.filter((live) => live.running);
    return Math.min(...(running.length ? running : this.lives).map((live) => live.controlSteps));
  }

  get time() { return this.controlSteps * this.dt; }

  get latestTime() { return Math.max(...this.lives.map((live) => live.latestTime)); }

  // What the clock asks for: control steps, by which all creatures reach the same time. Other names are not known here.
  async ask(name, { count, limit }) {
    if (name !== "step") throw new Error(`"${name}" is not asked of several creatures`);
    const goal = this.controlSteps + count;
    await Promise.all(this.lives.map((live) => goal > live.controlSteps && live.running && live.ask("step", { count: goal - live.controlSteps, limit })));
  }

  play() { this.playing = true; }

  // Resolves when nothing moves any more.
  async pause() {
    this.playing = false;
    await Promise.all(this.lives.map((live) => live.pause()));
  }

  async reset() { await Promise.all(this.lives.map((live) => live.reset())); }

  // Takes a number of control steps, whatever time they take, and pauses.
  async step(count = 1) {
    if (!Number.isInteger(count) || count < 0) throw new Error(`step(${count}): give a number of control steps`);
    await this.pause();
    await this.ask("step", { count, limit: Infinity });
  }

  // Returns to the last kept states at or before a time [s], and pauses.
  async seek(time) {
    this.playing = false;
    await Promise.all(this.lives.map((live) => live.seek(time)));
  }

  member(name) {
    const found = this.members.find((each) => each.name === name);
    if (!found) throw new Error(`"${name}" is no creature of this page; they are ${this.members.map((each) => each.name).join(", ")}`);
    return found;
  }

  // A copy of the rows of the state of a creature.
  state(name) { return this.member(name).live.state(); }

  // Pushes a creature, or all if it is null. forceOf(push): the force [N] for the data of its push.
  async push(member, forceOf) {
    await Promise.all((member ? [member] : this.members).map(({ live }) => live.push(forceOf(live.about.push), live.about.push.seconds)));
  }

  // Pulls a point of a link, "hound/trunk", in its frame, to a target, until it is released; both in lengths of the scene [m].
  async grab(name, point, target) {
    const k = name.indexOf("/"), member = this.member(name.slice(0, k));
    this.grabbed = member;
    await member.live.grab(name.slice(k + 1), point.map((x) => x / member.scale), this.inWorld(member, target));
  }

  async aim(target) { if (this.grabbed) await this.grabbed.live.aim(this.inWorld(this.grabbed, target)); }

  async release() {
    const member = this.grabbed;
    this.grabbed = null;
    await member?.live.release();
  }

  inWorld({ scale, place: [x, y] }, point) { return [point[0] - x, point[1] - y, point[2]].map((each) => each / scale); }

  // The hand that holds a creature: index of the link, point in its frame and target, in lengths of the scene; or null.
  get hand() {
    const member = this.members.find(({ live }) => live.hand);
    if (!member) return null;
    const { live: { hand }, scale, place: [x, y], first } = member, [a, b, c] = hand.target.map((each) => scale * each);
    return { link: first + hand.link, point: hand.point.map((each) => scale * each), target: [a + x, b + y, c] };
  }
}
