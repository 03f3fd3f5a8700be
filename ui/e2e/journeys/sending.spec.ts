import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Browser, Page } from "@playwright/test";
import { clean, cleanInALook } from "../pages/clean";
import { Frame } from "../pages/frame";
import { drawnOnSlowLine, linkTo } from "../pages/link";
import { sample } from "../pages/samples";
import { card, enterWorkbench } from "../pages/workbench";
import { expect, type Saldo, test } from "../saldo";

const BOLT = "bolt-earnings-pl.csv";
const DAY_MS = 86_400_000;
const KNOWN = "lukasz.z@example.com";
/** A form takes it, no mail server does. */
const WRONG = "lukasz@ab--cd.example";

function lastWeek(): [from: string, to: string] {
  const today = Date.parse(`${new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Warsaw" }).format(new Date())}Z`);
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS - 7 * DAY_MS;
  const written = (at: number) => new Date(at).toISOString().slice(0, 10);
  return [written(monday), written(monday + 6 * DAY_MS)];
}

/** A partner whose drivers of one file are settled, one of them with an address that cannot be mailed. */
async function settled(page: Page, saldo: Saldo, code: string) {
  const text = readFileSync(sample(BOLT), "utf8");
  const [from, to] = lastWeek();
  await enterWorkbench(page, saldo, code);
  saldo.grant(code, 100);
  await page.getByText("Ustawienia kolejnych plików").click();
  await page.getByLabel("Transakcje od").first().fill(from);
  await page.getByLabel("Transakcje do").first().fill(to);
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: BOLT, mimeType: "text/csv", buffer: Buffer.from(text.replace(KNOWN, WRONG)) });
  await page.getByRole("button", { name: /^Wczytaj \d+ transakcj/ }).click();
  await expect(card(page, BOLT).getByText(/^Wczytano \d+/)).toBeVisible();
  await new Frame(page).later("/app/upload/drivers");
  await page.getByRole("button", { name: /^Utwórz \d+ kierowc/ }).click();
  await expect(page.getByText("Utworzono kierowców: 9.")).toBeVisible();
  await new Frame(page).later("/app/settlements/pending");
  await page.getByRole("button", { name: "Rozlicz wszystkie" }).click();
  const drawer = page.locator(".run-drawer");
  await drawer.getByRole("button", { name: /^Rozlicz \d+ \(/ }).click();
  await drawer.getByRole("button", { name: "Gotowe" }).click();
}

