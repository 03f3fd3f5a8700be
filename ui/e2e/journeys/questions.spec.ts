import { Frame } from "../pages/frame";
import { IN_FULL } from "../pages/combined";
import { expect, test } from "../saldo";

test.use({ size: "small" });

test("a driver asks about a line, the partner answers with a correction, and the driver reads it", async ({
  page,
  saldo,
}) => {
  const frame = new Frame(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await frame.resume(saldo.people.oleh, "/app/driver/settlements?lang=uk");
  await page.locator("main a[href*='/driver/settlements/']").last().click();
  const line = page.getByRole("button", { name: /Bolt/ }).first();
  await line.click();
  await page.getByRole("link", { name: "Запитати: Bolt" }).click();
  const text = page.getByLabel("Ваше запитання");

  // without a line nothing is sent, and nothing is lost, not even by leaving
  await page.route("**/api/driver-accounts/settlements/*/questions", (route) => route.abort());
  await text.fill("Чому так мало?");
  await page.getByRole("button", { name: "Надіслати запитання" }).click();
  await expect(page.getByText(/Запитання не надіслано/)).toBeVisible();
  await page.unrouteAll();
  await page.goBack();
  await page.getByRole("button", { name: /Bolt/ }).first().click();
  await page.getByRole("link", { name: "Запитати: Bolt" }).click();
  await expect(text).toHaveValue("Чому так мало?");
  await page.getByRole("button", { name: "Надіслати запитання" }).click();
  await expect(page).toHaveURL(/\/driver\/questions\//);
  await expect(page.getByText("Очікує на відповідь")).toBeVisible();
  await expect(page.getByRole("list", { name: "Розмова" }).getByText("Чому так мало?")).toHaveCount(1);
  const asked = new URL(page.url()).pathname;

  await page.setViewportSize({ width: 1440, height: 1000 });
  await frame.resume(saldo.people.anna, "/app/?lang=pl");
  const waiting = page.getByRole("banner").getByRole("link", { name: /^Pytania kierowców czekające na odpowiedź/ });
  await expect(waiting).toHaveAccessibleName(/: 2$/);
  await waiting.click();
  const row = page.getByRole("row", { name: /Чому так мало/ });
  await expect(row).toContainText(/minut/);
  await row.getByRole("link").click();
  await expect(page.locator(".chain-open")).toContainText("Bolt");
  await page.getByRole("textbox", { name: "Odpowiedź" }).fill("Zabrakło premii, dopisuję ją.");
  await page.getByRole("button", { name: "Dodaj korektę" }).click();
  await page.getByRole("radio", { name: "Przejazd własny" }).check();
  await page.getByRole("button", { name: "Wyślij odpowiedź" }).click();
  await expect(page.getByText(/Odpowiedzi nie wysłano/)).toBeVisible(); // an amount is missing
  await page.getByLabel("Kwota").fill("50,00");
  await page.getByLabel("Nazwa").fill("Premia Bolt");
  await page.getByRole("button", { name: "Wyślij odpowiedź" }).click();
  await expect(page.getByText(/Korekta: Premia Bolt, 50,00/)).toBeVisible();
  await expect(page.getByText("Wejdzie do następnego rozliczenia", { exact: true })).toBeVisible();
  await expect(waiting).toHaveAccessibleName(/: 1$/);
  await expect(page.getByRole("textbox", { name: "Odpowiedź" })).toHaveValue("");

  await page.setViewportSize({ width: 390, height: 844 });
  await frame.resume(saldo.people.oleh, "/app/?lang=uk");
  await expect(page).toHaveURL(/\/driver\/board/);
  await page
    .getByRole("button", { name: /^Відповідь на ваше запитання/ })
    .first()
    .click();
  await page.getByRole("link", { name: "Відкрити запитання" }).first().click();
  await expect(page).toHaveURL(new RegExp(asked));
  await expect(page.getByText("Zabrakło premii, dopisuję ją.")).toBeVisible();
  await page.getByRole("button", { name: "Тепер зрозуміло" }).click();
  await expect(page.getByText("Закрито", { exact: true })).toBeVisible();
});

test("a colleague's answer is shown before another is sent over it", IN_FULL, async ({ page, saldo, browser }) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/questions?lang=pl");
  await page
    .getByRole("row", { name: /niedzieli/ })
    .getByRole("link")
    .click();
  await page.getByRole("textbox", { name: "Odpowiedź" }).fill("Wszystkie.");
  const colleague = await browser.newPage({ baseURL: saldo.url });
  await new Frame(colleague).resume(saldo.people.anna, new URL(page.url()).pathname);
  await colleague.getByRole("textbox", { name: "Odpowiedź" }).fill("Brakuje dwóch, dopiszę.");
  await colleague.getByRole("button", { name: "Wyślij i zamknij" }).click();
  await expect(colleague.getByText("Zamknięte")).toBeVisible();
  await colleague.close();
  await page.getByRole("button", { name: "Wyślij odpowiedź" }).click();
  await expect(page.getByText(/Ktoś w międzyczasie coś dopisał/)).toBeVisible();
  await expect(page.getByText("Brakuje dwóch, dopiszę.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Odpowiedź" })).toHaveValue("Wszystkie.");
});
