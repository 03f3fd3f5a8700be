import { type Cookie, expect, type Page } from "@playwright/test";
import type { Person } from "../saldo";
import { SignIn } from "./sign-in";

// What browsers kept of signing in, for each server and person: journeys that are not about signing in go on with it.
const kept = new Map<string, { cookies: Cookie[]; until: number }>();
// Where money goes can be changed for five minutes after signing in.
const KEPT_MS = 60_000;

/** The frame around every screen, as a person in Polish sees it. */
export class Frame {
  constructor(readonly page: Page) {}

  /** Signs in at the identity provider and waits for the first screen. */
  async enter(person: Person, path = "/app/"): Promise<void> {
    await this.page.context().clearCookies(); // whoever was here before
    await this.page.goto(path);
    await new SignIn(this.page).submit(person);
    await expect(this.page).toHaveURL(/\/app\/(?!sign-in)/);
    await expect(this.page.locator("main#content")).toBeVisible(); // not its skeleton
  }

  /** Comes in as somebody who signed in earlier, on this device: by the form where nobody did lately, or where that has ended. */
  async resume(person: Person, path = "/app/"): Promise<void> {
    const context = this.page.context();
    const earlier = kept.get(`${person.email} ${person.password}`);
    await context.clearCookies(); // whoever was here before
    if (earlier && Date.now() < earlier.until) await context.addCookies(earlier.cookies);
    await this.page.goto(path);
    const form = this.page.locator("#username");
    const content = this.page.locator("main#content"); // not its skeleton
    await expect(form.or(content)).toBeVisible();
    if (await content.isVisible()) return;
    const until = Date.now() + KEPT_MS;
    await new SignIn(this.page).submit(person);
    await expect(content).toBeVisible();
    kept.set(`${person.email} ${person.password}`, { cookies: await context.cookies(), until });
  }

  menu() {
    return this.page.getByRole("navigation", { name: "Menu główne" });
  }

  tabs() {
    return this.page.getByRole("navigation", { name: "Otwarte ekrany" });
  }

  account() {
    return this.page.getByRole("button", { name: /^Konto: / });
  }

  bell() {
    return this.page.getByRole("button", { name: /^Zadania w tle/ });
  }
}
