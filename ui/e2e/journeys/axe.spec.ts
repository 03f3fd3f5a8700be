import type { Page } from "@playwright/test";
import { type Call, calling } from "../pages/api";
import { clean, WHOLE } from "../pages/clean";
import { IN_FULL, combined } from "../pages/combined";
import { Frame } from "../pages/frame";
import { invoiceFile, sample } from "../pages/samples";
import { card } from "../pages/workbench";
import { expect, test } from "../saldo";

// A fleet with files, settlements and transfers: axe finds faults only in what is drawn.
test.use({ size: "small" });
test.describe.configure({ mode: "parallel" });

// As high as the longest page: a button that a bar at the foot covers until one scrolls would be called too small.
const sizes = [
  { width: 1440, height: 3000 },
  { width: 390, height: 6000 },
] as const;
// German has the longest words; Polish is seen by all other journeys.
const looks = [
  { scheme: "light", language: "de" },
  { scheme: "dark", language: "uk" },
] as const;

/** Every screen of a partner that has an address, on something that is there. */
async function ofPartner(call: Call, page: Page): Promise<string[]> {
  const first = async <Row>(path: string, list: string): Promise<Row> => {
    const row = (await call<Record<string, Row[]>>("GET", path))[list]?.[0];
    if (!row) throw new Error(`${path} has nothing`);
    return row;
  };
  const driver = (await first<{ id: string }>("/api/drivers", "drivers")).id;
  const batch = await aBatch(call);
  await aFile(call, page);
  const file = (await first<{ id: string }>("/api/imports", "imports")).id;
  const settled = await first<{ id: string; driverId: string }>("/api/settlements?state=settled", "items");
  const settlement = `${settled.driverId}/${settled.id}`;
  const question = (await first<{ id: string }>("/api/threads", "items")).id;
  const invoice = await anInvoice(call, driver);
  return [
    "/",
    "/settlements/pending",
    "/settlements/settled",
    "/settlements/paid",
    `/transactions/summary/${settlement}`,
    `/transactions/details/${settlement}`,
    "/payouts",
    "/payouts/new",
    "/payouts/statement",
    `/payouts/${batch}`,
    "/documents",
    "/contracts",
    "/driver-documents",
    "/invoices",
    "/invoices/upload",
    `/invoices/${invoice}`,
    "/drivers",
    `/drivers/${driver}`,
    `/drivers/${driver}/merge`,
    "/drivers/possible-duplicates",
    "/drivers-profiles",
    "/outbox",
    "/outbox/texts",
    "/send",
    "/questions",
    `/questions/${question}`,
    "/tags",
    "/schemas",
    "/upload",
    "/upload/drivers",
    "/upload/coverage",
    "/upload/mappings",
    "/log",
    `/log/${file}`,
    "/stats",
    "/reports",
    "/reports/edit",
    "/reports/schedules",
    `/report/${await aReport(call, "partner")}`,
    "/licenses/purchase",
    "/licenses/history",
    "/profile",
  ];
}

/** The code of a report for an audience: of those that come with the program, switched on where it is not. */
async function aReport(call: Call, audience: string): Promise<string> {
  interface Definition {
    code: string;
    audience: string;
    definition: object;
  }
  const { items, ready } = await call<{ items: Definition[]; ready: Definition[] }>("GET", "/api/report-definitions");
  const there = items.find((one) => one.audience === audience);
  if (there) return there.code;
  const first = ready.find((one) => one.audience === audience);
  if (!first) throw new Error(`no report for ${audience} comes with the program`);
  const { code, definition } = first;
  await call("POST", "/api/report-definitions", { code, audience, definition, enabled: true, version: 0 });
  return code;
}

/** One file is confirmed, with drivers whom nobody knows, and another waits. */
async function aFile(call: Call, page: Page) {
  const { imports } = await call<{ imports: unknown[] }>("GET", "/api/imports");
  if (imports.length > 0) return;
  await page.goto("/app/upload?lang=pl");
  await page.locator("input[type=file]").setInputFiles(sample("bolt-earnings-pl.csv"));
  await page.getByRole("button", { name: /^Wczytaj \d+/ }).click();
  await expect(card(page, "bolt-earnings-pl.csv").getByText(/^Wczytano \d+/)).toBeVisible();
  await page.locator("input[type=file]").setInputFiles(sample("freenow-trips-en.csv"));
  await expect(card(page, "freenow-trips-en.csv")).toBeVisible();
}

