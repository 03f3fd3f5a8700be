import englishAccounts from "../../../locales/en/accounts.json" with { type: "json" };
import englishMenu from "../../../locales/en/driver-menu.json" with { type: "json" };
import englishFrame from "../../../locales/en/frame.json" with { type: "json" };
import englishSignIn from "../../../locales/en/sign-in.json" with { type: "json" };
import englishTerms from "../../../locales/en/terms.json" with { type: "json" };
import polishAccounts from "../../../locales/pl/accounts.json" with { type: "json" };
import polishMenu from "../../../locales/pl/driver-menu.json" with { type: "json" };
import polishFrame from "../../../locales/pl/frame.json" with { type: "json" };
import polishSignIn from "../../../locales/pl/sign-in.json" with { type: "json" };
import polishTerms from "../../../locales/pl/terms.json" with { type: "json" };
import { cleanInALook, fits } from "../pages/clean";
import { IN_FULL, combined, SOAK } from "../pages/combined";
import { Frame } from "../pages/frame";
import { linkIn, SignIn } from "../pages/sign-in";
import { expect, test } from "../saldo";

const PASSWORD = "cztery konie w galopie";
const NEXT = "piąty koń stoi w stajni";

const languages = {
  pl: { menu: polishMenu, accounts: polishAccounts, frame: polishFrame, signIn: polishSignIn, terms: polishTerms },
  en: { menu: englishMenu, accounts: englishAccounts, frame: englishFrame, signIn: englishSignIn, terms: englishTerms },
};
const devices = { desktop: { width: 1440, height: 1000 }, phone: { width: 390, height: 844 } };

