import { clean } from "../pages/clean";
import { Frame } from "../pages/frame";
import { SignIn } from "../pages/sign-in";
import { expect, test } from "../saldo";

test("whoever signed in a while ago signs in once more before money can go elsewhere, and comes back", async ({
  page,
  saldo,
}) => {
  await new Frame(page).enter(saldo.people.anna, "/app/payouts");
  await page.getByRole("button", { name: "Jak robimy przelewy" }).click();
  await expect(page.getByRole("dialog").getByRole("combobox").first()).toBeVisible();
  // Nobody can wait five minutes here: the first answer is the one that an old sign-in gets.
  await page.route(
    "**/api/payout-settings",
    (route) =>
      route.fulfill({
        status: 401,
        contentType: "application/problem+json",
        headers: { "WWW-Authenticate": 'Bearer error="insufficient_user_authentication"' },
        json: { status: 401, code: "identity.fresh_login_needed", requestId: "1" },
      }),
    { times: 1 },
  );
  const dialog = page.getByRole("dialog", { name: "Jak robimy przelewy" });
  await dialog.getByRole("button", { name: "Zapisz" }).click();
  await expect(dialog.getByText(/minęło ponad 5 minut.*Ustawienia się nie zmieniły/)).toBeVisible();
  await clean(page, "the question");
  await dialog.getByRole("button", { name: "Zaloguj się ponownie" }).click();
  // The browser still knows the person: only the password proves that it is them.
  await new SignIn(page).submit(saldo.people.anna);
  await expect(page).toHaveURL(/\/app\/payouts\?settings=open$/);
  await expect(dialog.getByRole("combobox").first()).toBeVisible();
  await dialog.getByRole("button", { name: "Zapisz" }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/app\/payouts$/);
});
