// The worker: lets time pass, as the thread of `brio studio` does (apps/studio/engine.cpp), and carries messages between
// the page and the engine. The page gets a frame only when it has drawn the last: one that is slow misses some.

import { Engine } from "./engine";

type Begin = { engine: ArrayBuffer; scene: ArrayBuffer };

let engine: Engine | undefined;
let waits = false; ///< the page has not drawn the last frame yet
let fresh = false; ///< there is one that it has not got
let hidden = false;
let due = 0;
let scheduled = false;
let pace: { now: number; time: number }[] = []; ///< of the last second [ms, s]
let realTime = 0;

/** Sooner than a timer, which waits for 4 ms at least. */
const soon = new MessageChannel();
soon.port1.onmessage = tick;

function tell(events: object[]) {
  for (const event of events) postMessage(JSON.stringify(event));
}

function show() {
  if (!engine || waits || !fresh) return;
  const frame = engine.frame(realTime);
  postMessage(frame, { transfer: [frame] });
  waits = true;
  fresh = false;
}

function publish() {
  tell(engine!.events());
  fresh = true;
  show();
}

/** The time of the scene that passed in the last second, over that second. */
function measurePace() {
  const now = performance.now();
  const time = engine!.time;
  if (pace.length > 0 && time < pace.at(-1)!.time) pace = [];
  pace.push({ now, time });
  while (now - pace[0].now > 1000) pace.shift();
  const passed = (now - pace[0].now) / 1000;
  if (passed > 0.1) realTime = (time - pace[0].time) / passed;
}

function schedule() {
  if (scheduled || hidden || !engine?.playing) return;
  scheduled = true;
  const wait = due - performance.now();
  if (wait > 1) setTimeout(tick, wait);
  else soon.port2.postMessage(null);
}

function tick() {
  scheduled = false;
  if (hidden || !engine?.playing) return;
  guarded(() => {
    engine!.advance();
    measurePace();
    publish();
    const now = performance.now();
    due += 1000 * engine!.interval;
    if (now - due > 50) due = now; // who is late goes on from now
    schedule();
  });
}

/** An engine that has failed cannot be trusted any more. */
function guarded(work: () => void) {
  try {
    work();
  } catch (error) {
    engine = undefined;
    tell([{ event: "gone", text: String(error) }]);
  }
}

function obey(message: string) {
  guarded(() => {
    const played = engine!.playing;
    engine!.receive(message);
    if (!played && engine!.playing) {
      due = performance.now();
      pace = [];
    }
    publish();
    schedule();
  });
}

async function begin({ engine: program, scene }: Begin) {
  try {
    engine = await Engine.start(program, scene);
    tell(engine.greeting());
    publish();
  } catch (error) {
    tell([{ event: "gone", text: String(error) }]);
  }
}

onmessage = ({ data }: MessageEvent<Begin | string | boolean | null>) => {
  if (data === null) {
    waits = false;
    show();
  } else if (typeof data === "boolean") {
    hidden = data;
    waits = false;
    due = performance.now();
    schedule();
  } else if (typeof data === "object") begin(data);
  else if (engine) obey(data);
};
