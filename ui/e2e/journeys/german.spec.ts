import { SignIn } from "../pages/sign-in";
import { GERMANY, wholeMonday } from "../pages/whole-monday";
import { IN_FULL } from "../pages/combined";
import { expect, test } from "../saldo";

// A browser from elsewhere is met in its own language.
test.use({ locale: "de-DE" });

test("the German instance speaks German and counts in euro", async ({ page, saldo, request }) => {
  expect(await (await request.get("/api/config")).json()).toMatchObject({
    instance: "de",
    currency: "EUR",
    timeZone: "Europe/Berlin",
    defaultLanguage: "de",
  });
  await page.goto("/app/");
  await expect(page.locator("#kc-login")).toHaveText("Anmelden");
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page.getByText(/\d,\d\d\s*€/)).toBeVisible();
  await new SignIn(page).submit(saldo.people.anna);
  await expect(page.getByRole("heading", { level: 1, name: "Übersicht" })).toBeVisible();
  await expect(page.getByText(/840/).first()).toBeVisible();
});

test("a German partner gives German numbers", async ({ page, saldo }) => {
  await page.goto("/app/");
  await new SignIn(page).submit(saldo.people.marek);
  await expect(page.getByRole("heading", { level: 1, name: "Übersicht" })).toBeVisible();
  await page.goto("/app/profile");
  const taxId = page.getByRole("textbox", { name: "USt-IdNr. oder Steuernummer" });
  await taxId.fill("526-025-02-74");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Korrigieren Sie die markierten Felder. Es wurde nichts gespeichert.")).toBeVisible();
  await taxId.fill("DE 136 695 976");
  await page.getByRole("textbox", { name: "Telefon" }).fill("0170 1234567");
  await page.getByRole("textbox", { name: "Postleitzahl" }).fill("10115");
  await page.getByRole("textbox", { name: "Konto für Überweisungen (IBAN)" }).fill("DE89370400440532013000");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Gespeichert.")).toBeVisible();
  await page.reload();
  await expect(taxId).toHaveValue("DE136695976");
  await expect(page.getByRole("textbox", { name: "Telefon" })).toHaveValue("+49 170 1234567");
});

test("a German Monday takes at most 25 steps", IN_FULL, async ({ page, saldo }) => {
  expect(await wholeMonday(page, saldo, "montag", GERMANY, "pointer"), "steps").toBeLessThanOrEqual(25);
});
