// The world of a page whose program simulates it and serves the page: every call is a message to this program.
import { Live } from "live";

const RETRY = 1000; // [ms] until a program that did not answer is asked again

const LOST = "the program that shows this world has ended, or does not respond";

const columnOf = (text) => text === null ? null : new Float64Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);

// The message of a worker that an answer of the program makes. text: the answer, JSON.
function messageOf(id, text) {
  const { error, columns, ...facts } = JSON.parse(text);
  if (error) return { data: { id, error } };
  return { data: { id, ...facts, fused: true, ...Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, columnOf(column)])) } };
}

// Asks the server that the page comes from. Has the methods of a worker that Live uses.
class Server {
  constructor() { this.url = new URL("ask", location.href); }

  async postMessage({ id, name, argument }) {
    try {
      const response = await fetch(this.url, { method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ name, argument: argument ?? {} }) });
      this.onmessage(messageOf(id, await response.text()));
    } catch {
      this.onmessage({ data: { id, error: LOST } });
    }
  }

  terminate() {}
}

// Asks the notebook in whose frame the page is, see widget.js.
class Notebook {
  constructor() {
    window.addEventListener("message", ({ source, data }) => source === parent && "text" in data && this.onmessage(messageOf(data.id, data.text)));
  }

  postMessage({ id, name, argument }) { parent.postMessage({ id, name, argument: argument ?? {} }, "*"); }

  terminate() {}
}

export class Served extends Live {
  makeWorker() { return location.href === "about:srcdoc" ? new Notebook() : new Server(); }

  content() { return {}; }

  // Answers may arrive out of order; the page goes on from the newest only.
  receive(answer) {
    const isNews = this.waiting.get(answer.id).name !== "poll" || answer.version !== this.version; // else nothing has changed
    if (answer.error || (isNews && !(answer.version < this.version))) {
      if (!answer.error) {
        this.numbers = answer.numbers;
        this.failure = answer.failure;
        if (answer.playing) this.frozen = false; // the program, or another page, lets it go
        for (const key of ["version", "playing", "speed", "rate"]) this[key] = answer[key];
        this.mirror(answer.changed);
      }
      return super.receive(answer);
    }
    const { resolve } = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    resolve(answer);
  }

  // Shows the values of settings and numbers that the program has.
  mirror(changed) {
    const { settings } = this, { values: before } = settings, now = new Map(Object.entries(changed));
    settings.values = now;
    for (const name of new Set([...now.keys(), ...before.keys()])) {
      if (before.get(name) !== now.get(name)) this.onSetting?.(name, now.get(name) ?? settings.byName.get(name)?.value);
    }
  }

  play() {
    this.frozen = false;
    return this.ready.then(() => this.ask("play"));
  }

  async pause() {
    await this.ready;
    await this.ask("pause");
  }

  async set(name, value) {
    await this.ready;
    await this.ask("set", { name, value });
  }

  async aim(target) {
    this.aimed = target;
    if (this.aiming) return;
    for (this.aiming = true; this.aimed;) { // one request at a time, and then the newest
      const next = this.aimed;
      this.aimed = null;
      await super.aim(next);
    }
    this.aiming = false;
  }

  async push(force, seconds) {
    await this.ready;
    await this.ask("push", { force, seconds });
  }
}

// The clock runs in the program; the page asks for changes, one request at a time.
export class ServedClock {
  constructor(live, speed) { Object.assign(this, { live, initialSpeed: speed, busy: false, lost: false }); }

  get speed() { return this.live.speed ?? this.initialSpeed; }

  set speed(speed) {
    if (speed !== this.speed) this.live.ask("speed", { speed });
  }

  get rate() { return this.live.rate; }

  set rate(_) { /* the program measures it */ }

  async tick() {
    if (this.busy || this.live.version === undefined) return;
    this.busy = true;
    try {
      await this.live.ask("poll", { version: this.live.version });
      this.lost = false;
    } catch {
      this.lost = true;
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
    this.busy = false;
  }
}
