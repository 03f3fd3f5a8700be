import { clean, cleanInALook, LANGUAGES } from "../pages/clean";
import { Frame } from "../pages/frame";
import { CARD, fuelled } from "../pages/fuel";
import { texts } from "../pages/texts";
import { expect, test } from "../saldo";

// What it switches on stands in menus that other journeys count.
test.use({ size: "small", apart: "fuel" });

test("a partner looks into two towns at one time and sets limits; the driver reads them on a phone in five languages", async ({
  page,
  saldo,
}) => {
  const frame = new Frame(page);
  const { driver } = await fuelled(page, saldo);
  await page.goto(`/app/drivers/${driver}?lang=pl`);
  const section = page.getByRole("region", { name: "Paliwo", exact: true });
  await expect(section.getByText("2 tankowania do sprawdzenia")).toBeVisible();
  const odd = section.getByRole("listitem").filter({ hasText: "Tej karty użyto w dwóch miastach w ciągu 30 minut" });
  await expect(odd).toHaveCount(2);
  await expect(odd.first()).toContainText("Gdańsk");
  await cleanInALook(page, "fuel of a driver", section);

  // The keyboard alone: opens the limits, types them, saves.
  await section.getByRole("button", { name: "Limity karty •••• 4821" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Limity karty •••• 4821" });
  await dialog.getByLabel("Bak w litrach").focus();
  await page.keyboard.type("50");
  await page.keyboard.press("Tab");
  await page.keyboard.type("60");
  await page.keyboard.press("Tab");
  await page.keyboard.type("300");
  await clean(page, "limits of a fuel card");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(section.getByText("20,5 l z 60 l.")).toBeVisible();
  await expect(section.getByText("Więcej litrów, niż mieści bak")).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  const said: string[] = [];
  page.on("response", (answer) => {
    if (answer.url().includes("/fuel")) void answer.text().then((text) => said.push(answer.url(), text));
  });
  await frame.resume(saldo.people.oleh, "/app/fuel?lang=pl");
  await expect(page.getByRole("region", { name: "Karta paliwowa" })).toContainText("20,5 l z 60 l. Zostało 39,5 l");
  await expect(page.getByText("Gdańsk")).toBeVisible();
  await expect(page.getByText("Tej karty użyto w dwóch miastach")).toHaveCount(0);
  for (const [nth, language] of LANGUAGES.entries()) {
    if (nth > 0) await page.goto(`/app/fuel?lang=${language}`);
    const t = texts(language);
    await expect(page.getByRole("heading", { name: t("fuel:refuellings") })).toBeVisible();
    await page.emulateMedia({ colorScheme: nth % 2 === 0 ? "light" : "dark" });
    await clean(page, `fuel in ${language}`, { tall: true });
  }
  expect(said.join(" ")).toContain("•••• 4821");
  expect(said.join(" ")).not.toContain(CARD);

  // What is settled leads to a question about it.
  await page.goto("/app/fuel?lang=pl");
  await page.getByRole("button", { name: "26 tygodni" }).click();
  await page
    .getByRole("link", { name: /^Zapytaj: / })
    .first()
    .click();
  await expect(page).toHaveURL(/\/driver\/settlements\/[^/]+\/ask\?figure=fuelCost/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});
