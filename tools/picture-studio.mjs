// Takes docs/studio.png, the picture of the README, from a studio that runs with four panes of the bunny, by headless Chromium:
//   brio studio scenes/bunny-ears.toml --integrators backward-euler,implicit-midpoint,stabilized,avf --no-open
//   node tools/picture-studio.mjs PLAYWRIGHT_CORE CHROMIUM ADDRESS PICTURE
import { pathToFileURL } from "node:url";

const [playwright, executablePath, address, picture] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(`${playwright}/index.mjs`));
const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]; // WebGL without a graphics card
const browser = await chromium.launch({ executablePath, args });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: "light" });
  page.setDefaultTimeout(180000); // without a graphics card on a busy machine it takes a while
  await page.goto(address);
  await page.waitForSelector("body[data-ready]");
  const go = (frames) => page.evaluate((count) => studio.link.say("step", { frames: count }), frames);
  const at = (frame) => page.waitForFunction((wanted) => studio.seen.head.frame >= wanted, frame);
  for (let frame = 3; frame <= 132; frame += 3) {
    await go(3);
    await at(frame);
  }
  // A hand takes the ear of the last bunny, and so of all.
  await page.evaluate(() => {
    const hit = studio.view.highest();
    studio.link.say("grab", { hand: 99, body: hit.body, vertices: hit.vertices, weights: hit.weights });
  });
  for (let i = 1; i <= 24; ++i) {
    await page.evaluate((k) => studio.link.say("move", { hand: 99, by: [0.018 * k, 0.012 * k, 0.004 * k] }), i);
    await go(1);
    await at(132 + i);
  }
  await page.evaluate(() => (document.getElementById("alarm").hidden = true));
  await page.waitForTimeout(4000);
  await page.screenshot({ path: picture });
} finally {
  await browser.close();
}