/** The id of an invoice: one that is there, or one that is uploaded for a driver. */
async function anInvoice(call: Call, driverUUID: string): Promise<string> {
  const { items } = await call<{ items: { id: string }[] }>("GET", "/api/invoice-images");
  if (items[0]) return items[0].id;
  const made = await call<{ id: string }>("POST", "/api/invoice-images/partner", {
    multipart: { driverUUID, file: invoiceFile("pl_fuel-01.pdf") },
  });
  return made.id;
}

/** The number of a batch: that of a journey before, or of one that pays one settlement in cash. */
async function aBatch(call: Call): Promise<number> {
  const { items } = await call<{ items: { number: number }[] }>("GET", "/api/payout-batches");
  if (items[0]) return items[0].number;
  const settled = await call<{ items: { id: string }[] }>("GET", "/api/settlements?state=settled");
  const order = { settlements: settled.items.slice(0, 1).map(({ id }) => id), profile: "elixir", cash: true };
  const { token } = await call<{ token: string }>("POST", "/api/payout-batches/plan", order);
  const { numbers } = await call<{ numbers: number[] }>("POST", "/api/payout-batches", { ...order, token });
  return numbers[0] ?? 0;
}

/** Every screen of a driver. */
async function ofDriver(call: Call): Promise<string[]> {
  const { items } = await call<{ items: { id: string }[] }>("GET", "/api/driver-accounts/settlements");
  expect(items.length).toBeGreaterThan(0);
  const questions = await call<{ items: { id: string }[] }>("GET", "/api/driver-accounts/questions");
  return [
    "/driver/settlements",
    `/driver/settlements/${items[0]?.id}`,
    `/driver/settlements/${items[0]?.id}/ask`,
    `/driver/questions/${questions.items[0]?.id}`,
    "/driver/invoices",
    "/driver/invoices/new",
    "/driver/documents",
    "/driver/fill-documents",
    "/driver/driver-documents",
    "/time-tracker",
    "/time-tracker/add",
    "/trip-tracker",
    "/trip-tracker/add",
    "/driver/board",
    "/driver/stats",
    "/driver/report",
    "/driver/settlement-frequency",
    "/driver/partners-list",
    "/driver/partner-profile",
    "/driver/profile",
  ];
}

/** What can be pressed and stands beside the screen, or is cut by its own edge. */
const clipped = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main a, main button")]
      .filter((one) => one.checkVisibility() && !one.closest(".sr-only, .ant-table-content"))
      .filter((one) => {
        const { left, right, width } = one.getBoundingClientRect();
        return width > 1 && (right > innerWidth + 1 || left < -1 || one.scrollWidth > one.clientWidth + 1);
      })
      .map((one) => one.textContent),
  );

/** What is drawn as browsers draw it by themselves: blue links, grey buttons, selects with an arrow of their own. */
const unstyled = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("a[href], button, select")]
      .filter((one) => one.checkVisibility())
      .filter((one) => {
        const { color, borderTopStyle, appearance } = getComputedStyle(one);
        return one.tagName === "SELECT"
          ? appearance !== "none"
          : ["rgb(0, 0, 238)", "rgb(85, 26, 139)", "rgb(158, 158, 255)"].includes(color) || borderTopStyle === "outset";
      })
      .map((one) => one.outerHTML.slice(0, 120)),
  );

/** Ends when nothing was asked of the server for a moment. */
async function quiet(page: Page) {
  let asked = 0;
  let last = Date.now();
  const count = (by: number) => () => {
    asked += by;
    last = Date.now();
  };
  const [more, less] = [count(1), count(-1)];
  page.on("request", more).on("requestfinished", less).on("requestfailed", less);
  await expect.poll(() => asked <= 0 && Date.now() - last > 300, { intervals: [100] }).toBe(true);
  page.off("request", more).off("requestfinished", less).off("requestfailed", less);
}

/**
 * Opens each and finds nothing that axe would report, that is wider than the screen or that has no style. A short run shows each in
 * one look and goes on from screen to screen as a link does; a longer one (SALDO_SOAK) loads each in every look.
 */
