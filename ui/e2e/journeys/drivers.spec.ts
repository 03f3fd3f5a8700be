import { clean, cleanAgain } from "../pages/clean";
import { ways } from "../pages/combined";
import { Frame } from "../pages/frame";
import { linkIn, SignIn } from "../pages/sign-in";
import { expect, test } from "../saldo";

const phone = { width: 390, height: 844 };

test.use({ viewport: phone });

for (const scheme of ways<"light" | "dark">("dark", "light"))
  test(`a driver changes profile, frequency and partner on a phone, ${scheme}`, async ({ page, saldo }) => {
    await page.emulateMedia({ colorScheme: scheme });
    const frame = new Frame(page);
    await frame.resume(saldo.people.oleh, "/app/driver/partner-profile");
    await expect(page.getByRole("heading", { name: "Drogowiec Flota" })).toBeVisible();
    await cleanAgain(page, "partner", { tall: true });

    await frame.menu().getByRole("button", { name: "Więcej" }).click();
    await page.getByRole("link", { name: "Mój profil" }).click();
    await expect(page.getByRole("textbox", { name: "Nazwisko" })).toHaveValue("Babiak");
    await cleanAgain(page, "profile", { tall: true });
    await page.getByRole("textbox", { name: "Telefon" }).fill("12");
    await page.getByRole("button", { name: "Zapisz zmiany" }).click();
    await expect(page.getByText(/To nie jest numer telefonu/)).toBeVisible();
    await clean(page, "profile with a wrong phone", { tall: true });
    await page.getByRole("textbox", { name: "Telefon" }).fill(scheme === "light" ? "602 345 678" : "603 345 678");
    await page.getByRole("combobox", { name: /Miasta/ }).fill("Pcim");
    // a finger goes down and up at one place: the button must be there both times
    await page.getByRole("button", { name: "Zapisz zmiany" }).scrollIntoViewIfNeeded();
    const button = await page.getByRole("button", { name: "Zapisz zmiany" }).boundingBox();
    if (!button) throw new Error("no button");
    await page.mouse.click(button.x + button.width / 2, button.y + button.height / 2);
    await expect(page.getByText("Zmiany zostały zapisane")).toBeVisible();
    await expect(page.getByRole("button", { name: "Usuń: Pcim" })).toBeVisible();
    await page.getByRole("button", { name: "Usuń moje konto…" }).click();
    await clean(page, "deleting", { tall: true });
    await page.getByRole("textbox", { name: /Aby potwierdzić/ }).fill("usuń");
    // as the server answers whoever signed in more than five minutes ago
    await page.route("**/api/driver-accounts", (route) =>
      route.request().method() === "DELETE"
        ? route.fulfill({
            status: 401,
            contentType: "application/problem+json",
            headers: { "WWW-Authenticate": 'Bearer error="insufficient_user_authentication"' },
            body: JSON.stringify({
              type: "about:blank",
              title: "",
              status: 401,
              code: "identity.fresh_login_needed",
              requestId: "x",
            }),
          })
        : route.continue(),
    );
    await page.getByRole("button", { name: "Usuń konto", exact: true }).click();
    await expect(page.getByText(/minęło ponad 5 minut/)).toBeVisible();
    await clean(page, "deleting refused", { tall: true });
    await page.unrouteAll();
    await page.keyboard.press("Escape");

    await page.goto("/app/driver/settlement-frequency");
    await expect(page).toHaveURL(/\/driver\/profile#frequency$/);
    await page.getByText("Co dwa tygodnie (14 dni)").click();
    await cleanAgain(page, "frequency", { tall: true });
    await page.getByRole("button", { name: "Zapisz częstość" }).click();
    await expect(page.getByText("Częstość została zapisana")).toBeVisible();

    await frame.later("/app/driver/partner-profile");
    await page.getByRole("button", { name: "Zmień flotę" }).click();
    await page.getByRole("textbox", { name: "Szukaj po nazwie lub mieście" }).fill("wrzos");
    await page.getByRole("button", { name: "Wybierz: Wrzos Mobility" }).click();
    await page.getByRole("checkbox", { name: /Wrzos Mobility/ }).check();
    await clean(page, "choosing", { tall: true });
    await page.getByRole("button", { name: "Wybierz tę flotę" }).click();
    await expect(page.getByRole("heading", { name: "Wrzos Mobility" })).toBeVisible();
    await expect(page.getByText("Czekasz na potwierdzenie floty")).toBeVisible();

    await page.getByRole("button", { name: "Odejdź z floty" }).click();
    await page.getByRole("button", { name: "Odejdź", exact: true }).click();
    await expect(page).toHaveURL(/\/driver\/partners-list$/);
    await cleanAgain(page, "list of partners", { tall: true });
    await page.getByRole("button", { name: "Wybierz: Drogowiec Flota" }).click();
    await page.getByRole("checkbox", { name: /Drogowiec Flota/ }).check();
    await page.getByRole("button", { name: "Wybierz tę flotę" }).click();
    await expect(page.getByRole("heading", { name: "Drogowiec Flota" })).toBeVisible();
  });

test("a driver registers with a Ukrainian number and deletes the account", async ({ page, saldo }) => {
  const who = { email: "taras-delete@example.com", password: "cztery konie w galopie" };
  await page.goto("/app/");
  await page.locator("#kc-registration").click();
  await new SignIn(page).register("Taras", "Kowal", who);
  await page.goto(linkIn(await saldo.mailTo(who.email)));
  await page.locator("#password").fill(who.password);
  await page.locator("#kc-verify-form [type=submit]").click();
  await expect(page).toHaveURL(/\/app\/add-driver-account$/);
  await page.getByRole("textbox", { name: "Telefon" }).fill("050 123 45 67");
  await page.getByRole("combobox", { name: /Miasta/ }).fill("Łódź");
  await page.getByRole("button", { name: "Zapisz profil" }).click();
  await expect(page.getByText(/Sprawdź cyfry i kraj/)).toBeVisible();
  await page.getByRole("combobox", { name: "Kraj numeru" }).selectOption("UA");
  await clean(page, "filling in", { tall: true });
  await page.getByRole("button", { name: "Zapisz profil" }).click();
  await expect(page).toHaveURL(/\/app\/driver\/partners-list$/);
  await new Frame(page).later("/app/driver/profile");
  await expect(page.getByRole("textbox", { name: "Telefon" })).toHaveValue("501234567");
  await expect(page.getByRole("combobox", { name: "Kraj numeru" })).toHaveValue("UA");

  await page.getByRole("button", { name: "Usuń moje konto…" }).click();
  await page.getByRole("textbox", { name: /Aby potwierdzić/ }).fill("usuń");
  await page.getByRole("button", { name: "Usuń konto", exact: true }).click();
  await expect(page.getByText("Konto zostało usunięte.")).toBeVisible();
  await page.goto("/app/");
  await page.locator("#username").fill(who.email);
  await page.locator("#password").fill(who.password);
  await page.locator("#kc-login").click();
  await expect(page.locator("#kc-login")).toBeVisible(); // nobody is there any more
});

test("a driver invites a partner that is not here, and the mail is there", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.oleh, "/app/driver/partners-list");
  await page.getByRole("textbox", { name: "Nazwa floty" }).fill("Nowa Flota");
  await page.getByRole("textbox", { name: "E-mail floty" }).fill("biuro@nowa-flota.example");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Wyślij zaproszenie" }).click();
  await expect(page.getByText("Zaproszenie do biuro@nowa-flota.example jest w drodze")).toBeVisible();
  await expect
    .poll(
      async () => {
        await page.goto("/mailbox/");
        return page.getByText("biuro@nowa-flota.example").count();
      },
      { timeout: 120_000 },
    )
    .toBeGreaterThan(0);
});
