import { expect, type Page } from "@playwright/test";

/** The list of tags. */
export class TagsPage {
  constructor(readonly page: Page) {}

  row(name: string) {
    return this.page.getByRole("row").filter({ has: this.page.getByRole("cell", { name, exact: true }) });
  }

  search() {
    return this.page.getByRole("textbox", { name: "Szukaj etykiet" });
  }

  name() {
    return this.page.getByRole("textbox", { name: "Nazwa" });
  }

  drawer() {
    return this.page.getByRole("dialog", { name: "Nowa etykieta" });
  }

  async open(): Promise<void> {
    await this.page.getByRole("button", { name: "Dodaj etykietę" }).first().click();
    await expect(this.drawer()).toBeVisible();
  }

  async submit(): Promise<void> {
    await this.drawer().getByRole("button", { name: "Dodaj etykietę" }).click();
  }

  async add(name: string): Promise<void> {
    await this.open();
    await this.name().fill(name);
    await this.submit();
    await expect(this.drawer()).toBeHidden();
    await expect(this.row(name)).toBeVisible();
  }

  async remove(name: string): Promise<void> {
    await this.page.getByRole("button", { name: `Usuń etykietę „${name}”` }).click();
    await expect(this.row(name)).toBeHidden();
  }
}
