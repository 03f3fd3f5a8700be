import type { Page } from "@playwright/test";
import accounts from "../../../locales/pl/accounts.json" with { type: "json" };
import { clean, cleanInALook } from "../pages/clean";
import { Frame } from "../pages/frame";
import { linkIn, SignIn } from "../pages/sign-in";
import { card } from "../pages/workbench";
import { IN_FULL } from "../pages/combined";
import { expect, test } from "../saldo";

const PASSWORD = "cztery konie w galopie";
const SURNAME = "Wyjaśniona";
const EMAIL = "zofia-explain@example.com";
const PHONE = { width: 390, height: 844 };

/** Calls the API as whoever is signed in on the page. */
function calling(page: Page) {
  let token = "";
  page.on("request", (request) => {
    if (request.url().includes("/api/")) token = request.headers().authorization ?? token;
  });
  return async <Answer>(method: string, path: string, data?: unknown): Promise<Answer> => {
    const answer = await page.request.fetch(path, {
      method,
      headers: { Authorization: token, "Idempotency-Key": crypto.randomUUID() },
      ...(data !== undefined && { data }),
    });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
    return (await answer.json()) as Answer;
  };
}

/** Wednesday of the last complete week, where the business is. */
function lastWednesday() {
  const now = new Date(new Date().toLocaleString("en-US", { timeZone: "Europe/Warsaw" }));
  now.setDate(now.getDate() - ((now.getDay() + 6) % 7) - 5);
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}-${String(now.getDate()).padStart(2, "0")}`;
}

/** More rows than the page of a file shows at first stand between the first row and the last one. */
const BETWEEN = 60;
const LAST_ROW = BETWEEN + 3;

/** Brings a file with one driver and makes the driver. */
async function bring(page: Page) {
  const rows = [
    `${lastWednesday()};EX-1;Zofia ${SURNAME};TRIP;2512,50;`,
    ...Array.from({ length: BETWEEN }, () => `${lastWednesday()};EX-1;Zofia ${SURNAME};TRIP;1,00;`),
    `${lastWednesday()};EX-1;Zofia ${SURNAME};TIP;17,24;`,
  ];
  await page.locator("input[type=file]").setInputFiles({
    name: "wyjasnienie.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["date;driver_identifier;driver_name;type;amount;description", ...rows, ""].join("\n")),
  });
  const file = card(page, "wyjasnienie.csv");
  await file.getByRole("button", { name: /^Partner/ }).click();
  await page.getByRole("button", { name: /^Wczytaj 62 transakcje/ }).click();
  await file.getByRole("link", { name: "Przypisz kierowców" }).click();
  await page.getByRole("button", { name: `Utwórz kierowcę: Zofia ${SURNAME}` }).click();
  const dialog = page.getByRole("dialog", { name: `Nowy kierowca: Zofia ${SURNAME}` });
  await dialog.getByRole("button", { name: "Utwórz i przypisz" }).click();
  await expect(dialog).toBeHidden();
}

/** Registers the driver and chooses the partner. */
async function join(driver: Page, mailTo: (email: string) => Promise<string>) {
  await driver.goto("/app/");
  await driver.locator("#kc-registration").click();
  await new SignIn(driver).register("Zofia", SURNAME, { email: EMAIL, password: PASSWORD });
  await expect(driver.locator(".address")).toHaveText(EMAIL);
  await driver.goto(linkIn(await mailTo(EMAIL)));
  await driver.locator("#password").fill(PASSWORD);
  await driver.locator("#kc-verify-form [type=submit]").click();
  await expect(driver).toHaveURL(/\/app\/add-driver-account$/);
  await driver.getByRole("textbox", { name: accounts.phone, exact: true }).fill("611 000 077");
  await driver.getByRole("combobox", { name: accounts.cities }).fill("Łódź");
  await driver.keyboard.press("Enter");
  await driver.getByRole("button", { name: accounts.addSubmit }).click();
  await expect(driver).toHaveURL(/\/app\/driver\/(partners-list|partner-profile)$/);
  await driver.goto("/app/driver/partners-list");
  await driver.getByRole("button", { name: accounts.chooseNamed.replace("{{name}}", "Drogowiec Flota") }).click();
  await driver.getByRole("checkbox", { name: /Drogowiec Flota/ }).check();
  await driver.getByRole("button", { name: accounts.chooseSubmit }).click();
  await expect(driver.getByText(accounts.partnerWaiting)).toBeVisible();
}

test("an amount opens down to the row of its file, for the clerk and on the driver's phone", async ({
  page,
  saldo,
  browser,
}) => {
  const call = calling(page);
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/upload");
  await bring(page);
  const { drivers } = await call<{ drivers: { id: string }[] }>("GET", `/api/drivers?q=${encodeURIComponent(SURNAME)}`);
  const id = drivers[0]?.id ?? "";

  await frame.later(`/app/transactions/summary/${id}`);
  await expect(page.getByRole("heading", { level: 1, name: `${SURNAME} Zofia` })).toBeVisible();
  await clean(page, "a pending settlement", { tall: true });
  await page.getByRole("button", { name: /^Partner 62 transakcje/ }).click();
  await page.getByRole("button", { name: /^Przychód, Partner/ }).click();
  await expect(page.getByRole("link", { name: "wyjasnienie.csv, wiersz 2", exact: true })).toBeVisible();
  await page.getByRole("button", { name: /^Podatek/ }).click();
  await expect(
    page
      .getByText(/× 8\/108$/)
      .or(page.getByText("Podatek przed odliczeniami"))
      .first(),
  ).toBeVisible();
  await clean(page, "an opened line", { tall: true });
  await page.setViewportSize(PHONE);
  await clean(page, "an opened line on a phone", { tall: true });
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Drukuj" })).toBeHidden();
  await page.emulateMedia({ media: null });
  await page.getByRole("button", { name: /^Napiwki, Partner/ }).click();
  await page.getByRole("link", { name: `wyjasnienie.csv, wiersz ${LAST_ROW}` }).click();
  await expect(page).toHaveURL(/\/log\/[^/]+\?row=/);
  const marked = page.locator("tr[aria-current=true]");
  await expect(marked).toContainText(`${LAST_ROW}`);
  await expect(marked).toContainText("17,24");
  await expect(marked).toBeInViewport({ ratio: 1 });
  await clean(page, "a file at one of its rows, on a phone", { tall: true });
  await page.getByRole("button", { name: "Pokaż od pierwszego wiersza" }).click();
  await expect(page.getByRole("cell", { name: "2 512,50" })).toBeVisible();

  const own = await browser.newContext({ baseURL: saldo.url, viewport: PHONE, locale: "pl-PL" });
  const driver = await own.newPage();
  await join(driver, saldo.mailTo);
  await new Frame(driver).later("/app/driver/settlements");
  await expect(driver.getByRole("heading", { name: "Flota jeszcze Cię nie przyjęła" })).toBeVisible();
  await cleanInALook(driver, "not linked yet");

  const { profiles } = await call<{ profiles: { profileId: string }[] }>(
    "GET",
    `/api/driver-profiles?tab=new&q=${encodeURIComponent(SURNAME)}`,
  );
  const profile = `/api/driver-profiles/${profiles[0]?.profileId}`;
  const { updatedAt } = await call<{ updatedAt: string }>("GET", profile);
  await call("POST", `${profile}/link`, { driverId: id, profileAt: updatedAt });
  await driver.reload();
  await expect(driver.getByRole("heading", { name: "Nie ma jeszcze wypłat" })).toBeVisible();

  const { periods } = await call<{ periods: { code: string }[] }>("GET", "/api/settlements/periods");
  const run = await call<{ id: string }>("POST", "/api/settlement-runs", { period: periods[1]?.code, drivers: [id] });
  await call("POST", `/api/settlement-runs/${run.id}/start`, { share: true });
  await driver.reload();
  await expect(driver.getByText("Najbliższa wypłata")).toBeVisible();
  await cleanInALook(driver, "payouts");
  await driver.getByRole("link", { name: "Zobacz, skąd ta kwota" }).click();
  await expect(driver.getByRole("heading", { name: "Dlaczego tyle" })).toBeVisible();
  await expect(driver.getByText(/Flota nie ma Twojego rachunku/)).toBeVisible();
  for (const seen of [
    driver.getByText("Do wypłaty").first(),
    driver.getByRole("button", { name: "Pobierz PDF" }),
    driver.getByRole("link", { name: "Coś się nie zgadza? Zapytaj" }),
  ])
    await expect(seen).toBeInViewport({ ratio: 1 });
  await driver.getByRole("button", { name: /^Partner 62 transakcje/ }).click();
  await driver.getByRole("button", { name: /^Napiwki, Partner/ }).click();
  await expect(driver.getByText(`wyjasnienie.csv, wiersz ${LAST_ROW}`)).toBeVisible();
  await cleanInALook(driver, "a settlement");
  const [statement] = await Promise.all([
    driver.waitForEvent("download"),
    driver.getByRole("button", { name: "Pobierz PDF" }).click(),
  ]);
  expect(statement.suggestedFilename()).toMatch(/^rozliczenie-\d+-\d{4}-W\d\d\.pdf$/);
  await own.close();

  const { items } = await call<{ items: { id: string }[] }>("GET", `/api/settlements?driver=${id}`);
  await frame.later(`/app/transactions/summary/${id}/${items[0]?.id}`);
  await expect(page.getByRole("button", { name: "Wystaw rachunek" })).toBeVisible(); // also without a bank account
});

test("a bill gets its number once, and its paper says what the screen says", IN_FULL, async ({ page, saldo }) => {
  const call = calling(page);
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/settlements/settled");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const { id } = await call<{ id: string }>("POST", "/api/drivers", {
    firstName: "Celina",
    lastName: "Rachunkowa",
    iban: "PL61109010140000071219812874",
  });
  await call("POST", "/api/transactions", {
    driverUUID: id,
    kind: "internal",
    amount: 108_000,
    occurredOn: lastWednesday(),
    payment: "card",
    name: "Kurs",
    reason: "Kurs",
  });
  const { periods } = await call<{ periods: { code: string }[] }>("GET", "/api/settlements/periods");
  const run = await call<{ id: string }>("POST", "/api/settlement-runs", { period: periods[1]?.code, drivers: [id] });
  await call("POST", `/api/settlement-runs/${run.id}/start`, { share: true });
  const { items } = await call<{ items: { id: string }[] }>("GET", `/api/settlements?driver=${id}`);
  await frame.later(`/app/transactions/summary/${id}/${items[0]?.id}`);
  await page.getByRole("button", { name: "Wystaw rachunek" }).click();
  const dialog = page.getByRole("dialog", { name: "Wystaw rachunek" });
  await dialog.getByRole("textbox", { name: "Ulica i numer" }).fill("Polna 1");
  await dialog.getByRole("textbox", { name: "Kod pocztowy i miejscowość" }).fill("00-001 Warszawa");
  await clean(page, "the question before a bill", { tall: true });
  await dialog.getByRole("button", { name: "Wystaw rachunek" }).click();
  await expect(page.getByText(/^R\/DEMO\/\d{4}\/\d\d\/1$/)).toBeVisible();
  await expect(dialog).toBeHidden();
  await clean(page, "a settlement with a bill", { tall: true });
  for (const [button, name] of [
    [/^Pobierz R\/DEMO\/.*PDF$/, /^R-DEMO-\d{4}-\d\d-1-\d+\.pdf$/],
    ["Rozliczenie PDF", /\.pdf$/],
  ] as const) {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: button }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(name);
  }
  await page.setViewportSize(PHONE);
  await clean(page, "a settlement with a bill on a phone", { tall: true });
});
