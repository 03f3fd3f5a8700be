// How long the figures behind a mailed link take on a slow line: Chromium as a phone with 400 kbit/s and 400 ms of delay, nothing in its
// cache, from the press on the link to the frame in which the payout stands, in two languages. Fails above 3 s.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("..", import.meta.url).pathname;
const { chromium } = createRequire(join(root, "ui", "package.json"))("playwright-core");
const data = mkdtempSync(join(tmpdir(), "saldo-bench-"));
const ROUNDS = 5;
const GOAL_MS = 3000;
const server = spawn(join(root, "bin", "saldo"), ["demo"], {
  env: { ...process.env, SALDO_DATA: data, SALDO_ADDR: "localhost:18091", SALDO_PUBLIC_URL: "http://localhost:18091", SALDO_LOG_LEVEL: "error" },
});
const url = "http://localhost:18091";
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

/** The link of a bill that one driver of the demo is mailed. */
async function mailed() {
  const page = await browser.newPage({ locale: "pl-PL" });
  const authorised = page.waitForRequest((request) => request.url().includes("/api/settlements") && "authorization" in request.headers());
  await page.goto(`${url}/app/settlements/settled`);
  const username = page.locator("#username");
  const button = page.getByRole("button", { name: "Zaloguj się" });
  await username.or(button).first().waitFor();
  if (!(await username.isVisible())) await button.click();
  await username.fill(person.email);
  await page.locator("#password").fill(person.password);
  await page.locator("#kc-login").click();
  const { authorization } = (await authorised).headers();
  const call = async (method, path, body) => {
    const headers = { authorization, "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
    const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { items } = await call("GET", "/api/settlements?page=1&size=50");
  const sending = await call("POST", "/api/summary-sendings", { ids: items.map(({ id }) => id), again: true });
  await call("POST", `/api/summary-sendings/${sending.id}/start`);
  for (let tries = 0; tries < 100; tries++) {
    for (const name of readdirSync(data, { recursive: true }).filter((file) => file.endsWith(".eml"))) {
      const token = /driver-summary\/[\w-]{43}/.exec(readFileSync(join(data, name), "utf8").replace(/=\r?\n/g, ""))?.[0];
      if (token) return `${url}/app/${token}`;
    }
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error("no mail was sent");
}

/** One visit of a phone that was never here. */
async function visit(link) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 });
  // The frame after the payout is in the document; times are counted from the press.
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector(".summary-amount")?.textContent && document.querySelector(".summary-total dd")) {
        requestAnimationFrame((at) => Object.assign(window, { figuresAt: at }));
      } else requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(link, { waitUntil: "commit" });
  const figures = await (await page.waitForFunction(() => window.figuresAt)).jsonValue();
  await page.locator("select").first().waitFor(); // the script has taken over
  const taken = await page.evaluate(() => performance.now());
  await context.close();
  return { figures, taken };
}

let over = false;
try {
  const link = await mailed();
  for (const [language, address] of [["Polish", `${link}?lang=pl`], ["Ukrainian", `${link}?lang=uk`]]) {
    const visits = [];
    for (let round = 0; round < ROUNDS; round++) visits.push(await visit(address));
    const sorted = (of) => visits.map((one) => one[of]).sort((a, b) => a - b);
    const [figures, taken] = [sorted("figures"), sorted("taken")];
    const seconds = (ms) => (ms / 1000).toFixed(2);
    console.log(
      `| figures behind a mailed link, 400 kbit/s, 400 ms, Chromium, ${language} | ${seconds(figures[2])} s, slowest ${seconds(figures[ROUNDS - 1])} s; its script ${seconds(taken[2])} s | goal 3 s | | |`,
    );
    if (figures[ROUNDS - 1] > GOAL_MS) over = true;
  }
} finally {
  await browser.close();
  server.kill("SIGTERM");
  await new Promise((ended) => server.once("exit", ended));
  rmSync(data, { recursive: true, force: true });
}
process.exit(over ? 1 : 0);
