import { expect, type Page } from "@playwright/test";

/** The partner's profile, as a person in Polish sees it. */
export class ProfilePage {
  constructor(readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/app/profile");
    await expect(this.field("Nazwa firmy")).toBeVisible();
    await expect(this.page.getByText(/Twoi kierowcy/).first()).toBeVisible();
  }

  field(name: string) {
    return this.page.getByRole("textbox", { name, exact: true });
  }

  toggle(name: string) {
    return this.page.getByRole("switch", { name, exact: true });
  }

  async save(): Promise<void> {
    await this.page.getByRole("button", { name: "Zapisz" }).click();
  }
}
