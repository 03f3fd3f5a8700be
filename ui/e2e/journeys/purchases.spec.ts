import { cleanInEveryLanguage } from "../pages/clean";
import { Frame } from "../pages/frame";
import { texts } from "../pages/texts";
import { expect, test } from "../saldo";

const languages = ["en", "de", "uk", "ru", "pl"] as const;

test("a partner opens the invoices from KSeF, by keyboard too, and is told what is next", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/invoices?lang=pl");
  await page.getByRole("link", { name: "Faktury z KSeF" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Faktury z KSeF" })).toBeVisible();
  for (const language of languages) {
    const t = texts(language);
    await page.goto(`/app/purchases?lang=${language}`);
    await expect(page.getByText(t("purchases:noneTitle"))).toBeVisible();
    await expect(page.getByRole("link", { name: t("purchases:connect") })).toBeVisible();
    await page.getByRole("combobox", { name: t("purchases:show") }).selectOption("strange");
    await expect(page.getByText(t("purchases:noMatchTitle"))).toBeVisible();
  }
  await cleanInEveryLanguage(page, ["/purchases"]);
  await page.getByRole("link", { name: texts("de")("purchases:connect") }).click();
  await expect(page).toHaveURL(/profile#services/);
});
