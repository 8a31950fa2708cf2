// The charts of a lineage page and the selected creature. All texts are set as text, never as markup.
import { FilmedCreature, SimulatedCreature } from "creature";
import { Panel } from "panel";
import { inflate, unpack } from "player";

const byId = (id) => document.getElementById(id);
const LEFT = 44, TOP = 10, CHART_HEIGHT = 210, ROW_SPACING = [22, 40], MIN_CELL = 7, MAX_CELL = 80, SHADOW = 2048; // pixels
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
    this.programs = unpack(byId("programs").textContent);
    this.individuals = new Map(lineage.individuals.map((individual) => [individual.number, individual]));
    this.best = lineage.line.at(-1);
    this.child = new Map(lineage.line.slice(1).map((number, k) => [lineage.line[k], number]));
    const count = Math.max(2, lineage.generations.length);
    const width = byId("scroll").clientWidth - LEFT - 24;
    this.cell = Math.min(MAX_CELL, Math.max(MIN_CELL, width / (count - 1)));
    this.width = LEFT + this.cell * (count - 1) + 24;
    byId("about").textContent = Object.entries(lineage.about).map(([name, value]) => `${name}: ${value}`).join("   ·   ");
    byId("trials").textContent = lineage.trials;
    for (const note of lineage.leftOut) addElement("li", byId("leftout"), note);
    this.drawFitness();
    this.drawTree();
    this.makeControls();
    this.moving = null; // the creature that is shown
    this.selectionCount = 0;
  }

  x(generation) {
    return LEFT + this.cell * generation;
  }

  drawFitness() {
    const svg = byId("fitness"), { generations } = this.lineage;
    const values = generations.flat().filter((value) => value !== null);
    const low = Math.min(0, ...values), high = Math.max(...values, low + 1e-9);
    const y = (value) => TOP + (CHART_HEIGHT * (high - value)) / (high - low);
    svg.setAttribute("width", this.width);
    svg.setAttribute("height", CHART_HEIGHT + TOP + 40);
    const step = roundStep((high - low) / 6);
    for (let value = step * Math.ceil(low / step); value <= high; value += step) {
      addSvg("line", { class: "axis", x1: LEFT, x2: this.width - 16, y1: y(value), y2: y(value) }, svg);
      addSvg("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, svg, Number(value.toFixed(6)));
    }
    addSvg("text", { x: LEFT, y: CHART_HEIGHT + TOP + 34 }, svg, "generation");
    const tickSpacing = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((n) => n * this.cell > 34) ?? 5000;
    generations.forEach((_, g) => g % tickSpacing === 0 &&
      addSvg("text", { x: this.x(g), y: CHART_HEIGHT + TOP + 17, "text-anchor": "middle" }, svg, g));
    this.cursorLine = addSvg("line", { class: "cursor", y1: TOP, y2: TOP + CHART_HEIGHT, x1: -9, x2: -9 }, svg);
    const points = (pairs) => pairs.filter(([, value]) => value !== null).map(([g, value]) => `${this.x(g)},${y(value)}`).join(" ");
    for (const run of runsOf(generations.map(([, , lower, upper], g) => ({ g, lower, upper })), (quartiles) => quartiles.lower !== null)) {
      const upperEdge = run.map(({ g, upper }) => [g, upper]), lowerEdge = run.map(({ g, lower }) => [g, lower]).reverse();
      addSvg("polygon", { class: "band", points: points([...upperEdge, ...lowerEdge]) }, svg);
    }
    for (const [name, k] of [["median", 1], ["best", 0]]) {
      addSvg("polyline", { class: `${name}line`, points: points(generations.map((generation, g) => [g, generation[k]])) }, svg);
    }
    svg.onclick = (event) => {
      const g = Math.round((event.clientX - svg.getBoundingClientRect().left - LEFT) / this.cell);
      const near = (number) => Math.abs(this.individuals.get(number).generation - g);
      this.pick(this.lineage.line.reduce((a, b) => (near(b) < near(a) ? b : a)));
    };
  }

  // Generations are columns. The line of descent is the middle row; the others are above and below it, the fittest nearest.
  drawTree() {
    const svg = byId("tree"), columns = new Map(), descentNumbers = new Set(this.lineage.line);
    for (const individual of this.individuals.values()) columns.set(individual.generation, [...(columns.get(individual.generation) ?? []), individual]);
    const maxBeside = Math.max(...[...columns.values()].map((column) => column.length)) - 1;
    const freeHeight = byId("scroll").clientHeight - CHART_HEIGHT - 150, rowsAbove = Math.ceil(maxBeside / 2);
    const spacing = Math.min(ROW_SPACING[1], Math.max(ROW_SPACING[0], freeHeight / (2 * rowsAbove + 1))), middle = TOP + 8 + spacing * rowsAbove;
    svg.setAttribute("width", this.width);
    svg.setAttribute("height", 2 * middle + 8);
    this.nodePositions = new Map();
    for (const column of columns.values()) {
      const rank = (individual) => [descentNumbers.has(individual.number) ? 0 : 1, -(individual.fitness ?? -Infinity)];
      column.sort((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1] || a.number - b.number);
      const shift = descentNumbers.has(column[0].number) ? 0 : 1; // the middle row is reserved for the line of descent
      column.forEach((individual, k) => {
        const n = k + shift, row = n % 2 ? (n + 1) / 2 : -n / 2;
        this.nodePositions.set(individual.number, [this.x(individual.generation), middle + spacing * row]);
      });
    }
    this.edges = [];
    const lines = addSvg("g", {}, svg), descent = addSvg("g", {}, svg), dots = addSvg("g", {}, svg);
    for (const individual of this.individuals.values()) {
      for (const parent of individual.parents.filter((number) => this.individuals.has(number))) this.addEdge(parent, individual, this.child.get(parent) === individual.number ? descent : lines);
    }
    this.nodes = new Map([...this.individuals.values()].map((individual) => [individual.number, this.addNode(individual, dots)]));
  }

  addEdge(parent, individual, lines) {
    const [x0, y0] = this.nodePositions.get(parent), [x1, y1] = this.nodePositions.get(individual.number), half = (x0 + x1) / 2;
    const isDescent = this.child.get(parent) === individual.number;
    const path = addSvg("path", { class: isDescent ? "kin descent" : "kin", d: `M${x0},${y0} C${half},${y0} ${half},${y1} ${x1},${y1}` }, lines);
    this.edges.push({ path, child: individual.number });
  }

  addNode(individual, dots) {
    const [cx, cy] = this.nodePositions.get(individual.number), radius = Math.min(6, 0.42 * this.cell);
    const isDescent = individual.number === this.best || this.child.has(individual.number);
    const classes = ["node", individual.film && "film", individual.marked && "marked", isDescent && "descent"].filter(Boolean).join(" ");
    const g = addSvg("g", { class: classes, tabindex: 0, role: "button", "data-number": individual.number, "aria-label": `creature ${individual.number}` }, dots);
    addSvg("circle", { cx, cy, r: individual.film ? radius : 0.75 * radius }, g);
    addSvg("title", {}, g, `creature ${individual.number}, fitness ${numberText(individual.fitness)}`);
    g.onclick = () => this.pick(individual.number);
    g.onkeydown = (event) => event.key === "Enter" && this.pick(individual.number);
    return g;
  }

  makeControls() {
    byId("play").onclick = () => this.moving?.toggle();
    byId("scrub").oninput = (event) => this.moving.seek(+event.target.value);
    byId("rate").onchange = (event) => (this.moving.speed = +event.target.value);
    byId("filmed").onchange = (event) => (this.moving.filmed = event.target.checked);
  }

  async pick(number) {
    const individual = this.individuals.get(number);
    if (this.chosenNumber !== undefined) this.nodes.get(this.chosenNumber).classList.remove("chosen");
    this.chosenNumber = number;
    this.nodes.get(number).classList.add("chosen");
    for (const { path, child } of this.edges) {
      path.classList.toggle("chosen", child === number);
      if (child === number) path.parentNode.append(path); // above the others
    }
    for (const side of ["x1", "x2"]) this.cursorLine.setAttribute(side, this.x(individual.generation));
    byId("who").textContent = `Creature ${number}${number === this.best ? ", the best" : ""}`;
    byId("facts").textContent =
      `generation ${individual.generation}, fitness ${numberText(individual.fitness)}, ${individual.origin}` + (individual.marked ? `, scores nothing: ${individual.marked}` : "");
    this.showFamily(individual);
    this.showTerms(individual);
    this.showGenes(individual);
    await this.play(individual);
  }

  showFamily(individual) {
    const family = byId("family");
    family.replaceChildren(individual.parents.length ? "parents: " : "no parents");
    for (const parent of individual.parents) {
      const button = addElement("button", family, String(parent), "parent");
      button.disabled = !this.individuals.has(parent);
      if (button.disabled) button.title = "left out of this page";
      button.onclick = () => this.pick(parent);
    }
    const child = this.child.get(individual.number);
    if (child === undefined) return;
    family.append("   ·   child: ");
    addElement("button", family, String(child), "child").onclick = () => this.pick(child);
  }

  showTerms(individual) {
    byId("terms").replaceChildren();
    for (const [name, value] of Object.entries(individual.terms)) {
      const row = addElement("tr", byId("terms"));
      addElement("td", row, name);
      addElement("td", row, numberText(value), "number");
    }
  }

  showGenes(individual) {
    const parent = this.individuals.get(individual.parents[0]), compared = parent && parent.geneList === individual.geneList;
    byId("against").textContent = compared ? `grey: those of ${parent.number}` : "";
    byId("genes").replaceChildren();
    this.lineage.geneLists[individual.geneList].forEach(([name, unit, lower, upper], k) => {
      const row = addElement("tr", byId("genes")), percent = (x) => `${(100 * (x - lower)) / (upper - lower || 1)}%`;
      row.title = `from ${numberText(lower)} to ${numberText(upper)} ${unit}`;
      addElement("td", row, name);
      addElement("td", row, numberText(individual.values[k]), "number");
      addElement("td", row, unit, "quiet");
      const bar = addElement("div", addElement("td", row, "", "range"), "", "bar");
      if (compared) addElement("b", bar).style.left = percent(parent.values[k]);
      addElement("i", bar).style.left = percent(individual.values[k]);
    });
  }

  async play(individual) {
    const selection = ++this.selectionCount;
    this.moving?.player.canvas.remove();
    this.moving?.dispose();
    window.player = this.moving = null;
    byId("row").hidden = !individual.film;
    byId("settings-panel").hidden = true;
    byId("nofilm").hidden = individual.film;
    byId("nofilm").textContent = `This page has no film of this creature. ${this.lineage.filmCommand.replace("NUMBER", individual.number)}`;
    byId("motion-note").textContent = individual.motionNote;
    if (!individual.film) return;
    const text = (name) => byId(`${name}${individual.number}`)?.textContent;
    const [film, world, programs] = await Promise.all([unpack(text("film")), text("world") && unpack(text("world")), this.programs]);
    if (selection !== this.selectionCount) return; // another creature was selected meanwhile
    const Kind = world ? SimulatedCreature : FilmedCreature;
    const moving = new Kind({ film, world, programs, script: byId("worker").textContent }, addElement("canvas", byId("stage")), SHADOW);
    Object.assign(window, { player: moving.player, gambol: moving.live }); // for the console, and for tests
    this.moving = moving;
    this.showRates(film.film);
    byId("filmed").parentElement.hidden = byId("settings-panel").hidden = !world;
    if (world) new Panel(moving.live.settings, (name, value) => moving.live.set(name, value));
    moving.filmed = byId("filmed").checked;
    let last = performance.now();
    moving.player.renderer.setAnimationLoop((now) => {
      moving.draw(Math.max(0, now - last) / 1000);
      last = now;
      byId("play").textContent = moving.playing ? "pause" : "play";
      Object.assign(byId("scrub"), { max: moving.until, value: moving.time });
      byId("clock").textContent = `${moving.time.toFixed(2)} s of ${moving.until.toFixed(2)} s ${world ? "simulated" : "filmed"}`;
    });
  }

  showRates({ rates, playback }) {
    const rateText = (r) => (r === 1 ? "real time" : r < 1 ? `1/${+(1 / r).toPrecision(3)}` : `${r} x`);
    byId("rate").replaceChildren(...rates.map((r) => new Option(rateText(r), r, false, Math.abs(r - playback) < 1e-9)));
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
