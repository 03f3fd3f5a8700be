import englishAccounts from "../../../locales/en/accounts.json" with { type: "json" };
import englishFrame from "../../../locales/en/frame.json" with { type: "json" };
import englishSignIn from "../../../locales/en/sign-in.json" with { type: "json" };
import englishTerms from "../../../locales/en/terms.json" with { type: "json" };
import polishAccounts from "../../../locales/pl/accounts.json" with { type: "json" };
import polishFrame from "../../../locales/pl/frame.json" with { type: "json" };
import polishSignIn from "../../../locales/pl/sign-in.json" with { type: "json" };
import polishTerms from "../../../locales/pl/terms.json" with { type: "json" };
import { combined } from "../pages/combined";
import { Frame } from "../pages/frame";
import { linkIn, SignIn } from "../pages/sign-in";
import { expect, test } from "../saldo";

const PASSWORD = "cztery konie w galopie";
const NEXT = "piąty koń stoi w stajni";

const languages = {
  pl: { accounts: polishAccounts, frame: polishFrame, signIn: polishSignIn, terms: polishTerms },
  en: { accounts: englishAccounts, frame: englishFrame, signIn: englishSignIn, terms: englishTerms },
};
const devices = { desktop: { width: 1440, height: 1000 }, phone: { width: 390, height: 844 } };

for (const [[language, words], [device, viewport]] of combined(Object.entries(languages), Object.entries(devices))) {
  const named = (text: string, values: Record<string, string>) =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");

  test(`a driver registers, completes the profile and chooses a partner with consent, ${language}, ${device}`, async ({
    page,
    saldo,
  }) => {
    await page.setViewportSize(viewport);
    const person = { email: `nowy-${language}-${device}@example.com`, password: PASSWORD };
    const pages = new SignIn(page);
    await page.goto(`/app/?lang=${language}&partner=wrzos&reference_id=R-77`);
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await expect(page.getByText("Wrzos Mobility")).toBeVisible(); // met in the partner's colours
    await page.locator("#kc-registration").click();
    await pages.register("Ołena", "Nowak-Żółć", person);
    await expect(page.locator("#kc-page-title")).toBeVisible();
    await expect(page.locator(".address")).toHaveText(person.email);

    await page.goto(linkIn(await saldo.mailTo(person.email)));
    await page.locator("#password").fill(PASSWORD);
    await page.locator("#kc-verify-form button").click();
    await expect(page).toHaveURL(/\/app\/add-driver-account$/);
    const field = (name: string) => page.getByRole("textbox", { name, exact: true });
    await expect(field(words.accounts.firstName)).toHaveValue("Ołena");
    await expect(field(words.accounts.email)).toHaveValue(person.email);
    // every page load leads here while the profile is not complete
    await page.goto("/app/driver/partners-list");
    await expect(page).toHaveURL(/\/app\/add-driver-account$/);
    await page.getByRole("button", { name: words.accounts.addSubmit }).click();
    await expect(field(words.accounts.phone)).toHaveAttribute("aria-invalid", "true");
    await field(words.accounts.phone).fill("601 234 567");
    await page.getByRole("combobox", { name: words.accounts.cities }).fill("Łódź");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: words.accounts.addSubmit }).click();

    await expect(page).toHaveURL(/\/app\/driver\/(partners-list|partner-profile)$/);
    await page.goto("/app/driver/partners-list");
    await page.getByRole("button", { name: named(words.accounts.chooseNamed, { name: "Wrzos Mobility" }) }).click();
    const choose = page.getByRole("button", { name: words.accounts.chooseSubmit });
    const consent = page.getByRole("checkbox", { name: /Wrzos Mobility/ });
    await expect(consent).not.toBeChecked();
    await consent.check();
    await choose.click();
    await expect(page.getByRole("heading", { name: "Wrzos Mobility" })).toBeVisible();
    await page.goto("/app/");
    await expect(page).toHaveURL(/\/app\/driver\/settlements$/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);

    // and away again: what they shared is erased, and nobody comes in with this address any more
    await page.goto("/app/driver/profile");
    await page.getByRole("button", { name: words.accounts.closeOpen }).click();
    const confirm = named(words.accounts.closeConfirm, { word: words.accounts.closeWord });
    await field(confirm).fill(words.accounts.closeWord);
    await page.getByRole("button", { name: words.accounts.closeSubmit, exact: true }).click();
    await expect(page.getByText(words.signIn.closed)).toBeVisible();
    await page.getByRole("button", { name: words.signIn.submit }).click();
    await pages.submit(person);
    await expect(page.getByRole("alert")).toBeVisible();
  });

  test(`a partner's person signs in, accepts the terms, changes the password and leaves, ${language}, ${device}`, async ({
    page,
    saldo,
  }) => {
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
    await expect(page).toHaveURL(/\/app\/settlements\/pending$/);

    await account(words.frame.changePassword);
    await page.locator("[name=cancel-aia]").click();
    await expect(page.getByText(words.frame.passwordKept)).toBeVisible();

    await account(words.frame.signOut);
    await expect(page.locator("#kc-login")).toBeVisible();
    await pages.submit({ email: partner.email, password: PASSWORD });
    await expect(page.getByRole("alert")).toBeVisible();
    await pages.submit({ email: partner.email, password: NEXT });
    await expect(page).toHaveURL(/\/app\/settlements\/pending$/);
  });
}

test("a forgotten password is set through the mail", async ({ page, saldo }) => {
  const partner = saldo.addPartner("zapominalska");
  const pages = new SignIn(page);
  await pages.setPassword(partner.link, PASSWORD);
  await page.goto("/app/");
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
  await new Frame(page).enter(saldo.people.marek);
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
