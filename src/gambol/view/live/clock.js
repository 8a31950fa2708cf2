// The clock of the world of a live page: asks its worker for the control steps of the time since the last picture, by one
// request at a time.
const MIN_COMPUTATION = 25; // smallest time for computation from one picture to the next [ms]
const COMPUTED_FRACTION = 0.8; // of the time from one picture to the next, if drawing is slow
const MAX_LAG = 0.25; // largest time between pictures that later steps make up for [s]; after a longer time the motion is delayed

export class Clock {
  // The first step is due at once.
  constructor(live, speed) {
    Object.assign(this, { live, speed, lag: live.dt, busy: false, simulated: 0, real: 0, rate: null });
  }

  async tick(seconds) {
    const { live } = this;
    if (!live.playing || !live.running) return;
    this.lag = Math.min(this.lag + seconds * this.speed, MAX_LAG * this.speed);
    this.real += seconds;
    const count = Math.floor(this.lag / live.dt + 1e-9);
    if (this.busy || !count) return;
    this.busy = true;
    const before = live.time;
    await live.ask("step", { count, limit: Math.max(MIN_COMPUTATION, 1000 * COMPUTED_FRACTION * Math.min(seconds, MAX_LAG)) });
    this.busy = false;
    this.lag = Math.max(0, this.lag - (live.time - before));
    this.simulated += Math.max(0, live.time - before);
    if (this.real > 1) {
      this.rate = this.simulated / this.real;
      this.simulated = this.real = 0;
    }
  }
}
