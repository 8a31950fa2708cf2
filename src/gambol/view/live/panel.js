// The panel of a live page: sliders and switches of its settings, folded on small screens.

const WIDE = 720, HIGH = 480; // [pixels] smallest size of a page whose panel is open at first
const MAX_OPEN = 12; // largest number of settings of a group that is open at first

const byId = (id) => document.getElementById(id);

export function element(tag, options = {}, ...children) {
  const created = Object.assign(document.createElement(tag), options);
  created.append(...children);
  return created;
}

// True if the page has room for an open panel.
export const isRoomy = () => window.innerWidth >= WIDE && window.innerHeight >= HIGH;

// A list of names; the value is the index of one.
function choice({ label, name, choices, value }, change) {
  const select = element("select", { id: `number ${name}` }, ...choices.map((text, k) => new Option(text, k)));
  select.onchange = () => change(name, +select.value);
  const show = (x) => { select.value = x; };
  show(value);
  return { row: element("label", {}, label, select), show };
}

// A slider, a switch or a list. change(name, value): called with new values.
function control(setting, change) {
  const { label, name, low, high, unit, step, value } = setting;
  if (setting.choices) return choice(setting, change);
  const isSwitch = step === 1, input = element("input", { type: isSwitch ? "checkbox" : "range", id: `number ${name}` });
  const output = element("output", { htmlFor: input.id });
  if (!isSwitch) Object.assign(input, { min: low, max: high, step: "any" });
  const show = (x) => {
    if (isSwitch) input.checked = !!x;
    else input.value = x;
    output.textContent = isSwitch ? "" : `${+(+x).toPrecision(3)} ${unit}`;
  };
  input.oninput = () => {
    const x = isSwitch ? +input.checked : +input.value;
    show(x);
    change(name, x);
  };
  input.ondblclick = () => { show(setting.value); change(name, setting.value); };
  show(value);
  const row = isSwitch ? element("label", { className: "switch" }, input, label) : element("label", {}, label, input, output);
  return { row, show };
}

export class Panel {
  // settings: settings of the page; change(name, value): called when the visitor changes one.
  constructor(settings, change) {
    Object.assign(this, { settings, change });
    this.build();
    for (const group of document.querySelectorAll("#panel > details")) group.open = isRoomy() && group.id === "settings-panel";
  }

  build() {
    const { settings, change } = this, groups = new Map(), container = byId("settings");
    this.updaters = new Map();
    this.shown = settings.about.settings.map((setting) => ({ ...setting }));
    container.replaceChildren();
    for (const setting of this.shown) {
      const { row, show } = control(setting, change);
      this.updaters.set(setting.name, show);
      if (setting.group && !groups.has(setting.group)) {
        const { group } = setting, count = this.shown.filter((each) => each.group === group).length;
        groups.set(group, element("fieldset"));
        container.append(element("details", { open: count <= MAX_OPEN }, element("summary", { textContent: group }), groups.get(group)));
      }
      (groups.get(setting.group) ?? container).append(row);
    }
    byId("settings-panel").hidden = !this.shown.length;
  }

  // Shows the settings of another segment of a script: new first values or, if the settings are others, new controls.
  describe() {
    const { about: { settings }, values } = this.settings, bounds = (list) => JSON.stringify(list.map(({ name, low, high }) => [name, low, high]));
    if (bounds(settings) !== bounds(this.shown)) return this.build();
    settings.forEach((setting, k) => {
      this.shown[k].value = setting.value;
      if (!values.has(setting.name)) this.show(setting.name, setting.value);
    });
  }

  // Shows the value of a setting that was changed elsewhere.
  show(name, value) { this.updaters.get(name)?.(value); }
}
