import type { Locator, Page } from "@playwright/test";
import { clean, cleanInEveryLanguage } from "../pages/clean";
import { Frame } from "../pages/frame";
import { declare, next, personal, read, statements, step, terms } from "../pages/wizard";
import { IN_FULL } from "../pages/combined";
import { expect, test } from "../saldo";

// A fleet with a driver who has an account and is accepted.
// The first begins with a driver who has no contract.
test.use({ size: "small", apart: "contracts" });

const PHONE = { width: 390, height: 844 };
const TURNED = { width: 844, height: 390 };
const WIZARD = "/app/driver/fill-documents?lang=pl";

/** A line over the box for the signature. */
async function draw(page: Page) {
  const pad = page.getByRole("img", { name: /^Pole podpisu/ });
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (!box) throw new Error("no box for the signature");
  await page.mouse.move(box.x + box.width * 0.15, box.y + box.height * 0.7);
  await page.mouse.down();
  for (let n = 0; n <= 30; n++)
    await page.mouse.move(box.x + box.width * (0.15 + n / 45), box.y + box.height * (0.5 + 0.3 * Math.sin(n / 2)));
  await page.mouse.up();
}

const strokes = (page: Page) =>
  page
    .getByRole("img", { name: /^Pole podpisu/ })
    .locator("path[stroke-width]")
    .evaluateAll((all) => all.map((one) => one.getAttribute("d")));

test("a driver fills in four steps, reads, turns the phone, signs, and withdraws", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/driver/documents?lang=pl");
  await expect(page.getByRole("heading", { name: "Nie masz jeszcze umowy" })).toBeVisible();
  await clean(page, "no contract yet", { tall: true });
  await page.getByRole("main").getByRole("link", { name: "Wypełnij dokumenty" }).click();

  // what is missing is said beside its field, and the step stays
  await step(page, "Dane osobowe");
  await expect(page.getByText("z Twojego profilu").first()).toBeVisible();
  await next(page);
  await expect(page.getByText("Wypełnij to pole").first()).toBeVisible();
  await expect(page.locator("[aria-invalid]").first()).toBeFocused();
  await clean(page, "the first step with what is missing", { tall: true });
  await personal(page);
  await next(page);

  // kinds that exclude each other are grey, with the reason
  await step(page, "Pojazd i umowa");
  await terms(page);
  const b2b = page.getByRole("checkbox", { name: "Współpraca firm (B2B)" });
  await expect(b2b).toBeDisabled();
  await expect(page.getByText("Nie razem z „Umowa zlecenia”.").first()).toBeVisible();
  await clean(page, "car and contract", { tall: true });
  await next(page);

  await step(page, "Oświadczenia podatkowe");
  await expect(page.getByRole("checkbox", { name: "Uczeń lub student do 26 lat" })).toBeDisabled();

  // without a line the third step goes on, and a reload finds everything
  await page.context().setOffline(true);
  await statements(page);
  await next(page);
  await expect(page.getByText("Brak połączenia.").first()).toBeVisible();
  await page.context().setOffline(false);
  await page.reload();
  await page.getByRole("button", { name: "Wstecz" }).click();
  await step(page, "Oświadczenia podatkowe");
  await expect(page.getByLabel("Urząd skarbowy")).toHaveValue("Pierwszy Urząd Skarbowy w Gdańsku");
  await clean(page, "statements", { tall: true });
  await next(page);

  // nothing is signed before all is read, ticked and drawn
  await step(page, "Podpis");
  const sign = page.getByRole("button", { name: "Podpisz i wyślij" });
  await sign.click();
  for (const lack of [
    "Otwórz każdy dokument.",
    "Zaznacz wszystkie oświadczenia i zgodę.",
    "Narysuj podpis albo wpisz imię i nazwisko.",
  ])
    await expect(page.getByText(lack, { exact: true })).toBeVisible();
  await read(page);
  await declare(page);
  await draw(page);
  const drawn = await strokes(page);
  expect(drawn).toHaveLength(1);
  const pad = page.getByRole("img", { name: /^Pole podpisu/ });
  for (const turned of [TURNED, PHONE]) {
    await page.setViewportSize(turned);
    expect(await strokes(page)).toEqual(drawn);
    await expect(pad).toBeInViewport();
  }
  await clean(page, "the signature", { tall: true });

  // who signed in long ago is asked to do so again, and is not signed out
  await page.route(
    "**/api/partner-documents/signed",
    (route) =>
      route.fulfill({
        status: 401,
        headers: { "WWW-Authenticate": 'Bearer error="insufficient_user_authentication"' },
        contentType: "application/problem+json",
        body: JSON.stringify({ code: "identity.fresh_login_needed", status: 401 }),
      }),
    { times: 1 },
  );
  await sign.click();
  await expect(page.getByText("Od logowania minęło ponad pół godziny.")).toBeVisible();
  await page.reload();
  await step(page, "Podpis");
  await expect(page.getByText("Jeszcze nieotwarty")).toHaveCount(0);
  expect(await strokes(page)).toEqual(drawn);
  await sign.click();
  await expect(page.getByRole("heading", { name: "Podpisano" })).toBeVisible();
  await expect(page.getByText("Teraz podpisuje flota.")).toBeVisible();
  await clean(page, "what was signed", { tall: true });
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Pobierz: Umowa zlecenia" }).click();
  expect((await file).suggestedFilename()).toBe("Umowa zlecenia.pdf");

  await page.getByRole("link", { name: "Przejdź do umów" }).click();
  await expect(page.getByText("Czeka na podpis floty")).toBeVisible();
  await page.getByText("Przebieg podpisania").click();
  await expect(page.getByText("Wysłano podpisane dokumenty")).toBeVisible();
  await clean(page, "contracts", { tall: true });
  await page.getByRole("button", { name: "Wycofaj" }).click();
  const dialog = page.getByRole("dialog", { name: "Wycofać umowę?" });
  await dialog.getByRole("button", { name: "Wycofaj" }).click();
  await expect(dialog.getByText("Wypełnij to pole")).toBeVisible();
  await dialog.getByLabel("Powód wycofania").fill("Zły numer konta");
  await dialog.getByRole("button", { name: "Wycofaj" }).click();
  await expect(page.getByText("Umowa wycofana.")).toBeVisible();
  await expect(page.getByText("Powód: Zły numer konta")).toBeVisible();
});

