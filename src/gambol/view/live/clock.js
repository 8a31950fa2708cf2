// The clock of a world that lives in a page: asks its worker for as many control steps as the time since the last picture
// holds, never for two pictures at once.
const LIMIT = 25; // least time for computation from one picture to the next [ms]
const SHARE = 0.8; // of the time from one picture to the next that may be computation, where drawing is slow
const LONGEST = 0.25; // seconds between pictures that are made up for; after longer ones the motion is slower

export class Clock {
  // The first step is due at once.
  constructor(live, speed) {
    Object.assign(this, { live, speed, owed: live.dt, busy: false, simulated: 0, real: 0, rate: null });
  }

  async tick(seconds) {
    const { live } = this;
    if (!live.playing || !live.running) return;
    this.owed = Math.min(this.owed + seconds * this.speed, LONGEST * this.speed);
    this.real += seconds;
    const count = Math.floor(this.owed / live.dt + 1e-9);
    if (this.busy || !count) return;
    this.busy = true;
    const before = live.time;
    await live.ask("step", { count, limit: Math.max(LIMIT, 1000 * SHARE * Math.min(seconds, LONGEST)) });
    this.busy = false;
    this.owed = Math.max(0, this.owed - (live.time - before));
    this.simulated += Math.max(0, live.time - before);
    if (this.real > 1) {
      this.rate = this.simulated / this.real;
      this.simulated = this.real = 0;
    }
  }
}
