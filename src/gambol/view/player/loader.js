// Decompresses the scripts of a page and runs the page's own one. Each becomes a module with an address of its own, which
// those that come after it import.
(async () => {
  const text = atob(document.getElementById("scripts").textContent), bytes = new Uint8Array(text.length), addresses = {};
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  for (const [name, script] of Object.entries(await new Response(stream).json())) {
    const placed = script.replace(/^(import .* from )"(\w+)";/gm, (_, names, other) => `${names}"${addresses[other]}";`);
    addresses[name] = URL.createObjectURL(new Blob([placed], { type: "text/javascript" }));
  }
  await import(addresses.page);
})();
