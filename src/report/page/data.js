// What the page was given, and how packed parts of it are opened.

const data = JSON.parse(document.getElementById("data").textContent);

/** Bytes that were compressed with gzip and written in base64. */
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function unpackText(text) {
  return new TextDecoder().decode(await unpack(text));
}

/** A module from its source; `names` tells where those that it imports are. */
function moduleAddress(source, names = {}) {
  for (const [name, address] of Object.entries(names))
    source = source.replaceAll(`from '${name}'`, `from '${address}'`);
  return URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
}

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const color = (index) => style(`--c${index % 8}`);

/** Calls `draw` whenever the reader turns to light or dark. */
function onThemeChange(draw) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}
