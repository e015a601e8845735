// Curves that grow while the scene runs: the energy of every pane, and one more quantity of choice.

import uPlot from "uplot";
import { byId, make, short, style, tint } from "./page";
import type { Head, Row } from "./protocol";

interface Metric { key: string; name: string; of: (row: Row) => number; low?: number }
const norm = (v: number[]) => Math.hypot(...v);
const metrics: Metric[] = [
  { key: "stacked", name: "Where the energy is, J", of: (r) => r.total },
  { key: "residual", name: "Energy from nowhere, J", of: (r) => r.residual },
  { key: "kinetic", name: "Kinetic energy, J", of: (r) => r.kinetic, low: 0 },
  { key: "user_work", name: "Work of hands and supports, J", of: (r) => r.user_work },
  { key: "linear", name: "Momentum, kg m/s", of: (r) => norm(r.linear), low: 0 },
  { key: "angular", name: "Angular momentum, kg m²/s", of: (r) => norm(r.angular), low: 0 },
  { key: "alpha", name: "Blend α of stabilized", of: (r) => r.alpha, low: 0 },
  { key: "iterations", name: "Iterations per frame", of: (r) => r.iterations, low: 0 },
  { key: "ms", name: "Time per frame, ms", of: (r) => r.ms, low: 0 },
];
const parts: [string, (row: Row) => number][] = [
  ["kinetic", (r) => r.kinetic], ["elastic", (r) => r.elastic], ["gravity", (r) => r.gravity], ["contact", (r) => r.contact],
];
const shown = 12; // s, at most
const least = 4; // s
const longest = 4000; // rows

export class Charts {
  private rows: Row[][] = [];
  private frames: number[] = [];
  private plots: uPlot[] = [];
  private metric = metrics[0];
  private seconds = 1 / 60;
  private pending = false;
  private range: [number, number] = [0, least];

  constructor() {
    const select = byId<HTMLSelectElement>("metric");
    for (const metric of metrics) select.append(make("option", { value: metric.key }, metric.name));
    select.onchange = () => {
      this.metric = metrics.find((metric) => metric.key === select.value)!;
      this.rebuild();
    };
    new ResizeObserver(() => this.plots.forEach((plot, i) => plot.setSize(this.size(i)))).observe(byId("energy"));
  }

  reset(seconds: number) {
    this.seconds = seconds;
    this.rows = [];
    this.frames = [];
    this.rebuild();
  }

  add(head: Head) {
    while (this.frames.length > 0 && this.frames.at(-1)! >= head.frame) {
      this.frames.pop();
      this.rows.pop();
    }
    const count = this.rows.at(-1)?.length;
    this.frames.push(head.frame);
    this.rows.push(head.panes);
    if (this.frames.length > longest) this.frames.shift(), this.rows.shift();
    if (count !== head.panes.length) this.rebuild();
    if (this.pending) return;
    this.pending = true;
    setTimeout(() => requestAnimationFrame(() => this.draw()), 40);
  }

  private size(i: number) {
    const parent = byId(i === 0 ? "energy" : "second");
    return { width: Math.max(parent.clientWidth, 60), height: Math.max(parent.clientHeight, 60) };
  }

  private get panes() {
    return this.rows.at(-1)?.length ?? 1;
  }

  /** Energies of the first pane, each on those before. */
  private stackedParts() {
    const inPlay = parts.filter(([, of]) => this.rows.some((row) => row[0] && Math.abs(of(row[0])) > 1e-12));
    return inPlay.length > 0 ? inPlay : parts.slice(0, 2);
  }

  rebuild() {
    this.plots.forEach((plot) => plot.destroy());
    const curve = (label: string, color: string, more = {}) => ({ label, stroke: color, width: 2, points: { show: false }, spanGaps: true, ...more });
    const panes = Array.from({ length: this.panes }, (_, i) => curve(`pane ${i + 1}`, tint(i)));
    const stacked = this.metric.key === "stacked";
    const layers = this.stackedParts().map(([name], i) => curve(name, tint(i), { width: 1.5, fill: `color-mix(in srgb, ${tint(i)} 35%, transparent)` }));
    this.plots = [this.plot(0, panes), this.plot(1, stacked ? layers.reverse() : panes)];
    const names = this.stackedParts().map(([name]) => name);
    byId("names").replaceChildren(...(stacked ? names.map((name, i) => {
      const entry = make("span", {}, name);
      entry.style.setProperty("--tint", tint(i));
      return entry;
    }) : []), stacked && this.panes > 1 ? "of the first pane" : "");
    byId("second").title = stacked ? `of the first pane: ${this.stackedParts().map(([name]) => name).join(", ")}, stacked` : "";
    this.draw();
  }

