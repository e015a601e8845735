// Uses the studio as somebody would, in headless Chromium: node browser.mjs PLAYWRIGHT_CORE CHROMIUM ADDRESS [PICTURES]
// Given a folder for pictures it takes its time: the gallery, dark mode, a phone, a second page, takes.
import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [playwright, executablePath, address, pictures] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(`${playwright}/index.mjs`));
const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]; // WebGL without a graphics card
const browser = await chromium.launch({ executablePath, args });
const errors = [];

async function open(options = {}) {
  const page = await browser.newPage({ viewport: { width: 900, height: 560 }, colorScheme: "light", ...options });
  page.setDefaultTimeout(60000);
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(address);
  await page.waitForSelector("body[data-ready]");
  return page;
}

function expect(condition, what) {
  console.log(`${condition ? "ok    " : "FAILED"} ${what}`);
  if (!condition) process.exitCode = 1;
}

const head = (page) => page.evaluate(() => studio.seen.head);
const until = (page, what, ...more) => page.waitForFunction(what, ...more);
const playing = (page, wanted) => until(page, (w) => studio.seen.state.playing === w, wanted);
const tip = (page) => page.evaluate(() => studio.view.highest().place.toArray());
const onScreen = (page, place) => page.evaluate((p) => studio.view.onScreen(p), place);

async function pause(page) {
  if (await page.evaluate(() => studio.seen.state.playing)) await page.click("#play");
  await playing(page, false);
}

try {
  const page = await open();
  expect((await page.textContent("#title")).length > 5, "the scene's title is shown");

  // Drag: what was picked comes towards the pointer, and the work is booked.
  const place = await tip(page);
  const [x, y] = await onScreen(page, place);
  await page.mouse.move(x, y + 4);
  await page.mouse.down();
  await playing(page, true);
  await page.mouse.move(x, y - 120, { steps: 6 });
  await until(page, (y0) => studio.view.highest().place.y > y0 + 0.02, place[1]);
  const hand = (await head(page)).hands[0];
  expect(hand !== undefined && !hand.pin, "a hand holds what is dragged");
  const pulled = await head(page);
  expect(pulled.panes[0].user_work > 0, `its work is booked: ${pulled.panes[0].user_work.toFixed(3)} J`);
  await page.mouse.up();
  await until(page, () => studio.seen.head.hands.length === 0);
  expect(Math.abs((await head(page)).panes[0].residual) < 1e-6 * pulled.panes[0].user_work, "avf leaves no joule unexplained");

  // Another integrator while it runs, then two under the same hand.
  await page.selectOption("#integrators select >> nth=0", "backward-euler");
  await until(page, () => studio.seen.head.panes[0].integrator === "backward-euler");
  const before = (await head(page)).frame;
  await until(page, (frame) => studio.seen.head.frame > frame + 3, before);
  expect(true, "the integrator changes while it runs");
  await page.click("#compare");
  await until(page, () => studio.seen.head.panes.length === 4);
  expect((await page.locator("#overlay .label").count()) === 4, "four panes, each with its name");

  // Time: pause, a single step, back, and the same again.
  await pause(page);
  await page.click("#reset");
  await until(page, () => studio.seen.head.frame === 0);
  for (let i = 1; i <= 6; ++i) {
    await page.click("#step");
    await until(page, (frame) => studio.seen.head.frame === frame, i);
  }
  const there = (await head(page)).panes.map((pane) => pane.hash);
  await page.$eval("#scrubber", (scrubber) => {
    scrubber.value = 2;
    scrubber.dispatchEvent(new Event("input"));
    scrubber.dispatchEvent(new Event("change"));
  });
  await until(page, () => studio.seen.head.frame === 2);
  for (let i = 3; i <= 6; ++i) {
    await page.click("#step");
    await until(page, (frame) => studio.seen.head.frame === frame, i);
  }
  expect(JSON.stringify((await head(page)).panes.map((pane) => pane.hash)) === JSON.stringify(there), "going back and on gives the same bits");

  // An explosion pauses, says so, and can be undone.
  await page.click("#compare");
  await until(page, () => studio.seen.head.panes.length === 1);
  await page.selectOption("#integrators select >> nth=0", "symplectic-euler");
  await page.click("#play");
  await page.waitForSelector("#alarm:not([hidden])");
  expect((await page.textContent("#alarm")).includes("symplectic-euler"), "an explosion is told");
  expect(!(await page.evaluate(() => studio.seen.state.playing)), "and pauses");
  await page.click("#rescue");
  await until(page, () => studio.seen.head.panes[0].integrator === "avf" && studio.seen.state.playing);
  expect(await page.locator("#alarm").isHidden(), "back to one second before, with another integrator");

  // Mistakes in the text are marked at their line.
  await page.click("#edit");
  const text = await page.inputValue("#source");
  await page.fill("#source", text.replace("young =", "yuong ="));
  await page.waitForSelector("#verdict.bad");
  const line = text.slice(0, text.indexOf("young =")).split("\n").length;
  expect((await page.textContent("#lines .wrong")) === String(line), `a mistake is marked at line ${line}`);
  expect((await page.textContent("#verdict")).includes("young"), "with its remedy");
  await page.fill("#source", text.replace(/^title = .*$/m, 'title = "<b>mine</b>"'));
  const mine = await page.inputValue("#source");
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: (text) => (window.copied = text) } }));
  await page.click("#link");
  await until(page, () => window.copied);
  await page.fill("#source", await page.evaluate(() => window.copied));
  await until(page, (wanted) => document.getElementById("source").value === wanted, mine);
  expect(true, "a link holds the scene");
  await page.click("#apply");
  await until(page, () => document.getElementById("title").textContent === "<b>mine</b>");
  expect(true, "an edited scene runs, and its title is no markup");

  // Keys alone.
  await page.evaluate(() => document.activeElement.blur());
  await pause(page);
  await page.keyboard.press("g");
  await playing(page, true);
  const low = (await tip(page))[1];
  for (let i = 0; i < 8; ++i) await page.keyboard.press("ArrowUp");
  await until(page, (y0) => studio.view.highest().place.y > y0 + 0.01, low);
  await page.keyboard.press("g");
  await until(page, () => studio.seen.head.hands.length === 0);
  await page.keyboard.press(" ");
  await playing(page, false);
  expect(true, "keys take hold, move, let go and pause");

  if (pictures) await atLeisure(page);
  expect(errors.length === 0, `no errors in the page ${errors.join("; ")}`);
} catch (error) {
  console.log(error);
  console.log(errors.join("\n"));
  process.exitCode = 1;
} finally {
  await browser.close();
}

