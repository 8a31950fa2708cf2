// Creatures to choose from, all moving. The server is asked for the generation, and told who shall have children.
import { Player, unpack } from "player";

const byId = (id) => document.getElementById(id);
const SHADOW = 1024, ASK = 400, DRAG = 5; // pixels of a shadow map; ms between questions; pixels that are no click

const state = (window.state = { generation: -1, chosen: new Set(), players: [] }); // for the console, and for tests

function tell(words) {
  byId("told").textContent = words;
}

function complain(words) {
  byId("trouble").hidden = !words;
  byId("trouble").textContent = words;
}

function count() {
  const n = state.chosen.size;
  tell(`Generation ${state.generation}: click those who shall have children. ${n ? `${n} chosen.` : "With none chosen, those chosen before have other children."}`);
}

function toggle(tile, place) {
  const on = !state.chosen.delete(place);
  if (on) state.chosen.add(place);
  tile.classList.toggle("chosen", on);
  tile.setAttribute("aria-pressed", on);
  count();
}

async function stand(creature, place) {
  const tile = document.createElement("div"), canvas = document.createElement("canvas");
  const words = document.createElement("p"), tick = document.createElement("span");
  tile.className = creature.marked ? "creature marked" : "creature";
  tick.className = "tick";
  tick.textContent = "✓";
  words.textContent = creature.words + (creature.marked ? `; cannot be chosen: ${creature.marked}` : "");
  tile.append(canvas, words, tick);
  byId("creatures").append(tile);
  if (!creature.marked) {
    let from = null;
    tile.tabIndex = 0;
    tile.setAttribute("role", "button");
    tile.setAttribute("aria-pressed", false);
    tile.setAttribute("aria-label", `creature ${creature.number}`);
    tile.addEventListener("pointerdown", (e) => (from = [e.clientX, e.clientY]), true);
    tile.addEventListener("click", (e) => { // turning the view is no click
      if (!from || Math.hypot(e.clientX - from[0], e.clientY - from[1]) < DRAG) toggle(tile, place);
    });
    tile.addEventListener("keydown", (e) => ["Enter", " "].includes(e.key) && (e.preventDefault(), (from = null), toggle(tile, place)));
  }
  const { film, part } = await unpack(creature.film);
  return new Player(film, part, canvas, SHADOW);
}

async function show({ generation, creatures }) {
  for (const player of state.players) player.dispose();
  byId("creatures").replaceChildren();
  state.chosen.clear();
  state.players = [];
  for (const [place, creature] of creatures.entries()) {
    const player = await stand(creature, place);
    state.players.push(player);
    let last = performance.now();
    player.renderer.setAnimationLoop((now) => {
      player.draw(Math.min(0.1, Math.max(0, now - last) / 1000));
      last = now;
    });
  }
  state.generation = generation;
  byId("creatures").classList.remove("growing");
  byId("next").disabled = false;
  count();
}

async function choose() {
  byId("next").disabled = true;
  const picks = [...state.chosen].sort((a, b) => a - b);
  const answer = await fetch("choose", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ generation: state.generation, picks }),
  });
  if (!answer.ok) {
    complain((await answer.json()).error);
    byId("next").disabled = false;
    return;
  }
  complain("");
  byId("creatures").classList.add("growing");
  tell("Their children grow, and live their lives.");
}

async function ask() {
  try {
    const told = await (await fetch("generation")).json();
    if (told.creatures.length && told.generation !== state.generation) await show(told);
    if (byId("trouble").textContent.startsWith("The program")) complain("");
  } catch (error) {
    complain(error instanceof TypeError ? "The program has ended, or does not answer." : `These creatures cannot be shown: ${error.message}`);
  }
  setTimeout(ask, ASK);
}

byId("next").onclick = () => choose().catch(() => complain("The program has ended, or does not answer."));
await ask();
