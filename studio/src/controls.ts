// Controls made from the engine's field tables: a key, its unit, its bound and its sentence come from there.

import { button, byId, make, save, short, tint } from "./page";
import type { Catalog, Connection, Field, StateEvent, Value } from "./protocol";
import type { View } from "./view";

const readable = (key: string) => key.replace(/^solver\./, "").replaceAll("_", " ");

/** A slider's place for a value: even in its logarithm where the value may be very small or large. */
function scaleOf(field: Field, value: number) {
  const low = field.low ?? -Infinity;
  const high = field.high ?? Infinity;
  if (Number.isFinite(low) && high - low <= 10) return { low, high, to: (v: number) => v, from: (v: number) => v, step: (high - low) / 200 };
  if (field.key === "substeps") return { low: 1, high: 32, to: (v: number) => v, from: (v: number) => Math.round(v), step: 1 };
  if (field.key === "budget") return { low: 0, high: 50, to: (v: number) => v, from: (v: number) => v, step: 0.5 };
  const middle = value > 0 ? Math.log10(value) : -2;
  const zero = low === 0;
  const [start, end] = field.key === "stiffness" ? [-1.5, 1.5] : [Math.floor(middle) - 2, Math.ceil(middle) + 2];
  return {
    low: start, high: end, step: (end - start) / 200,
    to: (v: number) => (v > 0 ? Math.log10(v) : start),
    from: (v: number) => (zero && v <= start ? 0 : Number((10 ** v).toPrecision(3))),
  };
}

export class Controls {
  onRecord: (on: boolean) => void = () => {};
  private catalog!: Catalog;
  private state?: StateEvent;
  private shape = "";
  private open = new Set<string>();

  constructor(private link: Connection, private view: View) {}

  setCatalog(catalog: Catalog) {
    this.catalog = catalog;
    this.shape = "";
  }

  method(name: string) {
    return this.catalog?.integrators.find((method) => method.name === name);
  }

  /** Made anew only where there are others than before: a control that someone holds must stay. */
  setState(state: StateEvent) {
    this.state = state;
    const shape = JSON.stringify(state.panes.map((pane) => [pane.integrator, Object.keys(pane.options), pane.options["solver.name"]]));
    if (shape !== this.shape) this.build();
    this.shape = shape;
    document.querySelectorAll<HTMLElement & { update?: () => void }>(".field").forEach((field) => field.update?.());
  }

  private build() {
    this.buildMethods();
    const settings = byId("settings");
    settings.replaceChildren(...this.catalog.settings.map((field) => this.field(field, () => this.state!.settings[field.key], (value) => this.link.say("set", { key: field.key, value }))));
  }

  integratorSelect(chosen: string) {
    const select = make("select", { "aria-label": "Integrator" });
    const families = new Map<string, HTMLOptGroupElement>();
    for (const method of this.catalog.integrators) {
      if (!families.has(method.family)) families.set(method.family, make("optgroup", { label: method.family }));
      families.get(method.family)!.append(make("option", { value: method.name, selected: method.name === chosen, title: method.sentence }, method.name));
    }
    select.append(...families.values());
    return select;
  }

