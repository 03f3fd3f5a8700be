import { calling, driverWithTrip, newSchema, settleLastWeek } from "../pages/api";
import { clean } from "../pages/clean";
import { Frame } from "../pages/frame";
import { linkTo } from "../pages/link";
import { expect, test } from "../saldo";

const ADDRESS = "zofia.samofaktura@example.com";

test("a driver declines an invoice on a phone, reads the new one and approves it", async ({ page, saldo, browser }) => {
  const call = calling(page);
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/documents");

  // The office agrees that drivers approve.
  await page.getByRole("button", { name: "Zatwierdzanie faktur" }).click();
  const agreement = page.getByRole("dialog", { name: "Zatwierdzanie faktur" });
  await agreement.getByRole("radio", { name: "Milczenie oznacza zgodę po kilku dniach" }).check();
  await agreement.getByRole("textbox").fill("0");
  await expect(agreement.getByRole("alert")).toHaveText("Wpisz liczbę od 1 do 60.");
  await clean(page, "the agreement");
  await agreement.getByRole("radio", { name: "Kierowca zatwierdza każdą fakturę" }).check();
  await agreement.getByRole("button", { name: "Zapisz" }).click();
  await expect(agreement).toBeHidden();

  const schemaNumber = await newSchema(call, { name: "Samofakturowanie", contractType: "B2B_VAT" });
  const person = {
    firstName: "Zofia",
    lastName: "Samofaktura",
    email: ADDRESS,
    iban: "PL61109010140000071219812874",
    taxId: "5260250274",
    summaryLanguage: "pl",
    schemaNumber,
  };
  const driver = await driverWithTrip(call, person, 108_000);
  await settleLastWeek(call, [driver]);
  const { items } = await call<{ items: { id: string }[] }>("GET", `/api/settlements?driver=${driver}`);
  const settlement = items[0]?.id ?? "";
  await frame.later(`/app/transactions/summary/${driver}/${settlement}`);
  const draw = async () => {
    await page.getByRole("button", { name: "Wystaw fakturę" }).click();
    const issue = page.getByRole("dialog", { name: "Wystaw fakturę" });
    await issue.getByRole("textbox", { name: "Ulica i numer" }).fill("Polna 1");
    await issue.getByRole("textbox", { name: "Kod pocztowy i miejscowość" }).fill("00-001 Warszawa");
    await issue.getByRole("button", { name: "Wystaw fakturę" }).click();
    await expect(issue).toBeHidden();
  };
  await draw();
  await frame.later("/app/documents");
  await page.getByRole("button", { name: "Pokaż czekające" }).click();
  await expect(page.getByRole("row", { name: /Samofaktura/ })).toContainText("Czeka na kierowcę");
  await clean(page, "what waits");

  // The driver opens the mailed link on a phone and declines.
  const sending = await call<{ id: string }>("POST", "/api/summary-sendings", { ids: [settlement] });
  await call("POST", `/api/summary-sendings/${sending.id}/start`);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  const phone = await context.newPage();
  await phone.goto(saldo.url + (await linkTo(saldo, ADDRESS)));
  const card = phone.getByRole("region", { name: "Faktura do zatwierdzenia" });
  await expect(card).toContainText("Zofia S., 00-001 Warszawa");
  await clean(phone, "the draft on a phone");
  expect(await card.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await card.getByRole("button", { name: "Odrzucam" }).click();
  await expect(card.getByRole("button", { name: "Wyślij odrzucenie" })).toBeDisabled();
  await card.getByRole("textbox").fill("Zły adres");
  await card.getByRole("button", { name: "Wyślij odrzucenie" }).click();
  await expect(card).toContainText("Zły adres");

  // The office sees why and draws it up anew; the phone still shows the old one in another tab.
  await frame.later("/app/documents?state=declined");
  await expect(page.getByRole("row", { name: /Samofaktura/ })).toContainText("Zły adres");
  await frame.later(`/app/transactions/summary/${driver}/${settlement}`);
  await draw();
  await phone.reload();
  await phone.context().setOffline(true);
  await card.getByRole("button", { name: "Zatwierdzam" }).click();
  await expect(card.getByRole("alert")).toContainText("Odpowiedź nie dotarła");
  await phone.context().setOffline(false);
  await card.getByRole("button", { name: "Zatwierdzam" }).click();
  await expect(card.getByRole("button")).toHaveCount(0);

  await frame.later("/app/documents?kind=invoice");
  await expect(page.getByRole("row", { name: /Samofaktura/ })).toContainText(/SF\/DEMO\/\d{4}\/\d\d\/\d+/);
  await context.close();
  await call("PUT", "/api/billing-agreements", { approval: "none" }); // other journeys issue at once
});
