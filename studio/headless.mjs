// The engine of pages, without a page: node headless.mjs FOLDER PACKAGE MESSAGES [--positions]
// FOLDER is that of the built page, PACKAGE what a page brings along, MESSAGES one message per line. Tells one line of
// JSON for each: how long it took, with the frame after it [ms of processor time], and where everything then is.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, scene, messages, positions] = process.argv.slice(2);
globalThis.brioEngine = createRequire(import.meta.url)(resolve(folder, "engine.cjs"));
const { Engine } = await import(pathToFileURL(resolve(folder, "engine.mjs")));
const engine = await Engine.start(readFileSync(join(folder, "engine.wasm")), readFileSync(scene));

function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

for (const message of readFileSync(messages, "utf8").split("\n").filter(Boolean)) {
  const start = processorTime();
  engine.receive(message);
  const bytes = engine.frame(0).byteLength;
  const ms = processorTime() - start;
  const complaints = engine.events().filter(({ event }) => event === "complaint" || event === "alarm").map(({ text }) => text);
  console.log(JSON.stringify({ ms, bytes, complaints, positions: positions ? Array.from(engine.positions()) : [] }));
}
