// Saves a picture, a video, and the changed numbers as a file.

const VIDEO_TYPES = ["video/webm;codecs=vp9", "video/webm", "video/mp4"];
const FRAME_RATE = 60; // of videos

export function download(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Saves the present picture, with the figure in its middle.
export function savePicture(player, name) {
  const { covered } = player;
  player.cover({ top: 0, right: 0, bottom: 0, left: 0 });
  player.scenery.detail = 1;
  player.draw(0); // the browser keeps a drawing only until the end of this event
  player.canvas.toBlob((blob) => download(blob, `${name}.png`), "image/png");
  player.cover(covered);
}

// Records what is drawn until it is called again.
export class VideoRecorder {
  constructor(player, name) { Object.assign(this, { player, name, recorder: null }); }

  get recording() { return this.recorder !== null; }

  toggle() {
    if (this.recording) return this.recorder.stop();
    this.player.holdResolution(true); // that of a video cannot change
    const type = VIDEO_TYPES.find((each) => MediaRecorder.isTypeSupported(each)), parts = [];
    this.recorder = new MediaRecorder(this.player.canvas.captureStream(FRAME_RATE), { mimeType: type, videoBitsPerSecond: 12e6 });
    this.recorder.ondataavailable = ({ data }) => parts.push(data);
    this.recorder.onstop = () => {
      download(new Blob(parts, { type }), `${this.name}.${type.startsWith("video/mp4") ? "mp4" : "webm"}`);
      this.recorder = null;
      this.player.holdResolution(false);
    };
    this.recorder.start();
  }
}

// The changed genes, and the other inputs of the world that differ from the first ones, by name, as a file.
export function saveNumbers(live, name) {
  const { about, first, settings } = live, numbers = {}, genes = {}, ofGenes = new Set(about.growth?.numbers);
  for (const { name: key, label, group, sets } of about.settings) {
    if (!group?.startsWith("genes")) continue;
    for (const entry of sets) ofGenes.add(entry.name);
    if (settings.values.has(key)) genes[label] = settings.values.get(key);
  }
  const isGrown = (key) => ofGenes.has(key) && !settings.values.has(key) && Object.keys(genes).length;
  for (const [key, row] of Object.entries(about.numbers)) if (live.numbers[row] !== first[row] && !isGrown(key)) numbers[key] = live.numbers[row];
  if ("gravity.z" in about.numbers) {
    const axes = ["x", "y", "z"].map((axis) => live.numbers[about.numbers[`gravity.${axis}`]]);
    if (["gravity.x", "gravity.y", "gravity.z"].some((key) => key in numbers)) numbers.gravity = axes[0] || axes[1] ? axes : -axes[2];
    for (const axis of ["x", "y", "z"]) delete numbers[`gravity.${axis}`];
  }
  const text = JSON.stringify({ format: "gambol numbers", figure: about.name, source: about.source ?? null, genes, numbers }, null, 2);
  download(new Blob([text], { type: "application/json" }), `${name}.numbers.json`);
}
