// Opens a report in headless Chromium, as from disk, and says what is wrong with it.
//   node browser.mjs PLAYWRIGHT_CORE CHROMIUM PAGE [SCREENSHOT]
import { pathToFileURL } from "node:url";

const [playwright, executablePath, file, screenshot] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(`${playwright}/index.mjs`));
const wrong = [];
const expect = (truth, what) => truth || wrong.push(what);

const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]; // WebGL without a graphics card
const browser = await chromium.launch({ executablePath, args });
try {
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme });
    page.on("pageerror", (error) => wrong.push(`${colorScheme}: ${error.message}`));
    page.on("console", (said) => said.type() === "error" && wrong.push(`${colorScheme}: console: ${said.text()}`));
    page.on("request", (request) => request.url().startsWith("http") && wrong.push(`asks the network for ${request.url()}`));
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector("body[data-ready]", { timeout: 120000 });

    const drawn = await page.$$eval("#charts .uplot canvas", (list) =>
      list.map((canvas) => {
        const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return new Set(pixels).size;
      }),
    );
    expect(drawn.length > 0, "there are no charts");
    drawn.forEach((colors, i) => expect(colors > 10, `${colorScheme}: chart ${i} is empty`));
    expect((await page.$$(".notice")).length === 0, "the page complains");

    const picture = async (frame) => {
      await page.$eval("#scrubber", (scrubber, value) => {
        scrubber.value = value === "last" ? scrubber.max : value;
        scrubber.dispatchEvent(new Event("input"));
      }, frame);
      await page.waitForTimeout(200);
      return (await page.locator("#stage").screenshot()).toString("base64");
    };
    const first = await picture(0);
    const last = await picture("last");
    expect(first !== last, `${colorScheme}: scrubbing does not change the picture`);
    expect((await picture(0)) === first, `${colorScheme}: scrubbing back does not bring the first picture back`);
    if (screenshot) await page.screenshot({ path: `${screenshot}-${colorScheme}.png`, fullPage: true });
    await page.close();
  }
} finally {
  await browser.close();
}
wrong.forEach((what) => console.log(what));
process.exit(wrong.length ? 1 : 0);