  private buildMethods() {
    const { panes } = this.state!;
    const names = panes.map((pane) => pane.integrator);
    byId("integrators").replaceChildren(...panes.map((pane, index) => {
      const method = this.method(pane.integrator)!;
      const select = this.integratorSelect(pane.integrator);
      select.onchange = () => this.link.say("integrator", { pane: index, name: select.value });
      const row = make("div", { class: "row" }, select);
      if (panes.length > 1) row.append(button("✕", () => this.link.say("panes", { integrators: names.filter((_, i) => i !== index) }), { title: "Take this pane away", "aria-label": "Take this pane away" }));
      const solver = this.catalog.solvers.find((one) => one.name === pane.options["solver.name"]);
      const fields = method.options.map((field) => this.option(index, field));
      const choice = { key: "solver.name", type: "text", unit: "", help: solver?.sentence ?? "", choices: this.catalog.solvers.map((one) => one.name), bound: "" };
      if (method.solves && solver) fields.push(this.option(index, choice), ...solver.options.map((field) => this.option(index, field)));
      const more = make("details", { open: this.open.has(`${index}`) }, make("summary", {}, method.solves ? "Options and solver" : "Options"), ...fields);
      more.ontoggle = () => (more.open ? this.open.add(`${index}`) : this.open.delete(`${index}`));
      const block = make("div", { class: "method" }, row, make("p", {}, `Order ${method.order}; energy ${method.energy}: ${method.sentence}.`));
      if (fields.length > 0) block.append(more);
      block.style.setProperty("--tint", tint(index));
      return block;
    }));
    const fast = button("Fast solves", () => this.solveFast(), { id: "fast", title: "Iterations of local-global for methods that bear with what is left unsolved, a tolerance of 1e-5 for the others: less exact, several times as fast" });
    byId("integrators").append(fast, " ");
    if (panes.length < 4) byId("integrators").append(button("+ another beside it", () => this.link.say("panes", { integrators: [...names, ["avf", "backward-euler", "stabilized", "implicit-midpoint"].find((name) => !names.includes(name)) ?? "bdf2"] })));
  }

  /** Energy is kept as well as equations are solved: only those that are calm by nature end early. */
  solveFast() {
    const calm = ["stabilized", "backward-euler", "bdf2"];
    this.state?.panes.forEach(({ integrator }, pane) => {
      if (!this.method(integrator)?.solves) return;
      if (calm.includes(integrator)) this.link.say("option", { pane, key: "solver.name", value: "local-global" });
      else this.link.say("option", { pane, key: "solver.tolerance", value: 1e-5 });
    });
  }

  private option(pane: number, field: Field) {
    return this.field(field, () => this.state!.panes[pane]?.options[field.key], (value) => this.link.say("option", { pane, key: field.key, value }));
  }

  private field(field: Field, get: () => Value | undefined, set: (value: Value) => void) {
    const unit = field.unit ? make("small", {}, ` ${field.unit}`) : "";
    const row: HTMLDivElement & { update?: () => void } = make("div", { class: "field", title: `${field.help}${field.bound ? ` (${field.bound})` : ""}` });
    const name = make("label", {}, readable(field.key), unit);
    row.append(name);
    const value = get();
    if (field.choices.length > 0) {
      const select = make("select", { class: "wide" }, ...field.choices.map((choice) => make("option", { value: choice }, choice)));
      select.onchange = () => set(select.value);
      row.update = () => (select.value = String(get()));
      row.append(select);
      name.htmlFor = select.id = `f-${Math.random()}`;
    } else if (field.type === "true or false") {
      const box = make("input", { type: "checkbox", "aria-label": readable(field.key) });
      box.onchange = () => set(box.checked);
      row.update = () => (box.checked = get() === true);
      row.append(box);
    } else if (field.type === "vector") {
      const inputs = ["x", "y", "z"].map((axis) => make("input", { type: "number", step: "any", "aria-label": `${readable(field.key)} ${axis}` }));
      const send = () => set(inputs.map((input) => Number(input.value) || 0));
      inputs.forEach((input) => (input.onchange = send));
      row.update = () => inputs.forEach((input, i) => document.activeElement !== input && (input.value = String((get() as number[])?.[i] ?? 0)));
      row.append(make("div", { class: "three" }, ...inputs));
    } else if (field.type === "number" || field.type === "whole number") {
      this.addNumber(row, field, Number(value ?? 0), () => Number(get() ?? 0), set);
    } else {
      const input = make("input", { type: "text", class: "wide", "aria-label": readable(field.key) });
      input.onchange = () => set(input.value.includes(",") ? input.value.split(",").map(Number) : input.value);
      row.update = () => document.activeElement !== input && (input.value = String(get() ?? ""));
      row.append(input);
    }
    row.update?.();
    return row;
  }

