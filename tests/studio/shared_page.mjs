// A page of `brio share`, opened from the disk as somebody would who has nothing else, in a headless browser:
// node shared_page.mjs PLAYWRIGHT_CORE CHROMIUM PAGE [PICTURES]
import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [playwright, executablePath, file, pictures] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(`${playwright}/index.mjs`));
const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]; // WebGL without a graphics card
const browser = await chromium.launch({ executablePath, args });
const page = await browser.newPage({ viewport: { width: 1200, height: 720 }, colorScheme: "light" });
page.setDefaultTimeout(60000);
const errors = [];
const asked = [];
page.on("pageerror", (error) => errors.push(error.message));
page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
page.on("request", (request) => asked.push(request.url()));

function expect(condition, what) {
  console.log(`${condition ? "ok    " : "FAILED"} ${what}`);
  if (!condition) process.exitCode = 1;
}
const until = (what, ...more) => page.waitForFunction(what, ...more);
const head = () => page.evaluate(() => studio.seen.head);

try {
  const address = pathToFileURL(file).href;
  await page.goto(address);
  await page.waitForSelector("body[data-ready]");
  expect((await page.textContent("#title")).length > 5, "it opens from the disk");
  expect(!(await page.isHidden("#within")), "and says that brio runs inside it");

  const place = await page.evaluate(() => studio.view.highest().place.toArray());
  const [x, y] = await page.evaluate((p) => studio.view.onScreen(p), place);
  await page.mouse.move(x, y + 4);
  await page.mouse.down();
  await until(() => studio.seen.state.playing);
  await page.mouse.move(x, y - 120, { steps: 6 });
  await until((y0) => studio.view.highest().place.y > y0 + 0.02, place[1]);
  expect((await head()).panes[0].user_work > 0, "what is dragged comes along, and the work is booked");
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: `${pictures}/shared.png` });
  }
  await page.mouse.up();
  await until(() => studio.seen.head.hands.length === 0);

  await page.click("#compare");
  await until(() => studio.seen.head.panes.length === 4);
  const { frame } = await head();
  await until((f) => studio.seen.head.frame > f + 10, frame);
  expect(true, "four integrators run side by side");
  if (pictures) await page.screenshot({ path: `${pictures}/shared-four.png` });
  await page.click("#play");
  await until(() => !studio.seen.state.playing);

  await page.click("#edit");
  const text = await page.inputValue("#source");
  await page.fill("#source", text.replace(/^title = .*$/m, 'title = "<b>mine</b>"'));
  await page.click("#apply");
  await until(() => document.getElementById("title").textContent === "<b>mine</b>");
  expect(true, "its scene can be edited, and text is no markup");
  await page.evaluate(() => studio.link.say("load", { name: "hello" }));
  await page.waitForSelector("#notice:not([hidden])");
  expect((await page.textContent("#notice")).includes("needs brio itself"), "what it cannot do it says");

  // The same page, with another scene behind the "#".
  const bytes = await page.evaluate(async (toml) => {
    const stream = new Blob([toml]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return btoa(String.fromCharCode(...new Uint8Array(await new Response(stream).arrayBuffer())));
  }, '[time]\nfps = 60\n[integrator]\nname = "avf"\n[[body]]\nname = "sent"\nmesh = { generate = "bar" }\n');
  await page.goto("about:blank");
  await page.goto(`${address}#scene=${bytes.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`);
  await until(() => window.studio?.seen.head?.panes[0].integrator === "avf");
  await until(() => document.getElementById("source").value.includes('"sent"'));
  expect(true, "a scene that is sent along in the address opens");

  const foreign = asked.filter((url) => !url.startsWith("file:") && !url.startsWith("blob:") && !url.startsWith("data:") && !url.startsWith("about:"));
  expect(foreign.length === 0 && asked.filter((url) => url.startsWith("file:")).length === 2, `nothing is loaded but the page: ${asked.map((url) => url.slice(0, 60)).join(" ")}`);
  expect(errors.length === 0, `no errors in the page ${errors.join("; ")}`);
} catch (error) {
  console.log(error);
  console.log(errors.join("\n"));
  process.exitCode = 1;
} finally {
  await browser.close();
}
