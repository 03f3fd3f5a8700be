import { calling, driverWithTrip, newSchema, settleLastWeek } from "../pages/api";
import { clean, cleanAgain } from "../pages/clean";
import { Frame } from "../pages/frame";
import { expect, test } from "../saldo";

const PHONE = { width: 390, height: 844 };

test("revoking an issued invoice names its correction, and the register shows both", async ({ page, saldo }) => {
  const call = calling(page);
  await new Frame(page).resume(saldo.people.anna);
  await page.goto("/app/settlements/settled");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const schemaNumber = await newSchema(call, { name: "Firmy z VAT", contractType: "B2B_VAT" });
  const id = await driverWithTrip(
    call,
    {
      firstName: "Feliks",
      lastName: "Fakturowy",
      iban: "PL61109010140000071219812874",
      taxId: "5260250274",
      schemaNumber,
    },
    108_000,
  );
  await settleLastWeek(call, [id]);
  const { items } = await call<{ items: { id: string }[] }>("GET", `/api/settlements?driver=${id}`);
  await new Frame(page).later(`/app/transactions/summary/${id}/${items[0]?.id}`);
  await page.getByRole("button", { name: "Wystaw fakturę" }).click();
  const issue = page.getByRole("dialog", { name: "Wystaw fakturę" });
  await issue.getByRole("textbox", { name: "Ulica i numer" }).fill("Polna 1");
  await issue.getByRole("textbox", { name: "Kod pocztowy i miejscowość" }).fill("00-001 Warszawa");
  await issue.getByRole("button", { name: "Wystaw fakturę" }).click();
  await expect(page.getByText(/^SF\/DEMO\/\d{4}\/\d\d\/\d+$/)).toBeVisible();

  await new Frame(page).later("/app/settlements/settled?q=Fakturowy");
  await page.getByRole("checkbox", { name: /Fakturowy/ }).check();
  await page.getByRole("button", { name: "Więcej" }).click();
  await page.getByRole("menuitem", { name: "Wycofaj" }).click();
  const revoke = page.getByRole("dialog", { name: /^Wycofaj rozliczenie nr \d+/ });
  await expect(revoke).toContainText("Fakturowy Feliks");
  await expect(
    revoke.getByText(/^Fakturę SF\/DEMO\/\S+ \(.*\) skorygujemy do zera fakturą korygującą\.$/),
  ).toBeVisible();
  await revoke.getByRole("textbox").fill("Zły plik");
  await revoke.getByRole("button", { name: "Wycofaj 1" }).click();
  await expect(page.getByText("Wycofano: 1.")).toBeVisible();

  await new Frame(page).later("/app/documents");
  await expect(page.getByRole("heading", { level: 1, name: "Wystawione dokumenty" })).toBeVisible();
  const table = page.getByRole("table");
  await expect(table.getByRole("row", { name: /SF\/DEMO\/\d{4}\/\d\d\/\d+ .*Skorygowano/ })).toBeVisible();
  await expect(
    table.getByRole("row", { name: /SFK\/DEMO\/\d{4}\/\d\d\/1 .*Faktura korygująca do SF\/DEMO/ }),
  ).toBeVisible();
  await cleanAgain(page, "the register");
  await page.getByRole("combobox", { name: "Rodzaj" }).selectOption("correction");
  await expect(table.getByRole("row")).toHaveCount(2);
  await table.getByRole("checkbox", { name: /^Zaznacz SFK/ }).check();
  const [zip] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Pobierz ZIP (1)" }).click(),
  ]);
  expect(zip.suggestedFilename()).toMatch(/^saldo-\d{4}-\d\d-\d\d\.zip$/);
  await page.setViewportSize(PHONE);
  await clean(page, "the register on a phone");
});
