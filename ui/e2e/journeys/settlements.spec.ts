import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { clean, cleanAgain } from "../pages/clean";
import { Frame } from "../pages/frame";
import { lastWeek, monday } from "../pages/monday";
import { IN_FULL } from "../pages/combined";
import { expect, test } from "../saldo";

/** Writes a cost of a driver down by hand, in the week before this one. */
async function addCost(page: Page, driver: string, amount: string) {
  const [from] = lastWeek();
  await page.getByRole("button", { name: `Działania: ${driver}` }).click();
  await page.getByRole("menuitem", { name: "Transakcje" }).click();
  await page.getByRole("button", { name: "Dodaj transakcję" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel("Kwota").fill(amount);
  await drawer.getByLabel("Data").fill(from);
  await drawer.getByLabel("Nazwa").fill("Naprawa");
  await drawer.getByLabel("Powód").fill("Stłuczka");
  await drawer.getByRole("button", { name: "Dodaj transakcję" }).click();
  await expect(drawer).toBeHidden();
}

const table = (page: Page) => page.getByRole("table");
const rowOf = (page: Page, name: string) => table(page).getByRole("row").filter({ hasText: name });
const rowMenu = (page: Page, name: string) => page.getByRole("button", { name: new RegExp(`^Działania: .*${name}`) });

/** The link to settlements in another state. */
const state = (page: Page, name: RegExp) =>
  page.getByRole("navigation", { name: "Stany rozliczeń" }).getByRole("link", { name });

async function openPending(page: Page) {
  await new Frame(page).later("/app/settlements");
  await expect(page).toHaveURL(/\/app\/settlements\/pending$/);
  await expect(table(page).getByRole("checkbox").nth(1)).toBeVisible();
}

test("on Monday everybody is settled who can be, paid, taken back and settled again", async ({ page, saldo }) => {
  await monday(page, saldo, "monday");
  await openPending(page);
  await expect(page.getByRole("link", { name: "Rozliczenia" }).first()).toBeVisible();
  await cleanAgain(page, "pending");
  const names = await table(page).getByRole("link").allInnerTexts();
  const [debtor = "", first = "", second = ""] = names;
  await addCost(page, debtor, "99 000,00");

  // A debt cannot be chosen, says why, and is found by its filter.
  await openPending(page);
  await expect(rowOf(page, debtor).getByRole("checkbox")).toBeDisabled();
  await expect(rowOf(page, debtor)).toContainText("Dług, nie rozliczymy");
  await page.getByRole("button", { name: /^Z uwagami/ }).click();
  await page.getByLabel("Uwaga").selectOption("negative");
  await expect(rowOf(page, first)).toBeHidden();
  await expect(page).toHaveURL(/warning=negative/);
  await page.reload();
  await expect(rowOf(page, debtor)).toBeVisible();
  await clean(page, "filtered");
  await page.getByRole("button", { name: /^Z uwagami/ }).click();

  // What is chosen is summed up; the dry run writes nothing, also when it is left.
  await rowOf(page, first).getByRole("checkbox").check();
  await rowOf(page, second).getByRole("checkbox").check();
  const bar = page.getByRole("region", { name: "Zaznaczone rozliczenia" });
  await expect(bar).toContainText(`2 z ${names.length} zaznaczonych`);
  await clean(page, "chosen");
  await bar.getByRole("button", { name: /^Rozlicz 2 \(/ }).click();
  const drawer = page.getByRole("dialog", { name: /Próba rozliczenia/ }).or(page.locator(".run-drawer"));
  await expect(drawer.getByText("2 kierowców = 2 + 0. Nic jeszcze nie zapisano.")).toBeVisible();
  await clean(page, "dry run of two");
  await drawer.getByRole("button", { name: "Wróć" }).click();
  await expect(drawer).toBeHidden();
  await bar.getByRole("button", { name: "Wyczyść" }).click();

  const able = await table(page).locator("tbody").getByRole("checkbox", { disabled: false }).count();
  expect(able).toBeGreaterThan(2);
  await page.getByRole("button", { name: "Rozlicz wszystkie" }).dblclick();
  await expect(drawer.getByText(`${names.length} kierowców = ${able} + ${names.length - able}.`)).toBeVisible();
  await expect(drawer.getByText("Kwota ujemna")).toBeVisible();
  await clean(page, "dry run");
  await page.reload();
  await drawer.getByRole("button", { name: new RegExp(`^Rozlicz ${able} \\(`) }).click();
  await expect(drawer.getByText(`Rozliczono ${able}`, { exact: true })).toBeVisible();
  await expect(drawer.getByText(/^Odmówiono \d/).first()).toBeVisible();
  await clean(page, "result");
  await drawer.getByRole("button", { name: "Gotowe" }).click();
  await expect(rowOf(page, debtor)).toBeVisible();
  await expect(rowOf(page, first)).toBeHidden();

  // One is marked as paid and unmarked.
  await state(page, /^Rozliczone/).click();
  await expect(rowOf(page, first)).toContainText("Udostępnione");
  await cleanAgain(page, "settled");
  await rowMenu(page, first).click();
  await page.getByRole("menuitem", { name: "Oznacz jako wypłacone" }).click();
  await clean(page, "question about the day");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Oznacz 1 \(/ })
    .click();
  await expect(page.getByText("Oznaczono jako wypłacone: 1.")).toBeVisible();
  await expect(rowOf(page, first)).toBeHidden();
  await state(page, /^Wypłacone/).click();
  await expect(rowOf(page, first)).toContainText("Wypłacone");
  await cleanAgain(page, "paid");

  // What is paid leaves as a file, and as a report of its days.
  const exported = page.waitForEvent("download");
  await page.getByRole("button", { name: "Eksport" }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  const file = await exported;
  expect(file.suggestedFilename()).toMatch(/^settlements-\d{4}-\d\d-\d\d\.csv$/);
  const lines = readFileSync(await file.path(), "utf8")
    .trimEnd()
    .split("\n");
  expect(lines[0]).toContain("\ufeffNumer;Nazwisko;Imię;Okres;Od;Do");
  expect(lines.slice(1).map((line) => line.split(";").slice(1, 3).join(" "))).toEqual([first]);
  await page.getByRole("button", { name: "Raport wypłat" }).click();
  const days = page.getByRole("dialog", { name: "Raport wypłat" });
  await clean(page, "days of a report");
  await days.getByLabel("Wypłacono do").fill("2020-01-01");
  await expect(days.getByText("Data końcowa jest wcześniejsza niż początkowa.")).toBeVisible();
  await clean(page, "days of a report in the wrong order");
  const [, last] = lastWeek();
  await days.getByLabel("Wypłacono do").fill(`${Number(last.slice(0, 4)) + 1}${last.slice(4)}`);
  const reported = page.waitForEvent("download");
  await days.getByRole("button", { name: "Pobierz raport" }).click();
  expect((await reported).suggestedFilename()).toMatch(/^payout-.*\.xlsx$/);
  await expect(days).toBeHidden();

  await rowOf(page, first).getByRole("checkbox").check();
  await page.getByRole("button", { name: "Cofnij wypłatę (1)" }).click();
  await expect(page.getByText("Cofnięto wypłatę: 1.")).toBeVisible();

  // One is revoked with a reason, corrected and settled again.
  await state(page, /^Rozliczone/).click();
  await rowMenu(page, second).click();
  await page.getByRole("menuitem", { name: "Wycofaj" }).click();
  const question = page.getByRole("dialog");
  await expect(question.getByText(/transakcje, które znów będą nierozliczone: \d+/)).toBeVisible();
  await expect(question.getByRole("button", { name: "Wycofaj 1" })).toBeDisabled();
  await question.getByLabel("Powód").fill("Zapomniany koszt");
  await clean(page, "revoking");
  await question.getByRole("button", { name: "Wycofaj 1" }).click();
  await expect(page.getByText("Wycofano: 1.")).toBeVisible();
  await page.getByRole("button", { name: "Wycofane" }).click();
  await expect(rowOf(page, second)).toContainText("Zapomniany koszt");
  await clean(page, "revoked");

  await openPending(page);
  await addCost(page, second, "10,00");
  await openPending(page);
  await rowMenu(page, second).click();
  await page.getByRole("menuitem", { name: /^Rozlicz / }).click();
  await drawer.getByRole("button", { name: /^Rozlicz 1 \(/ }).click();
  await expect(drawer.getByText("Rozliczono 1", { exact: true })).toBeVisible();
  await drawer.getByRole("button", { name: "Gotowe" }).click();
  await state(page, /^Rozliczone/).click();
  await expect(rowOf(page, second)).toBeVisible();
});

test("on a phone, by keyboard alone, a driver is settled", IN_FULL, async ({ page, saldo }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await monday(page, saldo, "phone");
  await openPending(page);
  await clean(page, "cards");
  // somebody who owes nothing
  const able = table(page)
    .locator("tbody tr")
    .filter({ has: page.getByRole("checkbox", { disabled: false }) });
  const name = await able.first().getByRole("link").first().innerText();
  await rowOf(page, name).getByRole("checkbox").focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: /^Rozlicz 1 \(/ }).focus();
  await page.keyboard.press("Enter");
  const drawer = page.locator(".run-drawer");
  await expect(drawer.getByText(/1 kierowca = 1 \+ 0/)).toBeVisible();
  await clean(page, "dry run", { within: ".run-drawer" });
  await drawer.getByRole("switch", { name: /Udostępnij rozliczenie/ }).focus();
  await page.keyboard.press("Space");
  await expect(drawer.getByText("Niczego nie wysyłamy.")).toBeVisible();
  await drawer.getByRole("button", { name: /^Rozlicz 1 \(/ }).focus();
  await page.keyboard.press("Enter");
  await expect(drawer.getByText("Rozliczono 1", { exact: true })).toBeVisible();
  await expect(drawer.getByText("Kierowcy jeszcze nie widzą tych rozliczeń.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await new Frame(page).later("/app/settlements/settled");
  await expect(rowOf(page, name)).toContainText("Rozliczone");
  await cleanAgain(page, "settled cards");
  // The period is stepped through and kept in the address.
  await page.getByRole("button", { name: "Wcześniejszy okres" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/period=\d{4}-W\d{2}/);
});
