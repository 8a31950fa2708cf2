// What of the canvas the controls of a live page leave free: the figure is shown in its middle.

const COLUMN = 304, HEADER = 84; // [pixels] width of the open panel with its margin, and height of the header, before they are filled
const MARGIN = 22; // [pixels] above and below the panel
const MAX_HEADER = 0.25; // of the height of the canvas: largest part of it that is left free for the header

const byId = (id) => document.getElementById(id);

export class Layout {
  // hasSettings: true if the panel opens with settings where it is a column.
  constructor(player, hasSettings) {
    this.player = player;
    player.cover(this.edges(hasSettings));
    player.resetView();
  }

  // Called when all controls are there.
  begin() {
    const { player } = this, isUntouched = player.following;
    player.cover(this.edges(false));
    if (isUntouched) player.resetView();
    const update = () => player.cover(this.edges(false));
    new ResizeObserver(update).observe(byId("controls"));
    byId("panel").addEventListener("toggle", update, true);
    window.addEventListener("resize", update);
  }

  // The widths at the edges of the canvas that are covered [pixels]. isExpected: true for a column that is not open yet.
  edges(isExpected) {
    const panel = byId("panel"), isColumn = getComputedStyle(panel).position === "fixed", { clientWidth, clientHeight } = this.player.canvas;
    const below = (isColumn ? document.querySelector("footer") : byId("controls")).getBoundingClientRect().top;
    panel.style.maxHeight = isColumn ? `${below - MARGIN}px` : "";
    const isOpen = isExpected || !!panel.querySelector(":scope > details[open]:not([hidden])");
    const right = isColumn && isOpen ? (isExpected ? COLUMN : clientWidth - panel.getBoundingClientRect().left) : 0;
    const header = isExpected ? HEADER : document.querySelector("header").getBoundingClientRect().bottom;
    return { top: Math.min(header, MAX_HEADER * clientHeight), right, bottom: clientHeight - below, left: 0 };
  }
}
