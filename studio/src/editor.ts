// The scene as text. What is wrong with it is marked at its line, in the words of `brio scene check`.

import { byId, save } from "./page";
import type { Connection, SceneEvent } from "./protocol";
import { linkOf, textOf } from "./scene_link";

export class Editor {
  private dialog = byId<HTMLDialogElement>("editor");
  private source = byId<HTMLTextAreaElement>("source");
  private name = "scene.toml";
  private timer = 0;
  private waits = false; ///< for the scene to begin
  private wrong = 0;

  constructor(private link: Connection) {
    byId("edit").onclick = () => this.show();
    byId("apply").onclick = () => {
      this.waits = true;
      this.link.say("open", { text: this.source.value });
    };
    byId("restore").onclick = () => this.link.say("save");
    byId("download").onclick = () => save(this.name, new Blob([this.source.value], { type: "application/toml" }));
    byId("link").onclick = async () => {
      const page = link.within && location.protocol.startsWith("http") ? location.href.replace(/#.*/, "") : "";
      await navigator.clipboard.writeText(await linkOf(this.source.value, page));
      const use = page ? "whoever opens it has the scene" : "whoever pastes it here, in place of the text, has it";
      this.judge(`The scene is in the clipboard as a link: ${use}.`, true);
    };
    this.source.oninput = async () => {
      const text = await textOf(this.source.value);
      if (text !== null) this.source.value = text;
      this.mark(0);
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.link.say("check", { text: this.source.value }), 500);
    };
    this.source.onscroll = () => (byId("lines").scrollTop = this.source.scrollTop);
    link.on("checked", ({ warnings }: { warnings: string[] }) => this.judge(warnings.length > 0 ? warnings.join("\n") : "This scene can run.", true));
    link.on("saved", ({ text }: { text: string }) => {
      this.source.value = text;
      this.mark(0);
      this.judge("The scene with what is chosen now; comments are lost.", true);
    });
  }

  get isOpen() {
    return this.dialog.open;
  }

  show() {
    this.dialog.showModal();
    this.mark(this.wrong);
    this.source.focus();
  }

  setScene({ name, text }: SceneEvent) {
    this.name = name;
    this.source.value = text;
    this.mark(0);
    this.judge("", true);
    if (this.waits) this.dialog.close();
    this.waits = false;
  }

  /** Whether the complaint was about the text, which is shown. */
  complain(text: string, line?: number) {
    this.waits = false;
    if (!this.isOpen) return false;
    this.mark(line ?? 0);
    this.judge(text, false);
    return true;
  }

  private judge(text: string, good: boolean) {
    const verdict = byId("verdict");
    verdict.textContent = text;
    verdict.className = good ? "good" : "bad";
  }

  private mark(line: number) {
    this.wrong = line;
    const count = this.source.value.split("\n").length;
    byId("lines").replaceChildren(...Array.from({ length: count }, (_, i) => {
      const number = document.createElement("div");
      const text = document.createElement("span");
      text.textContent = String(i + 1);
      text.className = i + 1 === line ? "wrong" : "";
      number.append(text);
      return number;
    }));
    byId("lines").scrollTop = this.source.scrollTop;
  }
}
