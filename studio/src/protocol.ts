// What the server tells: events as JSON, frames as JSON and floats.

export interface Field {
  key: string; type: string; unit: string; help: string; choices: string[]; bound: string; low?: number; high?: number;
}
export interface Method { name: string; family: string; order: number; energy: string; sentence: string; solves: boolean; options: Field[] }
export interface Solver { name: string; sentence: string; options: Field[] }
export interface Catalog { integrators: Method[]; solvers: Solver[]; settings: Field[] }

export interface Body {
  name: string; kind: string; vertices: number[]; triangles: number[]; segments: number[]; curve: number[]; radius: number;
  color: number[] | null; mass: number; elements: number; rest: number[]; pinned: number[];
}
export interface Obstacle { name: string; endless: boolean; vertices: number[]; triangles: number[]; pose: number[] }
export interface SceneEvent {
  title: string; name: string; text: string; warnings: string[]; frame_seconds: number;
  shapes: { bodies: Body[]; obstacles: Obstacle[] };
}
export type Value = boolean | number | string | number[];
export interface StateEvent {
  playing: boolean; speed: number; h: number; coloring: string; settings: Record<string, Value>;
  panes: { integrator: string; options: Record<string, Value>; ended: string }[];
}
export interface Row {
  integrator: string; time: number; kinetic: number; elastic: number; gravity: number; contact: number; total: number;
  user_work: number; damping_loss: number; friction_loss: number; residual: number; linear: number[]; angular: number[];
  alpha: number; iterations: number; ms: number; out_of_time: boolean; inverted: number; hash: string; ended: string;
}
export interface Head {
  frame: number; time: number; history: [number, number]; coloring: string; real_time: number; panes: Row[]; poses: number[][];
  hands: { number: number; pin: boolean; ends: ([number[], number[]] | null)[] }[];
}
export interface Frame { head: Head; floats: Float32Array }

export function readFrame(bytes: ArrayBuffer): Frame {
  const length = new DataView(bytes).getUint32(4, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length))) as Head;
  return { head, floats: new Float32Array(bytes, 8 + length) };
}

type Listener = (event: any) => void;

/** What the page says to whatever simulates, and hears from it. */
export abstract class Connection {
  private listeners = new Map<string, Listener[]>();
  onFrame: (frame: Frame) => void = () => {};
  onLost: (lost: boolean) => void = () => {};

  /** Whether brio is within this page, rather than beside it: then there are no files. */
  abstract readonly within: boolean;
  abstract open(): void;
  protected abstract send(message: string): void;

  on(event: string, listener: Listener) {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
  }

  say(command: string, more: object = {}) {
    this.send(JSON.stringify({ do: command, ...more }));
  }

  protected hear(event: any) {
    for (const listener of this.listeners.get(event.event) ?? []) listener(event);
  }
}

/** To `brio studio`; it comes back when it is lost. */
export class SocketConnection extends Connection {
  readonly within = false;
  private socket?: WebSocket;
  private tries = 0;

  constructor(private token: string) {
    super();
  }

  protected send(message: string) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(message);
  }

  open() {
    const socket = new WebSocket(`ws://${location.host}/live?token=${this.token}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.tries = 0;
      this.onLost(false);
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.hear(JSON.parse(data));
      else this.onFrame(readFrame(data));
    };
    socket.onclose = () => {
      this.onLost(true);
      setTimeout(() => this.open(), Math.min(300 * 2 ** this.tries++, 4000));
    };
    this.socket = socket;
  }
}
