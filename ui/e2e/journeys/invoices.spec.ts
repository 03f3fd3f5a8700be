import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { type Call, calling } from "../pages/api";
import { clean, cleanAgain, cleanInALook, cleanInEveryLanguage } from "../pages/clean";
import { IN_FULL, SOAK } from "../pages/combined";
import { Frame } from "../pages/frame";
import { digitalInvoice } from "../pages/samples";
import { expect, test } from "../saldo";

// A fleet with a driver who has an account and is accepted.
test.use({ size: "small" });

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 1000 };
const fixture = (name: string) => resolve(import.meta.dirname, "../fixtures", name);

/** Reading a picture may take a minute where the machine has other work. */
const READ_MS = 120_000;

/** The camera of a phone: what it hands over. */
const camera = (page: Page) => page.locator("input[type=file][capture]").first();
const chooser = (page: Page) => page.locator("input[type=file]:not([capture])").first();

interface Listed {
  id: string;
  driverUUID: string;
  vatReturn: number;
  settlementId: string;
  fields: { number: string };
}

/** The invoice with a number, as a list has it. */
async function invoiceWith(call: Call, number: string): Promise<Listed> {
  const { items } = await call<{ items: Listed[] }>("GET", `/api/invoice-images?q=${encodeURIComponent(number)}`);
  const found = items.find(({ fields }) => fields.number === number);
  if (!found) throw new Error(`there is no invoice ${number}`);
  return found;
}

