// Adapts the resolution of moving pictures to the machine. A picture is begun only when the last one is finished, so
// that a slow machine shows the present motion, and not that of seconds ago. A still picture has the full resolution.

const LEVELS = [1, 0.7, 0.5, 0.35]; // of resolution, along each edge
const SLOW = 70, FAST = 34; // [ms] times of drawing above and below which the level changes: a level has twice the pixels of the next
const REFRESH = 1.5; // a picture that is finished within this many intervals of the screen is fast
const STILL = 400; // [ms] without a change, after which a picture is still

export class Pace {
  constructor(renderer) {
    this.gl = renderer.getContext();
    this.level = LEVELS.length - 1; // the first picture is a coarse one
    this.fixed = false; // true while the resolution must not change
    this.count = 0; // of pictures that were begun
    this.refined = false; // true if the last picture was a still one, in full resolution
    this.fence = null;
    this.interval = Infinity; // shortest time between two calls of isFree()
    this.last = this.changed = -Infinity; // times of the last call, and of the last picture that was begun
  }

  get detail() { return LEVELS[this.level]; }

  // True if the last picture is finished; called once for each refresh of the screen. now: the time [ms].
  isFree(now) {
    const { gl } = this;
    if (now > this.last) this.interval = Math.min(this.interval, now - this.last);
    this.last = now;
    if (!this.fence) return true;
    if (!gl.isContextLost() && gl.getSyncParameter(this.fence, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
    gl.deleteSync(this.fence);
    this.fence = null;
    this.adapt(now - this.begun);
    return true;
  }

  // Chooses the level of the next picture. duration: time that the last one took [ms].
  adapt(duration) {
    if (this.fixed || this.refined) return;
    if (duration > SLOW) this.level = Math.min(this.level + 1, LEVELS.length - 1);
    else if (duration < Math.max(FAST, REFRESH * this.interval)) this.level = Math.max(this.level - 1, 0);
  }

  // Called after the commands for a picture; isStill: true if it repeats the last one at full resolution.
  begin(now, isStill) {
    const { gl } = this;
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    this.begun = now;
    this.count++;
    this.refined = isStill;
    if (!isStill) this.changed = now;
  }

  // True if the picture is coarse, and nothing has changed for a while.
  isStill(now) { return !this.fixed && !this.refined && this.level > 0 && now - this.changed > STILL; }
}