for (const [[language, words], [device, viewport]] of combined(Object.entries(languages), Object.entries(devices))) {
  const named = (text: string, values: Record<string, string>) =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");

  test(
    `a driver registers, completes the profile and chooses a partner with consent, ${language}, ${device}`,
    language === "en" ? {} : IN_FULL,
    async ({ page, saldo }) => {
      // Colours and sizes are the same in each language: axe looks once, or in all of them in a longer run.
      const look = language === "en" || SOAK ? cleanInALook : fits;
      await page.setViewportSize(viewport);
      const person = { email: `nowy-${language}-${device}@example.com`, password: PASSWORD };
      const pages = new SignIn(page);
      await page.goto(`/app/?lang=${language}&partner=wrzos&reference_id=R-77`);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.getByText("Wrzos Mobility")).toBeVisible(); // met in the partner's colours
      await look(page, "sign-in");
      await page.locator("#kc-registration").click();
      await look(page, "registration");
      await pages.register("Ołena", "Nowak-Żółć", person);
      await expect(page.locator("#kc-page-title")).toBeVisible();
      await expect(page.locator(".address")).toHaveText(person.email);
      await look(page, "look into your mail");

      await page.goto(linkIn(await saldo.mailTo(person.email)));
      await look(page, "the address is confirmed");
      await page.locator("#password").fill(PASSWORD);
      await page.locator("#kc-verify-form [type=submit]").click();
      await expect(page).toHaveURL(/\/app\/add-driver-account$/);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      const field = (name: string) => page.getByRole("textbox", { name, exact: true });
      await expect(field(words.accounts.firstName)).toHaveValue("Ołena");
      await expect(field(words.accounts.email)).toHaveValue(person.email);
      // every page load leads here while the profile is not complete
      await page.goto("/app/driver/partners-list");
      await expect(page).toHaveURL(/\/app\/add-driver-account$/);
      await page.getByRole("button", { name: words.accounts.addSubmit }).click();
      await expect(field(words.accounts.phone)).toHaveAttribute("aria-invalid", "true");
      await look(page, "profile to fill in, refused");
      await field(words.accounts.phone).fill("601 234 567");
      await page.getByRole("combobox", { name: words.accounts.cities }).fill("Łódź");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: words.accounts.addSubmit }).click();

      // the partner through whose link they came is asked about by itself
      await expect(
        page.getByRole("dialog", { name: named(words.accounts.chooseTitle, { name: "Wrzos Mobility" }) }),
      ).toBeVisible();
      const choose = page.getByRole("button", { name: words.accounts.chooseSubmit });
      const consent = page.getByRole("checkbox", { name: /Wrzos Mobility/ });
      await expect(consent).not.toBeChecked();
      await look(page, "consent");
      await consent.check();
      await choose.click();
      await expect(page.getByRole("heading", { name: "Wrzos Mobility" })).toBeVisible();
      await look(page, "partner");
      await new Frame(page).later("/app/driver/partners-list");
      await expect(page.getByRole("list", { name: words.menu.partnersTitle })).toBeVisible();
      await look(page, "partners");
      await page.goto("/app/");
      await expect(page).toHaveURL(/\/app\/driver\/settlements$/);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);

      // and away again: what they shared is erased, and nobody comes in with this address any more
      await new Frame(page).later("/app/driver/profile");
      await expect(field(words.accounts.firstName)).toHaveValue("Ołena");
      await look(page, "profile");
      await page.getByRole("button", { name: words.accounts.closeOpen }).click();
      const confirm = named(words.accounts.closeConfirm, { word: words.accounts.closeWord });
      await field(confirm).fill(words.accounts.closeWord);
      await look(page, "question before the account is deleted");
      await page.getByRole("button", { name: words.accounts.closeSubmit, exact: true }).click();
      await expect(page.getByText(words.signIn.closed)).toBeVisible();
      await look(page, "the account is deleted");
      await page.getByRole("button", { name: words.signIn.submit }).click();
      await pages.submit(person);
      await expect(page.getByRole("alert")).toBeVisible();
    },
  );

  test(
    `a partner's person signs in, accepts the terms, changes the password and leaves, ${language}, ${device}`,
    language === "en" ? IN_FULL : {},
    async ({ page, saldo }) => {
      await page.setViewportSize(viewport);
      const partner = saldo.addPartner(`kto-${language}-${device}`);
      const pages = new SignIn(page);
      const frame = new Frame(page);
      await pages.setPassword(partner.link, PASSWORD);
      await frame.enter({ email: partner.email, password: PASSWORD }, `/app/?lang=${language}`);
      await page.getByRole("dialog").getByRole("checkbox").check();
      await page.getByRole("button", { name: words.terms.accept }).click();
      await expect(page.getByRole("dialog").getByRole("checkbox")).toBeHidden();

      const account = async (item: string) => {
        if (device === "phone") await page.getByRole("button", { name: words.frame.openMenu }).click();
        await page.getByRole("button", { name: /Ewa Nowak/ }).click();
        await page.getByRole("menuitem", { name: item }).click();
      };
      await account(words.frame.changePassword);
      await pages.changePassword(PASSWORD, NEXT);
      await expect(page.getByText(words.frame.passwordChanged)).toBeVisible();
      await expect(page).toHaveURL(/\/app\/$/);

      await account(words.frame.changePassword);
      await page.locator("[name=cancel-aia]").click();
      await expect(page.getByText(words.frame.passwordKept)).toBeVisible();

      await account(words.frame.signOut);
      await expect(page.locator("#kc-login")).toBeVisible();
      await pages.submit({ email: partner.email, password: PASSWORD });
      await expect(page.getByRole("alert")).toBeVisible();
      await pages.submit({ email: partner.email, password: NEXT });
      await expect(page).toHaveURL(/\/app\/$/);
    },
  );
}

test("the language chosen while signing in is that of the first screen, and the partner's colours are everywhere", async ({
  page,
  saldo,
}) => {
  await page.goto("/app/?partner=wrzos");
  await expect(page.locator("html")).toHaveAttribute("lang", "pl"); // the browser's: nothing was chosen
  await page.getByRole("link", { name: "Українська" }).click();
  await new SignIn(page).submit(saldo.people.oleh);
  await expect(page.locator("main#content")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "uk");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "uk");
});

