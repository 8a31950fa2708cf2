// The list of creatures, and the film of the chosen one. All texts are set as text, never as markup.
import { Player, inflate, unpack } from "player";

const byId = (id) => document.getElementById(id);
const rateText = (r) => (r === 1 ? "real time" : r < 1 ? `1/${+(1 / r).toPrecision(3)}` : `${r} x`);

function addElement(tag, parent, text = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  parent.append(element);
  return element;
}

class Gallery {
  constructor(creatures) {
    this.creatures = creatures;
    this.player = null;
    this.selectionCount = 0;
    this.buttons = creatures.map(({ name, summary }, k) => {
      const button = addElement("button", byId("creatures"), name);
      button.title = summary;
      button.onclick = () => this.choose(k);
      return button;
    });
    byId("play").onclick = () => this.toggle();
    byId("scrub").oninput = (event) => {
      if (!this.player) return;
      this.player.paused = true;
      this.player.seek(event.target.value * this.player.duration);
    };
    byId("rate").onchange = (event) => this.player && (this.player.rate = +event.target.value);
    document.addEventListener("keydown", (event) => {
      if (event.code !== "Space" || ["BUTTON", "SELECT"].includes(event.target.tagName)) return;
      event.preventDefault();
      this.toggle();
    });
  }

  toggle() {
    if (this.player) this.player.paused = !this.player.paused;
  }

  async choose(k) {
    const { name, summary, facts } = this.creatures[k], selection = ++this.selectionCount;
    this.buttons.forEach((button, i) => button.setAttribute("aria-pressed", i === k));
    byId("name").textContent = name;
    byId("summary").textContent = summary;
    byId("facts").replaceChildren();
    for (const [fact, value] of Object.entries(facts)) {
      addElement("dt", byId("facts"), fact);
      addElement("dd", byId("facts"), value);
    }
    this.player?.canvas.remove();
    this.player?.dispose();
    window.player = this.player = null;
    const { film, getArray } = await unpack(byId(`film${k}`).textContent);
    if (selection !== this.selectionCount) return; // another creature was chosen meanwhile
    const canvas = addElement("canvas", byId("stage"));
    const player = (window.player = this.player = new Player(film, getArray, canvas, 2048)); // for the console, and for tests
    byId("rate").replaceChildren(...film.rates.map((r) => new Option(rateText(r), r, false, Math.abs(r - film.playback) < 1e-9)));
    let last = performance.now();
    player.renderer.setAnimationLoop((now) => {
      player.animate(Math.min(0.1, Math.max(0, now - last) / 1000));
      last = now;
      byId("play").textContent = player.paused ? "play" : "pause";
      byId("scrub").value = player.duration ? player.time / player.duration : 0;
    });
  }
}

try {
  const creatures = JSON.parse(new TextDecoder().decode(await inflate(byId("gallery").textContent)));
  const gallery = (window.gallery = new Gallery(creatures));
  await gallery.choose(0);
} catch (error) {
  byId("error").hidden = false;
  byId("error").textContent = `These films cannot be shown here: ${error.message}`;
  throw error;
}
