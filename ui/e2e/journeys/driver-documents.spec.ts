import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { clean, cleanInALook, cleanInEveryLanguage } from "../pages/clean";
import { Frame } from "../pages/frame";
import { IN_FULL } from "../pages/combined";
import { expect, test } from "../saldo";

// A fleet with a driver who has an account and is accepted.
test.use({ size: "small" });

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 1000 };
const fixture = (name: string) => resolve(import.meta.dirname, "../fixtures", name);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Both sides of a licence by the camera, until when it holds, and its number. */
async function send(page: Page, button: string) {
  await page.getByLabel(/^Zrób .*zdjęcie, Przód$/).setInputFiles(fixture("invoice-photo.jpg"));
  await expect(page.getByRole("img", { name: "Przód" })).toBeVisible();
  await page.getByLabel(/^Zrób .*zdjęcie, Tył$/).setInputFiles(fixture("invoice-blurred.jpg"));
  await expect(page.getByRole("img", { name: "Tył" })).toBeVisible();
  await page.getByLabel("Ważny do").fill(inDays(10));
  await page.getByLabel("Numer dokumentu").fill("ABC 123456");
  await clean(page, "a document to send", { tall: true });
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByText("Dokument wysłany. Flota go sprawdzi.")).toBeVisible();
}

