import { calling } from "../pages/api";
import { clean } from "../pages/clean";
import { IN_FULL, combined, SOAK } from "../pages/combined";
import { Frame } from "../pages/frame";
import { texts } from "../pages/texts";
import { expect, test } from "../saldo";

test.use({ size: "small" });

const languages = ["pl", "uk", "de", "ru", "en"] as const;
const looks = [
  { scheme: "light", width: 390 },
  { scheme: "dark", width: 1440 },
  { scheme: "light", width: 1440 },
  { scheme: "dark", width: 390 },
] as const;

/** Far enough ahead that no provider is called meanwhile. */
const inAMonth = () => `${new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)}T12:00`;

test("a partner turns SMS on, sees parts and cost, orders a message and cancels it", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/send?lang=pl");
  await expect(page.getByRole("checkbox", { name: "SMS" })).toBeHidden();
  await page.getByRole("link", { name: "Włącz je w profilu partnera" }).click();
  const settings = page.getByRole("dialog", { name: "SMS" });
  await settings.getByLabel("Token API").fill("token-of-a-journey");
  await settings.getByLabel("Nazwa nadawcy").fill("Wrzos");
  await settings.getByLabel("Cena jednej części").fill("0,09");
  await settings.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.getByText(/SMSAPI, nadawca Wrzos, 0,09.zł za część/)).toBeVisible();
  await page.goto("/app/send?lang=pl");
  await page.getByRole("checkbox", { name: "SMS", exact: true }).check();
  await page.getByLabel("Treść").fill("Cześć {first_name}, w poniedziałek **nie** pracujemy.");
  const needs = page.getByText(/^SMS-y: \d+\. Części razem: \d+, koszt: \d+,\d\d.zł\.$/);
  await expect(needs).toBeVisible();
  await expect(page.getByText(/Polskie litery/)).toBeVisible();
  await page.getByRole("checkbox", { name: "SMS bez polskich liter" }).check();
  await expect(needs).toBeVisible();
  await page.getByRole("radio", { name: "O wybranej godzinie" }).check();
  await page.getByLabel("Data i godzina").fill(inAMonth());
  await page.getByRole("button", { name: /^Wyślij do \d+/ }).click();
  const question = page.getByRole("dialog", { name: "Wysłać wiadomość?" });
  await expect(question.getByText(/koszt: \d+,\d\d.zł/)).toBeVisible();
  await question.getByRole("button", { name: /^Wyślij do/ }).click();
  await page.getByRole("button", { name: "Cofnij wysyłkę" }).click();
  await expect(page.getByText("Cofnięta").first()).toBeVisible();
  await page.goto("/app/profile?lang=pl");
  await expect(page.getByText("W tym miesiącu: 0 z 500 części")).toBeVisible();
});

test("SMS are readable in every language, on a phone and in the dark", IN_FULL, async ({ page, saldo }) => {
  test.slow();
  const call = calling(page);
  await new Frame(page).resume(saldo.people.anna);
  const token = "token-of-a-journey";
  await call("PUT", "/api/sms-settings", { provider: "SMSAPI", token, sender: "Wrzos", partCost: 9, monthParts: 500 });
  const every = combined(languages, looks);
  for (const [[language, { scheme, width }], screen] of combined(SOAK ? every : every.slice(2, 4), [
    "send",
    "settings",
  ])) {
    const t = texts(language);
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 2000 });
    if (screen === "send") {
      await page.goto(`/app/send?lang=${language}`);
      await page.getByRole("checkbox", { name: "SMS", exact: true }).check();
      await page.getByLabel(t("messages:content")).fill("Jutro święto");
      await expect(page.getByText(t("sms:needs"))).toBeVisible();
    } else {
      await page.goto(`/app/profile?ask=sms&lang=${language}`);
      await expect(page.getByRole("dialog").getByLabel(t("sms:partCost"))).toBeVisible();
    }
    await clean(page, `${screen} with SMS, ${language}, ${scheme}, ${width} px`);
  }
});
