// The controls of the player page: the time line, buttons, and the stepping pattern.
import { Player, unpack } from "player";
import { themed } from "theme";

const byId = (id) => document.getElementById(id);
const TURN = 0.1, ZOOM = 0.9; // [rad] and factor of the distance: what a key does to the view

// Abbreviates a leg's name: "fl" is unchanged, "front left" becomes "fl".
const shortName = (name) => (name.length < 6 ? name : name.split(/[ _-]+/).map((word) => word[0]).join(""));

// Draws the stepping pattern of a world: a row for each leg, stance black, step white, a line at the current time.
function drawPattern(canvas, player) {
  const { film } = player, look = themed(film.look), row = film.legs.length > 8 ? 6 : 10, ratio = window.devicePixelRatio;
  const width = canvas.clientWidth, height = row * film.legs.length, left = 26;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d"), span = width - left - 4, frameX = (f) => left + (span * f) / Math.max(film.frames - 1, 1);
  pen.scale(ratio, ratio);
  pen.font = "10px system-ui, sans-serif";
  film.legOrder.forEach((leg, i) => {
    pen.fillStyle = look.ink;
    pen.fillText(shortName(film.legs[leg]), 0, row * i + row - 1.5);
    pen.fillStyle = look.step;
    pen.fillRect(left, row * i + 1, span, row - 2);
    pen.fillStyle = look.stance;
    for (let f = 0, start = -1; f <= film.frames; f++) {
      const inStance = f < film.frames && !player.isStepping(player.world, leg, f);
      if (inStance && start < 0) start = f;
      if (!inStance && start >= 0) {
        pen.fillRect(frameX(start), row * i + 1, frameX(Math.min(f, film.frames - 1)) - frameX(start), row - 2);
        start = -1;
      }
    }
  });
  pen.fillStyle = film.look.stepping;
  pen.fillRect(left + (span * player.time) / (player.duration || 1) - 1, 0, 2, height);
}

function makeControls(player) {
  const { film } = player, rateText = (r) => (r === 1 ? "real time" : r < 1 ? `1/${+(1 / r).toPrecision(3)} real time` : `${r} x`);
  for (const r of film.rates) byId("rate").add(new Option(rateText(r), r, false, Math.abs(r - film.playback) < 1e-9));
  byId("rate").onchange = (e) => (player.rate = +e.target.value);
  const toggle = () => (player.paused = !player.paused);
  byId("play").onclick = toggle;
  byId("scrub").oninput = (e) => { player.paused = true; player.seek(e.target.value * player.duration); };
  const setFollow = (on) => {
    if (on) player.takeOver();
    player.following = byId("follow").checked = on;
    player.stale = true;
  };
  byId("film-camera").hidden = !film.tracks.camera;
  byId("film-camera").onclick = () => player.useFilmCamera();
  byId("follow").onchange = (e) => setFollow(e.target.checked);
  const resetView = () => { player.resetView(); byId("world").value = player.world; };
  byId("reset").onclick = resetView;
  film.offsets.forEach((_, w) => byId("world").add(new Option(film.worldNames[w], w, false, w === player.world)));
  byId("which").hidden = film.worlds < 2;
  byId("world").onchange = (e) => { player.world = +e.target.value; setFollow(true); };
  const pattern = byId("pattern"), left = 26;
  pattern.hidden = !player.stepping;
  const seekByPointer = (e) => {
    if (!e.buttons) return;
    const box = pattern.getBoundingClientRect();
    player.paused = true;
    player.seek(((e.clientX - box.left - left) / (box.width - left - 4)) * player.duration);
  };
  pattern.onpointerdown = pattern.onpointermove = seekByPointer;
  const seekTo = (time) => { player.paused = true; player.seek(time); };
  const keys = {
    " ": toggle, f: () => setFollow(!player.following), r: resetView, "+": () => player.zoom(ZOOM), "=": () => player.zoom(ZOOM),
    "-": () => player.zoom(1 / ZOOM), home: () => seekTo(0), end: () => seekTo(player.duration),
    arrowleft: () => seekTo(player.time - 1 / film.rate), arrowright: () => seekTo(player.time + 1 / film.rate),
  };
  const turns = { arrowleft: [TURN, 0], arrowright: [-TURN, 0], arrowup: [0, TURN], arrowdown: [0, -TURN] };
  window.addEventListener("keydown", (e) => {
    const key = e.key.toLowerCase(), elementKeys = { BUTTON: [" "], INPUT: e.target.type === "checkbox" ? [" "] : [] }[e.target.tagName];
    if (e.ctrlKey || e.altKey || e.metaKey || e.target.tagName === "SELECT" || elementKeys?.includes(key)) return;
    if (e.shiftKey && key in turns) player.turn(...turns[key]);
    else if (key in keys) keys[key]();
    else return;
    e.preventDefault();
  });
  byId("facts").textContent = film.facts;
  if (player.stepping) addChips([film.look.stepping, "stepping leg"], [film.look.leg, "leg in stance"]);
  if (player.active) addChips([film.look.stepping, "active joint"]);
  if (player.arrows) addChips([film.look.force, film.arrowCaption]);
}

// Adds colours with their meanings to the legend.
function addChips(...chips) {
  for (const [color, text] of chips) {
    const chip = document.createElement("i"), caption = document.createElement("span");
    chip.className = "chip";
    chip.style.background = color;
    caption.textContent = text;
    byId("key").append(chip, caption);
  }
}

function show(player) {
  byId("play").textContent = player.paused ? "play" : "pause";
  const { start } = player.film, clock = `${(start + player.time).toFixed(3)} s of ${(start + player.duration).toFixed(3)} s`;
  byId("clock").textContent = clock;
  byId("scrub").setAttribute("aria-valuetext", clock);
  byId("follow").checked = player.following;
  byId("film-camera").disabled = player.usesFilmCamera;
  byId("scrub").value = player.duration ? player.time / player.duration : 0;
  if (player.stepping) drawPattern(byId("pattern"), player);
}

try {
  const { film, getArray } = await unpack(byId("film").textContent);
  const player = (window.player = new Player(film, getArray, byId("stage"))); // for the console, and for tests
  makeControls(player);
  let last = performance.now();
  player.renderer.setAnimationLoop((now) => {
    const drawn = player.animate(Math.min(0.1, Math.max(0, now - last) / 1000));
    last = now;
    if (drawn || byId("play").textContent !== (player.paused ? "play" : "pause")) show(player);
  });
} catch (error) {
  byId("error").hidden = false;
  byId("error").textContent = `This film cannot be shown here: ${error.message}`;
  throw error;
}
