import type { Locator, Page } from "@playwright/test";
import { type Call, calling } from "../pages/api";
import { clean } from "../pages/clean";
import { sample } from "../pages/samples";
import { enterWorkbench } from "../pages/workbench";
import { expect, test } from "../saldo";

const BOLT = "bolt-earnings-pl.csv";
const UBER = "uber-payments_driver-pl.csv";
const MOST = 25;
/** What a partner reads of itself and does not write. */
const NOT_OURS = ["code", "settlementLimit", "settlementUsage", "uuid", "logo", "remaining", "demo"];

/** Does what a person does, and counts it: every press, every field that is filled in, every choice of files. */
function counted(page: Page) {
  let steps = 0;
  const done = async (what: Promise<unknown>) => {
    steps++;
    await what;
    // Whatever was pressed: nothing is wider than the screen.
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  };
  return {
    press: (on: Locator) => done(on.click()),
    fill: (on: Locator, text: string) => done(on.fill(text)),
    files: (names: string[]) => done(page.locator("input[type=file]").setInputFiles(names.map(sample))),
    get steps() {
      return steps;
    },
  };
}

/** Writes a bank account down for a driver. */
async function giveAccount(call: Call, id: string) {
  const { version, firstName, lastName, email, phone } = await call<Record<string, string | number>>(
    "GET",
    `/api/drivers/${id}`,
  );
  const iban = "PL61109010140000071219812874";
  await call("PUT", `/api/drivers/${id}`, { version, firstName, lastName, email, phone, iban });
}

// Two files with people nobody knows, settled, sent, paid, and one of them revoked.
for (const { width, height } of [
  { width: 1440, height: 1000 },
  { width: 390, height: 844 },
])
  test(`a Monday takes at most ${MOST} steps at ${width} px`, async ({ page, saldo }) => {
    const code = `monday-${width}`;
    const call = calling(page);
    await page.setViewportSize({ width, height });
    await enterWorkbench(page, saldo, code);
    saldo.grant(code, 100);
    const own = await call<Record<string, unknown>>("GET", "/api/partners");
    const kept = Object.entries(own).filter(([name]) => !NOT_OURS.includes(name));
    await call("PUT", "/api/partners", {
      ...Object.fromEntries(kept),
      taxId: "5260250274",
      account: "PL49114020040000330200112177",
    });
    await page.goto("/app/");

    const person = counted(page);
    const button = (name: string | RegExp) => page.getByRole("button", { name });

    // Files
    await person.press(page.getByRole("link", { name: /^Pliki/ }));
    await person.files([BOLT, UBER]);
    await person.press(page.getByRole("listitem", { name: UBER }).getByRole("button", { name: "Uber", exact: true }));
    await person.press(
      page.getByRole("region", { name: "2 pliki do zatwierdzenia" }).getByRole("button", { name: /^Wczytaj \d+/ }),
    );
    await expect(page.getByRole("listitem", { name: UBER }).getByText(/^Wczytano \d+/)).toBeVisible();
    await expect(page.getByRole("listitem", { name: BOLT }).getByText(/^Wczytano \d+/)).toBeVisible();

    // People
    await person.press(page.getByRole("link", { name: "Przypisz kierowców" }).first());
    await person.press(button(/^Utwórz \d+ kierowc/));
    await expect(page.getByText(/^Utworzono kierowców: \d+\./)).toBeVisible();

    // Settling, from the home page
    await page.goto("/app/");
    await person.press(
      page.getByRole("region", { name: "Następny krok" }).getByRole("button", { name: "Rozlicz kierowców" }),
    );
    await person.press(button("Rozlicz wszystkie"));
    await person.press(page.getByRole("dialog").getByRole("button", { name: /^Rozlicz \d+/ }));
    await expect(
      page
        .getByRole("dialog")
        .getByText(/Rozliczono|Rozliczeni/)
        .first(),
    ).toBeVisible();

    // Sending
    await person.press(page.getByRole("dialog").getByRole("button", { name: /^Wyślij do kierowców/ }));
    const sending = page.getByRole("dialog", { name: "Wysyłka rozliczeń" });
    await person.press(sending.getByRole("button", { name: /^Wyślij \d+/ }));
    await expect(sending).toBeHidden();
    await clean(page, "the settled list");

    // One is revoked
    await person.press(button(/^Działania: nr \d+/).first());
    await person.press(page.getByRole("menuitem", { name: "Wycofaj" }));
    const revoke = page.getByRole("dialog", { name: /^Wycofaj rozliczenie nr/ });
    await person.fill(revoke.getByRole("textbox"), "Zły plik");
    await person.press(revoke.getByRole("button", { name: "Wycofaj 1" }));
    await expect(page.getByText("Wycofano: 1.")).toBeVisible();

    // Paying: one has given an account since, the others have none yet.
    const { items } = await call<{ items: { driverId: string }[] }>("GET", "/api/settlements?state=settled");
    const id = items[0]?.driverId ?? "";
    await giveAccount(call, id);
    await person.press(button("Przygotuj przelewy"));
    await person.press(button("Zapłać na nowe konto"));
    await person.press(button(/^Utwórz przelewy/));
    await expect(page.getByRole("heading", { level: 1, name: /^Paczka/ })).toBeVisible();
    const download = page.waitForEvent("download");
    await person.press(button(/^Pobierz plik/));
    const file = (await download).suggestedFilename();
    await expect(page.getByText(`Pobrano plik ${file}`)).toBeVisible();
    await person.press(button("Oznacz wszystko jako wypłacone"));
    await person.press(page.getByRole("dialog").getByRole("button", { name: /^Oznacz \d+/ }));
    await expect(page.getByRole("dialog")).toBeHidden();

    expect(person.steps, "steps").toBeLessThanOrEqual(MOST);
    test.info().annotations.push({ type: "steps", description: String(person.steps) });
    await page.goto("/app/");
    await expect(page.getByRole("list", { name: "Praca nad tym tygodniem" }).getByRole("link")).toHaveCount(7);
    await clean(page, "home");
  });
