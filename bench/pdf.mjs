// Prints how many PDF files per second Chromium makes of the HTML files of a folder: node pdf.mjs FOLDER COUNT PAGES
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const { chromium } = createRequire(new URL("../ui/package.json", import.meta.url))("playwright-core");
const [folder, count, pages] = process.argv.slice(2);
const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const opened = await Promise.all(Array.from({ length: Number(pages) }, () => browser.newPage()));
for (const page of opened) {
  await page.setContent(texts[0]);
  await page.pdf({ format: "A4" }); // warm
}
let next = 0;
const at = performance.now();
await Promise.all(
  opened.map(async (page) => {
    for (let n = next++; n < Number(count); n = next++) {
      await page.setContent(texts[n % texts.length]);
      await page.pdf({ format: "A4" });
    }
  }),
);
console.log(Number(count) / ((performance.now() - at) / 1000));
await browser.close();
