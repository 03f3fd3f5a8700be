import { expect, type Page } from "@playwright/test";

/** The frame around every screen, as a person in Polish sees it. */
export class Frame {
  constructor(readonly page: Page) {}

  /** Signs in by link and waits for the first screen. */
  async enter(link: string, query = ""): Promise<void> {
    await this.page.goto(link.replace("/app/sign-in", `/app/sign-in${query}`));
    await expect(this.page).toHaveURL(/\/app\/(?!sign-in)/);
    await expect(this.page.getByRole("main")).toBeVisible();
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