test("a driver signs with the keyboard alone, by a typed name", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, WIZARD);
  // what was signed before is filled in already
  await step(page, "Dane osobowe");
  await expect(page.getByText("To dane z ostatniej umowy.")).toBeVisible();
  const reach = async (wanted: Locator) => {
    await expect(wanted).toBeVisible();
    const there = () => wanted.evaluate((one) => one === document.activeElement);
    for (let n = 0; n < 200 && !(await there()); n++) await page.keyboard.press("Tab");
    await expect(wanted).toBeFocused();
  };
  const press = async (name: string | RegExp, role: "button" | "checkbox" = "button", key = "Enter") => {
    await reach(page.getByRole(role, { name }).first());
    await page.keyboard.press(key);
  };
  for (const name of ["Dane osobowe", "Pojazd i umowa", "Oświadczenia podatkowe"]) {
    await step(page, name);
    await press("Dalej");
  }
  await step(page, "Podpis");
  await press(/Umowa zlecenia/);
  const dialog = page.getByRole("dialog");
  for (let n = 0; n < 10 && (await dialog.isVisible()); n++) {
    const title = await dialog.getAttribute("aria-label");
    await reach(dialog.locator("footer button"));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: title ?? "", exact: true })).toBeHidden();
  }
  for (const name of [/^Podane dane/, /^Rozumiem dokumenty/, /^Zgadzam się/, /^Podpisuję wszystkie/])
    await press(name, "checkbox", "Space");
  await press("Wpisz imię i nazwisko");
  await reach(page.getByLabel("Imię i nazwisko"));
  await page.keyboard.type("Oleh Bondar");
  await press("Podpisz i wyślij");
  await expect(page.getByRole("heading", { name: "Podpisano" })).toBeFocused();
});

test("two devices: nothing is overwritten before somebody chooses", async ({ page, saldo, browser }) => {
  const frame = new Frame(page);
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, WIZARD);
  await step(page, "Dane osobowe");
  const other = await (await browser.newContext({ locale: "pl-PL", baseURL: saldo.url, viewport: PHONE })).newPage();
  await new Frame(other).resume(saldo.people.oleh, WIZARD);
  await step(other, "Dane osobowe");
  await page.getByLabel("Miejsce urodzenia").fill("Lwów");
  await next(page);
  await step(page, "Pojazd i umowa");
  await other.getByLabel("Miejsce urodzenia").fill("Odessa");
  await next(other);
  const dialog = other.getByRole("dialog", { name: "Wypełniano też na innym urządzeniu" });
  await expect(dialog.getByText("Miejsce urodzenia")).toBeVisible();
  await clean(other, "two devices", { tall: true });
  await dialog.getByRole("button", { name: "Weź dane zapisane gdzie indziej" }).click();
  await other.getByRole("button", { name: "Wstecz" }).click();
  await expect(other.getByLabel("Miejsce urodzenia")).toHaveValue("Lwów");
  await other.context().close();
});

test("a partner fills in, and the driver finds it", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.oleh, "/app/driver/documents?lang=pl");
  // what was begun and not signed can be deleted
  await page.getByRole("button", { name: "Usuń, co wpisano" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Usuń, co wpisano" }).click();
  await expect(page.getByText("Wpisane dane usunięto.")).toBeVisible();

  await frame.resume(saldo.people.anna, "/app/drivers?lang=pl");
  await page
    .getByRole("link", { name: /Babiak/ })
    .first()
    .click();
  await page.getByRole("link", { name: "Wypełnij dokumenty" }).click();
  await step(page, "Dane osobowe");
  await page.getByLabel("Miejsce urodzenia").fill("Lwów");
  await clean(page, "a partner fills in", { tall: true });
  for (const name of ["Dane osobowe", "Pojazd i umowa", "Oświadczenia podatkowe"]) {
    await step(page, name);
    await next(page);
  }
  await step(page, "Podpis");
  await expect(page.getByText("Podpisuje kierowca, nie flota.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Podpisz i wyślij" })).toHaveCount(0);
  await page.getByRole("button", { name: "Kierowca podpisuje na tym urządzeniu" }).click();
  await expect(page.getByRole("button", { name: "Podpisz i wyślij" })).toBeVisible();
  await clean(page, "a driver signs on the partner's device", { tall: true });
  await page.reload();
  await page.getByRole("button", { name: "Zapisz dla kierowcy" }).click();
  await expect(page.getByText(/znajdzie to w Umowach/)).toBeVisible();

  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/driver/documents?lang=pl");
  await expect(page.getByRole("heading", { name: "Flota przygotowała dla Ciebie umowę" })).toBeVisible();
  await clean(page, "a contract that the fleet prepared", { tall: true });
  await page.getByRole("link", { name: "Dokończ" }).click();
  await expect(page.getByText("Flota wypełniła to za Ciebie.")).toBeVisible();
  await expect(page.getByLabel("Miejsce urodzenia")).toHaveValue("Lwów");
});

test("the wizard is readable in every language, on a phone and in the dark", IN_FULL, async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.oleh, WIZARD);
  await cleanInEveryLanguage(page, ["/driver/documents", "/driver/fill-documents"]);
});
