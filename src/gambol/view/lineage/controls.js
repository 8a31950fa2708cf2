// The charts of a lineage page and the selected creature. All texts are set as text, never as markup.
import { Player, inflate, unpack } from "player";

const byId = (id) => document.getElementById(id);
const LEFT = 44, TOP = 10, FITNESS = 210, ROWS = [22, 40], CLOSEST = 7, WIDEST = 80; // pixels
const SVG = "http://www.w3.org/2000/svg";

function addSvg(tag, attributes, parent, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

function addElement(tag, parent, text = "", className = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = className;
  parent.append(element);
  return element;
}

const numberText = (x) => (x === null ? "none" : Math.abs(x) >= 1000 || (x !== 0 && Math.abs(x) < 0.01) ? x.toExponential(2) : x.toPrecision(4));

// The smallest 1, 2 or 5 times a power of ten that is not below x.
function roundStep(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [1, 2, 5, 10].find((n) => n * power >= x * (1 - 1e-9));
}

// The maximal runs of consecutive items that satisfy a predicate.
function runsOf(items, predicate) {
  const runs = [[]];
  for (const item of items) predicate(item) ? runs.at(-1).push(item) : runs.push([]);
  return runs.filter((run) => run.length);
}

class Page {
  constructor(lineage) {
    this.lineage = lineage;
    this.people = new Map(lineage.people.map((one) => [one.number, one]));
    this.best = lineage.line.at(-1);
    this.child = new Map(lineage.line.slice(1).map((number, k) => [lineage.line[k], number]));
    const count = Math.max(2, lineage.generations.length);
    const width = byId("scroll").clientWidth - LEFT - 24;
    this.cell = Math.min(WIDEST, Math.max(CLOSEST, width / (count - 1)));
    this.width = LEFT + this.cell * (count - 1) + 24;
    byId("about").textContent = Object.entries(lineage.about).map(([name, value]) => `${name}: ${value}`).join("   ·   ");
    byId("trials").textContent = lineage.trials;
    for (const note of lineage.leftOut) addElement("li", byId("leftout"), note);
    this.drawFitness();
    this.drawTree();
    this.makeControls();
    this.player = null;
    this.picking = 0;
  }

  x(generation) {
    return LEFT + this.cell * generation;
  }

  drawFitness() {
    const svg = byId("fitness"), { generations } = this.lineage;
    const values = generations.flat().filter((value) => value !== null);
    const low = Math.min(0, ...values), high = Math.max(...values, low + 1e-9);
    const y = (value) => TOP + (FITNESS * (high - value)) / (high - low);
    svg.setAttribute("width", this.width);
    svg.setAttribute("height", FITNESS + TOP + 40);
    const step = roundStep((high - low) / 6);
    for (let value = step * Math.ceil(low / step); value <= high; value += step) {
      addSvg("line", { class: "axis", x1: LEFT, x2: this.width - 16, y1: y(value), y2: y(value) }, svg);
      addSvg("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, svg, Number(value.toFixed(6)));
    }
    addSvg("text", { x: LEFT, y: FITNESS + TOP + 34 }, svg, "generation");
    const every = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((n) => n * this.cell > 34) ?? 5000;
    generations.forEach((_, g) => g % every === 0 &&
      addSvg("text", { x: this.x(g), y: FITNESS + TOP + 17, "text-anchor": "middle" }, svg, g));
    this.here = addSvg("line", { class: "here", y1: TOP, y2: TOP + FITNESS, x1: -9, x2: -9 }, svg);
    const points = (pairs) => pairs.filter(([, value]) => value !== null).map(([g, value]) => `${this.x(g)},${y(value)}`).join(" ");
    for (const run of runsOf(generations.map(([, , lower, upper], g) => ({ g, lower, upper })), (one) => one.lower !== null)) {
      const up = run.map(({ g, upper }) => [g, upper]), back = run.map(({ g, lower }) => [g, lower]).reverse();
      addSvg("polygon", { class: "band", points: points([...up, ...back]) }, svg);
    }
    for (const [name, k] of [["median", 1], ["best", 0]]) {
      addSvg("polyline", { class: `${name}line`, points: points(generations.map((one, g) => [g, one[k]])) }, svg);
    }
    svg.onclick = (event) => {
      const g = Math.round((event.clientX - svg.getBoundingClientRect().left - LEFT) / this.cell);
      const near = (number) => Math.abs(this.people.get(number).generation - g);
      this.pick(this.lineage.line.reduce((a, b) => (near(b) < near(a) ? b : a)));
    };
  }

  // Generations are columns. The line of descent is the middle row; the others are beside it, the fittest nearest.
  drawTree() {
    const svg = byId("tree"), columns = new Map(), straight = new Set(this.lineage.line);
    for (const one of this.people.values()) columns.set(one.generation, [...(columns.get(one.generation) ?? []), one]);
    const beside = Math.max(...[...columns.values()].map((column) => column.length)) - 1;
    const free = byId("scroll").clientHeight - FITNESS - 150, up = Math.ceil(beside / 2);
    const spacing = Math.min(ROWS[1], Math.max(ROWS[0], free / (2 * up + 1))), middle = TOP + 8 + spacing * up;
    svg.setAttribute("width", this.width);
    svg.setAttribute("height", 2 * middle + 8);
    this.places = new Map();
    for (const column of columns.values()) {
      const rank = (one) => [straight.has(one.number) ? 0 : 1, -(one.fitness ?? -Infinity)];
      column.sort((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1] || a.number - b.number);
      const shift = straight.has(column[0].number) ? 0 : 1; // the middle row is reserved for the line of descent
      column.forEach((one, k) => {
        const n = k + shift, row = n % 2 ? (n + 1) / 2 : -n / 2;
        this.places.set(one.number, [this.x(one.generation), middle + spacing * row]);
      });
    }
    this.kin = [];
    const lines = addSvg("g", {}, svg), descent = addSvg("g", {}, svg), dots = addSvg("g", {}, svg);
    for (const one of this.people.values()) {
      for (const parent of one.parents.filter((number) => this.people.has(number))) this.join(parent, one, this.child.get(parent) === one.number ? descent : lines);
    }
    this.nodes = new Map([...this.people.values()].map((one) => [one.number, this.node(one, dots)]));
  }

  join(parent, one, lines) {
    const [x0, y0] = this.places.get(parent), [x1, y1] = this.places.get(one.number), half = (x0 + x1) / 2;
    const straight = this.child.get(parent) === one.number;
    const path = addSvg("path", { class: straight ? "kin straight" : "kin", d: `M${x0},${y0} C${half},${y0} ${half},${y1} ${x1},${y1}` }, lines);
    this.kin.push({ path, child: one.number });
  }

  node(one, dots) {
    const [cx, cy] = this.places.get(one.number), radius = Math.min(6, 0.42 * this.cell);
    const straight = one.number === this.best || this.child.has(one.number);
    const classes = ["node", one.film && "film", one.marked && "marked", straight && "straight"].filter(Boolean).join(" ");
    const g = addSvg("g", { class: classes, tabindex: 0, role: "button", "data-number": one.number, "aria-label": `creature ${one.number}` }, dots);
    addSvg("circle", { cx, cy, r: one.film ? radius : 0.75 * radius }, g);
    addSvg("title", {}, g, `creature ${one.number}, fitness ${numberText(one.fitness)}`);
    g.onclick = () => this.pick(one.number);
    g.onkeydown = (event) => event.key === "Enter" && this.pick(one.number);
    return g;
  }

  makeControls() {
    byId("play").onclick = () => this.player && (this.player.paused = !this.player.paused);
    byId("scrub").oninput = (event) => {
      this.player.paused = true;
      this.player.seek(event.target.value * this.player.duration);
    };
    byId("rate").onchange = (event) => (this.player.rate = +event.target.value);
  }

  async pick(number) {
    const one = this.people.get(number);
    if (this.number !== undefined) this.nodes.get(this.number).classList.remove("chosen");
    this.number = number;
    this.nodes.get(number).classList.add("chosen");
    for (const { path, child } of this.kin) {
      path.classList.toggle("chosen", child === number);
      if (child === number) path.parentNode.append(path); // above the others
    }
    for (const side of ["x1", "x2"]) this.here.setAttribute(side, this.x(one.generation));
    byId("who").textContent = `Creature ${number}${number === this.best ? ", the best" : ""}`;
    byId("facts").textContent =
      `generation ${one.generation}, fitness ${numberText(one.fitness)}, ${one.origin}` + (one.marked ? `, scores nothing: ${one.marked}` : "");
    this.showFamily(one);
    this.showTerms(one);
    this.showGenes(one);
    await this.play(one);
  }

  showFamily(one) {
    const family = byId("family");
    family.replaceChildren(one.parents.length ? "parents: " : "no parents");
    for (const parent of one.parents) {
      const button = addElement("button", family, String(parent), "parent");
      button.disabled = !this.people.has(parent);
      if (button.disabled) button.title = "left out of this page";
      button.onclick = () => this.pick(parent);
    }
    const child = this.child.get(one.number);
    if (child === undefined) return;
    family.append("   ·   child: ");
    addElement("button", family, String(child), "child").onclick = () => this.pick(child);
  }

  showTerms(one) {
    byId("terms").replaceChildren();
    for (const [name, value] of Object.entries(one.terms)) {
      const row = addElement("tr", byId("terms"));
      addElement("td", row, name);
      addElement("td", row, numberText(value), "number");
    }
  }

  showGenes(one) {
    const parent = this.people.get(one.parents[0]), compared = parent && parent.kind === one.kind;
    byId("against").textContent = compared ? `grey: those of ${parent.number}` : "";
    byId("genes").replaceChildren();
    this.lineage.kinds[one.kind].forEach(([name, unit, lower, upper], k) => {
      const row = addElement("tr", byId("genes")), at = (x) => `${(100 * (x - lower)) / (upper - lower || 1)}%`;
      row.title = `from ${numberText(lower)} to ${numberText(upper)} ${unit}`;
      addElement("td", row, name);
      addElement("td", row, numberText(one.values[k]), "number");
      addElement("td", row, unit, "quiet");
      const bar = addElement("div", addElement("td", row, "", "range"), "", "bar");
      if (compared) addElement("b", bar).style.left = at(parent.values[k]);
      addElement("i", bar).style.left = at(one.values[k]);
    });
  }

  async play(one) {
    const picking = ++this.picking;
    this.player?.canvas.remove();
    this.player?.dispose();
    window.player = this.player = null;
    byId("row").hidden = !one.film;
    byId("nofilm").hidden = one.film;
    byId("nofilm").textContent = `This page has no film of this creature. ${this.lineage.again.replace("NUMBER", one.number)}`;
    if (!one.film) return;
    const { film, part } = await unpack(byId(`film${one.number}`).textContent);
    if (picking !== this.picking) return; // another creature was selected meanwhile
    const canvas = addElement("canvas", byId("stage"));
    const player = (window.player = this.player = new Player(film, part, canvas, 2048)); // for the console, and for tests
    const words = (r) => (r === 1 ? "real time" : r < 1 ? `1/${+(1 / r).toPrecision(3)}` : `${r} x`);
    byId("rate").replaceChildren(...film.rates.map((r) => new Option(words(r), r, false, Math.abs(r - film.playback) < 1e-9)));
    let last = performance.now();
    player.renderer.setAnimationLoop((now) => {
      player.draw(Math.min(0.1, Math.max(0, now - last) / 1000));
      last = now;
      byId("play").textContent = player.paused ? "play" : "pause";
      byId("scrub").value = player.duration ? player.time / player.duration : 0;
    });
  }
}

try {
  const page = (window.page = new Page(JSON.parse(new TextDecoder().decode(await inflate(byId("lineage").textContent)))));
  await page.pick(page.best);
} catch (error) {
  byId("error").hidden = false;
  byId("error").textContent = `This lineage cannot be shown here: ${error.message}`;
  throw error;
}
