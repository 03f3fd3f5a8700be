import { calling } from "../pages/api";
import { clean } from "../pages/clean";
import { SOAK } from "../pages/combined";
import { Frame } from "../pages/frame";
import { addTrip, canStart, onPolicy, PHONE, photo, switchedOn, WAITS } from "../pages/trackers";
import { expect, test } from "../saldo";

// A fleet with a driver who has an account and is accepted.
test.use({ size: "small" });

const TRIPS = "/app/trip-tracker?lang=pl";

/** Trips with a photo each: the entries go in one call, each photo in another. */
const MANY = SOAK ? 9 : 1;
/** Before and after the server has done what each call asks for: 20 points, of them the first three in a short run. */
const KILLS = SOAK ? 2 * (MANY + 1) : 3;

const amountOf = (n: number) => 1000 + 111 * n;
const typed = (amount: number) => (amount / 100).toFixed(2).replace(".", ",");

test("a phone that ends the page at any point of sending loses nothing and doubles nothing", async ({
  page,
  saldo,
}) => {
  test.slow();
  await switchedOn(page, saldo);
  const before = calling(page);
  const context = page.context();
  const broken = await onPolicy(context);
  await page.setViewportSize(PHONE);
  await new Frame(page).resume(saldo.people.oleh, TRIPS);
  await expect(page.getByRole("link", { name: "Dodaj kurs" })).toBeVisible();
  const { totals } = await before<{ totals: { count: number } }>("GET", "/api/trips");
  await canStart(page);
  await context.setOffline(true);
  for (let n = 0; n < MANY; n++) await addTrip(page, typed(amountOf(n)), n % 2 ? "Karta" : "Gotówka");
  await page.close();

  // call by call: killed before the server hears of it, then after it did and before the answer, then let through
  let through = 0;
  let killed = 0;
  let dead: (() => void) | undefined;
  await context.route(/\/api\/(tracking\/batch|trips\/.*\/photo$)/, async (route) => {
    if (route.request().method() === "GET") return route.fallback();
    if (killed === KILLS || killed > 2 * through + 1) {
      await route.fulfill({ response: await route.fetch() });
      through++;
      return;
    }
    if (killed === 2 * through + 1) await route.fetch();
    killed++;
    dead?.(); // this call is answered by nobody
  });
  await context.setOffline(false);
  while (killed < KILLS) {
    const next = await context.newPage();
    await next.setViewportSize(PHONE);
    const reached = new Promise<void>((done) => {
      dead = done;
    });
    await next.goto(TRIPS);
    await reached;
    await next.close(); // nothing of it runs any more
  }
  dead = undefined;

  const last = await context.newPage();
  await last.setViewportSize(PHONE);
  const call = calling(last);
  await last.goto(TRIPS);
  await expect(last.getByText(typed(amountOf(0))).first()).toBeVisible();
  await expect(last.getByText(WAITS)).toHaveCount(0, { timeout: 120_000 });
  expect(killed).toBe(KILLS);
  const { items } = await call<{ items: { amount: number; photo: boolean }[] }>("GET", "/api/trips");
  const mine = items.filter(({ amount }) => amount >= amountOf(0) && (amount - 1000) % 111 === 0);
  expect(mine.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual(
    Array.from({ length: MANY }, (_, n) => amountOf(n)),
  );
  expect(items.length - totals.count).toBe(MANY);
  expect(mine.every((trip) => trip.photo)).toBe(true);
  expect(broken).toEqual([]);
});

test("two tabs that find the line again at the same moment send each entry once", async ({ page, saldo }) => {
  await switchedOn(page, saldo);
  const call = calling(page);
  const context = page.context();
  await page.setViewportSize(PHONE);
  await new Frame(page).resume(saldo.people.oleh, TRIPS);
  const other = await context.newPage();
  await other.setViewportSize(PHONE);
  await other.goto(TRIPS);
  await expect(other.getByRole("link", { name: "Dodaj kurs" })).toBeVisible();
  const answered: Promise<{ answers: { result: string }[] }>[] = [];
  context.on("response", (response) => {
    if (response.url().endsWith("/api/tracking/batch"))
      answered.push(response.json() as Promise<{ answers: { result: string }[] }>);
  });
  for (const tab of [page, other]) await canStart(tab);
  await context.setOffline(true);
  for (const n of [20, 21, 22]) await addTrip(page, typed(amountOf(n)), "Karta");
  await addTrip(other, typed(amountOf(23)), "Gotówka");
  await expect(other.getByText("Do wysłania: 4 wpisy")).toBeVisible();
  await context.setOffline(false);
  for (const tab of [page, other]) await expect(tab.getByText(WAITS)).toHaveCount(0);
  const results = (await Promise.all(answered)).flatMap(({ answers }) => answers.map(({ result }) => result));
  expect(results).toEqual(["done", "done", "done", "done"]);
  const { items } = await call<{ items: { amount: number }[] }>("GET", "/api/trips");
  const amounts = items.map(({ amount }) => amount).filter((amount) => amount >= amountOf(20));
  expect(amounts.sort((a, b) => a - b)).toEqual([20, 21, 22, 23].map(amountOf));
});

test("a phone that is full says so, keeps what was typed, and takes it once there is room", async ({ page, saldo }) => {
  await switchedOn(page, saldo);
  const call = calling(page);
  const context = page.context();
  await page.setViewportSize(PHONE);
  await new Frame(page).resume(saldo.people.oleh, TRIPS);
  await expect(page.getByRole("link", { name: "Dodaj kurs" })).toBeVisible();
  await canStart(page);
  await context.setOffline(true);
  // Chromium tells pages more than there is: what others say is put in its place
  await page.evaluate(
    (left) => {
      navigator.storage.estimate = () => Promise.resolve({ quota: 2 * left, usage: left });
    },
    30 * 1024 * 1024,
  );
  await addTrip(page, typed(amountOf(30)), "Karta");
  await expect(page.getByText(/^Na telefonie zostało mało miejsca/)).toBeVisible();
  await clean(page, "little space on the phone", { tall: true });

  // it refuses what does not fit, as a full disk does
  await page.evaluate(() => {
    const before = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, "put");
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    addEventListener("there is room", () => {
      if (before) Object.defineProperty(IDBObjectStore.prototype, "put", before);
    });
  });
  await page.getByRole("link", { name: "Dodaj kurs" }).click();
  await page.getByRole("textbox", { name: /^Kwota/ }).fill(typed(amountOf(31)));
  await page.getByLabel("Skąd").fill("Dworzec");
  await page.locator("input[type=file]").setInputFiles(photo);
  await expect(page.getByRole("img", { name: "Zdjęcie płatności" })).toBeVisible();
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.getByText(/^Nie udało się zapisać na telefonie/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: /^Kwota/ })).toHaveValue(typed(amountOf(31)));
  await expect(page.getByRole("img", { name: "Zdjęcie płatności" })).toBeVisible();
  await clean(page, "a trip that found no room", { tall: true });

  await page.evaluate(() => dispatchEvent(new Event("there is room")));
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page).toHaveURL(/\/trip-tracker$/);
  await context.setOffline(false);
  await expect(page.getByText(/^Do wysłania|^Wysyłanie$/)).toHaveCount(0);
  const { items } = await call<{ items: { amount: number }[] }>("GET", "/api/trips");
  const amounts = items.map(({ amount }) => amount).filter((amount) => [30, 31].map(amountOf).includes(amount));
  expect(amounts.sort((a, b) => a - b)).toEqual([30, 31].map(amountOf));
});
