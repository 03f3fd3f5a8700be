import type { Page } from "@playwright/test";
import { downloaded, bankAnswer } from "../pages/bank";
import { clean, cleanAgain } from "../pages/clean";
import { Frame } from "../pages/frame";
import { monday } from "../pages/monday";
import { ProfilePage } from "../pages/profile-page";
import { expect, test } from "../saldo";

const ACCOUNT = "61109010140000071219812874";

const table = (page: Page) => page.getByRole("table");
const rowOf = (page: Page, name: string) => table(page).getByRole("row").filter({ hasText: name });
const left = (page: Page, name: string) =>
  page.getByRole("region", { name: "Pominięci" }).getByRole("listitem").filter({ hasText: name });

/** Gives a driver an account, on their page. */
async function account(page: Page, iban: string) {
  await page.getByRole("textbox", { name: "IBAN", exact: true }).fill(iban);
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.getByText(/Konto zmienione/).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Zapisz" })).toBeDisabled(); // leaving asks nothing any more
}

test("drivers are paid in a batch: two are left out, one is mended, the file goes to the bank", async ({
  page,
  saldo,
}) => {
  const frame = new Frame(page);
  await monday(page, saldo, "payday");
  await frame.later("/app/settlements/pending");
  await page.getByRole("button", { name: "Rozlicz wszystkie" }).click();
  const drawer = page.locator(".run-drawer");
  await drawer.getByRole("button", { name: /^Rozlicz \d+ \(/ }).click();
  await expect(drawer.getByText(/^Rozliczono \d+/).first()).toBeVisible();
  await drawer.getByRole("button", { name: "Gotowe" }).click();

  // Whoever pays needs an account and a tax id: it is said, and nothing is made.
  await frame.later("/app/payouts");
  await expect(page.getByText("Nie ma jeszcze przelewów")).toBeVisible();
  await clean(page, "no batches");
  await page.getByRole("button", { name: "Nowe przelewy" }).click();
  await expect(page.getByText("Firma nie ma konta do przelewów. Firma nie ma wpisanego NIP.")).toBeVisible();
  await page.getByRole("link", { name: "Otwórz profil firmy" }).click();
  const profile = new ProfilePage(page);
  await profile.field("Konto do przelewów (IBAN)").fill("49114020040000330200112177");
  await profile.field("NIP").fill("5260250274");
  await profile.save();
  await expect(page.getByText(/Zapisano/).first()).toBeVisible();

  // Three are chosen, none of whom has an account.
  await frame.later("/app/settlements/settled");
  await expect(table(page).getByRole("checkbox").nth(1)).toBeVisible();
  const names = (
    await table(page)
      .locator("tbody .settlements-who")
      .getByRole("link", { name: /\S+ \S+/ })
      .allInnerTexts()
  ).slice(0, 3);
  const [first = "", second = "", third = ""] = names;
  for (const name of names) await rowOf(page, name).first().getByRole("checkbox").check();
  await page.getByRole("region", { name: "Zaznaczone rozliczenia" }).getByRole("button", { name: "Przelewy" }).click();
  await expect(page.getByText("wybrano 3 rozliczenia")).toBeVisible();
  await expect(left(page, first)).toContainText("Brak rachunku bankowego");
  await expect(page.getByRole("region", { name: "Pominięci" }).getByRole("listitem")).toHaveCount(3);
  await expect(page.getByRole("button", { name: /^Utwórz przelewy/ })).toBeDisabled();
  await clean(page, "everybody is left out");

  // One is mended; a new account is paid to only after somebody says so.
  await page.getByRole("link", { name: `Popraw: ${first}` }).click();
  await account(page, ACCOUNT);
  await page.goBack();
  await expect(left(page, first)).toContainText("Konto zmienione");
  await left(page, first).getByRole("button", { name: "Zapłać na nowe konto" }).click();
  await expect(left(page, first)).toBeHidden();
  await expect(left(page, second)).toContainText("Brak rachunku bankowego");
  await expect(left(page, third)).toContainText("Brak rachunku bankowego");
  await page.getByLabel("Plik dla banku").selectOption("pko");
  await expect(page.locator("[data-reloading]")).toHaveCount(0); // reckoned anew, and pale until then
  await clean(page, "two are left out");
  await page.getByRole("button", { name: /^Utwórz przelewy: \d+ \(/ }).click();

  await expect(page.getByRole("heading", { name: "Paczka nr 1" })).toBeVisible();
  await expect(rowOf(page, first).first()).toContainText("P1-");
  await cleanAgain(page, "a batch");
  const elixir = await downloaded(page);
  expect(elixir.name).toMatch(/^saldo-1-\d{4}-\d{2}-\d{2}\.txt$/);
  expect(elixir.text).toMatch(/^110,\d{8},\d+,11402004,0,49114020040000330200112177,61109010140000071219812874,/);
  expect((await downloaded(page)).text).toBe(elixir.text);

  // What is in a batch is not paid in another, nor revoked.
  await frame.later("/app/settlements/settled");
  await expect(rowOf(page, first).getByRole("link", { name: "W paczce nr 1" })).toBeVisible();
  await frame.later("/app/payouts/new");
  await expect(left(page, first)).toContainText("Już w paczce nr 1");

  // All of it is marked as paid, one is unmarked, and the batch can be given up.
  await frame.later("/app/payouts/1");
  await page.getByRole("button", { name: "Oznacz wszystko jako wypłacone" }).click();
  await clean(page, "question about the day");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Oznacz 1/ })
    .click();
  await expect(page.getByText("Wypłacona", { exact: true })).toBeVisible();
  await frame.later("/app/settlements/paid");
  await rowOf(page, first).getByRole("checkbox").check();
  await page.getByRole("button", { name: "Cofnij wypłatę (1)" }).click();
  await expect(page.getByText("Cofnięto wypłatę: 1.")).toBeVisible();
  await frame.later("/app/payouts/1");
  await page.getByRole("button", { name: "Anuluj paczkę" }).click();
  const question = page.getByRole("dialog");
  await question.getByLabel("Powód").fill("Zły dzień");
  await question.getByRole("button", { name: "Anuluj paczkę" }).click();
  await expect(page.getByText("Anulował(a) Ewa Nowak: Zły dzień")).toBeVisible();

  // The same driver in the standard that every bank takes.
  await frame.later("/app/payouts/new");
  await page.getByLabel("Plik dla banku").selectOption("pain03");
  await left(page, first).getByRole("button", { name: "Zapłać na nowe konto" }).click();
  await page.getByRole("button", { name: /^Utwórz przelewy: \d+ \(/ }).click();
  await expect(page.getByRole("heading", { name: "Paczka nr 2" })).toBeVisible();
  const pain = await downloaded(page);
  expect(pain.name).toMatch(/\.xml$/);
  expect(pain.text).toContain("<IBAN>PL61109010140000071219812874</IBAN>");

  // The bank's statement says that it was paid; a later one says that it came back.
  const statement = async (file: string) => {
    await frame.later("/app/payouts");
    await page.getByRole("button", { name: "Wyciąg bankowy" }).click();
    await page
      .getByLabel("albo wybierz plik")
      .last()
      .setInputFiles({ name: "wyciag.xml", mimeType: "text/xml", buffer: Buffer.from(file) });
  };
  await statement("Data;Kwota");
  await expect(page.getByText(/To ani MT940, ani CAMT.053/)).toBeVisible();
  await clean(page, "a file that is no statement");
  await statement(bankAnswer(pain.text, "DBIT"));
  await expect(page.getByRole("region", { name: /^Zapłacone/ })).toContainText(first);
  await clean(page, "what a statement says");
  await page.getByRole("button", { name: /^Potwierdź: zapłacone \d+ \(.+\), zwroty 0/ }).click();
  await expect(page.getByText(/Rozliczenia wypłacone: 1\./)).toBeVisible();
  await expect(rowOf(page, "wyciag.xml")).toHaveCount(1);
  await frame.later("/app/payouts/2");
  await expect(page.getByText("Wypłacona", { exact: true })).toBeVisible();
  await statement(bankAnswer(pain.text, "CRDT"));
  await expect(page.getByRole("region", { name: /^Zwroty/ })).toContainText("Rachunek zamknięty");
  await page.getByRole("button", { name: /^Potwierdź: zapłacone 0 .*zwroty \d/ }).click();
  await expect(page.getByText(/Rozliczenia ze zwrotem: 1;/)).toBeVisible();
  await frame.later("/app/payouts/2");
  await expect(page.getByText("Zwroty: 1 z 1")).toBeVisible();
  await expect(rowOf(page, first).first()).toContainText("Rachunek zamknięty");
  await clean(page, "a batch whose money came back");
  await frame.later("/app/payouts/new");
  await left(page, first).getByRole("button", { name: "Zapłać na nowe konto" }).click();
  await expect(page.getByRole("button", { name: /^Utwórz przelewy: \d+ \(/ })).toBeEnabled();

  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/app/payouts", "/app/payouts/2", "/app/payouts/new", "/app/payouts/statement"]) {
    await frame.open(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
  }
});
