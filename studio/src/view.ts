// The panes: what the last frame says, drawn when there is something new to see.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Stage, colorBar, makeBody, makeObstacle, makeScene } from "../../src/report/page/viewport.js";
import { byId, make, short, style, tint } from "./page";
import type { Body, Frame, Row, SceneEvent } from "./protocol";

interface Pane {
  scene: THREE.Scene;
  bodies: THREE.Object3D[];
  obstacles: THREE.Object3D[];
  ghosts: THREE.Object3D[];
  hands: THREE.Group;
  label: { root: HTMLElement; name: HTMLElement; energy: HTMLElement; state: HTMLElement };
}

/** A point of a surface under the pointer. */
export interface Hit {
  pane: number;
  body: number;
  vertices: number[];
  weights: number[];
  vertex: number; ///< the nearest of the body's
  place: THREE.Vector3;
}

const units: Record<string, [string, string]> = {
  speed: ["speed", "m/s"], energy: ["elastic energy", "J/m³"], stress: ["stress (von Mises)", "Pa"], inverted: ["inverted elements", ""],
};

export class View {
  readonly stage: any;
  private panes: Pane[] = [];
  private scene?: SceneEvent;
  private frame?: Frame;
  private framed = false;
  private dirty = true;
  private scale = 0;
  private ghosts = false;
  drawn = 0;

  constructor(root: HTMLElement) {
    this.stage = new Stage(THREE, OrbitControls, root);
    this.stage.controls.addEventListener("change", () => (this.dirty = true));
    this.stage.controls.enableDamping = false;
    new ResizeObserver(() => {
      this.stage.resize();
      this.arrange();
    }).observe(root);
    const tick = () => {
      requestAnimationFrame(tick);
      if (!this.dirty || this.panes.length === 0) return;
      this.dirty = false;
      this.stage.render();
      ++this.drawn;
    };
    tick();
  }

  show(scene: SceneEvent) {
    this.scene = scene;
    this.frame = undefined;
    this.framed = false;
    this.clear();
  }

  private clear() {
    for (const { scene } of this.panes)
      scene.traverse((part: any) => {
        part.geometry?.dispose();
        part.material?.dispose?.();
      });
    this.panes = [];
    this.stage.scenes = [];
  }

  /** Anew, in the colors of the theme. */
  rebuild() {
    this.clear();
    if (this.frame) this.apply(this.frame);
  }

  setGhosts(shown: boolean) {
    this.ghosts = shown;
    for (const pane of this.panes) for (const ghost of pane.ghosts) ghost.visible = shown;
    this.dirty = true;
  }

  private tintOf(body: Body, index: number, pane: number) {
    if (body.color) return `#${new THREE.Color(...(body.color as [number, number, number])).getHexString()}`;
    return tint(this.scene!.shapes.bodies.length === 1 ? pane : index);
  }

  /** Of what moves, as it is and as it rests, and of what it is near to. */
  private measure(floats: Float32Array) {
    const { bodies, obstacles } = this.scene!.shapes;
    const box = new THREE.Box3();
    const point = new THREE.Vector3();
    let at = 0;
    for (const body of bodies) {
      for (let i = 0; i < body.rest.length; i += 3, at += 3) box.expandByPoint(point.fromArray(floats, at));
    }
    const size = box.getSize(new THREE.Vector3()).length();
    const around = box.clone();
    for (const obstacle of obstacles) {
      const matrix = new THREE.Matrix4().set(...([...obstacle.pose, 0, 0, 0, 1] as Parameters<THREE.Matrix4["set"]>));
      if (obstacle.endless) {
        const below = box.getCenter(new THREE.Vector3()).applyMatrix4(matrix.clone().invert());
        if (below.y > 0 && below.y < 4 * size) around.expandByPoint(below.setY(0).applyMatrix4(matrix));
        continue;
      }
      const own = new THREE.Box3();
      for (let i = 0; i < obstacle.vertices.length; i += 3) own.expandByPoint(point.fromArray(obstacle.vertices, i).applyMatrix4(matrix));
      if (own.getSize(point).length() < 6 * size) around.union(own);
    }
    if (bodies.length === 1 && obstacles.length === 0) around.expandByScalar(0.06 * size);
    return around;
  }

