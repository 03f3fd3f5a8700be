import { expect, type Page } from "@playwright/test";
import type { Person } from "../saldo";
import { SignIn } from "./sign-in";

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

  /** Comes in as somebody who signed in a moment ago on this device: the page is loaded once, and no form is drawn. */
  async resume(person: Person, path = "/app/"): Promise<void> {
    await this.page.context().clearCookies(); // whoever was here before
    await new SignIn(this.page).behind(person);
    await this.page.goto(path);
    await expect(this.page.locator("main#content")).toBeVisible(); // not its skeleton
  }

  /**
   * Goes to another screen as a link does: the page is not loaded again, which is most of the work of `goto`. Lists that were seen a
   * moment ago are not fetched again, so nothing may have changed behind the page.
   */
  async open(path: string): Promise<void> {
    await this.page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate", { state: null }));
    }, path);
  }

  /**
   * As `open`, six seconds later by the clock of the page: what it has seen before is fetched again, as after `goto`. Until it is
   * there, a list shows what it had.
   */
  async later(path: string): Promise<void> {
    await this.page.evaluate(() => {
      const now = Date.now;
      Date.now = () => now() + 6000;
    });
    await this.open(path);
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
