// What the pointer and the keyboard do to bodies.

import * as THREE from "three";
import { button, byId } from "./page";
import type { Connection } from "./protocol";
import type { Hit, View } from "./view";

export type Tool = "drag" | "push" | "pin" | "throw" | "look";
const tools: [Tool, string, string][] = [
  ["drag", "Drag", "Pull a point of a body, or a collider (1)"],
  ["push", "Push", "Knock a point away from you (2)"],
  ["pin", "Pin", "Hold a point where it is; click a pin to take it off (3)"],
  ["throw", "Throw", "Swing a body and let it fly (4)"],
  ["look", "Look", "Only turn and zoom (5)"],
];

export class Hands {
  tool: Tool = "drag";
  onGrab: () => void = () => {};
  onLetGo: () => void = () => {};
  bodies: { mass: number; count: number }[] = [];
  private next = 1;
  private pins = new Map<number, THREE.Vector3[]>();
  private moved = new Map<number, THREE.Vector3>(); ///< colliders, from where they began
  private held: { number: number; hit: Hit; by: THREE.Vector3 } | null = null;
  private sent = 0;

  constructor(private stage: HTMLElement, private view: View, private link: Connection) {
    for (const [tool, name, help] of tools)
      byId("tools").append(button(name, () => this.choose(tool), { title: help, "data-tool": tool }));
    this.choose("drag");
    const canvas = stage.querySelector("canvas")!;
    canvas.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons === 0) stage.classList.toggle("over", this.tool !== "look" && view.pick(event.clientX, event.clientY) !== null);
    });
  }

  choose(tool: Tool) {
    this.tool = tool;
    for (const one of byId("tools").children) one.setAttribute("aria-pressed", String((one as HTMLElement).dataset.tool === tool));
  }

  /** Scenes and pasts come with hands of their own. */
  follow(hands: { number: number; pin: boolean; ends: ([number[], number[]] | null)[] }[]) {
    this.pins = new Map(hands.filter((hand) => hand.pin).map((hand) => [hand.number, hand.ends.map((ends) => new THREE.Vector3(...((ends?.[0] ?? [1e9, 1e9, 1e9]) as [number, number, number])))]));
    for (const hand of hands) this.next = Math.max(this.next, hand.number + 1);
  }

  forget() {
    this.moved.clear();
    this.pins.clear();
    this.held = null;
  }

  private point(hit: Hit) {
    return { body: hit.body, vertices: hit.vertices, weights: hit.weights };
  }

  private press(event: PointerEvent) {
    if (event.button !== 0 || this.tool === "look") return;
    const hit = this.view.pick(event.clientX, event.clientY);
    if (!hit) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.stage.focus({ preventScroll: true });
    if ("obstacle" in hit) {
      if (this.tool === "drag") this.dragCollider(event, hit);
    } else if (this.tool === "drag") this.drag(event, hit);
    else if (this.tool === "push") this.push(hit);
    else if (this.tool === "pin") this.pin(hit);
    else this.swing(event, hit);
  }

  /** Calls `move` while the pointer is down, at most sixty times a second, and `end` then. */
  private track(event: PointerEvent, move: (event: PointerEvent) => void, end: (event: PointerEvent) => void) {
    const canvas = event.target as HTMLElement;
    canvas.setPointerCapture(event.pointerId);
    this.stage.classList.add("holds");
    const onMove = (next: PointerEvent) => {
      if (next.pointerId !== event.pointerId || performance.now() - this.sent < 15) return;
      this.sent = performance.now();
      move(next);
    };
    const onEnd = (last: PointerEvent) => {
      if (last.pointerId !== event.pointerId) return;
      canvas.removeEventListener("pointermove", onMove);
      canvas.removeEventListener("pointerup", onEnd);
      canvas.removeEventListener("pointercancel", onEnd);
      this.stage.classList.remove("holds");
      end(last);
    };
    canvas.addEventListener("pointermove", onMove);
    canvas.addEventListener("pointerup", onEnd);
    canvas.addEventListener("pointercancel", onEnd);
  }

  private drag(event: PointerEvent, hit: Hit) {
    const number = this.next++;
    this.link.say("grab", { hand: number, ...this.point(hit) });
    this.onGrab();
    const move = (now: PointerEvent) => this.link.say("move", { hand: number, by: this.view.drag(hit.place, hit.pane, now.clientX, now.clientY).toArray() });
    this.track(event, move, () => {
      this.link.say("let_go", { hand: number });
      this.onLetGo();
    });
  }

  private dragCollider(event: PointerEvent, hit: { pane: number; obstacle: number; place: THREE.Vector3 }) {
    const start = this.moved.get(hit.obstacle) ?? new THREE.Vector3();
    this.track(event, (now) => {
      const to = start.clone().add(this.view.drag(hit.place, hit.pane, now.clientX, now.clientY));
      this.moved.set(hit.obstacle, to);
      this.link.say("collider", { index: hit.obstacle, to: to.toArray() });
    }, () => {});
  }

  /** With about the energy of all of the body moving by half its size in a second: a vertex has a small part of its mass. */
  private push(hit: Hit) {
    const { mass, count } = this.bodies[hit.body];
    const impulse = this.view.axes().ahead.multiplyScalar((mass * this.view.size() * 0.5) / Math.sqrt(count));
    this.link.say("push", { body: hit.body, vertex: hit.vertex, impulse: impulse.toArray() });
  }

  private pin(hit: Hit) {
    const near = 0.03 * this.view.size();
    for (const [number, places] of this.pins)
      if (places[hit.pane]?.distanceTo(hit.place) < near) return this.link.say("unpin", { hand: number });
    this.link.say("pin", { hand: this.next++, ...this.point(hit) });
  }

  /** With the velocity that the pointer has when it lets go. */
  private swing(event: PointerEvent, hit: Hit) {
    const trail = [{ at: performance.now(), by: new THREE.Vector3() }];
    this.track(event, (now) => {
      trail.push({ at: performance.now(), by: this.view.drag(hit.place, hit.pane, now.clientX, now.clientY) });
      while (trail.length > 2 && trail[0].at < trail.at(-1)!.at - 120) trail.shift();
    }, () => {
      const seconds = Math.max((trail.at(-1)!.at - trail[0].at) / 1000, 0.02);
      const velocity = trail.at(-1)!.by.clone().sub(trail[0].by).divideScalar(seconds).clampLength(0, 20 * this.view.size());
      this.link.say("throw", { body: hit.body, velocity: velocity.toArray() });
    });
  }

  /** Takes hold of the highest point, or lets go of it. */
  toggleByKey() {
    if (this.held) {
      this.link.say("let_go", { hand: this.held.number });
      this.held = null;
      return this.onLetGo();
    }
    const hit = this.view.highest();
    if (!hit) return;
    this.held = { number: this.next++, hit, by: new THREE.Vector3() };
    this.link.say("grab", { hand: this.held.number, ...this.point(hit) });
    this.onGrab();
  }

  get holds() {
    return this.held !== null;
  }

  /** Moves what is held by key; false where nothing is. */
  moveByKey(key: string) {
    if (!this.held) return false;
    const { right, up, ahead } = this.view.axes();
    const way = { ArrowRight: right, ArrowLeft: right.clone().negate(), ArrowUp: up, ArrowDown: up.clone().negate(), PageUp: ahead, PageDown: ahead.clone().negate() }[key];
    if (!way) return false;
    this.held.by.addScaledVector(way, 0.04 * this.view.size());
    this.link.say("move", { hand: this.held.number, by: this.held.by.toArray() });
    return true;
  }
}