  private addNumber(row: HTMLDivElement & { update?: () => void }, field: Field, value: number, get: () => number, set: (value: number) => void) {
    const scale = scaleOf(field, value);
    const whole = field.type === "whole number";
    const slider = make("input", { type: "range", min: scale.low, max: scale.high, step: whole && scale.step < 1 ? 1 : scale.step, "aria-label": `${readable(field.key)}, slider` });
    const input = make("input", { type: "number", step: "any", "aria-label": readable(field.key) });
    const round = (v: number) => (whole ? Math.round(v) : Number(v.toPrecision(4)));
    slider.oninput = () => {
      const next = round(scale.from(Number(slider.value)));
      input.value = String(next);
      set(next);
    };
    input.onchange = () => set(Number(input.value));
    row.update = () => {
      if (document.activeElement !== input) input.value = String(Number(get().toPrecision(4)));
      if (document.activeElement !== slider) slider.value = String(scale.to(get()));
    };
    row.append(slider, input);
  }

  buildLook() {
    const colors = make("select", { class: "wide", id: "coloring" });
    for (const [key, name] of [["none", "plain"], ["speed", "speed"], ["energy", "elastic energy"], ["stress", "stress"], ["inverted", "inverted elements"]]) colors.append(make("option", { value: key }, name));
    colors.onchange = () => this.link.say("color", { by: colors.value });
    const ghosts = make("input", { type: "checkbox", id: "ghosts" });
    ghosts.onchange = () => this.view.setGhosts(ghosts.checked);
    byId("look").replaceChildren(
      make("div", { class: "field" }, make("label", { for: "coloring" }, "color by"), colors),
      make("div", { class: "field" }, make("label", { for: "ghosts" }, "rest shape"), ghosts),
      button("Fit the view (F)", () => this.view.resetView()),
    );
  }

  buildKeep(formats: { name: string; sentence: string }[], recording: boolean) {
    const boxes = formats.map(({ name, sentence }) => ({ name, box: make("input", { type: "checkbox", checked: name === "gltf", "data-format": name }), sentence }));
    const picture = button("Picture (PNG)", async () => save("brio.png", await this.view.picture()));
    const film = button("Film (WebM)", () => this.film(film));
    if (this.link.within) {
      byId("keep").replaceChildren(
        make("p", {}, "Animation files, and surfaces filled with tetrahedra, need brio itself: save the scene from the editor, and open it with ./brio studio."),
        make("div", {}, picture, film),
      );
      return;
    }
    const record = button("", () => {
      const on = record.getAttribute("aria-pressed") !== "true";
      this.link.say("record", { on, pane: 0, formats: boxes.filter(({ box }) => box.checked).map(({ name }) => name) });
    }, { id: "record" });
    this.onRecord = (on) => {
      record.textContent = on ? "■ Stop and export" : "● Record a take";
      record.setAttribute("aria-pressed", String(on));
    };
    this.onRecord(recording);
    byId("keep").replaceChildren(
      make("p", {}, "A take is written to the folder out/, beside where brio was started."),
      make("div", {}, ...boxes.map(({ name, box, sentence }) => make("label", { title: sentence }, box, ` ${name}`))),
      make("div", {}, record, picture, film),
    );
  }

  /** What the canvas shows, until it is asked for again. */
  private film(control: HTMLButtonElement) {
    const stream = this.view.stage.canvas.captureStream(30) as MediaStream;
    const recorder = new MediaRecorder(stream, { mimeType: "video/webm", videoBitsPerSecond: 12e6 });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = () => save("brio.webm", new Blob(parts, { type: "video/webm" }));
    recorder.start(500);
    control.textContent = "■ Stop filming";
    const before = control.onclick;
    const stop = (event: Event) => {
      event.stopImmediatePropagation();
      control.removeEventListener("click", stop, { capture: true });
      control.textContent = "Film (WebM)";
      control.onclick = before;
      recorder.stop();
    };
    control.addEventListener("click", stop, { capture: true });
  }

  describe(h: number) {
    return `h = ${short(1000 * h)} ms`;
  }
}
