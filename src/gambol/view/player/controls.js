// The controls of the player page: the time line, buttons, and the stepping pattern.
import { Player, unpack } from "player";

const byId = (id) => document.getElementById(id);

// Abbreviates a leg's name: "fl" is unchanged, "front left" becomes "fl".
const shortName = (name) => (name.length < 5 ? name : name.split(/[ _-]+/).map((word) => word[0]).join(""));

// Draws the stepping pattern of a world: a row for each leg, stance black, step white, a line at the current time.
function drawPattern(canvas, player) {
  const { film } = player, row = film.legs.length > 8 ? 6 : 10, ratio = window.devicePixelRatio;
  const width = canvas.clientWidth, height = row * film.legs.length, left = 26;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d"), span = width - left - 4, frameX = (f) => left + (span * f) / Math.max(film.frames - 1, 1);
  pen.scale(ratio, ratio);
  pen.font = "10px system-ui, sans-serif";
  film.legOrder.forEach((leg, i) => {
    pen.fillStyle = film.look.ink;
    pen.fillText(shortName(film.legs[leg]), 0, row * i + row - 1.5);
    pen.fillStyle = film.look.step;
    pen.fillRect(left, row * i + 1, span, row - 2);
    pen.fillStyle = film.look.stance;
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
  byId("script").hidden = !film.tracks.camera;
  byId("script").onclick = () => player.script();
  byId("follow").onchange = (e) => setFollow(e.target.checked);
  byId("reset").onclick = () => { player.resetView(); byId("world").value = player.world; };
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
  window.addEventListener("keydown", (e) => {
    if (e.target.tagName === "SELECT") return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (e.code === "Space") { toggle(); e.preventDefault(); }
    else if (e.key.toLowerCase() === "f") setFollow(!player.following);
    else if (step) { player.paused = true; player.seek(player.time + step / film.rate); e.preventDefault(); }
  });
  byId("facts").textContent = film.facts;
  const chip = (color, text) => `<i class="chip" style="background:${color}"></i><span>${text}</span>`;
  const key = [];
  if (player.stepping) key.push(chip(film.look.stepping, "stepping leg"), chip(film.look.leg, "leg in stance"));
  if (player.arrows) key.push(chip(film.look.force, film.arrowCaption));
  byId("key").innerHTML = key.join("");
}

function show(player) {
  byId("play").textContent = player.paused ? "play" : "pause";
  byId("clock").textContent = `${(player.film.start + player.time).toFixed(3)} s of ${(player.film.start + player.duration).toFixed(3)} s`;
  byId("follow").checked = player.following;
  byId("script").disabled = player.scripted;
  byId("scrub").value = player.duration ? player.time / player.duration : 0;
  if (player.stepping) drawPattern(byId("pattern"), player);
}

try {
  const { film, getArray } = await unpack(byId("film").textContent);
  const player = (window.player = new Player(film, getArray, byId("stage"))); // for the console, and for tests
  makeControls(player);
  let last = performance.now();
  player.renderer.setAnimationLoop((now) => {
    const drawn = player.draw(Math.min(0.1, Math.max(0, now - last) / 1000));
    last = now;
    if (drawn || byId("play").textContent !== (player.paused ? "play" : "pause")) show(player);
  });
} catch (error) {
  byId("error").hidden = false;
  byId("error").textContent = `This film cannot be shown here: ${error.message}`;
  throw error;
}
