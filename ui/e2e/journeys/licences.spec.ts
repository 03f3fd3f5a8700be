import type { Page } from "@playwright/test";
import { calling, driverWithTrip } from "../pages/api";
import { clean, cleanInALook, cleanInEveryLanguage } from "../pages/clean";
import { ways } from "../pages/combined";
import { Frame } from "../pages/frame";
import { texts } from "../pages/texts";
import { enterWorkbench } from "../pages/workbench";
import { expect, type Saldo, test } from "../saldo";

/** What a new partner does not have yet. */
const BUYER = {
  NIP: "5260250274",
  Ulica: "Krucza",
  "Numer domu": "4A",
  "Kod pocztowy": "00-950",
  Miejscowość: "Warszawa",
  "E-mail do faktury": "faktury@wrzos.example",
};

const fill = async (page: Page) => {
  for (const [label, value] of Object.entries(BUYER)) await page.getByLabel(label).fill(value);
};

const outcome = (page: Page, name: RegExp | string) => page.getByRole("heading", { level: 2, name });

/** A partner of its own that orders one small package, up to the page where it is paid. */
async function toThePayment(page: Page, saldo: Saldo, code: string) {
  await enterWorkbench(page, saldo, code);
  await new Frame(page).open("/app/licenses/purchase");
  await fill(page);
  await page.getByRole("button", { name: /^Zapłać 121,77/ }).click();
  await expect(page).toHaveURL(/\/payment-sandbox\//);
}

test("an empty licence, more settlements bought, and the drivers settled", async ({ page, saldo }) => {
  const call = calling(page);
  const frame = new Frame(page);
  await enterWorkbench(page, saldo, "empty-licence");
  await driverWithTrip(call, { firstName: "Anna", lastName: "Wolna", iban: "PL61109010140000071219812874" }, 100_000);
  await frame.later("/app/settlements/pending");
  await page.getByRole("button", { name: "Rozlicz wszystkie" }).click();
  await page.locator(".run-drawer").getByRole("link", { name: "Kup rozliczenia" }).click();

  await expect(page.getByText("Nie masz już rozliczeń.")).toBeVisible();
  await page.getByRole("button", { name: "O jeden więcej" }).click();
  const pay = page.getByRole("button", { name: /^Zapłać 243,54/ });
  await expect(pay).toBeEnabled();
  await cleanInALook(page, "purchase", pay);
  await pay.click(); // what is missing is said, and nothing is ordered
  await expect(page.getByLabel("NIP")).toBeFocused();
  await clean(page, "purchase with errors", { tall: true });
  await fill(page);
  await pay.click();

  await expect(page).toHaveURL(/\/payment-sandbox\//);
  await cleanInALook(page, "sandbox");
  await page.getByRole("button", { name: /^Zapłać 243,54/ }).click();
  await expect(outcome(page, /^Zapłacono/)).toBeVisible();
  await expect(page.getByText(/^Dodaliśmy 200 rozliczeń\. Pozostało 200 rozliczeń\.$/)).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: /^Pobierz PDF/ }).click();
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
  await cleanInALook(page, "paid", outcome(page, /^Zapłacono/));
  expect(await saldo.mailTo(BUYER["E-mail do faktury"])).toContain("faktury@wrzos.example");

  await page.getByRole("button", { name: "Wróć do rozliczeń" }).click();
  await page.getByRole("button", { name: "Rozlicz wszystkie" }).click();
  const drawer = page.locator(".run-drawer");
  await drawer.getByRole("button", { name: /^Rozlicz 1 \(/ }).click();
  await expect(drawer.getByText(/^Rozliczono 1/).first()).toBeVisible();
  await drawer.getByRole("button", { name: "Gotowe" }).click();
  await expect(page.getByText("Pozostało 199 rozliczeń")).toBeVisible();
});

test("a payment that fails is paid at the second try, once", async ({ page, saldo }) => {
  await toThePayment(page, saldo, "second-try");
  const first = page.url();
  await page.getByRole("button", { name: "Odmowa banku" }).click();
  await expect(outcome(page, "Płatność się nie udała")).toBeVisible();
  await expect(page.getByText("Bank lub wydawca karty odrzucił płatność.")).toBeVisible();
  await cleanInALook(page, "failed", outcome(page, "Płatność się nie udała"));
  await page.getByRole("button", { name: "Spróbuj ponownie" }).click();
  await expect(page).toHaveURL(/\/payment-sandbox\//);
  expect(page.url()).not.toBe(first);
  await page.getByRole("button", { name: "Zapłać i powiadom dwa razy" }).click();
  await expect(outcome(page, /^Zapłacono/)).toBeVisible();
  await expect(page.getByText(/Pozostało 100 rozliczeń\./)).toBeVisible();
});

test("a person closes the tab while paying, and finds the invoice in the history", async ({ page, saldo, context }) => {
  await toThePayment(page, saldo, "closed-tab");
  const payment = page.url();
  // By the browser's button: the order waits, whatever the address says.
  await page.goBack();
  await expect(outcome(page, "Czekamy na potwierdzenie płatności")).toBeVisible();
  const order = page.url();
  await page.goto(`${order}?status=success&lang=pl`);
  await expect(outcome(page, "Czekamy na potwierdzenie płatności")).toBeVisible();
  await cleanInALook(page, "waiting", outcome(page, "Czekamy na potwierdzenie płatności"));
  const later = await context.newPage();
  await page.close();
  await later.request.post(payment, { form: { do: "pay" }, maxRedirects: 0 });

  await later.goto("/app/licenses/history?lang=pl");
  const row = later.getByRole("row", { name: /Start/ });
  await expect(async () => {
    await later.reload();
    await expect(row).toContainText("Opłacone", { timeout: 2000 });
  }).toPass();
  await expect(row.getByRole("button", { name: /^Pobierz PDF/ })).toBeVisible();
  await cleanInALook(later, "history", row);
  await later.getByRole("button", { name: "Nieudane" }).click();
  await expect(later.getByText("Żaden zakup nie pasuje")).toBeVisible();
  await later.getByRole("button", { name: "Wyczyść filtry" }).click();
  const download = later.waitForEvent("download");
  await later.getByRole("button", { name: "Eksport" }).click();
  await later.getByRole("menuitem", { name: "Arkusz Excel" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.xlsx$/);
});

for (const language of ways("de", "pl", "en", "uk", "ru"))
  test(`refused, tried again, the tab closed, paid and settled, ${language}`, async ({ page, saldo, context }) => {
    const text = texts(language);
    const call = calling(page);
    await enterWorkbench(page, saldo, `licence-${language}`);
    await driverWithTrip(call, { firstName: "Anna", lastName: "Wolna" }, 100_000);
    await page.goto(`/app/licenses/purchase?lang=${language}`);
    const fields = ["taxId_PL", "street", "houseNumber", "postCode", "city", "email"];
    for (const [nth, value] of Object.values(BUYER).entries())
      await page.getByLabel(text(`licences:${fields[nth]}`)).fill(value);
    await page.getByRole("button", { name: text("licences:pay") }).click();
    await page.getByRole("button", { name: text("payment-sandbox:do_refuse") }).click();
    await expect(outcome(page, text("licences:title_failed"))).toBeVisible();
    const order = page.url();
    await page.getByRole("button", { name: text("licences:again") }).click();
    await expect(page).toHaveURL(/\/payment-sandbox\//);
    const payment = page.url();
    const later = await context.newPage();
    const ask = calling(later);
    await page.close();
    await later.goto(order);
    await expect(outcome(later, text("licences:title_started"))).toBeVisible();
    await later.request.post(payment, { form: { do: "pay" }, maxRedirects: 0 });
    await expect(outcome(later, text("licences:title_success"))).toBeVisible();
    await later.getByRole("button", { name: text("licences:toSettlements") }).click();
    await later.getByRole("button", { name: text("settlements:settleAll") }).click();
    await later
      .locator(".run-drawer")
      .getByRole("button", { name: text("settlements:settleMany") })
      .click();
    const settled = async () => (await ask<{ items: unknown[] }>("GET", "/api/settlements?state=settled")).items;
    await expect.poll(async () => (await settled()).length).toBe(1);
  });

test("the keyboard alone buys settlements", async ({ page, saldo }) => {
  await enterWorkbench(page, saldo, "keys-only");
  await new Frame(page).open("/app/licenses/purchase");
  await page.getByRole("radio", { name: /^Start/ }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: /^Flota/ })).toBeChecked();
  await page.getByLabel("Liczba pakietów").focus();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("button", { name: /^Zapłać 1\s965,54/ })).toBeEnabled();
  await page.getByLabel("Nazwa firmy").focus();
  for (const value of ["", ...Object.values(BUYER)]) {
    await page.keyboard.press("Tab");
    if (value === "00-950") await page.keyboard.press("Tab"); // no flat
    if (value) await page.keyboard.type(value);
  }
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/payment-sandbox\//);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(outcome(page, /^Zapłacono/)).toBeVisible();
});

test("licences are readable in every language, on a phone and in the dark", async ({ page, saldo }) => {
  await toThePayment(page, saldo, "five-languages");
  await page.getByRole("button", { name: "Pozwól wygasnąć" }).click();
  await expect(outcome(page, "Zamówienie nie zostało opłacone")).toBeVisible();
  const order = new URL(page.url()).pathname.replace("/app", "");
  await cleanInEveryLanguage(page, ["/licenses/purchase", "/licenses/history", order]);
});
