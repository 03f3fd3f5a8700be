// How long until a page of the list of drivers is on screen, in Chromium, at ten thousand drivers and a million
// transactions: from the press to the frame after the rows are there, server included. The goal is absolute.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("..", import.meta.url).pathname;
const { chromium } = createRequire(join(root, "ui", "package.json"))("playwright-core");
const data = mkdtempSync(join(tmpdir(), "saldo-bench-"));
const url = "http://localhost:18090";
const server = spawn(join(root, "bin", "saldo"), ["demo", "--size", "large"], {
  env: { ...process.env, SALDO_DATA: data, SALDO_ADDR: "localhost:18090", SALDO_PUBLIC_URL: url, SALDO_LOG_LEVEL: "error" },
});
const person = await new Promise((found, failed) => {
  let out = "";
  server.stdout.on("data", (text) => {
    out += text;
    const said = /(anna@\S+) +(\S+)/.exec(out);
    if (said && out.includes("Stop with")) found({ email: said[1], password: said[2] });
  });
  server.once("exit", () => failed(new Error(`it did not start: ${out}`)));
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, locale: "pl-PL", reducedMotion: "reduce" });
  await page.goto(`${url}/app/drivers`);
  const username = page.locator("#username");
  const button = page.getByRole("button", { name: "Zaloguj się" });
  await username.or(button).first().waitFor();
  if (!(await username.isVisible())) await button.click();
  await username.fill(person.email);
  await page.locator("#password").fill(person.password);
  await page.locator("#kc-login").click();
  await page.locator("tbody tr").nth(10).waitFor();

  // From a press to the frame after the first row is another one.
  const pressed = (selector) =>
    page.evaluate(
      (wanted) =>
        new Promise((done) => {
          const first = () => document.querySelector("tbody tr a")?.getAttribute("href") ?? "";
          const before = first();
          const start = performance.now();
          document.querySelector(wanted).click();
          const look = () => {
            const now = first();
            if (now && now !== before) requestAnimationFrame(() => done(performance.now() - start));
            else requestAnimationFrame(look);
          };
          look();
        }),
      selector,
    );
  const report = (what, took) => {
    took.sort((a, b) => a - b);
    const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))].toFixed(0);
    console.log(`| ${what}, Chromium | ${at(0.5)} ms, p95 ${at(0.95)} ms | goal 300 ms p95 | | |`);
  };
  const turned = [];
  for (let i = 0; i < 60; i++) turned.push(await pressed('[aria-label="Następna strona"]'));
  report("next page of 50 drivers on screen", turned);
  const opened = [];
  for (let i = 0; i < 30; i++) {
    await page.evaluate(() => document.querySelector('a[href="/app/tags"]').click());
    await page.waitForURL("**/app/tags*");
    await page.locator("tbody tr").first().waitFor();
    opened.push(await pressed('nav a[href="/app/drivers"]'));
  }
  report("list of drivers from another screen", opened);
} finally {
  await browser.close();
  server.kill("SIGTERM");
  await new Promise((ended) => server.once("exit", ended));
  rmSync(data, { recursive: true, force: true });
}
