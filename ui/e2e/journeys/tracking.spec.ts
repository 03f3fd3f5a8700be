import { IN_FULL } from "../pages/combined";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { type Call, calling, newSchema } from "../pages/api";
import { clean, cleanInEveryLanguage } from "../pages/clean";
import { Frame } from "../pages/frame";
import { SignIn } from "../pages/sign-in";
import { addTrip, canStart, onPolicy, PHONE, phone, switchedOn, WAITS } from "../pages/trackers";
import { expect, test } from "../saldo";

// A fleet with a driver who has an account and is accepted.
test.use({ size: "small" });

interface Trips {
  items: { amount: number; payment: string; photo: boolean; settlementId: string }[];
  totals: { count: number; cash: number; card: number };
}
interface Times {
  items: { startedAt: string; endedAt: string; plate: string }[];
}

/** The application can be installed, in the colours of the fleet and with ways to what this driver writes down. */
async function installable(page: Page) {
  const session = await page.context().newCDPSession(page);
  await expect(page.locator("link[rel=manifest]")).toHaveAttribute("href", /^\/identification\/.*shortcuts=trip,time$/);
  expect(await session.send("Page.getInstallabilityErrors")).toEqual({ installabilityErrors: [] });
  const { data = "", errors } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  const found = JSON.parse(data) as {
    theme_color: string;
    shortcuts: { name: string }[];
    icons: { purpose?: string }[];
  };
  expect(found.shortcuts.map(({ name }) => name)).toEqual(["Dodaj kurs", "Start pracy"]);
  expect(found.icons.some(({ purpose }) => purpose === "maskable")).toBe(true);
  await expect(page.locator("link[rel=apple-touch-icon]")).toHaveCount(1);
}

interface Pending {
  figures: Record<"income" | "cashCollected" | "tripCost", number>;
}

/** The driver's schema has fees for trips; what would be settled now, in the week that is. */
async function withTripFees(call: Call): Promise<() => Promise<Pending>> {
  const [name, contractType] = ["Kursy", "CIVIL_CONTRACT"];
  const schemaNumber = await newSchema(call, {
    name,
    contractType,
    tripSettlementCost: 1000,
    tripFee: 200,
    maxTripSettlementCost: 1850,
  });
  const { drivers } = await call<{ drivers: { id: string }[] }>("GET", "/api/drivers?q=oleh");
  const id = drivers[0]?.id ?? "";
  const { version, firstName, lastName, email, phone } = await call<Record<string, unknown>>(
    "GET",
    `/api/drivers/${id}`,
  );
  await call("PUT", `/api/drivers/${id}`, { version, firstName, lastName, email, phone, schemaNumber });
  const { periods } = await call<{ periods: { code: string }[] }>("GET", "/api/settlements/periods");
  return () => call<Pending>("GET", `/api/drivers/${id}/pending-settlement?period=${periods[0]?.code}`);
}

