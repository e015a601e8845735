// The engine's functions (apps/web/engine.cpp) as JavaScript has them.

interface Program {
  HEAPU8: Uint8Array;
  _brio_room(size: number): number;
  _brio_open(): number;
  _brio_receive(): void;
  _brio_advance(): number;
  _brio_greeting(): number;
  _brio_events(): number;
  _brio_playing(): number;
  _brio_interval(): number;
  _brio_time(): number;
  _brio_frame(realTime: number): number;
  _brio_size(): number;
  _brio_positions(pane: number): number;
}

/** Of Emscripten's script, which stands before this one. */
declare function brioEngine(options: { wasmBinary: ArrayBuffer }): Promise<Program>;

export class Engine {
  private constructor(private program: Program) {}

  static async start(wasmBinary: ArrayBuffer, scene: ArrayBuffer) {
    const engine = new Engine(await brioEngine({ wasmBinary }));
    engine.put(new Uint8Array(scene));
    engine.check(engine.program._brio_open());
    return engine;
  }

  receive(message: string) {
    this.put(new TextEncoder().encode(message));
    this.program._brio_receive();
  }

  advance() {
    this.check(this.program._brio_advance());
  }

  greeting(): object[] {
    return JSON.parse(this.text(this.program._brio_greeting()));
  }

  events(): object[] {
    return JSON.parse(this.text(this.program._brio_events()));
  }

  frame(realTime: number) {
    return this.bytes(this.program._brio_frame(realTime));
  }

  /** x, y, z of every vertex in full precision. */
  positions(pane = 0) {
    return new Float64Array(this.bytes(this.program._brio_positions(pane)));
  }

  get playing() {
    return this.program._brio_playing() !== 0;
  }

  /** That a frame should take on the clock [s]. */
  get interval() {
    return this.program._brio_interval();
  }

  /** Of the scene [s]. */
  get time() {
    return this.program._brio_time();
  }

  private put(bytes: Uint8Array) {
    const place = this.program._brio_room(bytes.length); // memory may grow and be another afterwards
    this.program.HEAPU8.set(bytes, place);
  }

  private bytes(place: number) {
    return this.program.HEAPU8.slice(place, place + this.program._brio_size()).buffer as ArrayBuffer;
  }

  private text(place: number) {
    return new TextDecoder().decode(this.bytes(place));
  }

  private check(place: number) {
    const problem = this.text(place);
    if (problem) throw new Error(problem);
  }
}
