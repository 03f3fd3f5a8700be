// How a phone with 1,000 trips that wait behaves: until the list of them is drawn, until a second visit without a line shows something,
// and how many it sends in a second when the line is back. The first trip is written down as a person does it; the others are sealed
// copies of it.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("..", import.meta.url).pathname;
const { chromium } = createRequire(join(root, "ui", "package.json"))("playwright-core");
const data = mkdtempSync(join(tmpdir(), "saldo-bench-"));
const profile = mkdtempSync(join(tmpdir(), "saldo-phone-"));
const ROUNDS = 5;
const WAITING = 1000;
const url = "http://localhost:18092";
const server = spawn(join(root, "bin", "saldo"), ["demo", "--size", "small"], {
  env: { ...process.env, SALDO_DATA: data, SALDO_ADDR: "localhost:18092", SALDO_PUBLIC_URL: url, SALDO_LOG_LEVEL: "error" },
});
const people = await new Promise((found, failed) => {
  let out = "";
  server.stdout.on("data", (text) => {
    out += text;
    if (!out.includes("Stop with")) return;
    const of = (name) => {
      const [, email, password] = new RegExp(`(${name}@\\S+) +(\\S+)`).exec(out);
      return { email, password };
    };
    found({ anna: of("anna"), oleh: of("oleh") });
  });
  server.once("exit", () => failed(new Error(`it did not start: ${out}`)));
});
const context = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  viewport: { width: 390, height: 844 },
  locale: "pl-PL",
});

async function signIn(page, { email, password }, path) {
  await context.clearCookies();
  const authorised = page.waitForRequest((request) => request.url().includes("/api/") && "authorization" in request.headers());
  await page.goto(url + path);
  const username = page.locator("#username");
  const button = page.getByRole("button", { name: "Zaloguj się" });
  await username.or(button).first().waitFor();
  if (!(await username.isVisible())) await button.click();
  await username.fill(email);
  await page.locator("#password").fill(password);
  await page.locator("#kc-login").click();
  const { authorization } = (await authorised).headers();
  return async (method, way, body) => {
    const headers = { authorization, "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
    const answer = await fetch(url + way, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${way}: ${answer.status} ${await answer.text()}`);
    const text = await answer.text();
    return text && JSON.parse(text);
  };
}

/** Copies the trip that waits until there are as many. */
const fill = (count) =>
  new Promise((filled, failed) => {
    const opening = indexedDB.open("saldo.tracking");
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = async () => {
      const db = opening.result;
      const asked = (request) => new Promise((done) => (request.onsuccess = () => done(request.result)));
      const [first] = await asked(db.transaction("outbox").objectStore("outbox").getAll());
      const { key } = await asked(db.transaction("keys").objectStore("keys").get(first.owner));
      const said = JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt({ name: "AES-GCM", iv: first.body.iv }, key, first.body.data)));
      const rows = [];
      for (let n = 1; n < count; n++) {
        const iv = crypto.getRandomValues(new Uint8Array(12));
        const text = new TextEncoder().encode(JSON.stringify({ ...said, amount: 1000 + n }));
        const body = { iv, data: await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, text) };
        rows.push({ ...first, id: crypto.randomUUID(), at: first.at + n, body });
      }
      const write = db.transaction("outbox", "readwrite");
      for (const row of rows) write.objectStore("outbox").put(row);
      write.oncomplete = () => {
        db.close();
        filled();
      };
    };
  });

const middle = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
try {
  const page = context.pages()[0] ?? (await context.newPage());
  const partner = await signIn(page, people.anna, "/app/drivers?lang=pl");
  const functions = await partner("GET", "/api/partners/driver-functions");
  await partner("PUT", "/api/partners/driver-functions", { ...functions, 1: true, 2: true });
  const driver = await signIn(page, people.oleh, "/app/trip-tracker?lang=pl");
  await page.getByRole("link", { name: "Dodaj kurs" }).waitFor();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    for (let kept = 0; kept < 10; ) {
      const names = await caches.keys();
      kept = Math.max(0, ...(await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length))));
      await new Promise((later) => setTimeout(later, 100));
    }
  });
  const before = (await driver("GET", "/api/trips")).totals.count;
  await context.setOffline(true);
  await page.getByRole("link", { name: "Dodaj kurs" }).click();
  await page.getByRole("textbox", { name: /^Kwota/ }).fill("10,00");
  await page.getByText("Karta", { exact: true }).click();
  await page.getByRole("button", { name: "Zapisz" }).click();
  await page.getByText("Do wysłania: 1 wpis").waitFor();
  await page.evaluate(fill, WAITING);

  const visits = [];
  const lists = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(`${url}/app/time-tracker?lang=pl`);
    await page.getByText(`Do wysłania: ${"1000"} wpisów`).or(page.getByText(/Do wysłania: 1\s000 wpisów/)).waitFor();
    visits.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0));
    lists.push(
      await page.evaluate(
        () =>
          new Promise((drawn) => {
            const began = performance.now();
            history.pushState(null, "", "/app/trip-tracker");
            dispatchEvent(new PopStateEvent("popstate", { state: null }));
            const look = () => {
              if (document.querySelectorAll('main a[href*="/trip-tracker/edit/"]').length > 10) requestAnimationFrame((at) => drawn(at - began));
              else requestAnimationFrame(look);
            };
            look();
          }),
      ),
    );
  }
  console.log(`| list of ${WAITING} trips that wait on a phone (\`node bench/outbox.mjs\`), median of ${ROUNDS} | ${middle(lists).toFixed(0)} ms, slowest ${Math.max(...lists).toFixed(0)} ms | goal 200 ms | | |`);
  console.log(`| second visit without a line, first paint | ${middle(visits).toFixed(0)} ms, slowest ${Math.max(...visits).toFixed(0)} ms | goal 1,000 ms | | |`);
  const began = Date.now();
  await context.setOffline(false);
  let there = 0;
  for (const until = began + 120_000; there < WAITING && Date.now() < until; ) {
    await new Promise((later) => setTimeout(later, 100));
    there = (await driver("GET", "/api/trips")).totals.count - before;
  }
  const seconds = (Date.now() - began) / 1000;
  console.log(`| they are sent when the line is back | ${there} in ${seconds.toFixed(1)} s, ${(there / seconds).toFixed(0)} a second | goal 20 a second | | |`);
  if (there !== WAITING) process.exitCode = 1;
} finally {
  await context.close();
  server.kill();
  rmSync(data, { recursive: true, force: true });
  rmSync(profile, { recursive: true, force: true });
}
