// Decompresses the scripts of a page, names them in an import map, and runs the page's own one.
(async () => {
  const bytes = Uint8Array.from(atob(document.getElementById("scripts").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const texts = Object.entries(await new Response(stream).json());
  const urlOf = (text) => `data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`;
  const imports = Object.fromEntries(texts.map(([name, text]) => [name, urlOf(text)]));
  document.head.append(Object.assign(document.createElement("script"), { type: "importmap", textContent: JSON.stringify({ imports }) }));
  await import("page");
})();
