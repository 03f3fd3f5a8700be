import type { Page } from "@playwright/test";
import { clean, cleanAgain } from "../pages/clean";
import { IN_FULL, ways } from "../pages/combined";
import { Frame } from "../pages/frame";
import { ProfilePage } from "../pages/profile-page";
import { SignIn } from "../pages/sign-in";
import { expect, type Person, test } from "../saldo";

// A black square of 2 by 2 pixels.
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAAC0lEQVR4nGNgAAEAAAYAAf6MZ8gAAAAASUVORK5CYII=",
  "base64",
);

/** Lets a new partner in: its first person accepts the terms. */
async function newAccount(page: Page, partner: { email: string; link: string }): Promise<Person> {
  const person = { email: partner.email, password: "cztery konie w galopie" };
  await new SignIn(page).setPasswordBehind(partner.link, person.password);
  await new Frame(page).resume(person);
  await page.getByRole("checkbox", { name: /regulamin/i }).check();
  await page.getByRole("button", { name: /akceptuj/i }).click();
  await expect(page.getByRole("checkbox", { name: /regulamin/i })).toBeHidden();
  return person;
}

test("a clerk fills in the profile, brands it and decides what drivers see", async ({ page, saldo }) => {
  await newAccount(page, saldo.addPartner("new-account"));
  await new Frame(page).account().click();
  await page.getByRole("menuitem", { name: "Profil partnera" }).click();
  await expect(page).toHaveURL(/\/app\/profile$/);
  const profile = new ProfilePage(page);
  await profile.open();

  await profile.field("NIP").fill("5260250275");
  await profile.save();
  await expect(page.getByText("Jedna z cyfr jest błędna albo dwie są zamienione")).toBeVisible();
  await expect(profile.field("NIP")).toBeFocused();
  await profile.field("NIP").fill("526 025 02 74");
  await profile.field("Telefon").fill("601234567");
  await profile.field("Strona WWW").fill("drogowiec.example");
  await profile.field("Konto do przelewów (IBAN)").fill("61109010140000071219812874");
  await profile.field("Kod pocztowy").fill("00-001");
  await page.getByRole("combobox", { name: "Miasta" }).fill("Łódź");
  await page.keyboard.press("Enter");
  await profile.field("Kolor").fill("#7A4DDE");
  await profile.save();
  await expect(page.getByText("Zapisano.")).toBeVisible();
  await expect(profile.field("Konto do przelewów (IBAN)")).toHaveValue("PL61 1090 1014 0000 0712 1981 2874");

  await profile.toggle("Przejazdy").click();
  await expect(page.getByText("Twoi kierowcy widzą: czas pracy, faktury, rozliczenia.")).toBeVisible();
  await page.locator("input[type=file]").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: PICTURE });
  await expect(page.getByRole("img", { name: "Twoje logo" })).toBeVisible();

  await page.reload();
  await expect(profile.field("Strona WWW")).toHaveValue("https://drogowiec.example");
  await expect(profile.field("NIP")).toHaveValue("526-025-02-74");
  await expect(profile.toggle("Przejazdy")).not.toBeChecked();
  const shown = page.getByRole("img", { name: "Twoje logo" });
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(2);
  await page.getByRole("button", { name: "Usuń logo" }).click();
  await expect(page.getByText("Nie ma jeszcze logo")).toBeVisible();
});

test("two clerks who save at the same time both keep their work", IN_FULL, async ({ page, saldo, context }) => {
  const person = await newAccount(page, saldo.addPartner("two-clerks"));
  const mine = new ProfilePage(page);
  await mine.open();
  const theirs = new ProfilePage(await context.newPage());
  await new Frame(theirs.page).resume(person);
  await theirs.open();
  await mine.field("Miasto").fill("Łódź");
  await theirs.field("E-mail").fill("biuro@two-clerks.example");
  await theirs.save();
  await expect(theirs.page.getByText("Zapisano.")).toBeVisible();
  await mine.save();
  await expect(page.getByText(/Ktoś inny zapisał w międzyczasie/)).toBeVisible();
  await page.getByRole("button", { name: "Wczytaj najnowsze dane" }).click();
  await expect(mine.field("E-mail")).toHaveValue("biuro@two-clerks.example");
  await expect(mine.field("Miasto")).toHaveValue("Łódź");
  await mine.save();
  await expect(page.getByText("Zapisano.")).toBeVisible();
});

for (const { scheme, device, ...viewport } of ways(
  { scheme: "dark" as const, device: "phone", width: 390, height: 844 },
  { scheme: "light" as const, device: "desktop", width: 1440, height: 1000 },
))
  test(`axe finds nothing on the profile, ${scheme}, ${device}`, IN_FULL, async ({ page, saldo }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(viewport);
    await new Frame(page).resume(saldo.people.marek);
    const profile = new ProfilePage(page);
    await profile.open();
    await cleanAgain(page, "profile");
    await profile.field("NIP").fill("1");
    await page.getByRole("combobox", { name: "Miasta" }).fill("Łódź");
    await page.keyboard.press("Enter");
    await profile.save();
    await expect(page.getByText("Za mało albo za dużo znaków")).toBeVisible();
    await clean(page, "profile with a wrong field");
    await page.getByRole("combobox", { name: "Kraj" }).click();
    await clean(page, "profile with its countries open");
    await page.keyboard.press("Escape");
    // No part of it is wider than the screen.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
  });