async function walk(page: Page, paths: string[]) {
  const all = combined(sizes, looks, "all");
  const pairs = combined(paths, all);
  const main = page.locator("main#content");
  for (const look of all) {
    const [{ width, height }, { scheme, language }] = look;
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height });
    for (const [nth, [path]] of pairs.filter(([, its]) => its === look).entries()) {
      const what = `${path}, ${scheme}, ${language}, ${width} px`;
      if (nth === 0 || pairs.length > paths.length) await page.goto(`/app${path}?lang=${language}`);
      else {
        await main.locator("h1").evaluateAll((before) => before.forEach((one) => one.setAttribute("data-before", "")));
        await new Frame(page).open(`/app${path}`);
      }
      await expect(main.locator("h1:not([data-before])").first(), what).toBeVisible();
      await quiet(page);
      // The frame is the same around each screen of a look.
      await clean(page, what, { within: nth === 0 ? WHOLE : undefined });
      expect(await clipped(page), `${what}: clipped`).toEqual([]);
      expect(await unstyled(page), `${what}: without style`).toEqual([]);
    }
  }
}

for (const [person, list] of [
  ["anna", ofPartner],
  ["oleh", ofDriver],
] as const)
  test(`axe finds nothing on any screen of ${person}`, async ({ page, saldo }) => {
    test.slow(); // every combination in a longer run
    const call = calling(page);
    await new Frame(page).resume(saldo.people[person]);
    await walk(page, await list(call, page));
  });

test("focus returns to the button after Esc", IN_FULL, async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/tags?lang=pl");
  for (const [path, ...buttons] of [
    ["/settlements/pending", "Rozlicz wszystkie", /^Kwota/, /^Działania/, /^Konto: /],
    ["/settlements/settled", "Eksport", /^Działania/],
    ["/drivers", "Dodaj kierowcę", "Kolumny", "Eksport"],
    ["/payouts", "Jak robimy przelewy"],
    ["/tags", "Dodaj etykietę"],
  ] as const) {
    await frame.open(`/app${path}`);
    for (const name of buttons) {
      const button = page.getByRole("button", { name }).first();
      await button.click();
      const opened = page
        .locator("[role=dialog], dialog[open], [role=menu], [popover]")
        .filter({ visible: true })
        .first();
      await expect(opened, `${path} ${name}`).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(opened, `${path} ${name}`).toBeHidden();
      await expect(button, `${path} ${name}`).toBeFocused();
    }
  }
  await frame.open("/app/settlements/settled");
  const actions = page.getByRole("button", { name: /^Działania/ }).first();
  await actions.click();
  await page.getByRole("menuitem", { name: "Wycofaj" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(actions).toBeFocused();
});

test("a list is readable under the pointer, in the dark and on a phone", IN_FULL, async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/settlements/settled?lang=pl");
  const row = page.getByRole("row").filter({ hasText: "Udostępnione" }).first();
  const ground = (of: typeof row) => of.evaluate((one) => getComputedStyle(one).backgroundColor);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await row.hover();
    const chip = row.locator(".status-tag").first();
    await expect.poll(async () => (await ground(chip)) !== (await ground(row)), "a chip on a hovered row").toBe(true);
    const box = row.getByRole("checkbox");
    expect(await box.evaluate((one) => getComputedStyle(one).colorScheme)).toContain(colorScheme);
  }
  // What can be done with the chosen ones stands on one line.
  await row.getByRole("checkbox").check();
  const bar = page.getByRole("region", { name: "Zaznaczone rozliczenia" });
  await expect(bar).toBeVisible();
  expect((await bar.boundingBox())?.height).toBeLessThan(72);
  // A screen without an entry of its own lights up the one it belongs to.
  await row.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/transactions\/summary\//);
  await expect(new Frame(page).menu().getByRole("link", { name: "Rozliczenia" })).toContainClass("active");

  // On a phone the first of a list is seen without scrolling.
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/settlements/pending", "/settlements/settled", "/settlements/paid", "/drivers"]) {
    await page.goto(`/app${path}?lang=uk`);
    const first = page.locator("main tbody tr:not(.list-table-skeleton)").first();
    await expect.poll(async () => (await first.boundingBox())?.y ?? Number.MAX_VALUE, path).toBeLessThan(844);
  }
});
