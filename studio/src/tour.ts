// Five steps for those who have come for the first time.

import { button, byId, make } from "./page";
import type { Connection } from "./protocol";

interface Step { title: string; text: string; enter: (link: Connection) => void; waits?: "grab" | "let_go" }

const steps: Step[] = [
  {
    title: "1. Take hold",
    text: "Drag the bunny by an ear, and let go. Beside the bunny you turn the view; scroll to zoom.",
    enter: (link) => {
      if (!link.within) link.say("load", { name: "bunny-ears" });
      link.say("panes", { integrators: ["avf"] });
      link.say("play");
    },
    waits: "let_go",
  },
  {
    title: "2. Two ways through time",
    text: "On the left backward Euler, which most engines use. Pull an ear in either one and let go: one goes limp, though nothing damps it. What you see die is the method, not the jelly.",
    enter: (link) => {
      link.say("panes", { integrators: ["backward-euler", "avf"] });
      link.say("reset");
      link.say("play");
    },
    waits: "let_go",
  },
  {
    title: "3. The price of liveliness",
    text: "Implicit midpoint is lively too, until it explodes. Pull hard, let go, and watch its curve. When it bursts, go back by a second with another method.",
    enter: (link) => {
      link.say("panes", { integrators: ["backward-euler", "implicit-midpoint"] });
      link.say("reset");
      link.say("play");
    },
  },
  {
    title: "4. Lively, and unbreakable",
    text: "Stabilized and avf beside them: same bunny, same step, same hand. Their curves stay where you left them.",
    enter: (link) => {
      link.say("panes", { integrators: ["backward-euler", "implicit-midpoint", "stabilized", "avf"] });
      link.say("reset");
      link.say("play");
    },
    waits: "let_go",
  },
  {
    title: "5. Every joule has a line",
    text: "The lower chart shows where the energy is. Choose “Energy from nowhere”: what no force explains. For avf it is zero to ten digits; for the others it is what the method takes or makes.",
    enter: () => {
      const metric = byId<HTMLSelectElement>("metric");
      metric.value = "residual";
      metric.dispatchEvent(new Event("change"));
    },
  },
];

export class Tour {
  private at = -1;

  constructor(private link: Connection, private solveFast: () => void) {
    byId("tour").onclick = () => this.go(0);
  }

  private go(at: number) {
    this.at = at;
    const card = byId("card");
    card.hidden = at < 0 || at >= steps.length;
    if (card.hidden) return;
    const step = steps[at];
    step.enter(this.link);
    setTimeout(() => this.solveFast(), 400); // so that it runs as fast as the clock on most machines
    const next = button(at + 1 < steps.length ? "Next" : "Done", () => this.go(at + 1), { class: "main" });
    card.replaceChildren(make("h3", {}, step.title), make("p", {}, step.text), make("div", {}, button("Skip the tour", () => this.go(-1)), next));
    next.focus({ preventScroll: true });
  }

  /** Whoever has done what a step is about is told that there is more. */
  did(what: "grab" | "let_go") {
    if (this.at >= 0 && steps[this.at]?.waits === what) byId("card").querySelector<HTMLButtonElement>("button.main")?.animate([{ transform: "scale(1)" }, { transform: "scale(1.15)" }, { transform: "scale(1)" }], 600);
  }
}
