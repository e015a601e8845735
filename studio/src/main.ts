// The studio's page: brings together what the server tells, the stage, the charts and the controls.

import { Charts } from "./charts";
import { Controls } from "./controls";
import { Editor } from "./editor";
import { Hands } from "./hand";
import { button, byId, make, onThemeChange, short } from "./page";
import { type Connection, type Frame, type Head, type SceneEvent, SocketConnection, type StateEvent } from "./protocol";
import { textOf } from "./scene_link";
import { Tour } from "./tour";
import { View } from "./view";
import { WorkerConnection } from "./within";

const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
const stage = byId("stage");
const link: Connection = WorkerConnection.isThere ? new WorkerConnection() : new SocketConnection(token);
const view = new View(stage);
const hands = new Hands(stage, view, link);
const charts = new Charts();
const controls = new Controls(link, view);
const editor = new Editor(link);
const tour = new Tour(link, () => controls.solveFast());
const seen: { head?: Head; state?: StateEvent; frames: number } = { frames: 0 };
const scrubber = byId<HTMLInputElement>("scrubber");
let scrubbing = false;
let seconds = 1 / 60;

let noticeTimer = 0;
function notice(text: string, lasting = false, ...more: Node[]) {
  const element = byId("notice");
  element.replaceChildren(text, ...more);
  element.hidden = text === "";
  clearTimeout(noticeTimer);
  if (!lasting) noticeTimer = window.setTimeout(() => (element.hidden = true), 7000);
}

// What the server tells.

link.on("catalog", ({ catalog, gallery, formats, recording }) => {
  controls.setCatalog(catalog);
  controls.buildLook();
  controls.buildKeep(formats, recording);
  const select = byId<HTMLSelectElement>("gallery");
  select.parentElement!.hidden = gallery.length === 0;
  select.replaceChildren(make("option", { value: "" }, "a scene of your own"), ...gallery.map(({ name, title }: { name: string; title: string }) => make("option", { value: name, title }, name)));
});

link.on("scene", (scene: SceneEvent) => {
  seconds = scene.frame_seconds;
  document.title = `${scene.title} – brio studio`;
  byId("tour").hidden = link.within && scene.name !== "bunny-ears.toml"; // it speaks of the bunny
  byId("title").textContent = scene.title;
  byId("alarm").hidden = true;
  const gallery = byId<HTMLSelectElement>("gallery");
  const name = scene.name.replace(/\.toml$/, "");
  gallery.value = [...gallery.options].some((option) => option.value === name) ? name : "";
  hands.forget();
  hands.bodies = scene.shapes.bodies.map((body) => ({ mass: body.mass, count: body.vertices.length }));
  view.show(scene);
  charts.reset(scene.frame_seconds);
  editor.setScene(scene);
});

link.on("state", (state: StateEvent) => {
  seen.state = state;
  controls.setState(state);
  byId("play").textContent = state.playing ? "Pause" : "Play";
  const speed = byId<HTMLSelectElement>("speed");
  if ([...speed.options].some((option) => Number(option.value) === state.speed)) speed.value = String(state.speed);
  const coloring = document.getElementById("coloring") as HTMLSelectElement | null;
  if (coloring) coloring.value = state.coloring;
  if (state.playing) byId("alarm").hidden = true;
});

link.on("alarm", ({ pane, text }: { pane: number; text: string }) => {
  const alarm = byId("alarm");
  const select = controls.integratorSelect("avf");
  const rescue = () => link.say("rescue", { pane, integrator: select.value });
  alarm.replaceChildren(
    make("p", {}, `${text}.`),
    make("div", {}, button("Back to one second before", rescue, { class: "main", id: "rescue" }), make("span", {}, "with"), select, button("Go on", () => link.say("play")), button("Close", () => (alarm.hidden = true))),
  );
  alarm.hidden = false;
});

link.on("complaint", ({ text, line }: { text: string; line?: number }) => {
  if (!editor.complain(text, line)) notice(text);
});
link.on("recording", ({ on }: { on: boolean }) => controls.onRecord(on));
link.on("exported", ({ folder, frames }: { folder: string; frames: number }) => notice(`${frames} frames are in ${folder}.`));
link.on("role", ({ leads }: { leads: boolean }) => {
  if (leads) notice("");
  else notice("Another page holds the scene; this one watches.", true, button("Take over", () => link.say("lead")));
});

