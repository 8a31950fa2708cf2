// Light and dark colours of a page: those of film.look, and in dark mode those of film.look.dark in their place.
const preference = window.matchMedia("(prefers-color-scheme: dark)");

// The colours for the mode that the visitor prefers now.
export const themed = (look) => (preference.matches ? { ...look, ...look.dark } : look);

// Calls a function when the visitor changes the mode. Returns a function that ends this.
export function onThemeChange(listener) {
  preference.addEventListener("change", listener);
  return () => preference.removeEventListener("change", listener);
}