test(
  "a wide logo is shown wide on the way in, to the driver and when the session has ended",
  IN_FULL,
  async ({ page, saldo }) => {
    await new Frame(page).resume(saldo.people.anna, "/app/profile");
    const wide = await page.evaluate(() => {
      const canvas = document.createElement("canvas");
      canvas.width = 600;
      canvas.height = 80;
      canvas.getContext("2d")?.fillRect(0, 0, 600, 80);
      return canvas.toDataURL("image/png").split(",")[1] ?? "";
    });
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "wide.png", mimeType: "image/png", buffer: Buffer.from(wide, "base64") });
    await expect(page.getByRole("img", { name: "Twoje logo" })).toBeVisible();
    const isWide = async (what: string) => {
      const shape = () =>
        page
          .locator("img[src*='/logo']")
          .first()
          .evaluate((img: HTMLImageElement) => {
            const { width, height } = img.getBoundingClientRect();
            const kept = getComputedStyle(img).objectFit === "contain" || Math.abs(width / height - 7.5) < 0.2;
            return { wide: width >= 100, kept, drawn: Math.round(img.naturalWidth / img.naturalHeight) };
          });
      await expect.poll(shape, what).toEqual({ wide: true, kept: true, drawn: 8 });
    };

    await page.setViewportSize(devices.phone);
    await page.context().clearCookies();
    await page.goto("/app/?partner=demo");
    await expect(page.locator("#kc-login")).toBeVisible();
    await isWide("sign-in");
    await new SignIn(page).submit(saldo.people.oleh);
    await expect(page.locator("main#content")).toBeVisible();
    await isWide("frame");
    await page.route("**/api/**", (route) =>
      route.request().url().endsWith("/api/config") || route.request().url().includes("/api/config?")
        ? route.fallback()
        : route.fulfill({ status: 401, json: { code: "identity.unauthenticated", status: 401 } }),
    );
    await page.goto("/app/driver/profile");
    await expect(page).toHaveURL(/\/app\/sign-in$/);
    await isWide("session ended");
    await page.unrouteAll();

    await new Frame(page).resume(saldo.people.anna, "/app/profile");
    await page.getByRole("button", { name: "Usuń logo" }).click();
    await expect(page.getByText("Nie ma jeszcze logo")).toBeVisible();
  },
);

test("the browser's language counts when none was chosen", async ({ browser, saldo }) => {
  const context = await browser.newContext({ locale: "uk-UA", baseURL: saldo.url });
  const page = await context.newPage();
  await page.goto("/app/");
  await expect(page.locator("#kc-login")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "uk");
  await new SignIn(page).submit(saldo.people.oleh);
  await expect(page.locator("main#content")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "uk");
  await context.close();
});

test("a registration in Ukrainian goes on in Ukrainian on another device, with its partner", async ({
  page,
  saldo,
  browser,
}) => {
  const person = { email: "olena-uk@example.com", password: PASSWORD };
  await page.goto("/app/?lang=uk&partner=wrzos");
  await page.locator("#kc-registration").click();
  const pages = new SignIn(page);
  // the password can be looked at
  await page.locator("#password").fill(PASSWORD);
  await page.getByRole("button", { name: "Показати пароль" }).first().click();
  await expect(page.locator("#password")).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Сховати пароль" }).click();
  await expect(page.locator("#password")).toHaveAttribute("type", "password");
  await pages.register("Олена", "Коваль", { ...person, email: "olena-wrong@example.com" });

  // the address was wrong: back, corrected, and sent again
  await page.locator("[name=edit]").click();
  await expect(page.locator("#firstName")).toHaveValue("Олена");
  await pages.register("Олена", "Коваль", person);
  await expect(page.locator(".address")).toHaveText(person.email);
  const first = linkIn(await saldo.mailTo(person.email));
  await page.locator("[name=again]").click();
  await expect(page.getByRole("status")).toBeVisible();
  await expect(async () => expect(linkIn(await saldo.mailTo(person.email))).not.toBe(first)).toPass();

  const context = await browser.newContext({ locale: "pl-PL", baseURL: saldo.url, viewport: devices.phone });
  const phone = await context.newPage();
  await phone.goto(linkIn(await saldo.mailTo(person.email)));
  await expect(phone.locator("html")).toHaveAttribute("lang", "uk");
  await expect(phone.getByText("Wrzos Mobility")).toBeVisible();
  await phone.locator("#password").fill(PASSWORD);
  await phone.locator("#kc-verify-form [type=submit]").click();
  await expect(phone).toHaveURL(/\/app\/add-driver-account$/);
  await expect(phone.locator("html")).toHaveAttribute("lang", "uk");
  await expect(phone.getByText("Wrzos Mobility").first()).toBeVisible();
  await context.close();
});

