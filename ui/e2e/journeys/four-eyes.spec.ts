import type { Page } from "@playwright/test";
import { clean } from "../pages/clean";
import { Frame } from "../pages/frame";
import { monday } from "../pages/monday";
import { ProfilePage } from "../pages/profile-page";
import { linkIn, SignIn } from "../pages/sign-in";
import { expect, test } from "../saldo";

const ACCOUNT = "61109010140000071219812874";

const people = (page: Page) => page.getByRole("list", { name: "Osoby w biurze" });
const person = (page: Page, name: string) => people(page).getByRole("listitem").filter({ hasText: name });
const twoPerson = (page: Page) => page.getByRole("region", { name: "Zatwierdzanie przez drugą osobę" });

/** Fills in the dialog that invites somebody, and sends it. */
async function invite(page: Page, email: string) {
  const dialog = page.getByRole("dialog", { name: "Zaproś osobę" });
  await dialog.getByLabel("Imię").fill("Jan");
  await dialog.getByLabel("Nazwisko").fill("Drugi");
  await dialog.getByLabel("E-mail", { exact: true }).fill(email);
  await dialog.getByRole("button", { name: "Wyślij zaproszenie" }).click();
}

test("a second person is invited, releases what the first one made, and only both together end that", async ({
  page,
  saldo,
  browser,
}) => {
  const second = { email: "jan@four-eyes.example", password: "piec koni w galopie" };
  const frame = new Frame(page);
  await monday(page, saldo, "four-eyes");
  await frame.later("/app/settlements/pending");
  await page.getByRole("button", { name: "Rozlicz wszystkie" }).click();
  const drawer = page.locator(".run-drawer");
  await drawer.getByRole("button", { name: /^Rozlicz \d+ \(/ }).click();
  await expect(drawer.getByText(/^Rozliczono \d+/).first()).toBeVisible();
  await drawer.getByRole("button", { name: "Gotowe" }).click();

  // Alone nobody can ask for a second pair of eyes: it is said what to do.
  const profile = new ProfilePage(page);
  await profile.open();
  await profile.field("Konto do przelewów (IBAN)").fill("49114020040000330200112177");
  await profile.field("NIP").fill("5260250274");
  await profile.save();
  await expect(page.getByText(/Zapisano/).first()).toBeVisible();
  await expect(person(page, "Ewa Nowak")).toContainText("Aktywna");
  await expect(twoPerson(page).getByText(/co najmniej dwie aktywne osoby/)).toBeVisible();
  await twoPerson(page).getByRole("button", { name: "Zaproś osobę" }).click();
  await clean(page, "the invitation");
  await invite(page, "jan");
  await expect(page.getByRole("dialog").getByText(/Nikogo nie zaproszono/)).toBeVisible();
  await page.keyboard.press("Escape");

  // An invitation is withdrawn, and its link is dead.
  await page.getByRole("button", { name: "Zaproś osobę" }).first().click();
  await invite(page, "pomylka@four-eyes.example");
  await expect(person(page, "Jan Drugi")).toContainText("Zaproszenie wysłane");
  const dead = linkIn(await saldo.mailTo("pomylka@four-eyes.example"));
  await page.getByRole("button", { name: "Wycofaj: Jan Drugi" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Wycofaj zaproszenie" }).click();
  await expect(person(page, "Jan Drugi")).toHaveCount(0);

  // The right one sets a password through the mail.
  await page.getByRole("button", { name: "Zaproś osobę" }).first().click();
  await invite(page, second.email);
  await expect(person(page, second.email)).toContainText("Zaproszenie wysłane");
  await clean(page, "somebody is invited", { tall: true });
  const other = await browser.newContext({ baseURL: saldo.url, locale: "pl-PL" });
  const theirs = await other.newPage();
  await theirs.goto(dead);
  await expect(theirs.locator("#password-new")).toHaveCount(0);
  await new SignIn(theirs).setPasswordBehind(linkIn(await saldo.mailTo(second.email)), second.password);
  await new Frame(theirs).resume(second);
  await page.reload();
  await expect(person(page, second.email)).toContainText("Aktywna");
  await twoPerson(page).getByRole("button", { name: "Włącz" }).click();
  await expect(twoPerson(page).getByText("Włączone", { exact: true })).toBeVisible();
  await clean(page, "two-person release is on");

  // The second one cannot be shut out now: that would be a way around them.
  await page.getByRole("button", { name: "Odbierz dostęp: Jan Drugi" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Odbierz dostęp" }).click();
  await expect(page.getByRole("dialog").getByText(/wymaga co najmniej dwóch aktywnych osób/)).toBeVisible();
  await page.keyboard.press("Escape");

  // The first one makes a batch and cannot release it.
  await frame.later("/app/payouts/new");
  const left = page.getByRole("region", { name: "Pominięci" }).getByRole("listitem");
  await left
    .first()
    .getByRole("link", { name: /^Popraw: / })
    .click();
  await page.getByRole("textbox", { name: "IBAN", exact: true }).fill(ACCOUNT);
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.getByText(/Konto zmienione/).first()).toBeVisible();
  await frame.later("/app/payouts/new");
  await page.getByRole("button", { name: "Zapłać na nowe konto" }).first().click();
  await page.getByRole("button", { name: /^Utwórz przelewy: \d+ \(/ }).click();
  await expect(page.getByRole("heading", { name: "Paczka nr 1" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Pobierz plik" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Anuluj paczkę" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Zatwierdź", exact: true })).toHaveCount(0);
  await new Frame(theirs).later("/app/payouts/1");
  await theirs.getByRole("button", { name: "Zatwierdź", exact: true }).click();
  await expect(theirs.getByRole("button", { name: "Pobierz plik" })).toBeVisible();

  // The first one asks to end it; it stays until the second one agrees.
  await profile.open();
  await twoPerson(page).getByRole("button", { name: "Poproś o wyłączenie" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Wyślij prośbę" }).click();
  await expect(twoPerson(page).getByText(/czeka na potwierdzenie przez inną osobę/)).toBeVisible();
  await expect(twoPerson(page).getByRole("button", { name: "Potwierdź i wyłącz" })).toHaveCount(0);
  await new Frame(theirs).later("/app/profile");
  await expect(twoPerson(theirs).getByText(/Ewa Nowak prosi o wyłączenie/)).toBeVisible();
  await clean(theirs, "a request to decide about");
  await theirs.setViewportSize({ width: 390, height: 844 });
  await clean(theirs, "a request to decide about, on a phone");
  await twoPerson(theirs).getByRole("button", { name: "Potwierdź i wyłącz" }).click();
  await expect(twoPerson(theirs).getByText("Wyłączone", { exact: true })).toBeVisible();
  await page.reload();
  await expect(twoPerson(page).getByText("Wyłączone", { exact: true })).toBeVisible();
  await other.close();
});
