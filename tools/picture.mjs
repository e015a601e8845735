// Takes the picture of a comparison from its report, by headless Chromium: the bodies at some frames, then the energy.
//   node picture.mjs PLAYWRIGHT_CORE CHROMIUM REPORT PICTURE FRAME...
import { pathToFileURL } from "node:url";

const [playwright, executablePath, report, picture, ...frames] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(`${playwright}/index.mjs`));
const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]; // WebGL without a graphics card
const browser = await chromium.launch({ executablePath, args });
try {
  const page = await browser.newPage({ viewport: { width: 1000, height: 330 }, colorScheme: "light" });
  page.setDefaultTimeout(120000); // without a graphics card on a busy machine it takes a while
  await page.goto(pathToFileURL(report).href);
  await page.waitForSelector("body[data-ready]");
  await page.click("#view"); // the camera fits the stage as it is now
  const shots = [];
  for (const frame of frames) {
    await page.$eval("#scrubber", (scrubber, value) => {
      scrubber.value = value;
      scrubber.dispatchEvent(new Event("input"));
    }, frame);
    await page.waitForTimeout(300);
    shots.push({ clock: await page.textContent("#clock"), png: await page.locator("#stage").screenshot() });
  }
  await page.setViewportSize({ width: 700, height: 600 }); // of a width at which charts are legible
  await page.waitForTimeout(300);
  const energy = await page.locator("#charts .chart").first().screenshot();
  await page.setViewportSize({ width: 1000, height: 330 });
  const image = (png) => `<img src="data:image/png;base64,${png.toString("base64")}">`;
  const figures = shots.map(({ clock, png }) => `<figure>${image(png)}<figcaption>${clock}</figcaption></figure>`);
  const style = `body { margin: 0; font: 15px sans-serif; color: #333 } figure { margin: 0; position: relative }
    img { display: block; margin: auto; max-width: 100% } figcaption { position: absolute; right: 40px; bottom: 6px }`;
  await page.setContent(`<style>${style}</style>${figures.join("")}<figure>${image(energy)}</figure>`);
  await page.waitForTimeout(300);
  await page.screenshot({ path: picture, fullPage: true });
} finally {
  await browser.close();
}