test("signing out in one tab leaves the others too; a remembered device does not ask again", async ({
  page,
  saldo,
  context,
}) => {
  await page.goto("/app/");
  await page.locator("#rememberMe").check();
  await new SignIn(page).submit(saldo.people.marek);
  const frame = new Frame(page);
  await expect(frame.account()).toBeVisible();
  const session = (await context.cookies()).find(({ name }) => name.endsWith("SALDO_SESSION"));
  expect((session?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(29 * 86_400);

  const other = await context.newPage();
  await other.goto("/app/tags");
  await expect(new Frame(other).account()).toBeVisible();
  await frame.account().click();
  await page.getByRole("menuitem", { name: polishFrame.signOut }).click();
  await expect(other.getByText(polishSignIn.elsewhere)).toBeVisible();
  await expect(other.locator("body")).not.toContainText("Marek");
  await expect(page.locator("#kc-login")).toBeVisible();
});

test("a driver changes the password and is told how it ended", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.enter(saldo.people.oleh);
  const pages = new SignIn(page);
  for (const [from, to] of [
    [saldo.people.oleh.password, NEXT],
    [NEXT, saldo.people.oleh.password],
  ] as const) {
    await frame.account().click();
    await page.getByRole("menuitem", { name: polishFrame.changePassword }).click();
    await pages.changePassword(from, to);
    await expect(page.getByText(polishFrame.passwordChanged)).toBeVisible();
  }
});

test("without JavaScript the application says what it needs", async ({ browser, saldo }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: saldo.url });
  const page = await context.newPage();
  await page.goto("/app/");
  const needed = (language: string) => page.locator(`noscript [lang=${language}]`);
  await expect(needed("pl")).toBeVisible();
  expect(await needed("pl").textContent()).toContain("Saldo potrzebuje JavaScriptu.");
  expect(await needed("uk").textContent()).toContain("Для Saldo потрібен JavaScript.");
  await context.close();
});

test("a forgotten password is set through the mail", async ({ page, saldo }) => {
  const partner = saldo.addPartner("zapominalska");
  const pages = new SignIn(page);
  await pages.setPassword(partner.link, PASSWORD);
  await page.goto("/app/");
  await page.locator("#password").fill(PASSWORD);
  await page.getByRole("button", { name: "Pokaż hasło" }).click();
  await expect(page.locator("#password")).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Ukryj hasło" }).click();
  await expect(page.locator("#password")).toHaveAttribute("type", "password");
  await page.getByRole("link", { name: "Nie pamiętam hasła" }).click();
  await page.locator("#username").fill(partner.email);
  await page.locator("#kc-reset-password-form button").click();
  await expect(page.getByText("Sprawdź pocztę")).toBeVisible();
  await pages.setPassword(linkIn(await saldo.mailTo(partner.email)), NEXT);
  await new Frame(page).enter({ email: partner.email, password: NEXT });
});

test("the provider's own address of the password page leads to it", async ({ page, saldo }) => {
  await new Frame(page).enter(saldo.people.marek);
  await page.goto("/auth/realms/saldo/account/password");
  await expect(page.locator("#password-new")).toBeVisible();
  await page.locator("[name=cancel-aia]").click();
  await expect(page.getByText(polishFrame.passwordKept)).toBeVisible();
});

test("a restart signs nobody out, and pages work without scripts", async ({ page, saldo, browser }) => {
  await new Frame(page).resume(saldo.people.marek);
  await saldo.restart();
  await page.reload();
  await expect(new Frame(page).account()).toBeVisible();

  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: saldo.url });
  const simple = await plain.newPage();
  const ask = new URLSearchParams({
    client_id: "spa",
    redirect_uri: `${saldo.url}/app/`,
    response_type: "code",
    scope: "openid",
    state: "s",
    nonce: "n",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  await simple.goto(`/auth/realms/saldo/protocol/openid-connect/auth?${ask.toString()}`);
  await new SignIn(simple).submit(saldo.people.marek);
  await expect(simple).toHaveURL(/\/app\/\?.*code=/);
  await plain.close();
});
