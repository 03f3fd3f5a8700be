import { expect, type Page } from "@playwright/test";

/** Fills the first step in; the name, the e-mail and the phone are known. */
export async function personal(page: Page) {
  await page.getByLabel("Imiona").fill("Oleh");
  await page.getByRole("textbox", { name: "Nazwisko", exact: true }).fill("Bondar");
  await page.getByLabel("Data urodzenia").fill("1944-05-14");
  await page.getByLabel("Obywatelstwo").selectOption("UA");
  await page.getByLabel("PESEL").fill("44051401359");
  await page.getByLabel("Rodzaj dokumentu").selectOption("passport");
  await page.getByLabel("Numer dokumentu").fill("FA 123456");
  await page.getByLabel("Ulica").fill("Długa");
  await page.getByLabel("Numer domu").fill("1");
  await page.getByLabel("Kod pocztowy").fill("80-831");
  await page.getByLabel("Miejscowość").fill("Gdańsk");
  await page.getByLabel("Telefon").fill("+48 600 100 200");
  await page.getByLabel("E-mail").fill("oleh@drivers.example");
}

export async function terms(page: Page) {
  await page.getByRole("checkbox", { name: "Umowa zlecenia" }).check();
  await page.getByLabel("Miejsce zawarcia").fill("Gdańsk");
  await page.getByLabel("Konto do wypłat").fill("PL61 1090 1014 0000 0712 1981 2874");
}

export async function statements(page: Page) {
  await page.getByLabel("Urząd skarbowy").fill("Pierwszy Urząd Skarbowy w Gdańsku");
  await page.getByLabel("Oddział NFZ").selectOption("11");
}

export const next = (page: Page) => page.getByRole("button", { name: "Dalej", exact: true }).click();
export const step = (page: Page, name: string) =>
  expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeVisible();

/** Opens every document, one after the other, as the button in each leads to the next. */
export async function read(page: Page) {
  await page.getByRole("button", { name: /Umowa zlecenia/ }).click();
  const dialog = page.getByRole("dialog");
  for (;;) {
    await expect(dialog.getByRole("img").first()).toBeVisible();
    const on = dialog.getByRole("button", { name: /^Dalej: / });
    if (!(await on.isVisible())) break;
    const title = await on.textContent();
    await on.click();
    await expect(page.getByRole("dialog", { name: title?.replace("Dalej: ", "") ?? "" })).toBeVisible();
  }
  await dialog.locator("footer").getByRole("button", { name: "Zamknij" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Jeszcze nieotwarty")).toHaveCount(0);
}

export async function declare(page: Page) {
  for (const name of [/^Podane dane/, /^Rozumiem dokumenty/, /^Zgadzam się/, /^Podpisuję wszystkie/])
    await page.getByRole("checkbox", { name }).check();
}