/** Without JavaScript the page has the same figures, in any language. */
async function figuresWithoutScript(browser: Browser, link: string, figures: string[]) {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(link);
  await expect(page.locator(".summary-card dd")).toHaveText(figures);
  await expect(page.getByRole("link", { name: "Pobierz PDF" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.goto(`${link}?lang=uk`);
  await expect(page.getByText("До виплати, zł")).toBeVisible();
  await context.close();
}

test("all bills are sent, one fails with its reason, and a driver opens the link on a phone", async ({
  page,
  saldo,
  browser,
}) => {
  await settled(page, saldo, "sending");
  await new Frame(page).later("/app/settlements/settled");
  const sendAll = page.getByRole("button", { name: "Wyślij wszystkie" });
  const dialog = page.getByRole("dialog", { name: "Wysyłka rozliczeń" });

  // Shown, left, started, cancelled: nobody is mailed.
  await sendAll.click();
  await expect(dialog).toContainText("Nic jeszcze nie wysłano");
  await clean(page, "dry run");
  await dialog.getByRole("button", { name: "Wróć" }).click();
  await sendAll.click();
  await dialog.getByRole("button", { name: /^Wyślij \d/ }).dblclick();
  await expect(page.getByText(/Start za \d+ s/)).toBeVisible();
  await clean(page, "waiting");
  await page.getByRole("button", { name: "Anuluj wysyłkę" }).click();
  await expect(page.getByText("Anulowano. Nikt nie dostał wiadomości.")).toBeVisible();
  await expect(page.getByRole("table")).not.toContainText("Wysłane");

  // Started again and left alone: what a mail server took is sent, the other one says why not.
  await sendAll.click();
  await dialog.getByRole("button", { name: /^Wyślij \d/ }).click();
  await expect(page.getByText(/Start za \d+ s/)).toBeVisible();
  await page.reload(); // the countdown goes on
  await expect(page.getByText(/przyjął serwer pocztowy, 0 w kolejce, 1 nie doręczono/)).toBeVisible({
    timeout: 120_000,
  });
  const failed = page.getByText("Niedoręczone rozliczenia: 1");
  await expect(failed).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Żółkiewski" })).toContainText("Nie doręczono");
  await clean(page, "sent");
  await page.getByRole("button", { name: /^Działania: .*Żółkiewski/ }).click();
  await page.getByRole("menuitem", { name: "Wysłane rozliczenie" }).click();
  await expect(page).toHaveURL(/\/drivers\/sent-summary\/[\w-]+\/[\w-]+$/);
  await expect(page.locator("main")).toContainText(WRONG);
  await expect(page.getByRole("button", { name: "Ponów" })).toBeVisible();
  await clean(page, "sent bill");

  await page.goBack();
  const delivered = page.getByRole("row").filter({ hasText: "Wysłane" }).first();
  await delivered.getByRole("button", { name: /^Działania/ }).click();
  await page.getByRole("menuitem", { name: "Wysłane rozliczenie" }).click();
  const address = await page.getByText(/^\S+@\S+$/).innerText();

  // On a phone, without signing in.
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
    locale: "uk-UA",
  });
  const phone = await context.newPage();
  const link = saldo.url + (await linkTo(saldo, address));
  const fonts: string[] = [];
  phone.on("request", (request) => {
    if (request.url().includes(".woff2")) fonts.push(request.url());
  });
  await phone.goto(link);
  await expect(phone.getByRole("heading", { level: 1 })).toContainText("rozliczenie");
  await expect(phone.getByLabel("Język")).toBeVisible(); // the script has taken over what the server has drawn
  expect(fonts.filter((url) => url.includes("cyrillic"))).toEqual([]); // for a Polish page
  expect(fonts.length).toBeGreaterThan(0);
  expect((await drawnOnSlowLine(phone)).seconds).toBeLessThan(3); // the figures are in the document: see figuresWithoutScript
  await figuresWithoutScript(browser, link, await phone.locator(".summary-card dd").allInnerTexts());
  await expect(phone.getByText("Do wypłaty, zł")).toBeVisible();
  await phone.getByLabel("Język").selectOption("uk");
  await expect(phone.getByText("До виплати, zł")).toBeVisible();
  await cleanInALook(phone, "summary");
  const saving = phone.waitForEvent("download");
  await phone.getByRole("link", { name: "Завантажити PDF" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^rozrakhunok-\d+-\d{4}-W\d{2}\.pdf$/);
  const statement = execFileSync("pdftotext", ["-layout", await saved.path(), "-"], { encoding: "utf8" });
  const amount = await phone.locator(".summary-total dd").innerText();
  expect(statement.replace(/\s/g, " ")).toContain(amount.replace(/\s/g, " "));
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await phone.goto(`${saldo.url}/app/driver-summary/nobody-was-sent-this`);
  await expect(phone.getByRole("heading", { name: "Це посилання більше не діє" })).toBeVisible();
  await cleanInALook(phone, "invalid");
  await phone.goto(`${saldo.url}/api/driver-summaries/nobody-was-sent-this/statement`); // as a mail has it
  await expect(phone.getByRole("heading", { name: "Це посилання більше не діє" })).toBeVisible();

  // The clerk turns the link off: it went to the wrong person.
  await page.getByRole("button", { name: "Wyłącz link" }).click();
  const question = page.getByRole("dialog", { name: "Wyłączyć link?" });
  await clean(page, "turning a link off");
  await question.getByRole("button", { name: "Wyłącz link" }).click();
  await expect(question).toBeHidden();
  await expect(page.locator("main")).toContainText("już nie działa");
  await phone.goto(link);
  await expect(phone.getByRole("heading", { name: "Це посилання більше не діє" })).toBeVisible();
  await context.close();

  // The clerk sees that it was opened.
  await new Frame(page).later("/app/settlements/settled");
  await expect(page.getByRole("table")).toContainText("Otwarte");
});