test("a driver photographs an invoice, the partner corrects and approves it, and a settlement pays the VAT back", async ({
  page,
  saldo,
}) => {
  const frame = new Frame(page);
  const call = calling(page);
  const today = new Date().toISOString().slice(0, 10);
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/driver/invoices?lang=pl");

  // a photo, what stands on it, sent: the form can be typed in while it is read, and what is typed stays
  await camera(page).setInputFiles(fixture("invoice-photo.jpg"));
  await expect(page).toHaveURL(/\/driver\/invoices\/new$/);
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  await field("Kwota brutto").fill("123,00");
  await field("Numer faktury").fill("FV 7/11/2026");
  await page.getByLabel("Data wystawienia").fill(today);
  await page.getByLabel("Data sprzedaży").fill(today);
  await field("NIP sprzedawcy").fill("5260001246");
  await field("Kwota netto").fill("100,00");
  await field("VAT, stawka podstawowa").fill("23,00");
  await expect(page.getByText(/^(Odczytaliśmy fakturę|Nie udało się odczytać)/)).toBeVisible({ timeout: READ_MS });
  await expect(field("Kwota brutto")).toHaveValue("123,00");
  await clean(page, "a new invoice", { tall: true });
  await page.getByRole("button", { name: "Wyślij fakturę" }).click();
  await expect(page).toHaveURL(/\/driver\/invoices/);
  await expect(page.getByText("Faktura wysłana.")).toBeVisible();
  await page.getByRole("link", { name: /^Czekają/ }).click();
  const mine = page.getByRole("link", { name: /123,00/ });
  await expect(mine).toContainText("Do sprawdzenia");
  await cleanAgain(page, "invoices of a driver", { tall: true });

  // the partner looks at it beside its picture, corrects the number, confirms what was found and approves
  await page.setViewportSize(DESKTOP);
  await frame.resume(saldo.people.anna, "/app/invoices?lang=pl&state=to_verify");
  await page.getByRole("link", { name: "FV 7/11/2026" }).click();
  await expect(page.getByRole("img", { name: /^Strona 1/ })).toBeVisible();
  await field("Numer faktury").fill("FV 7/11/2026/A");
  for (const box of await page.getByRole("checkbox", { name: "Potwierdzam" }).all()) await box.check();
  await clean(page, "an invoice to review", { tall: true });
  await page.locator("h1").click(); // out of the field
  await page.keyboard.press("a");
  await expect(page.getByText("Faktura zatwierdzona.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "2026-771" })).toBeVisible(); // the next that waits
  const approved = await invoiceWith(call, "FV 7/11/2026/A");
  expect(approved.vatReturn).toBeGreaterThan(0);

  // settled, it is paid back, and the driver sees in which settlement
  await call("POST", "/api/transactions", {
    driverUUID: approved.driverUUID,
    kind: "internal",
    amount: 108_000,
    occurredOn: today,
    payment: "card",
    name: "Kurs",
    reason: "Kurs",
  });
  const { periods } = await call<{ periods: { code: string }[] }>("GET", "/api/settlements/periods");
  const period = periods[0]?.code;
  const run = await call<{ id: string }>("POST", "/api/settlement-runs", { period, drivers: [approved.driverUUID] });
  await call("POST", `/api/settlement-runs/${run.id}/start`, { share: true, unfinished: true });
  await expect.poll(async () => (await invoiceWith(call, "FV 7/11/2026/A")).settlementId).not.toBe("");
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, `/app/driver/invoices/${approved.id}?lang=pl`);
  await expect(page.getByText("Rozliczona")).toBeVisible();
  await clean(page, "a settled invoice", { tall: true });
  await page.getByRole("link", { name: /^W rozliczeniu nr/ }).click();
  await page.getByRole("button", { name: /^Podatek/ }).click();
  await page.getByRole("button", { name: /^Odliczenia od podatku/ }).click();
  await page.getByRole("button", { name: /^Zwrot VAT z faktur/ }).click();

  // from what came back to the invoice and its picture
  await page
    .getByRole("link", { name: /^w tym VAT/ })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/driver/invoices/${approved.id}`));
  await expect(page.getByRole("img", { name: "Zdjęcie faktury" })).toBeVisible();
});

test("a rejected invoice says why and is sent again with a better photo", async ({ page, saldo }) => {
  const frame = new Frame(page);
  const call = calling(page);
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/driver/invoices?lang=pl");
  await camera(page).setInputFiles(fixture("invoice-blurred.jpg"));
  await expect(page.getByText(/^Zdjęcie jest nieostre/)).toBeVisible();
  await expect(page.getByText(/^(Odczytaliśmy fakturę|Nie udało się odczytać)/)).toBeVisible({ timeout: READ_MS });
  // A good reader reads even this: what is missing is missing in any case.
  await page.getByRole("textbox", { name: "Kwota brutto", exact: true }).fill("");
  await page.getByRole("button", { name: "Wyślij fakturę" }).click();
  await page.getByRole("button", { name: "Zapisz i dokończ później" }).click();
  await expect(page.getByText("Zdjęcie wysłane.")).toBeVisible();
  const { items } = await call<{ items: Listed[] }>("GET", "/api/invoice-images?desc=true");
  const id = items[0]?.id ?? "";

  await page.setViewportSize(DESKTOP);
  await frame.resume(saldo.people.anna, `/app/invoices/${id}?lang=pl`);
  await expect(page.getByRole("button", { name: "Odrzuć fakturę" })).toBeVisible();
  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog", { name: "Odrzucić fakturę?" });
  await dialog.getByRole("radio", { name: "Nieczytelna" }).check();
  await dialog.getByLabel("Wiadomość do kierowcy").fill("Kwota jest zamazana.");
  await clean(page, "rejecting", { tall: true });
  await dialog.getByRole("button", { name: "Odrzuć fakturę" }).click();
  await expect(page.getByText(/^Faktura odrzucona/)).toBeVisible();

  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, `/app/driver/invoices/${id}?lang=pl`);
  await expect(page.getByText("Faktury nie da się odczytać.")).toBeVisible();
  await expect(page.getByText("Kwota jest zamazana.")).toBeVisible();
  await clean(page, "a rejected invoice", { tall: true });
  await chooser(page).setInputFiles(digitalInvoice("pl_repair-02.pdf"));
  // what stands in the better file fills the form
  await expect(page.getByRole("textbox", { name: "Numer faktury", exact: true })).toHaveValue("00029172/26/FS", {
    timeout: 90_000,
  });
  // also what was emptied because the first photo did not show it, and nothing that was read from that one is left
  await expect(page.getByRole("textbox", { name: "Kwota brutto", exact: true })).toHaveValue("600,78");
  await page.getByRole("button", { name: "Wyślij fakturę" }).click();
  await expect(page.getByText("Faktura wysłana.")).toBeVisible();
});

test("a digital invoice is sent in two taps after it was chosen, and waits where there is no line", async ({
  page,
  saldo,
}) => {
  const frame = new Frame(page);
  const queued = page.getByText(/На телефоні\. Надішлемо/);
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/driver/invoices?lang=uk");
  // chosen and opened (two taps), sent (the third)
  await chooser(page).setInputFiles(digitalInvoice("pl_fuel-01.pdf"));
  await expect(page.getByRole("textbox", { name: "Номер рахунка-фактури", exact: true })).toHaveValue(
    "FVS/36079/10/2026/WA2",
    { timeout: READ_MS },
  );
  await page.getByRole("button", { name: "Надіслати рахунок-фактуру" }).click();
  await expect(page.getByText(/^Рахунок-фактуру надіслано/)).toBeVisible();

  // without a line the next one waits on the device, outlives a reload and goes by itself
  await chooser(page).setInputFiles(digitalInvoice("pl_fuel-02.pdf"));
  await expect(page.getByText(/^(Рахунок-фактуру зчитано|Не вдалося зчитати)/)).toBeVisible({ timeout: READ_MS });
  const number = await page.getByRole("textbox", { name: "Номер рахунка-фактури", exact: true }).inputValue();
  expect(number).not.toBe("");
  await page.route("**/api/invoice-images", (route) =>
    route.request().method() === "POST" ? route.abort() : route.fallback(),
  );
  await page.getByRole("button", { name: "Надіслати рахунок-фактуру" }).click();
  // messages stand at the upper edge: neither the menu nor what is sent lies under them
  const message = page.getByText(/^Рахунок-фактура чекає на телефоні/);
  await expect(message).toBeVisible();
  expect((await message.boundingBox())?.y).toBeLessThan(PHONE.height / 4);
  await expect(queued).toBeVisible();
  await expect(page.getByText("Ще не надіслано: 1 рахунок-фактура")).toBeVisible();
  await clean(page, "an invoice that waits", { tall: true });
  await page.reload();
  await expect(queued).toBeVisible();
  await page.unrouteAll();
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(queued).toBeHidden();
  await expect(page.getByText(/^Ще не надіслано/)).toBeHidden(); // not on its way either
  await page.goto("/app/driver/invoices?tab=waiting");
  await expect(page.locator("main a[href*='/driver/invoices/']").first()).toBeVisible();

  // whoever signs out is asked, and what stays is there for them alone
  await page.route("**/api/**", (route) => (route.request().method() === "POST" ? route.abort() : route.fallback()));
  await chooser(page).setInputFiles(digitalInvoice("pl_fuel-03.pdf"));
  await expect(page.getByText(/^Не вдалося зчитати/)).toBeVisible({ timeout: READ_MS });
  await page.getByRole("textbox", { name: "Номер рахунка-фактури", exact: true }).fill("X/1");
  await page.getByLabel("Дата виставлення").fill("2026-11-03");
  await page.getByLabel("Податковий номер продавця").fill("8913788484");
  await page.getByLabel("Сума брутто").fill("12,30");
  await page.getByLabel("Сума нетто").fill("10,00");
  await page.getByLabel("ПДВ, основна ставка").fill("2,30");
  await page.getByRole("button", { name: "Надіслати рахунок-фактуру" }).click();
  await expect(queued).toBeVisible();
  await page.getByRole("button", { name: "Більше" }).click();
  await page.getByRole("button", { name: /^Обліковий запис/ }).click();
  await page.getByRole("menuitem", { name: /Вийти/ }).click();
  const question = page.getByRole("dialog", { name: "Не все надіслано" });
  await expect(question).toContainText("З цього телефону ще не надіслано: 1 рахунок-фактура.");
  await clean(page, "leaving with an invoice that waits");
  await question.getByRole("button", { name: "Вийти й залишити на цьому телефоні" }).click();
  await expect(page.locator("#kc-login")).toBeVisible();
  await page.unrouteAll();
  await frame.resume(saldo.people.oleh, "/app/driver/invoices?lang=uk&tab=waiting");
  await expect(page.locator("main a[href*='/driver/invoices/']").filter({ hasText: "12,30" })).toHaveCount(1);
  await expect(page.getByText(/^Ще не надіслано/)).toBeHidden();
});

test("a file that another invoice has is refused, and not taken for sent", async ({ page, saldo }) => {
  await page.setViewportSize(PHONE);
  for (const expected of [/^(Faktura wysłana|Zdjęcie wysłane)/, /Ten plik już jest wśród faktur/]) {
    await new Frame(page).resume(saldo.people.oleh, "/app/driver/invoices?lang=pl");
    await chooser(page).setInputFiles(digitalInvoice("pl_classic-03.pdf"));
    await expect(page.getByText(/^(Odczytaliśmy fakturę|Nie udało się odczytać)/)).toBeVisible({ timeout: READ_MS });
    // without its number the form does not know it, only the file is the same
    await page.getByRole("textbox", { name: "Numer faktury", exact: true }).fill("");
    await page.getByRole("button", { name: "Wyślij fakturę" }).click();
    await page.getByRole("button", { name: "Zapisz i dokończ później" }).click();
    await expect(page.getByText(expected)).toBeVisible();
  }
});

test("an invoice that an older version left on the phone is sent once, and one that is refused is put right", async ({
  page,
  saldo,
}) => {
  const frame = new Frame(page);
  const call = calling(page);
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/driver/invoices?lang=pl");
  const { user } = await call<{ user: { id: string } }>("GET", "/api/session");
  // what versions until November 2026 wrote down: one for the server, and one that is no picture
  await page.evaluate(async (owner) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 400;
    canvas.getContext("2d")?.fillText("Saldo", 50, 50);
    const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg"));
    const opening = indexedDB.open("saldo.queue", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("waiting", { keyPath: "key" });
    await new Promise((done) => {
      opening.onsuccess = done;
    });
    const write = opening.result.transaction("waiting", "readwrite");
    const at = "2026-11-10T08:00:00Z";
    const common = { owner, at, data: undefined };
    write.objectStore("waiting").put({ ...common, key: crypto.randomUUID(), file: picture, name: "stacja.jpg" });
    const broken = new Blob(["no picture"], { type: "image/jpeg" });
    write.objectStore("waiting").put({ ...common, key: crypto.randomUUID(), file: broken, name: "myjnia.jpg" });
    await new Promise((done) => {
      write.oncomplete = done;
    });
    opening.result.close();
    localStorage.setItem("saldo.queued", "1");
  }, user.id);
  await page.reload();
  await page.goto("/app/driver/invoices?tab=waiting");
  await expect(page.getByText("Wymaga Twojej decyzji: 1 faktura")).toBeVisible();
  const refused = page.getByRole("listitem").filter({ hasText: "myjnia.jpg" });
  await expect(refused).toContainText("Nie przyjęliśmy tej faktury.");
  const sent = async () =>
    (await call<{ items: { fileName: string }[] }>("GET", "/api/invoice-images")).items
      .map(({ fileName }) => fileName)
      .filter((name) => ["pl_classic-02.pdf", "stacja.jpg"].includes(name))
      .sort();
  await expect.poll(sent).toEqual(["stacja.jpg"]);
  expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).not.toContain(
    "saldo.queue",
  );
  await clean(page, "an invoice that was refused", { tall: true });

  // another photo in the place of what is none
  await refused.getByRole("link", { name: "Popraw" }).click();
  await expect(page.getByRole("alert")).toContainText("Nie da się otworzyć tego zdjęcia");
  await chooser(page).setInputFiles(digitalInvoice("pl_classic-02.pdf"));
  await expect(page.getByText(/^(Odczytaliśmy fakturę|Nie udało się odczytać)/)).toBeVisible({ timeout: READ_MS });
  await page.getByRole("textbox", { name: "Numer faktury", exact: true }).fill("M/1");
  await page.getByRole("button", { name: "Wyślij fakturę" }).click();
  const later = page.getByRole("button", { name: "Zapisz i dokończ później" });
  const done = page.getByText(/^(Faktura wysłana|Zdjęcie wysłane)/);
  await expect(later.or(done)).toBeVisible();
  if (await later.isVisible()) await later.click();
  await expect(done).toBeVisible();
  await expect.poll(sent).toEqual(["pl_classic-02.pdf", "stacja.jpg"]);
  await expect(page.getByText("Wymaga Twojej decyzji: 1 faktura")).toBeHidden();
});

test("a partner uploads invoices for a driver", async ({ page, saldo }) => {
  const frame = new Frame(page);
  const call = calling(page);
  await frame.resume(saldo.people.anna, "/app/invoices?lang=pl");
  await page.getByRole("link", { name: "Dodaj faktury" }).click();
  await chooser(page).setInputFiles([digitalInvoice("pl_repair-01.pdf"), digitalInvoice("pl_repair-03.pdf")]);
  await expect(page.getByRole("button", { name: "Dodaj pliki (0)" })).toBeDisabled();
  await page.getByRole("button", { name: /^Kierowca dla 2 plików/ }).click();
  const dialog = page.getByRole("dialog", { name: "Wybierz kierowcę" });
  await clean(page, "choosing a driver");
  await dialog.getByRole("listitem").first().getByRole("button").click();
  await clean(page, "files to upload");
  await page.getByRole("button", { name: "Dodaj pliki (2)" }).click();
  await expect(page.getByText("Dodano faktury: 2.")).toBeVisible({ timeout: 60_000 });
  // the same file is one invoice
  await chooser(page).setInputFiles([digitalInvoice("pl_repair-01.pdf")]);
  await page.getByRole("button", { name: "Wybierz kierowcę" }).click();
  await dialog.getByRole("listitem").first().getByRole("button").click();
  await page.getByRole("button", { name: "Dodaj pliki (1)" }).click();
  await expect(page.getByText(/plik/i).last()).toBeVisible();
  await expect(page.getByText("Dodano faktury: 2.")).toBeVisible();
  await page.getByRole("link", { name: "pl_repair-01.pdf" }).first().click();
  await expect(page.getByRole("img", { name: /^Strona 1/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Zatwierdź i otwórz/ })).toBeVisible();

  // another of the same seller, day and amount is compared with it, and is another one for a reason
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  await expect(field("NIP sprzedawcy")).not.toHaveValue("", { timeout: READ_MS });
  const texts = ["NIP sprzedawcy", "Kwota brutto", "Kwota netto", "VAT, stawka podstawowa"];
  const values = await Promise.all(texts.map((name) => field(name).inputValue()));
  const issued = await page.getByLabel("Data wystawienia").inputValue();
  const confirmed = page.getByRole("checkbox", { name: "Potwierdzam" });
  for (const box of await confirmed.all()) await box.check();
  await page.getByRole("button", { name: /^Zatwierdź i otwórz/ }).click();
  await expect(page.getByText("Faktura zatwierdzona.")).toBeVisible();
  const { items } = await call<{ items: { id: string; fileName: string }[] }>("GET", "/api/invoice-images?desc=true");
  const id = items.find(({ fileName }) => fileName === "pl_repair-03.pdf")?.id ?? "";
  await page.goto(`/app/invoices/${id}?lang=pl`);
  await expect(field("NIP sprzedawcy")).not.toHaveValue("", { timeout: READ_MS });
  for (const [n, name] of texts.entries()) await field(name).fill(values[n] ?? "");
  await page.getByLabel("Data wystawienia").fill(issued);
  await page.getByRole("button", { name: "Porównaj" }).click();
  const both = page.getByRole("dialog", { name: "Czy to ta sama faktura?" });
  await expect(both.getByRole("img", { name: "Zdjęcie faktury" })).toHaveCount(2);
  await cleanInALook(page, "two invoices that look alike", both);
  await both.getByRole("textbox", { name: /^Dlaczego/ }).fill("Dwa auta tego samego dnia");
  await both.getByRole("button", { name: "To nie ta sama faktura" }).click();
  await expect(page.getByText("Zapisano: to dwie różne faktury.")).toBeVisible();
  await page.getByText("Historia faktury").click();
  await expect(page.getByText("Dwa auta tego samego dnia")).toBeVisible();
  for (const box of await confirmed.all()) await box.check();
  await page.getByRole("button", { name: /^Zatwierdź i otwórz/ }).click();
  await expect(page.getByText("Faktura zatwierdzona.")).toBeVisible();
});

test(
  "a driver straightens a photo by its corners and reads invoices in every language",
  IN_FULL,
  async ({ page, saldo }) => {
    const frame = new Frame(page);
    const call = calling(page);
    await page.setViewportSize(PHONE);
    await frame.resume(saldo.people.oleh, "/app/driver/invoices?lang=pl");
    await camera(page).setInputFiles(fixture("invoice-photo.jpg"));
    await page.getByRole("button", { name: "Wyprostuj stronę" }).click();
    const dialog = page.getByRole("dialog", { name: "Rogi faktury" });
    const corner = dialog.getByRole("button", { name: "Lewy górny róg" });
    await corner.focus();
    await page.keyboard.press("Shift+ArrowRight");
    const before = await corner.boundingBox();
    if (!before) throw new Error("the corner is not there");
    await corner.hover();
    await page.mouse.down();
    await page.mouse.move(before.x + before.width / 2 + 20, before.y + before.height / 2 + 30);
    await page.mouse.up();
    const after = await corner.boundingBox();
    expect(Math.round((after?.x ?? 0) - before.x)).toBe(20);
    expect(Math.round((after?.y ?? 0) - before.y)).toBe(30);
    await cleanInALook(page, "the corners of a photo", dialog);
    const picture = page.locator("form img").first();
    const was = await picture.getAttribute("src");
    await dialog.getByRole("button", { name: "Wyprostuj stronę" }).click();
    await expect(dialog).toBeHidden();
    await expect(picture).not.toHaveAttribute("src", was ?? "");

    const { items } = await call<{ items: Listed[] }>("GET", "/api/invoice-images?desc=true");
    const paths = ["/driver/invoices", "/driver/invoices/new", `/driver/invoices/${items[0]?.id ?? ""}`];
    await cleanInEveryLanguage(page, paths);
  },
);

// In a shorter run axe.spec.ts sees these.
if (SOAK)
  test("invoices are readable in every language, on a phone and in the dark", async ({ page, saldo }) => {
    const frame = new Frame(page);
    const call = calling(page);
    await frame.resume(saldo.people.anna, "/app/invoices?lang=pl");
    await expect(page.locator("h1")).toBeVisible();
    const { items } = await call<{ items: Listed[] }>("GET", "/api/invoice-images?desc=true");
    const paths = ["/invoices", "/invoices/upload", `/invoices/${items[0]?.id ?? ""}`];
    await cleanInEveryLanguage(page, paths);
  });
