// Signals of a live world while it moves: a plot of a chosen signal, and the feet that are on the ground.
import { element } from "panel";

const SAMPLES = 4000; // maximum number of samples; there is one for each picture
const WINDOW = 5; // [s] of wall time that a plot shows
const COLORS = ["#2f6f9f", "#c9803f", "#4f9d69", "#a5507f", "#8a7a2d", "#6a5acd", "#d0503a", "#5f6b76"];
const LEFT = 46, NAMES = 92, ROW = 11; // [pixels] for numbers and names beside a plot; height of a foot's row
const MIN_LOAD = 1e-3; // of the figure's weight: a foot with a larger load is on the ground

const byId = (id) => document.getElementById(id);
const colorOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);

export class Signals {
  constructor(live) {
    Object.assign(this, { live, samples: [], chosen: null });
    this.describe();
    byId("pattern").onchange = (e) => { byId("feetplot").hidden = !e.target.checked; };
  }

  // Lists the signals of the present world, and goes on with the chosen one if it has that.
  describe() {
    const { about } = this.live, { chosen } = this;
    if (this.listed === about.signals) return;
    this.listed = about.signals;
    this.clear();
    this.groups = [...about.signals, ...(about.ledger ? [{ name: "unaccounted energy", unit: "J", labels: ["unaccounted"], compute: (s) => [this.unaccounted(s)] }] : [])];
    const list = byId("signal"), optgroups = new Map();
    list.replaceChildren();
    list.add(new Option("none", ""));
    this.groups.forEach(({ name, group }, k) => {
      if (!group) return list.add(new Option(name, k));
      if (!optgroups.has(group)) optgroups.set(group, list.appendChild(element("optgroup", { label: group })));
      optgroups.get(group).append(new Option(name, k));
    });
    list.onchange = () => this.choose(list.value);
    byId("feet").hidden = !about.loads.length;
    const kept = chosen ? this.groups.findIndex(({ name }) => name === chosen.name) : -1;
    list.value = kept < 0 ? "" : kept;
    this.choose(list.value);
  }

  choose(value) {
    this.chosen = value === "" ? null : this.groups[+value];
    byId("plot").hidden = byId("legend").hidden = !this.chosen;
    byId("legend").replaceChildren(...(this.chosen?.labels ?? []).flatMap((label, k) => [
      element("i", { className: "chip", style: `background: ${COLORS[k % COLORS.length]}` }), element("span", { textContent: label })]));
  }

  // Called with each answer. A step after going back in time discards later samples; going back alone keeps them.
  update({ snapshot, state, latestTime }, time) {
    const { samples } = this;
    this.time = time;
    if (latestTime > time + 1e-9) return;
    while (samples.length && samples.at(-1).time > time - 1e-12) samples.pop();
    samples.push({ time, snapshot, state });
    if (samples.length > SAMPLES) samples.splice(0, SAMPLES / 8);
  }

  clear() { this.samples = []; }

  // Energy gained since the first kept sample that no entry of the ledger explains [J].
  unaccounted({ snapshot, state }) {
    const { ledger, energies } = this.live.about;
    const balance = (energy, rows) => energies.reduce((sum, row) => sum + energy[row], 0) - ledger.reduce((sum, { row, sign }) => sum + sign * rows[row], 0);
    return balance(snapshot, state) - balance(this.samples[0].snapshot, this.samples[0].state);
  }

  valuesOf(sample) {
    const { chosen } = this;
    return chosen.compute ? chosen.compute(sample) : chosen.rows.map((row) => (chosen.of === "state" ? sample.state : sample.snapshot)[row]);
  }

  // Draws what is shown. speed: of the motion, in multiples of real time.
  draw(speed) {
    if (!byId("views-panel").open) return;
    const until = this.time ?? 0, from = until - WINDOW * speed, samples = this.samples.filter(({ time }) => time >= from && time <= until + 1e-12);
    if (this.chosen) this.drawLines(byId("plot"), samples, from, until);
    if (byId("pattern").checked) this.drawFeet(byId("feetplot"), samples, from, until);
  }

  pen(canvas, height) {
    const ratio = window.devicePixelRatio, width = canvas.clientWidth;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    canvas.style.height = `${height}px`;
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = "10px system-ui, sans-serif";
    return { pen, width };
  }

  drawLines(canvas, samples, from, until) {
    const height = 110, { pen, width } = this.pen(canvas, height), rows = samples.map((sample) => this.valuesOf(sample));
    const all = rows.flat().filter(Number.isFinite), low = Math.min(0, ...all), high = Math.max(0, ...all), span = high - low || 1;
    const x = (time) => LEFT + ((width - LEFT - 2) * (time - from)) / (until - from || 1), y = (value) => height - 6 - ((height - 12) * (value - low)) / span;
    pen.strokeStyle = colorOf("--line");
    pen.fillStyle = colorOf("--quiet");
    pen.textAlign = "right";
    for (const value of new Set([low, 0, high])) {
      pen.strokeRect(LEFT, y(value), width - LEFT, 0);
      pen.fillText(value ? value.toPrecision(3) : "0", LEFT - 4, Math.min(height - 2, Math.max(9, y(value) + 3)));
    }
    pen.fillText(this.chosen.unit, LEFT - 4, height / 2);
    pen.lineWidth = 1.5;
    this.chosen.labels.forEach((_, k) => {
      pen.strokeStyle = COLORS[k % COLORS.length];
      pen.beginPath();
      rows.forEach((values, i) => pen.lineTo(x(samples[i].time), y(values[k])));
      pen.stroke();
    });
  }

  drawFeet(canvas, samples, from, until) {
    const { loads, weight } = this.live.about, { pen, width } = this.pen(canvas, ROW * loads.length);
    const x = (time) => NAMES + ((width - NAMES - 2) * (time - from)) / (until - from || 1);
    loads.forEach(({ label, row }, k) => {
      pen.fillStyle = colorOf("--quiet");
      pen.fillText(label, 0, ROW * k + ROW - 1.5, NAMES - 4);
      pen.fillStyle = colorOf("--line");
      pen.fillRect(NAMES, ROW * k + 1, width - NAMES, ROW - 2);
      pen.fillStyle = colorOf("--ink");
      samples.forEach(({ time, snapshot }, i) => {
        if (i + 1 < samples.length && snapshot[row] > MIN_LOAD * weight) pen.fillRect(x(time), ROW * k + 1, x(samples[i + 1].time) - x(time) + 0.5, ROW - 2);
      });
    });
  }
}
