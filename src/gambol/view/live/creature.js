// Creatures of pages with several: one that is simulated, with the film of its run over it, or one that only has a film.
// Both have the same controls.
import { Clock } from "clock";
import { Growth } from "growth";
import { Hills } from "hills";
import { Live } from "live";
import { Player } from "player";
import { Pose } from "pose";
import { Recorded } from "recorded";
import { tiltView } from "tilt";
import { Touch } from "touch";

const MAX_LAG = 0.1; // largest time between pictures that a film makes up for [s]

export class SimulatedCreature {
  // film, world, programs: results of unpack(); script: text of the worker; canvas: the canvas to draw on; shadow: size of
  // the shadow map [pixels].
  constructor({ film, world, programs, script }, canvas, shadow) {
    const getArray = (name) => (name in world.film.arrays ? world : programs).getArray(name);
    this.live = new Live({ film: world.film, getArray }, script, ({ snapshot }) => this.pose.update(snapshot, this.clock.speed));
    this.player = new Player(film.film, film.getArray, canvas, shadow);
    Object.assign(this.player, { paused: true, stepping: null }); // its film is only the posture that is computed
    this.recorded = new Recorded(film.film, film.getArray, this.player);
    this.pose = new Pose(this.player, this.live);
    this.clock = new Clock(this.live, world.film.speed);
    this.touch = new Touch(this.player, this.live);
    this.filmed = false; // true: the film is drawn over it
    const { about } = this.live, hills = new Hills(about, about.grid && new Uint16Array(getArray(about.codes.heights).slice().buffer), this.player);
    this.live.onSetting = (name) => {
      if (name === "slope") tiltView(this.player, this.live.settings.slope);
      if (name.startsWith("hills")) hills.show(this.live.numbers[about.numbers.hills], this.live.numbers[about.numbers["hills shape"]]);
      this.player.figures.hide(this.live.cutLinks);
    };
    if (world.film.growth) this.live.onBody = new Growth(this.player, film, world.film.growth.shapes).show;
    this.live.ready.then(() => this.live.play());
  }

  get playing() { return this.live.playing; }

  get time() { return this.live.time; }

  get until() { return Math.max(this.live.latestTime, this.live.time); }

  set speed(speed) { this.clock.speed = speed; }

  toggle() { return this.playing ? this.live.pause() : this.live.play(); }

  seek(time) { return this.live.seek(time); }

  draw(seconds) {
    this.clock.tick(seconds);
    this.touch.draw();
    this.recorded.show(this.live.time, this.filmed);
    this.player.animate(0);
  }

  dispose() {
    this.touch.dispose();
    this.live.worker.terminate();
    this.player.dispose();
  }
}

export class FilmedCreature {
  constructor({ film }, canvas, shadow) { this.player = new Player(film.film, film.getArray, canvas, shadow); }

  get playing() { return !this.player.paused; }

  get time() { return this.player.time; }

  get until() { return this.player.duration; }

  set speed(speed) { this.player.rate = speed; }

  toggle() { this.player.paused = !this.player.paused; }

  seek(time) {
    this.player.paused = true;
    this.player.seek(time);
  }

  draw(seconds) { this.player.animate(Math.min(seconds, MAX_LAG)); }

  dispose() { this.player.dispose(); }
}