  private build(count: number) {
    const { bodies, obstacles } = this.scene!.shapes;
    if (!this.framed) this.stage.box = this.measure(this.frame!.floats);
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const colors = { sky: style("--sky"), floor: style("--floor"), line: style("--grid"), obstacle: style("--obstacle"), bounce: style("--bounce"), ambient: dark ? 1.5 : 1.9, sun: dark ? 2.2 : 2.5 };
    const overlay = byId("overlay");
    overlay.replaceChildren();
    for (let p = 0; p < count; ++p) {
      const scene = makeScene(THREE, this.stage.box, colors, obstacles.some((o) => o.endless));
      const shapes = bodies.map((body) => ({ ...body, rest: Float32Array.from(body.rest) }));
      const objects = shapes.map((body, i) => makeBody(THREE, body, this.tintOf(bodies[i], i, p)));
      const walls = obstacles.map((o) => makeObstacle(THREE, { ...o, vertices: Float32Array.from(o.vertices), triangles: o.triangles }, this.stage.box, colors));
      const ghosts = shapes.map((body) => {
        const ghost = makeBody(THREE, body, style("--soft"));
        ghost.userData.show(body.rest);
        ghost.traverse((part: any) => {
          part.castShadow = part.receiveShadow = false;
          if (part.material) Object.assign(part.material, { transparent: true, opacity: 0.22, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 4, polygonOffsetUnits: 4 });
        });
        ghost.visible = this.ghosts;
        return ghost;
      });
      const hands = new THREE.Group();
      scene.add(...objects, ...walls, ...ghosts, hands);
      const name = make("b");
      const energy = make("span");
      const state = make("span", { class: "bad" });
      const root = make("div", {}, make("div", { class: "label" }, name, energy, state));
      root.style.setProperty("--tint", tint(p));
      overlay.append(root);
      this.panes.push({ scene, bodies: objects, obstacles: walls, ghosts, hands, label: { root, name, energy, state } });
    }
    this.stage.scenes = this.panes.map((pane) => pane.scene);
    this.stage.resize();
    this.arrange();
  }

  /** Lays out panes and labels; what was framed stays so. */
  private arrange() {
    const [columns, rows] = this.stage.layout();
    const overlay = byId("overlay");
    overlay.style.gridTemplate = `repeat(${rows}, 1fr) / repeat(${columns}, 1fr)`;
    [...overlay.children].forEach((cell, i) => {
      cell.classList.toggle("right", i % columns > 0);
      cell.classList.toggle("below", i >= columns);
    });
    if (this.panes.length > 0) this.stage.frame(this.framed ? this.stage.camera.position.clone().sub(this.stage.controls.target) : undefined);
    this.framed ||= this.panes.length > 0;
    this.dirty = true;
  }

  resetView() {
    if (!this.frame) return;
    this.stage.box = this.measure(this.frame.floats);
    this.stage.frame();
    this.dirty = true;
  }

  apply(frame: Frame) {
    if (!this.scene) return;
    this.frame = frame;
    const { head, floats } = frame;
    if (head.panes.length !== this.panes.length) {
      this.clear();
      this.build(head.panes.length);
    }
    const { bodies } = this.scene.shapes;
    const painted = head.coloring !== "none";
    const values: (Float32Array | null)[][] = [];
    let at = 0;
    let largest = 0;
    for (const pane of this.panes) {
      bodies.forEach((body, b) => pane.bodies[b].userData.show(floats.subarray(at, (at += body.rest.length))));
      values.push(bodies.map((body) => (painted ? floats.subarray(at, (at += body.rest.length / 3)) : null)));
      for (const list of values.at(-1)!) if (list) for (const value of list) largest = Math.max(largest, value);
    }
    this.scale = head.coloring === "inverted" ? 1 : Math.max(largest, 0.985 * this.scale);
    if (!painted) this.scale = 0;
    this.panes.forEach((pane, p) => {
      bodies.forEach((_, b) => pane.bodies[b].userData.paint(values[p][b], this.scale));
      head.poses.forEach((pose, i) => pane.obstacles[i].userData.pose(pose));
      this.showHands(pane, p, head);
      this.showLabel(pane, head.panes[p]);
    });
    this.showLegend(head.coloring);
    this.dirty = true;
  }