async function atLeisure(page) {
  mkdirSync(pictures, { recursive: true });
  const names = await page.$$eval("#gallery option", (options) => options.map((option) => option.value).filter((name) => name));
  for (const name of names) {
    await page.selectOption("#gallery", name);
    await until(page, (n) => document.getElementById("gallery").value === n && studio.seen.head.frame === 0, name);
    const drawn = await page.evaluate(() => studio.view.drawn);
    await page.click("#step");
    await until(page, (d) => studio.seen.head.frame === 1 && studio.view.drawn > d, drawn);
    await page.screenshot({ path: `${pictures}/${name}.png` });
    const found = await page.evaluate(() => {
      const { left, top, width, height } = document.getElementById("stage").getBoundingClientRect();
      for (let i = 1; i < 60; ++i)
        for (let j = 1; j < 60; ++j) if (studio.view.pick(left + (i / 60) * width, top + (j / 60) * height)?.vertices) return true;
      return false;
    });
    if (!found) expect(false, `in ${name} a body can be taken hold of`);
  }
  expect(names.length > 20, `${names.length} scenes of the gallery are shown`);

  await page.selectOption("#gallery", "hello");
  await until(page, () => document.getElementById("gallery").value === "hello");
  const second = await open({ colorScheme: "dark" });
  await second.waitForSelector("#notice button");
  await second.screenshot({ path: `${pictures}/dark.png` });
  expect((await second.textContent("#notice")).includes("watches"), "a second page watches");
  await second.click("#notice button");
  await second.click("#step");
  await until(page, () => studio.seen.head.frame === 1);
  expect(true, "and takes over");
  await second.close();

  const phone = await open({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
  expect((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390, "a phone's width is enough");
  await phone.screenshot({ path: `${pictures}/phone.png`, fullPage: true });
  await phone.close();

  await page.reload();
  await page.waitForSelector("body[data-ready]");
  expect(true, "after a reload it goes on");
  await page.click("#tour");
  for (let i = 0; i < 5; ++i) {
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `${pictures}/tour-${i + 1}.png` });
    await page.click("#card button.main");
  }
  expect(await page.locator("#card").isHidden(), "the tour has five steps");
}
