import { Frame } from "../pages/frame";
import { SignIn } from "../pages/sign-in";
import { expect, test } from "../saldo";

test("a new partner reads and accepts the terms once, and nothing else lets them through", async ({ page, saldo }) => {
  const partner = saldo.addPartner("regulaminowa");
  await new SignIn(page).setPasswordBehind(partner.link, "cztery konie w galopie");
  await new Frame(page).resume({ email: partner.email, password: "cztery konie w galopie" });
  const terms = page.getByRole("dialog", { name: "Regulamin wersji demonstracyjnej" });
  await expect(terms).toBeVisible();
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(terms).toBeVisible();
  const accept = terms.getByRole("button", { name: "Akceptuję regulamin" });
  await expect(accept).toBeDisabled();
  await page.reload();
  await expect(terms).toBeVisible();
  await terms.getByRole("checkbox").check();
  await accept.click();
  await expect(terms).toBeHidden();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Pulpit" })).toBeVisible();
  await expect(terms).toBeHidden();
});

test("terms are shown in the language of the person, on a phone, and can be left", async ({ page, saldo }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const partner = saldo.addPartner("telefoniczna");
  await new SignIn(page).setPasswordBehind(partner.link, "cztery konie w galopie");
  await new Frame(page).resume({ email: partner.email, password: "cztery konie w galopie" }, "/app/?lang=uk");
  const terms = page.getByRole("dialog", { name: "Умови демонстраційної версії" });
  await expect(terms).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await terms.getByRole("button", { name: "Вийти" }).click();
  await expect(page.locator("#kc-login")).toBeVisible();
});
