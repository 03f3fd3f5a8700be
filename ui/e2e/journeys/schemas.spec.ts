import { Frame } from "../pages/frame";
import { expect, test } from "../saldo";

test("a clerk makes a schema, makes it the default and deletes the former", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna);
  await page.getByRole("link", { name: "Schematy" }).first().click();
  await page.getByRole("button", { name: "Dodaj schemat" }).click();
  await page.getByRole("textbox", { name: "Nazwa", exact: true }).fill("Kurierzy");
  await page.getByRole("textbox", { name: "Koszt rozliczenia" }).fill("1 000 000,01");
  await page.getByRole("button", { name: "Dodaj przedział" }).click();
  await page.getByRole("textbox", { name: "Przychód od" }).fill("0");
  await page.getByRole("textbox", { name: "Stawka" }).fill("8,25");
  await page.getByRole("button", { name: "Dodaj schemat" }).click();
  await expect(page.getByText(/Największa dozwolona wartość to 1\s000\s000,00/)).toBeVisible();
  await page.getByRole("textbox", { name: "Koszt rozliczenia" }).fill("1 234,5");
  await page.getByRole("button", { name: "Dodaj schemat" }).click();

  await page.getByRole("button", { name: "Kurierzy", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Koszt rozliczenia" })).toHaveValue("1\u00a0234,50");
  await expect(page.getByRole("textbox", { name: "Stawka" })).toHaveValue("8,25");
  await page.getByRole("button", { name: "Wszystkie schematy" }).click();

  await page.getByRole("button", { name: "Ustaw schemat „Kurierzy” jako domyślny" }).click();
  await page.getByRole("button", { name: "Usuń schemat „Kurierzy”" }).click();
  await expect(page.getByText("To jest schemat domyślny.")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Usuń schemat „Standard”" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Usuń" }).click();
  await expect(page.getByRole("button", { name: "Standard", exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Kurierzy", exact: true })).toBeVisible();
});