test("a driver shows a licence, the partner rejects it with a reason, it is sent again and accepted", async ({
  page,
  saldo,
}) => {
  const frame = new Frame(page);
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/driver/driver-documents?lang=pl");
  const licence = page.getByRole("link", { name: /^Prawo jazdy/ });
  await expect(page.getByRole("listitem").first()).toContainText("Prawo jazdy"); // what is missing stands first
  await expect(licence).toContainText("Brakuje");
  await cleanInALook(page, "documents of a driver", licence);
  await licence.click();

  // nothing is sent before both sides and the last day are there
  await page.getByRole("button", { name: "Wyślij dokument" }).click();
  await expect(page.getByText("Dodaj tę stronę.")).toHaveCount(2);
  await send(page, "Wyślij dokument");
  await expect(licence).toContainText("Do sprawdzenia");

  // the partner sees it blurred until it is wanted, and says what to correct
  await page.setViewportSize(DESKTOP);
  await frame.resume(saldo.people.anna, "/app/driver-documents?lang=pl&state=waiting");
  await page.getByRole("link", { name: "Do sprawdzenia", exact: false }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Prawo jazdy" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Pokaż wyraźnie: Przód" })).toBeVisible();
  await expect(page.getByLabel("Numer dokumentu")).toHaveValue("ABC 123456");
  await cleanInALook(page, "a document to check");
  await page.getByRole("button", { name: "Pokaż wyraźnie: Przód" }).click();
  await expect(page.getByRole("img", { name: "Przód" })).toBeVisible();
  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog", { name: "Odrzucić dokument?" });
  await dialog.getByLabel("Co poprawić").fill("Tył jest nieostry.");
  await clean(page, "rejecting a document", { tall: true });
  await dialog.getByRole("button", { name: "Odrzuć dokument" }).click();
  await expect(page.getByText("Dokument odrzucony. Kierowca zna powód.")).toBeVisible();

  // the driver reads why and sends it again
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/driver/driver-documents?lang=pl");
  await expect(licence).toContainText("Tył jest nieostry.");
  await licence.click();
  await expect(page.getByText("Flota nie przyjęła dokumentu.")).toBeVisible();
  await send(page, "Wyślij jeszcze raz");

  // accepted by a key; who looked at it is in its history
  await page.setViewportSize(DESKTOP);
  await frame.resume(saldo.people.anna, "/app/driver-documents?lang=pl&state=waiting");
  await page.getByRole("link", { name: "Do sprawdzenia", exact: false }).first().click();
  await page.getByRole("button", { name: "Pokaż wyraźnie", exact: true }).click();
  await expect(page.getByRole("img", { name: "Tył" })).toBeVisible();
  await page.locator("h1").click();
  await page.keyboard.press("a");
  await expect(page.getByText("Dokument przyjęty.")).toBeVisible();
  await expect(page).toHaveURL(/\/driver-documents$/);
  await page
    .getByRole("link", { name: /^Wkrótce traci ważność/ })
    .first()
    .click();
  await page.getByText("Historia dokumentu").click();
  await expect(page.getByText("Obejrzano zdjęcie").first()).toBeVisible();

  // it is kept past its time for a reason, and no longer
  const keeping = page.getByRole("region", { name: "Przechowywanie" });
  await expect(keeping).toContainText("30 dni po odejściu kierowcy");
  await keeping.getByRole("button", { name: "Zachowaj dokument" }).click();
  const keep = page.getByRole("dialog", { name: "Zachować dokument po terminie?" });
  await keep.getByLabel("Dlaczego jest jeszcze potrzebny").fill("Trwa sprawa o mandat.");
  await cleanInALook(page, "keeping a document", keep);
  await keep.getByRole("button", { name: "Zachowaj dokument" }).click();
  await expect(keeping).toContainText("Zachowany po terminie: Trwa sprawa o mandat.");
  await keeping.getByRole("button", { name: "Nie zachowuj dłużej" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Nie zachowuj dłużej" }).click();
  await expect(page.getByText("Dokument zostanie usunięty w terminie.")).toBeVisible();
  await expect(page.getByText("Zmieniono czas przechowywania")).toHaveCount(2);
  await page.getByRole("link", { name: /^Wszystkie dokumenty:/ }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Prawo jazdy" })).toBeVisible();
  const zip = page.waitForEvent("download");
  await page.getByRole("button", { name: "Pobierz zdjęcia (ZIP)" }).click();
  expect((await zip).suggestedFilename()).toMatch(/\.zip$/);
  await clean(page, "documents of one driver");

  // it runs out within two weeks: the driver is reminded once
  await page.goto("/app/driver-documents?view=expiry&lang=pl");
  const soon = page.getByRole("region", { name: "Do 14 dni" });
  await expect(soon.getByRole("heading", { name: "Do 14 dni (1)" })).toBeVisible();
  await soon.getByRole("listitem").getByRole("checkbox").check();
  await page.getByRole("button", { name: "Przypomnij (1)" }).click();
  await expect(page.getByText("Wysłano przypomnienia: 1.")).toBeVisible();
  await expect(soon.getByText(/^przypomniano/)).toBeVisible();

  // by mail too, which leads to the board, and the board to the document
  const mail = await saldo.mailTo(saldo.people.oleh.email);
  expect(mail).toMatch(/^List-Unsubscribe:/m);
  expect(mail).toContain("/app/driver/board");
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/driver/board?lang=pl");
  await page.getByRole("button", { name: /^Kończy się ważność: Prawo jazdy/ }).click();
  await page.getByRole("link", { name: "Zobacz dokument" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Prawo jazdy" })).toBeVisible();
});

test("a document waits on the phone without a line, outlives a reload and is sent once", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/driver/driver-documents?lang=pl");
  const licence = page.getByRole("link", { name: /^Prawo jazdy/ });
  await licence.click();
  await page.getByLabel(/^Zrób .*zdjęcie, Przód$/).setInputFiles(fixture("invoice-photo.jpg"));
  await page.getByLabel(/^Zrób .*zdjęcie, Tył$/).setInputFiles(fixture("invoice-blurred.jpg"));
  // what was accepted before may be on screen too
  await expect(page.getByRole("group", { name: "Tył" }).getByRole("img")).toBeVisible();
  await page.getByLabel("Ważny do").fill(inDays(400));
  await page.getByLabel("Numer dokumentu").fill("OFF 1");
  // the server writes it down and the answer is lost, then the line is cut
  let arrived = 0;
  await page.route("**/api/driver-documents", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    if (arrived++ === 0) await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Wyślij dokument" }).click();
  await expect(page.getByText("Dokument czeka na telefonie.")).toBeVisible();
  await expect(page.getByText("Do wysłania: 1 dokument")).toBeVisible();
  await page.reload();
  await expect(licence).toContainText("Na telefonie");
  await licence.click();
  const waiting = page.getByRole("region", { name: "Na telefonie" });
  await expect(waiting.getByRole("img", { name: "Przód" })).toBeVisible();
  await cleanInALook(page, "a document on the phone", waiting.getByRole("img", { name: "Tył" }));
  // the server may have it: it is not taken back here
  await expect(waiting.getByRole("button", { name: "Usuń z telefonu" })).toBeHidden();

  await page.unrouteAll();
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(waiting).toBeHidden();
  await expect(page.getByRole("region", { name: "Wysłany dokument" })).toBeVisible();
  await expect(page.getByText(/^Do wysłania/)).toBeHidden();
  expect(arrived).toBeGreaterThan(1);
});

test("a partner asks for a document of its own", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/driver-documents?view=types&lang=pl");
  await page.getByRole("button", { name: "Dodaj rodzaj" }).click();
  const dialog = page.getByRole("dialog", { name: "Dodaj rodzaj" });
  await dialog.getByLabel("Nazwa: Polski").fill("Umowa najmu garażu");
  await dialog.getByLabel("Nazwa: Українська").fill("Договір оренди гаража");
  await dialog.getByLabel("Każdy kierowca musi go mieć").check();
  await cleanInALook(page, "a type of document", dialog);
  await dialog.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.getByText("Rodzaj dokumentu zapisany.")).toBeVisible();
  await expect(page.getByText("Umowa najmu garażu")).toBeVisible();
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/driver/driver-documents?lang=uk");
  await expect(page.getByRole("link", { name: /^Договір оренди гаража/ })).toContainText("Немає");
});

test("documents are readable in every language, on a phone and in the dark", IN_FULL, async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/driver-documents?lang=pl");
  await expect(page.locator("main h1")).toBeVisible();
  const list = "/driver-documents";
  await cleanInEveryLanguage(page, [list, `${list}?view=expiry`, `${list}?view=types`]);
});
