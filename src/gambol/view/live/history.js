// The history of states of a live page, in bounded memory: when it is full, every second state is discarded.

const MAX_HISTORY_BYTES = 2 ** 25;

class History {
  // start: the rows of the first state; timeOf(rows): its time [s]; bytes: largest memory.
  constructor(start, timeOf, bytes = MAX_HISTORY_BYTES) {
    this.size = start.length;
    this.capacity = Math.max(2, Math.floor(bytes / (8 * this.size)));
    this.rows = new Float64Array(this.capacity * this.size);
    this.timeOf = timeOf;
    this.stride = 1; // control steps from one kept state to the next
    this.count = this.stepsSinceKept = 0;
    this.keep(start);
  }

  state(k) { return this.rows.subarray(k * this.size, (k + 1) * this.size); }

  // Called after every control step.
  add(rows) {
    if (this.present < this.count - 1) {
      this.count = this.present + 1;
      this.stepsSinceKept = 0;
    }
    if (++this.stepsSinceKept >= this.stride) this.keep(rows);
  }

  // Replaces the state at the present time; later states are discarded.
  replace(rows) {
    this.count = this.present + 1;
    this.keep(rows);
  }

  keep(rows) {
    if (this.count === this.capacity) this.thin();
    this.present = this.count++;
    this.rows.set(rows, this.present * this.size);
    this.stepsSinceKept = 0;
  }

  thin() {
    this.count = Math.ceil(this.count / 2);
    for (let k = 1; k < this.count; k++) this.rows.copyWithin(k * this.size, 2 * k * this.size, (2 * k + 1) * this.size);
    this.stride *= 2;
  }

  // Returns the last kept state at or before a time; the next step discards later states.
  at(time) {
    let k = this.count - 1;
    while (k > 0 && this.timeOf(this.state(k)) > time * (1 + 1e-12)) k--;
    this.present = k;
    return this.state(k);
  }

  get latest() { return this.timeOf(this.state(this.count - 1)); }
}
