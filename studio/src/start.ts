// Begins, where the browser can draw.

import { byId } from "./page";

if (document.createElement("canvas").getContext("webgl2")) {
  await import("./main");
} else {
  const notice = byId("notice");
  notice.textContent = "This browser has no WebGL 2, by which the studio draws: switch it on, or take another browser.";
  notice.hidden = false;
}

export {};
