// How long people wait in Chromium at ten thousand drivers and a million transactions: until a page of the list of drivers
// is on screen, from the press to the frame after the rows are there, and until a weekly file of 5,000 drivers is shown and
// imported. The server is included; the goals are absolute.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
    await page.getByRole("heading", { level: 1, name: "Etykiety" }).waitFor();
    opened.push(await pressed('nav a[href="/app/drivers"]'));
  }
  report("list of drivers from another screen", opened);

  const head = readFileSync(join(root, "internal/imports/providers/bolt/testdata/bolt-earnings-pl.csv"), "utf8").split("\n")[0];
  const weekly = (week) =>
    [
      head,
      ...Array.from({ length: 5000 }, (_, n) => {
        const one = (factor) => ((n * factor) % 900) / 100 + 10;
        const [app, cash, tips, fees] = [one(7) * 100, one(11) * 20, one(13), one(17) * 10];
        const amounts = [app + cash, app, cash, cash, tips, 0, 0, 0, 0, 0, fees, fees, 0, 0, app + cash - fees, app - fees, 0, 0];
        const id = `bolt-${String(n + 1).padStart(7, "0")}`;
        return [`"Kierowca ${n}"`, `"kierowca${n + 1}@kierowcy.example"`, '""', ...amounts.map((amount) => `"${amount.toFixed(2)}"`), `"${id}"`, `"${id}-${week}"`].join(",");
      }),
    ].join("\n");
  const shown = [];
  const imported = [];
  for (const week of ["2026-09-07_2026-09-13", "2026-09-14_2026-09-20", "2026-09-21_2026-09-27", "2026-09-28_2026-10-04", "2026-10-05_2026-10-11"]) {
    await page.goto(`${url}/app/upload`);
    await page.locator("input[type=file]").waitFor({ state: "attached" });
    const name = `Bolt_${week}.csv`;
    const file = join(data, name);
    writeFileSync(file, weekly(week));
    await page.getByText("Ustawienia kolejnych plików").click();
    await page.getByLabel("Transakcje od").first().fill(week.slice(0, 10));
    await page.getByLabel("Transakcje do").first().fill(week.slice(11));
    const card = page.getByRole("listitem", { name });
    const button = card.getByRole("button", { name: /^Wczytaj / });
    let at = performance.now();
    await page.locator("input[type=file]").setInputFiles(file);
    await button.waitFor();
    shown.push(performance.now() - at);
    at = performance.now();
    await button.click();
    await card.getByText(/^Wczytano /).waitFor({ timeout: 60_000 });
    imported.push(performance.now() - at);
  }
  const middle = (took) => took.sort((a, b) => a - b)[2].toFixed(0);
  console.log(`| weekly file of 5,000 drivers shown on screen, Chromium | ${middle(shown)} ms | goal 1,000 ms | | |`);
  console.log(`| the same, from the press until it is imported | ${middle(imported)} ms | goal 2,000 ms | | |`);
} finally {
  await browser.close();
  server.kill("SIGTERM");
  await new Promise((ended) => server.once("exit", ended));
  rmSync(data, { recursive: true, force: true });
}