  private plot(i: number, series: uPlot.Series[]) {
    const axis = { stroke: style("--soft"), font: "12px system-ui, sans-serif", grid: { stroke: style("--line"), width: 1 }, ticks: { stroke: style("--line"), width: 1 } };
    return new uPlot({
      ...this.size(i),
      padding: [8, 18, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, range: () => this.range }, y: { range: (plot, low, high) => this.limits(plot, low, high) } },
      axes: [{ ...axis, size: 26, values: (_, ticks) => ticks.map((t) => `${short(t)} s`) }, { ...axis, size: 58, values: (_, ticks) => ticks.map((v) => short(v, 2)) }],
      series: [{}, ...series],
    }, [[0], ...series.map(() => [0])] as uPlot.AlignedData, byId(i === 0 ? "energy" : "second"));
  }

  /** What explodes must not flatten the others. */
  private limits(plot: uPlot, low: number | null, high: number | null): [number, number] {
    if (low === null || high === null) return [0, 1];
    const tops = plot.data.slice(1).map((column) => Math.max(...(column as (number | null)[]).map((v) => Math.abs(v ?? 0)))).sort((a, b) => a - b);
    const usual = tops[Math.floor((tops.length - 1) / 2)];
    const stacked = this.metric.key === "stacked" && plot === this.plots[1];
    if (!stacked && tops.length > 1 && usual > 0) {
      high = Math.min(high, 2.5 * usual);
      low = Math.max(low, -2.5 * usual);
    }
    low = Math.min(low, 0);
    high = Math.max(high, 0);
    const inPlay = Math.max(0, ...this.rows.slice(-500).map(([row]) => (row ? row.kinetic + Math.abs(row.elastic) : 0)));
    const nothing = plot === this.plots[1] ? 0 : Math.max(1e-9, 1e-6 * inPlay); // J; what rounding makes is no motion
    const span = Math.max(high - low, nothing) || 1;
    if (high - low < nothing) return [Math.min(0, low) - 0.5 * inPlay, Math.max(0, high) + Math.max(inPlay, 1e-9)];
    return [low < 0 ? low - 0.06 * span : 0, high > 0 ? high + 0.06 * span : span];
  }

  private draw() {
    this.pending = false;
    if (this.frames.length === 0 || this.plots.length < 2) return;
    const end = this.frames.at(-1)! * this.seconds;
    this.range = [Math.max(0, end - shown), Math.max(least, end)];
    let first = this.frames.length - 1;
    while (first > 0 && this.frames[first] * this.seconds > this.range[0]) --first;
    const frames = this.frames.slice(first);
    const rows = this.rows.slice(first);
    const times = frames.map((frame) => frame * this.seconds);
    const column = (pane: number, of: (row: Row) => number) => rows.map((row) => (row[pane] ? of(row[pane]) ?? null : null));
    const panes = Array.from({ length: this.panes }, (_, i) => i);
    this.plots[0].setData([times, ...panes.map((i) => column(i, (r) => r.total))] as uPlot.AlignedData);
    if (this.metric.key !== "stacked") return this.plots[1].setData([times, ...panes.map((i) => column(i, this.metric.of))] as uPlot.AlignedData);
    const sums: (number | null)[][] = [];
    for (const [, of] of this.stackedParts()) {
      const below = sums.at(-1);
      sums.push(column(0, of).map((value, i) => (value ?? 0) + (below?.[i] ?? 0)));
    }
    if (sums.length !== this.plots[1].series.length - 1) return this.rebuild();
    this.plots[1].setData([times, ...sums.reverse()] as uPlot.AlignedData);
  }
}