test("a driver works without a line: starts, drives five trips, closes the application, ends, and all of it arrives once", async ({
  page: office,
  saldo,
}) => {
  const pending = await withTripFees(await switchedOn(office, saldo));
  const folder = mkdtempSync(join(tmpdir(), "phone-"));
  let context = await phone(folder, saldo.url);
  try {
    let page = context.pages()[0] ?? (await context.newPage());
    let broken = await onPolicy(context);
    await new SignIn(page).behind(saldo.people.oleh);
    await page.goto("/app/time-tracker?lang=pl");
    await expect(page.getByRole("button", { name: "Zacznij pracę" })).toBeVisible();
    await canStart(page);
    await installable(page);

    // without a line: work is begun, and trips are written down with their photos
    await context.setOffline(true);
    await page.getByRole("button", { name: "Zacznij pracę" }).click();
    await expect(page.getByText(/^W pracy od/)).toBeVisible();
    await expect(page.getByText("Do wysłania: 1 wpis")).toBeVisible();
    await new Frame(page).open("/app/trip-tracker");
    await addTrip(page, "45,50", "Gotówka");
    await addTrip(page, "30", "Karta");
    await addTrip(page, "120,00", "Gotówka");
    expect(broken).toEqual([]);
    await context.close();

    // the application is closed, and opened at the address of a screen, still without a line
    context = await phone(folder, saldo.url);
    page = context.pages()[0] ?? (await context.newPage());
    broken = await onPolicy(context);
    await context.setOffline(true);
    await page.goto("/app/trip-tracker");
    await expect(page.getByText("120,00")).toBeVisible();
    await expect(page.getByText("Bez internetu · Do wysłania: 4 wpisy")).toBeVisible();
    await addTrip(page, "18", "Karta");
    await addTrip(page, "22,25", "Gotówka");
    await clean(page, "trips without a line", { tall: true });
    await new Frame(page).open("/app/driver/settlements");
    await expect(page.getByText("Ta strona wymaga internetu")).toBeVisible();
    await new Frame(page).open("/app/time-tracker");
    await page.getByRole("link", { name: "Zakończ pracę" }).click();
    await page.getByLabel("Numer rejestracyjny").fill("WX 12345");
    await page.getByRole("button", { name: "Zakończ pracę" }).click();
    await expect(page).toHaveURL(/\/time-tracker$/);

    // with the line back: the browser still knows them, and all six arrive, once
    const call = calling(page);
    await context.setOffline(false);
    await expect(page.getByText(WAITS)).toHaveCount(0, { timeout: 120_000 });
    const trips = await call<Trips>("GET", "/api/trips");
    expect(trips.totals).toMatchObject({ count: 5, cash: 18_775, card: 4800 });
    expect(trips.items.map((trip) => trip.photo)).toEqual([true, true, true, true, true]);
    const times = await call<Times>("GET", "/api/time-entries");
    expect(times.items).toHaveLength(1);
    expect(times.items[0]).toMatchObject({
      plate: "WX12345",
      endedAt: expect.stringMatching(/T/) as unknown as string,
    });
    await new Frame(page).later("/app/trip-tracker");
    await expect(page.getByRole("link", { name: /Dworzec/ })).toHaveCount(5);
    await clean(page, "trips", { tall: true });
    expect(broken).toEqual([]);

    // the money: what the trips bring and cost is in what the fleet would settle now, to the grosz
    const after = await pending();
    expect(after.figures).toMatchObject({
      income: 23_575,
      cashCollected: 18_775,
      tripCost: Math.min(1850, 1000 + 200 * 5),
    });
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("what two wrote at the same time is shown side by side, and a settled trip cannot change", async ({
  page,
  saldo,
}) => {
  await switchedOn(page, saldo);
  const call = calling(page);
  const frame = new Frame(page);
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/trip-tracker?lang=pl");
  await addTrip(page, "50", "Karta");
  await expect(page.getByText("Na telefonie")).toBeHidden();
  const row = page.getByRole("link", { name: /50,00/ });
  await row.click();
  await page.getByLabel("Dokąd").fill("Lotnisko");

  // meanwhile another device changes it
  const { items } = await call<{ items: { id: string; version: number; amount: number; occurredOn: string }[] }>(
    "GET",
    "/api/trips",
  );
  const [trip] = items.filter(({ amount }) => amount === 5000);
  await call("PUT", `/api/trips/${trip?.id}`, {
    version: trip?.version,
    occurredOn: trip?.occurredOn,
    startPlace: "Hotel",
    endPlace: "",
    amount: 6000,
    payment: "card",
  });
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.getByText("Wymaga Twojej decyzji: 1 wpis")).toBeVisible();
  await page.getByRole("link", { name: /50,00/ }).click();
  await expect(page.getByRole("heading", { name: "Ktoś zmienił ten wpis" })).toBeVisible();
  await expect(page.getByText("60,00")).toBeVisible();
  await clean(page, "two versions of a trip", { tall: true });
  await page.getByRole("button", { name: "Zostaw wersję z telefonu" }).click();
  await expect(page.getByText("Wymaga Twojej decyzji: 1 wpis")).toBeHidden();
  await expect(page.getByText(WAITS)).toHaveCount(0);
  const after = await call<{ items: { amount: number; endPlace: string }[] }>("GET", "/api/trips");
  expect(after.items.filter(({ endPlace }) => endPlace === "Lotnisko").map(({ amount }) => amount)).toEqual([5000]);

  // whoever signs out with something waiting is asked
  await page.context().setOffline(true);
  await addTrip(page, "12", "Gotówka");
  await page.getByRole("button", { name: "Więcej" }).click();
  await frame.account().click();
  await page.getByRole("menuitem", { name: "Wyloguj" }).click();
  await expect(page.getByRole("dialog", { name: "Nie wszystko jest wysłane" })).toBeVisible();
  await clean(page, "leaving with something waiting");
});

test("the partner looks through what a driver wrote down, refuses an entry, and the driver reads why", async ({
  page,
  saldo,
}) => {
  await switchedOn(page, saldo);
  const call = calling(page);
  const frame = new Frame(page);
  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/trip-tracker?lang=pl");
  await addTrip(page, "77", "Karta");
  await expect(page.getByText(WAITS)).toHaveCount(0);
  const { items } = await call<{ items: { amount: number; driverUUID: string }[] }>("GET", "/api/trips");
  const driver = items.find(({ amount }) => amount === 7700)?.driverUUID ?? "";

  await page.setViewportSize({ width: 1440, height: 1000 });
  await frame.resume(saldo.people.anna, `/app/drivers/${driver}?lang=pl`);
  const section = page.getByRole("region", { name: "Kursy i czas pracy" });
  const row = section.getByRole("listitem").filter({ hasText: "77,00" });
  await row.getByRole("button", { name: "Zdjęcie" }).click();
  await expect(page.getByRole("img", { name: "Zdjęcie" })).toBeVisible();
  await page.keyboard.press("Escape");
  await row.getByRole("button", { name: "Odrzuć" }).click();
  const dialog = page.getByRole("dialog", { name: "Odrzucić ten wpis?" });
  await dialog.getByRole("button", { name: "Odrzuć" }).click();
  await expect(dialog.getByText("Podaj tę wartość.")).toBeVisible();
  await dialog.getByLabel("Powód").fill("To był kurs z aplikacji.");
  await clean(page, "refusing an entry", { within: "dialog[open]" });
  await dialog.getByRole("button", { name: "Odrzuć" }).click();
  await expect(row.getByText("To był kurs z aplikacji.")).toBeVisible();
  await clean(page, "what a driver wrote down", { tall: true });

  await page.setViewportSize(PHONE);
  await frame.resume(saldo.people.oleh, "/app/trip-tracker?lang=pl");
  await page.getByRole("link", { name: /77,00/ }).click();
  await expect(page.getByText("Flota nie liczy tego wpisu: To był kurs z aplikacji.")).toBeVisible();
});

test("a trip that the fleet does not take any more stays on the phone, goes to a file, and is sent once it is taken", async ({
  page,
  saldo,
  browser,
}) => {
  const office = await browser.newPage();
  const partner = await switchedOn(office, saldo);
  const functions = await partner<{ version: number }>("GET", "/api/partners/driver-functions");
  const call = calling(page);
  const broken = await onPolicy(page.context());
  await page.setViewportSize(PHONE);
  await new Frame(page).resume(saldo.people.oleh, "/app/trip-tracker?lang=pl");
  await expect(page.getByRole("link", { name: "Dodaj kurs" })).toBeVisible();
  await canStart(page);
  await page.context().setOffline(true);
  await addTrip(page, "81,50", "Gotówka");
  await partner("PUT", "/api/partners/driver-functions", { ...functions, 1: false });
  await page.context().setOffline(false);
  await page.getByRole("link", { name: /81,50/ }).click();
  await expect(page.getByText("Nie zapisano na serwerze")).toBeVisible();
  await clean(page, "a refused trip", { tall: true });
  const files: Promise<[string, string]>[] = [];
  page.on("download", (file) => {
    files.push(file.path().then((path) => [file.suggestedFilename(), readFileSync(path, "latin1")]));
  });
  await page.getByRole("button", { name: "Zapisz do pliku" }).click();
  await expect.poll(() => files.length).toBe(2);
  const [said, shown] = (await Promise.all(files)).sort(([a]) => (a.endsWith(".txt") ? -1 : 1));
  expect(said?.[1]).toContain("81,50");
  expect(shown?.[0]).toMatch(/^saldo-.*\.jpg$/);

  const { version } = await partner<{ version: number }>("GET", "/api/partners/driver-functions");
  await partner("PUT", "/api/partners/driver-functions", { ...functions, version, 1: true });
  await page.getByRole("button", { name: "Zapisz", exact: true }).click();
  await expect(page).toHaveURL(/\/trip-tracker$/);
  await expect(page.getByText(WAITS)).toHaveCount(0);
  const { items } = await call<Trips>("GET", "/api/trips");
  expect(items.filter(({ amount }) => amount === 8150)).toHaveLength(1);
  expect(broken).toEqual([]);
  await office.close();
});

test("trackers are readable in every language, on a phone and in the dark", IN_FULL, async ({ page, saldo }) => {
  test.slow();
  await switchedOn(page, saldo);
  await new Frame(page).resume(saldo.people.oleh, "/app/trip-tracker?lang=pl");
  await expect(page.locator("main h1")).toBeAttached();
  await cleanInEveryLanguage(page, ["/time-tracker", "/time-tracker/add", "/trip-tracker", "/trip-tracker/add"]);
});
