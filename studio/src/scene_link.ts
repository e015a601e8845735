// Scenes as links: the text, deflated, in letters that mail and chat leave alone.

const longest = 500000; // letters of any scene

/** What follows the "#" of a page that has brio within. */
export const mark = "scene=";
const prefix = "brio-scene:";

async function pack(text: string) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** `page` opens scenes by itself; without one it is letters to paste into an editor. */
export async function linkOf(text: string, page = "") {
  return page ? `${page}#${mark}${await pack(text)}` : prefix + (await pack(text));
}

/** What such a link holds; null: it is none. */
export async function textOf(link: string) {
  const match = link.trim().match(/^(?:brio-scene:|[^\s#]*#scene=)([\w-]{1,700000})$/);
  if (!match) return null;
  try {
    const bytes = Uint8Array.from(atob(match[1].replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const parts: Uint8Array[] = [];
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > longest) return null;
      parts.push(value);
    }
    return await new Blob(parts as BlobPart[]).text();
  } catch {
    return null;
  }
}
