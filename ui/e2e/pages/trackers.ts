import { resolve } from "node:path";
import { type BrowserContext, chromium, expect, type Page } from "@playwright/test";
import type { Saldo } from "../saldo";
import { type Call, calling } from "./api";
import { Frame } from "./frame";

export const PHONE = { width: 390, height: 844 };
/** A photo as a camera hands it over. */
export const photo = resolve(import.meta.dirname, "../fixtures/invoice-photo.jpg");

/** What says that something waits on the phone. */
export const WAITS = /Do wysłania|Wysyłanie|Na telefonie/;

/** The fleet has its drivers write down trips and working time. */
export async function switchedOn(page: Page, saldo: Saldo): Promise<Call> {
  const call = calling(page);
  await new Frame(page).resume(saldo.people.anna, "/app/?lang=pl");
  const now = await call<{ version: number }>("GET", "/api/partners/driver-functions");
  await call("PUT", "/api/partners/driver-functions", { ...now, 1: true, 2: true, 3: true, 4: true });
  return call;
}

/** A browser with a profile on the disk, as a phone has it: what it keeps is there after it was closed. */
export function phone(folder: string, url: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
    viewport: PHONE,
    baseURL: url,
    locale: "pl-PL",
  });
}

/** Waits until this device can start without a line. */
export async function canStart(page: Page) {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    for (let tries = 0; tries < 300; tries++) {
      const keys = await caches.keys();
      const kept = await Promise.all(keys.map(async (name) => (await (await caches.open(name)).keys()).length));
      if (active && localStorage.getItem("saldo.starts") && kept.some((n) => n > 10) && keys.includes("saldo settings"))
        return;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error("nothing is kept");
  });
}

export async function addTrip(page: Page, amount: string, payment: "Gotówka" | "Karta") {
  await page.getByRole("link", { name: "Dodaj kurs" }).click();
  await page.getByRole("textbox", { name: /^Kwota/ }).fill(amount);
  await page.getByText(payment, { exact: true }).click();
  await page.getByLabel("Skąd").fill("Dworzec");
  await page.locator("input[type=file]").setInputFiles(photo);
  await expect(page.getByRole("img", { name: "Zdjęcie płatności" })).toBeVisible();
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page).toHaveURL(/\/trip-tracker$/);
}

/** What the pages of a browser did against the content security policy, from now on. */
export async function onPolicy(context: BrowserContext): Promise<string[]> {
  const broken: string[] = [];
  await context.exposeFunction("brokenPolicy", (said: string) => broken.push(said));
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      (window as unknown as { brokenPolicy: (said: string) => void }).brokenPolicy(
        `${violatedDirective} ${blockedURI}`,
      );
    });
  });
  const listen = (page: Page) =>
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) broken.push(message.text());
    });
  for (const page of context.pages()) listen(page);
  context.on("page", listen);
  return broken;
}
