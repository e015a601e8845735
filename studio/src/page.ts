// Small helpers: elements by id, elements made, colors of the theme. Text never becomes markup.

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

type Attributes = Record<string, string | number | boolean | EventListener>;

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Node | string)[]) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

export function button(text: string, onclick: () => void, attributes: Attributes = {}) {
  return make("button", { type: "button", click: onclick, ...attributes }, text);
}

export const style = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
export const tint = (index: number) => style(`--c${index % 7}`);

export function onThemeChange(draw: () => void) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

export function save(name: string, data: Blob) {
  const link = make("a", { href: URL.createObjectURL(data), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** As many digits as are worth reading. */
export function short(value: number | null | undefined, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 1).replace("e+", "e").replace("-", "−");
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}
