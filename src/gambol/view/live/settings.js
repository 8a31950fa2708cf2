// Settings of a live page and numbers of the world that a visitor changes. The fragment of the page's address stores
// the changed ones: "#gravity=3.5&slope=10&speed=0.1".

const RADIANS = Math.PI / 180;

// The value at x of a function that is linear between samples from low to high.
function sampled(table, { low, high }, x) {
  const position = Math.min(Math.max(((x - low) / (high - low)) * (table.length - 1), 0), table.length - 1), k = Math.min(Math.floor(position), table.length - 2);
  return table[k] + (position - k) * (table[k + 1] - table[k]);
}

// The value of a number that a setting sets. See gambol.view.live.settings.
function numberOf({ first, slope, power, off }, setting, x) {
  if (x === setting.value) return first; // exactly, so that all bits are as before
  if (off !== undefined) return x ? first : off;
  if (slope === 1 && first === setting.value) return x;
  return power === undefined ? first + slope * (x - setting.value) : first * (x / setting.value) ** power;
}

export class Settings {
  // about: the description of the world.
  constructor(about) {
    this.describe(about);
    this.values = new Map(); // by name: those that differ from their initial values
  }

  // Takes the description of another world.
  describe(about) {
    this.about = about;
    this.byName = new Map(about.settings.map((setting) => [setting.name, setting]));
  }

  get names() { return [...new Set([...this.byName.keys(), ...Object.keys(this.about.numbers)])]; }

  valueOf(name) { return this.values.get(name) ?? this.byName.get(name)?.value; }

  // Changes a setting or a number. Returns pairs of a row of the numbers and its new value. Where settings share
  // numbers, such as the stiffness and a lame leg, the later one decides.
  change(name, value) {
    const { about: { numbers }, byName } = this, setting = byName.get(name);
    if (setting && value === setting.value) this.values.delete(name);
    else this.values.set(name, value);
    if (!setting) return [[numbers[name], value]];
    if (setting.grows) return []; // a program computes the numbers of all genes
    if (!setting.sets.length) return this.gravity();
    const rows = new Map(setting.sets.map((entry) => [entry.name, entry.first]));
    for (const each of byName.values()) {
      if (!this.values.has(each.name)) continue;
      const x = this.values.get(each.name);
      for (const entry of each.sets) if (rows.has(entry.name)) rows.set(entry.name, entry.table ? rows.get(entry.name) + sampled(entry.table, each, x) - sampled(entry.table, each, each.value) : numberOf(entry, each, x));
    }
    return [...rows].map(([key, x]) => [numbers[key], x]);
  }

  // The values of all genes whose numbers a program computes; null while they are those of the creature itself.
  get genes() {
    const genes = this.about.settings.filter((each) => each.grows);
    return genes.some((each) => this.values.has(each.name)) ? genes.map((each) => this.valueOf(each.name)) : null;
  }

  // Gravity in the axes of a ground that rises along x.
  gravity() {
    const { about: { numbers } } = this, g = this.valueOf("gravity"), slope = RADIANS * this.valueOf("slope");
    return [["gravity.x", 0 - g * Math.sin(slope)], ["gravity.z", -g * Math.cos(slope)]].map(([name, x]) => [numbers[name], x]);
  }

  // The slope of the ground [rad].
  get slope() { return RADIANS * (this.valueOf("slope") ?? 0); }
}

// Returns settings and numbers by name, the speed or null, and names with unreadable values or unknown names. names: the
// names of the world's settings and numbers.
export function readAddress(fragment, names) {
  const read = { values: new Map(), speed: null, unknown: [] };
  for (const [name, text] of new URLSearchParams(fragment.replace(/^#/, ""))) {
    const value = Number(text), isNumber = text.trim() !== "" && Number.isFinite(value);
    if (name === "software-fma") continue;
    if (name === "speed" && isNumber && value > 0) read.speed = value;
    else if (isNumber && names.includes(name)) read.values.set(name, value);
    else read.unknown.push(name);
  }
  return read;
}

// Writes settings to the address of the page, if the browser allows it.
export function writeAddress(values, speed) {
  const pairs = [...values, ...(speed === null ? [] : [["speed", speed]])].map(([name, value]) => `${encodeURIComponent(name)}=${value}`);
  if (location.hash.slice(1).split("&").includes("software-fma")) pairs.push("software-fma");
  try {
    history.replaceState(null, "", `${location.pathname}${location.search}${pairs.length ? "#" : ""}${pairs.join("&")}`);
  } catch {
    // a page without its own address, such as a frame of a notebook, cannot change it
  }
}
