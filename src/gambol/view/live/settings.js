// The settings of a live page in the fragment of its address: "#gravity=3.5&touch.friction=0.2&speed=0.1".

// Returns numbers of the world by name, the speed or null, and what could not be read. numbers: names that there are.
export function readSettings(fragment, numbers) {
  const settings = { numbers: new Map(), speed: null, unknown: [] };
  for (const [name, text] of new URLSearchParams(fragment.replace(/^#/, ""))) {
    const value = Number(text), known = text.trim() !== "" && Number.isFinite(value);
    if (name === "software-fma") continue;
    if (name === "speed" && known && value > 0) settings.speed = value;
    else if (known && Object.hasOwn(numbers, name)) settings.numbers.set(name, value);
    else settings.unknown.push(name);
  }
  return settings;
}

// Writes the settings to the address, where the page may.
export function writeSettings(changed, speed) {
  const pairs = [...changed, ...(speed === null ? [] : [["speed", speed]])].map(([name, value]) => `${encodeURIComponent(name)}=${value}`);
  if (location.hash.slice(1).split("&").includes("software-fma")) pairs.push("software-fma");
  try {
    history.replaceState(null, "", `${location.pathname}${location.search}${pairs.length ? "#" : ""}${pairs.join("&")}`);
  } catch {
    // a page without an address of its own, such as a frame of a notebook, keeps the one that it has
  }
}