link.onLost = (lost) => notice(lost ? "The connection is lost; trying again … If brio studio has ended, start it again." : "", lost);

link.onFrame = ({ head, floats }: Frame) => {
  seen.head = head;
  ++seen.frames;
  view.apply({ head, floats });
  charts.add(head);
  hands.follow(head.hands);
  scrubber.min = String(head.history[0]);
  scrubber.max = String(Math.max(head.history[1], head.frame));
  if (!scrubbing) scrubber.value = String(head.frame);
  byId("clock").textContent = `${head.time.toFixed(2)} s`;
  const ms = head.panes.reduce((sum, pane) => sum + pane.ms, 0);
  byId("pace").textContent = seen.state?.playing ? `${short(ms, 2)} ms a frame · ${head.real_time.toFixed(2)}×` : `paused · h = ${short(1000 * (seen.state?.h ?? 0))} ms`;
  document.body.dataset.ready = "yes";
};

// What people do.

const toggle = () => link.say(seen.state?.playing ? "pause" : "play");
const back = () => link.say("seek", { frame: Math.max(0, (seen.head?.frame ?? 0) - Math.ceil(1 / seconds)) });
byId("play").onclick = toggle;
byId("step").onclick = () => link.say("step");
byId("reset").onclick = () => link.say("reset");
byId("back").onclick = back;
byId("speed").onchange = () => link.say("speed", { value: Number(byId<HTMLSelectElement>("speed").value) });
byId("gallery").onchange = () => {
  const { value } = byId<HTMLSelectElement>("gallery");
  if (value) link.say("load", { name: value });
};
const four = ["backward-euler", "implicit-midpoint", "stabilized", "avf"];
byId("compare").onclick = () => {
  link.say("panes", { integrators: (seen.head?.panes.length ?? 1) > 1 ? [seen.head!.panes.at(-1)!.integrator] : four });
};

scrubber.oninput = () => {
  scrubbing = true;
  link.say("seek", { frame: Number(scrubber.value) });
};
scrubber.onchange = () => (scrubbing = false);

hands.onGrab = () => {
  if (seen.state && !seen.state.playing) link.say("play");
  tour.did("grab");
};
hands.onLetGo = () => tour.did("let_go");

document.addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (editor.isOpen || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches("input, select, textarea, summary") || (target.matches("button") && event.key === " ")) return;
  const tool = { 1: "drag", 2: "push", 3: "pin", 4: "throw", 5: "look" }[event.key] as Parameters<Hands["choose"]>[0] | undefined;
  const keys: Record<string, (() => void) | undefined> = {
    " ": toggle, r: () => link.say("reset"), f: () => view.resetView(), e: () => editor.show(), g: () => hands.toggleByKey(),
    ArrowRight: () => link.say("step"), ArrowLeft: back,
  };
  const action = tool ? () => hands.choose(tool) : keys[event.key];
  if (hands.moveByKey(event.key) || action) event.preventDefault();
  else return;
  if (action && !(event.key.startsWith("Arrow") && hands.holds)) action();
});

// A mesh dropped on the stage falls on a floor.
stage.addEventListener("dragover", (event) => event.preventDefault());
stage.addEventListener("drop", async (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer?.files ?? [];
  if (!file) return;
  const text = await file.text();
  if (file.name.endsWith(".toml")) link.say("open", { text });
  else if (!file.name.endsWith(".obj")) notice("Drop a scene (.toml), or a closed surface (.obj).");
  else if (text.length > 1e6) notice("This mesh is more than a megabyte; name it in a scene instead.");
  else link.say("drop", { obj: text });
});

onThemeChange(() => {
  view.rebuild();
  charts.rebuild();
});

link.on("gone", ({ text }: { text: string }) => notice(`The engine inside this page ended: ${text}. Load the page again to start anew.`, true));

/** A page that has brio within may be sent with another scene behind the "#". */
async function openLinked() {
  const text = link.within ? await textOf(location.hash) : null;
  if (text !== null) link.say("open", { text });
}
let greeted = false;
link.on("scene", () => {
  if (!greeted) openLinked();
  greeted = true;
});
addEventListener("hashchange", openLinked);

if (link.within || token) link.open();
else notice("This address lacks its token: open the one that brio studio printed.", true);

byId("within").hidden = !link.within;

// For tests, and for whoever is curious.
Object.assign(window, { studio: { seen, view, link } });
