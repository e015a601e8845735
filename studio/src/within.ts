// brio inside the page: a worker with the engine as WebAssembly, out of what `brio share` put into the page.

import { Connection, readFrame } from "./protocol";
import { unpack } from "./unpack";

const parts = { worker: "brio-worker", engine: "brio-engine", scene: "brio-scene" };

export class WorkerConnection extends Connection {
  readonly within = true;
  private worker?: Worker;

  static get isThere() {
    return document.getElementById(parts.engine) !== null;
  }

  protected send(message: string) {
    this.worker?.postMessage(message);
  }

  async open() {
    const part = (id: string) => unpack(document.getElementById(id)!.textContent!);
    const [script, engine, scene] = await Promise.all(Object.values(parts).map(part));
    const place = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(place);
    worker.onmessage = ({ data }) => {
      if (typeof data === "string") return this.hear(JSON.parse(data));
      this.onFrame(readFrame(data));
      requestAnimationFrame(() => worker.postMessage(null)); // ready for the next
    };
    worker.onerror = (event) => this.hear({ event: "gone", text: event.message });
    worker.postMessage({ engine, scene }, [engine, scene]);
    this.worker = worker;
    document.addEventListener("visibilitychange", () => worker.postMessage(document.hidden));
  }
}
