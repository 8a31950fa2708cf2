// The page of moving creatures to choose from. It polls the server for the generation, and posts the choice.
import { FilmedCreature, SimulatedCreature } from "creature";
import { Panel } from "panel";
import { unpack } from "player";

const byId = (id) => document.getElementById(id);
const SHADOW_SIZE = 1024, POLL_INTERVAL = 400, MAX_CLICK_MOTION = 5; // shadow map [pixels]; polling interval [ms]; largest mouse motion of a click [pixels]

const state = (window.state = { generation: -1, chosen: new Set(), moving: [] }); // for the console, and for tests

function showStatus(text) {
  byId("status").textContent = text;
}

function showError(text) {
  byId("error").hidden = !text;
  byId("error").textContent = text;
}

function showCount() {
  const n = state.chosen.size;
  showStatus(`Generation ${state.generation}: click the parents of the next generation. ${n ? `${n} chosen.` : "If none is chosen, the previous parents are used again."}`);
}

// The time of all creatures is that of the first one.
function showTime() {
  const [{ time, playing }] = state.moving, until = Math.max(...state.moving.map((each) => each.until));
  byId("play").textContent = playing ? "pause" : "play";
  Object.assign(byId("scrub"), { max: until, value: time });
  byId("clock").textContent = `${time.toFixed(2)} s of ${until.toFixed(2)} s`;
}

function toggle(tile, index) {
  const on = !state.chosen.delete(index);
  if (on) state.chosen.add(index);
  tile.classList.toggle("chosen", on);
  tile.setAttribute("aria-pressed", on);
  showCount();
}

let pressPoint = [0, 0]; // of the last pointer [pixels]; known before a creature takes the event, since it was asked for earlier
window.addEventListener("pointerdown", (e) => { pressPoint = [e.clientX, e.clientY]; }, true);

// The settings that all creatures have; they change all creatures together.
function showSettings() {
  const lives = state.moving.map(({ live }) => live).filter(Boolean), about = lives[0]?.about;
  const shared = about?.settings.filter(({ name }) => lives.every(({ settings }) => settings.byName.has(name))) ?? [];
  new Panel({ about: { settings: shared } }, (name, value) => { for (const live of lives) live.set(name, value); });
}

// Adds the tile of a creature, and returns its canvas.
function addTile(creature, index) {
  const tile = document.createElement("div"), canvas = document.createElement("canvas");
  const caption = document.createElement("p"), tick = document.createElement("span");
  tile.className = creature.marked ? "creature marked" : "creature";
  tick.className = "tick";
  tick.textContent = "✓";
  caption.textContent = [creature.caption, creature.motion_note, creature.marked && `cannot be chosen: ${creature.marked}`].filter(Boolean).join("; ");
  tile.append(canvas, caption, tick);
  byId("creatures").append(tile);
  if (!creature.marked) {
    tile.tabIndex = 0;
    tile.setAttribute("role", "button");
    tile.setAttribute("aria-pressed", false);
    tile.setAttribute("aria-label", `creature ${creature.number}`);
    tile.addEventListener("click", (e) => { // a drag pulls a body, or rotates the view
      if (Math.hypot(e.clientX - pressPoint[0], e.clientY - pressPoint[1]) < MAX_CLICK_MOTION) toggle(tile, index);
    });
    tile.addEventListener("keydown", (e) => ["Enter", " "].includes(e.key) && (e.preventDefault(), toggle(tile, index)));
  }
  return canvas;
}

async function makeMoving(creature, canvas, programs) {
  const [film, world] = await Promise.all([unpack(creature.film), creature.world && unpack(creature.world)]);
  const Kind = world ? SimulatedCreature : FilmedCreature, moving = new Kind({ film, world, programs, script: byId("worker").textContent }, canvas, SHADOW_SIZE);
  moving.filmed = byId("filmed").checked;
  return moving;
}

async function show({ generation, creatures }) {
  const programs = await unpack(await (await fetch("programs")).json());
  for (const moving of state.moving) moving.dispose();
  byId("creatures").replaceChildren();
  state.chosen.clear();
  state.moving = [];
  const canvases = creatures.map(addTile); // all of them first: a view fits the size that its tile has in the end
  for (const [index, creature] of creatures.entries()) {
    const moving = await makeMoving(creature, canvases[index], programs);
    state.moving.push(moving);
    let last = performance.now();
    moving.player.renderer.setAnimationLoop((now) => {
      moving.draw(Math.max(0, now - last) / 1000);
      last = now;
      if (moving === state.moving[0]) showTime();
    });
  }
  showSettings();
  state.generation = generation;
  byId("creatures").classList.remove("waiting");
  byId("next").disabled = false;
  showCount();
}

async function choose() {
  byId("next").disabled = true;
  const picks = [...state.chosen].sort((a, b) => a - b);
  const response = await fetch("choose", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ generation: state.generation, picks }),
  });
  if (!response.ok) {
    showError((await response.json()).error);
    byId("next").disabled = false;
    return;
  }
  showError("");
  byId("creatures").classList.add("waiting");
  showStatus("The next generation is being simulated.");
}

async function poll() {
  try {
    const reply = await (await fetch("generation")).json();
    if (reply.creatures.length && reply.generation !== state.generation) await show(reply);
    if (byId("error").textContent.startsWith("The program")) showError("");
  } catch (error) {
    showError(error instanceof TypeError ? "The program has ended, or does not respond." : `These creatures cannot be shown: ${error.message}`);
  }
  setTimeout(poll, POLL_INTERVAL);
}

byId("play").onclick = () => {
  const { playing } = state.moving[0] ?? {};
  for (const each of state.moving) if (each.playing === playing) each.toggle();
};
byId("scrub").oninput = (event) => state.moving.forEach((each) => each.seek(+event.target.value));
byId("filmed").onchange = (event) => state.moving.forEach((each) => (each.filmed = event.target.checked));
byId("next").onclick = () => choose().catch(() => showError("The program has ended, or does not respond."));
await poll();
