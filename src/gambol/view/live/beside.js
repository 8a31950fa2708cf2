// Copies of a simulated figure, side by side with it. A copy keeps the settings that the figure had when it was made,
// goes on from the figure's state, and has the figure's time.
import { Figures } from "figures";
import { Live } from "live";
import { decodeDifferences } from "player";

const SPACING = 1.3, MAX_COPIES = 4; // distance between neighbours, in figure sizes
const MAX_TIME = 25; // of the computation of a copy from one picture to the next [ms]

class Copy {
  // source: data and script of the page's Live; figures: of the copy; place: of its origin in the scene.
  constructor({ live, source, figures, place }) {
    Object.assign(this, { original: live, figures, place, busy: true, since: live.time });
    this.changed = [...live.settings.values].map(([name, value]) => `${name} = ${+value.toPrecision(3)}`);
    this.live = new Live(...source, ({ snapshot }) => this.pose(snapshot));
    const numbers = live.numbers.slice(), coordinates = live.body?.coordinates ?? null, { segment } = live, rows = live.state();
    this.ready = this.live.ready
      .then(() => this.live.ask("continueFrom", { rows, segment }))
      .then(() => { this.live.numbers = numbers; })
      .then(() => this.live.ask("set", { values: [...numbers].map((x, row) => [row, x]), segment, coordinates }))
      .then(() => this.live.ask("continueFrom", { rows, segment }))
      .then(() => { this.busy = false; });
  }

  // Goes to the time of the original.
  async follow() {
    const { original, live } = this;
    this.figures.group.visible = original.time >= this.since - 1e-9 || original.time === 0;
    if (this.busy || live.controlSteps === original.controlSteps) return;
    const steps = original.controlSteps - live.controlSteps;
    this.busy = true;
    if (steps > 0) await live.ask("step", { count: steps, limit: MAX_TIME });
    else if (original.time === 0) await live.reset();
    else await live.seek(original.time);
    if (original.time === 0) this.since = 0;
    this.busy = false;
  }

  pose(snapshot) {
    const { figures, place, live } = this, { positions, quaternions } = live.about, { size } = figures.film;
    figures.hide(live.cutLinks);
    figures.bodies[0].forEach(({ position, quaternion }, l) => {
      position.fromArray(snapshot, positions + 3 * l).divideScalar(size).add(place);
      const [w, x, y, z] = snapshot.slice(quaternions + 4 * l, quaternions + 4 * l + 4);
      quaternion.set(x, y, z, w).normalize();
    });
    figures.update(() => false);
    this.onMove?.();
  }
}

export class Beside {
  // player, live: of the page; film: results of unpack() of its film; source: data and script of a Live; list: element
  // that shows the settings of copies.
  constructor(player, live, film, source, list) { Object.assign(this, { player, live, film, source, list, copies: [] }); }

  // Puts a copy with the present settings beside the figure. Resolves when it moves with it.
  add() {
    const { player, live, film: { film, getArray } } = this, k = this.copies.length;
    if (k === MAX_COPIES || !live.rows) return Promise.resolve();
    const [hx, hy] = film.heading, side = (k % 2 ? -1 : 1) * SPACING * Math.ceil((k + 1) / 2);
    const stale = () => (player.stale = true);
    const figures = live.body?.shapes ? live.growth.figures([...live.body.shapes]) : new Figures(film, getArray, decodeDifferences, stale);
    const place = player.camera.position.clone().set(-hy * side, hx * side, 0);
    const copy = new Copy({ live, source: this.source, figures, place });
    copy.onMove = stale;
    player.scene.add(figures.group);
    player.scenery.widen(2 * SPACING * Math.ceil((k + 1) / 2));
    this.copies.push(copy);
    this.show();
    return copy.ready;
  }

  // Removes all copies.
  clear() {
    for (const { figures, live } of this.copies) {
      this.player.scene.remove(figures.group);
      live.worker.terminate();
    }
    this.copies = [];
    this.player.scenery.widen(0);
    this.show();
  }

  show() {
    const texts = this.copies.map(({ changed }, k) => `${k % 2 ? "right" : "left"} ${Math.ceil((k + 1) / 2)}: ${changed.join(", ") || "first settings"}`);
    this.list.replaceChildren(...texts.map((textContent) => Object.assign(document.createElement("li"), { textContent })));
    this.player.stale = true;
  }

  follow() { for (const copy of this.copies) copy.follow(); }
}
