import { SignIn } from "../pages/sign-in";
import { expect, test } from "../saldo";

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
  await expect(page.getByRole("heading", { level: 1, name: "Etiketten" })).toBeVisible();
  await expect(page.getByText(/840/).first()).toBeVisible();
});