  private showLabel({ label }: Pane, row: Row) {
    label.name.textContent = row.integrator;
    label.energy.textContent = `${short(Math.abs(row.total) < 1e-6 * (row.kinetic + Math.abs(row.elastic)) || Math.abs(row.total) < 1e-9 ? 0 : row.total)} J`;
    const troubles = [];
    if (row.ended) troubles.push("stopped");
    if (row.inverted > 0) troubles.push(`${row.inverted} inverted`);
    if (row.out_of_time) troubles.push("out of time");
    label.state.textContent = troubles.join(", ");
  }

  private showLegend(coloring: string) {
    const legend = byId("legend");
    legend.hidden = coloring === "none";
    if (legend.hidden) return;
    const [name, unit] = units[coloring];
    byId("legend-name").textContent = name;
    byId("legend-bar").style.backgroundImage = colorBar;
    byId("legend-high").textContent = coloring === "inverted" ? "" : `${short(this.scale, 2)} ${unit}`;
  }

  private showHands(pane: Pane, index: number, head: Frame["head"]) {
    pane.hands.clear();
    const size = this.stage.box.getSize(new THREE.Vector3()).length();
    for (const hand of head.hands) {
      const ends = hand.ends[index];
      if (!ends) continue;
      const [from, to] = ends.map((p) => new THREE.Vector3(...(p as [number, number, number])));
      const color = hand.pin ? style("--text") : "#ffb000";
      const material = new THREE.MeshStandardMaterial({ color, emissive: color, emissiveIntensity: 0.35, roughness: 0.4 });
      const ball = new THREE.Mesh(new THREE.SphereGeometry((hand.pin ? 0.009 : 0.013) * size, 20, 14), material);
      ball.position.copy(from);
      const length = from.distanceTo(to);
      pane.hands.add(ball);
      if (length < 1e-6 * size) continue;
      const rod = new THREE.Mesh(new THREE.CylinderGeometry(0.0035 * size, 0.0035 * size, length, 10), material);
      rod.position.addVectors(from, to).multiplyScalar(0.5);
      rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.clone().sub(from).normalize());
      pane.hands.add(rod);
    }
  }

  /** Which pane the pointer is over, and the ray that it points along. */
  private ray(x: number, y: number) {
    const bounds = this.stage.canvas.getBoundingClientRect();
    const [left, top] = [x - bounds.left, y - bounds.top];
    for (let pane = 0; pane < this.panes.length; ++pane) {
      const area = this.stage.area(pane);
      const [u, v] = [(left - area.left) / area.width, (top - area.top) / area.height];
      if (u < 0 || u > 1 || v < 0 || v > 1) continue;
      const caster = new THREE.Raycaster();
      this.stage.camera.aspect = area.width / area.height;
      this.stage.camera.updateProjectionMatrix();
      this.stage.camera.updateMatrixWorld();
      caster.setFromCamera(new THREE.Vector2(2 * u - 1, 1 - 2 * v), this.stage.camera);
      return { pane, caster };
    }
    return null;
  }

  pick(x: number, y: number): Hit | { pane: number; obstacle: number; place: THREE.Vector3 } | null {
    const aim = this.ray(x, y);
    if (!aim || !this.scene) return null;
    const pane = this.panes[aim.pane];
    const [hit] = aim.caster.intersectObjects([...pane.bodies, ...pane.obstacles], true);
    if (!hit) return null;
    const holds = (object: THREE.Object3D) => object === hit.object || object.children.includes(hit.object);
    const body = pane.bodies.findIndex(holds);
    if (body < 0) {
      const obstacle = pane.obstacles.findIndex(holds);
      if (obstacle < 0 || this.scene.shapes.obstacles[obstacle].endless) return null;
      return { pane: aim.pane, obstacle, place: hit.point };
    }
    return { pane: aim.pane, body, place: hit.point, ...this.pointOf(pane, body, hit) };
  }

  /** The body's vertices around a place of its surface, and their weights there. */
  private pointOf(pane: Pane, body: number, hit: THREE.Intersection) {
    const shape = this.scene!.shapes.bodies[body];
    const source: Uint32Array | null = pane.bodies[body].userData.source;
    if (!source || !hit.face || shape.curve.length > 1) {
      const seen = source && hit.face ? source[hit.face.a] : hit.instanceId ?? 0;
      const vertex = shape.vertices[seen];
      return { vertices: [vertex, vertex, vertex], weights: [1, 0, 0], vertex };
    }
    const corners = [hit.face.a, hit.face.b, hit.face.c];
    const positions = (pane.bodies[body] as THREE.Mesh).geometry.getAttribute("position");
    const [a, b, c] = corners.map((i) => new THREE.Vector3().fromBufferAttribute(positions, i));
    const weights = new THREE.Vector3();
    THREE.Triangle.getBarycoord(hit.point, a, b, c, weights);
    const vertices = corners.map((i) => shape.vertices[source[i]]);
    const list = weights.toArray();
    return { vertices, weights: list, vertex: vertices[list.indexOf(Math.max(...list))] };
  }

  /** How far the pointer has moved what was at `from`, parallel to the screen. */
  drag(from: THREE.Vector3, pane: number, x: number, y: number) {
    const bounds = this.stage.canvas.getBoundingClientRect();
    const area = this.stage.area(pane);
    const { camera } = this.stage;
    const normal = camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, from);
    const caster = new THREE.Raycaster();
    const u = (x - bounds.left - area.left) / area.width;
    const v = (y - bounds.top - area.top) / area.height;
    caster.setFromCamera(new THREE.Vector2(2 * u - 1, 1 - 2 * v), camera);
    const place = caster.ray.intersectPlane(plane, new THREE.Vector3());
    return place ? place.sub(from) : new THREE.Vector3();
  }

  /** From the camera into the scene, and to the right and up on the screen. */
  axes() {
    const [right, up, back] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    this.stage.camera.matrixWorld.extractBasis(right, up, back);
    return { right, up, ahead: back.negate() };
  }

  size(): number {
    return this.stage.box.getSize(new THREE.Vector3()).length();
  }

  /** The highest vertex of the first body that is not pinned, for those who have no pointer. */
  highest(): Hit | null {
    const shape = this.scene?.shapes.bodies[0];
    if (!shape || !this.frame) return null;
    const pinned = new Set(shape.pinned);
    let best = -1;
    for (let i = 0; i < shape.vertices.length; ++i)
      if (!pinned.has(i) && (best < 0 || this.frame.floats[3 * i + 1] > this.frame.floats[3 * best + 1])) best = i;
    if (best < 0) return null;
    const vertex = shape.vertices[best];
    return { pane: 0, body: 0, vertices: [vertex, vertex, vertex], weights: [1, 0, 0], vertex, place: new THREE.Vector3().fromArray(this.frame.floats, 3 * best) };
  }

  /** Where a place of the scene is on the screen, for tests. */
  onScreen(place: number[], pane = 0) {
    const area = this.stage.area(pane);
    const bounds = this.stage.canvas.getBoundingClientRect();
    this.stage.camera.aspect = area.width / area.height;
    this.stage.camera.updateProjectionMatrix();
    const p = new THREE.Vector3(...(place as [number, number, number])).project(this.stage.camera);
    return [bounds.left + area.left + ((p.x + 1) / 2) * area.width, bounds.top + area.top + ((1 - p.y) / 2) * area.height];
  }

  picture(): Promise<Blob> {
    this.stage.render();
    return new Promise((done) => this.stage.canvas.toBlob((blob: Blob) => done(blob), "image/png"));
  }
}
