import type { Locator, Page } from "@playwright/test";
import { clean, cleanAgain } from "../pages/clean";
import { IN_FULL, ways } from "../pages/combined";
import { Frame } from "../pages/frame";
import { lastWeek } from "../pages/monday";
import { sample } from "../pages/samples";
import { answerUber, card, enterWorkbench, open } from "../pages/workbench";
import { expect, test } from "../saldo";

const BOLT = "bolt-earnings-pl.csv";
const UBER = "uber-payments_driver-pl.csv";

const give = (page: Page, ...files: string[]) => page.locator("input[type=file]").setInputFiles(files.map(sample));

/** The days for rows that say none. */
async function setDays(page: Page) {
  await page.getByText("Ustawienia kolejnych plików").click();
  await page.getByLabel("Transakcje od").first().fill("2026-09-21");
  await page.getByLabel("Transakcje do").first().fill("2026-09-27");
}

/** Where something is on the screen. */
async function boxOf(of: Locator) {
  const box = await of.boundingBox();
  if (!box) throw new Error("it is not on the screen");
  return box;
}

for (const width of ways(390, 1440))
  test(`a clerk imports two files, decides about drivers, undoes, repeats and removes at ${width} px`, async ({
    page,
    saldo,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await enterWorkbench(page, saldo, `import-${width}`);
    await clean(page, "empty workbench");
    await setDays(page);
    await clean(page, "settings");
    await give(page, BOLT, UBER);
    await expect(card(page, BOLT).getByText("Bolt, zarobki kierowców")).toBeVisible();
    await answerUber(page, UBER);
    await expect(card(page, UBER).getByText("Uber, płatności według kierowców")).toBeVisible();
    await expect(card(page, BOLT).getByText("21–27 wrz 2026")).toBeVisible();
    await clean(page, "two lines");
    for (const file of width === 390 ? [BOLT, UBER] : []) {
      // On a phone the × of a file stands at the right edge, beside the file's name.
      const row = await boxOf(card(page, file));
      const name = await boxOf(card(page, file).getByRole("button", { name: file, exact: true }));
      const away = await boxOf(card(page, file).getByRole("button", { name: `Porzuć ${file}` }));
      expect(row.x + row.width - (away.x + away.width)).toBeLessThanOrEqual(25);
      expect(away.y + away.height / 2).toBeGreaterThan(name.y);
      expect(away.y + away.height / 2).toBeLessThan(name.y + name.height);
    }
    await open(page, BOLT);
    await card(page, BOLT).getByText("Pierwsze wiersze pliku").click();
    await clean(page, "a preview");

    // What is to be confirmed is on the server: a reload brings it again.
    await page.reload();
    await expect(card(page, UBER).getByText("Do zatwierdzenia")).toBeVisible();
    const all = page.getByRole("region", { name: "2 pliki do zatwierdzenia" });
    await all.getByRole("button", { name: /^Wczytaj \d+ transakcj/ }).click();
    await expect(card(page, BOLT).getByText(/^Wczytano \d+/)).toBeVisible();
    await expect(card(page, UBER).getByText(/^Wczytano \d+/)).toBeVisible();
    await clean(page, "two results");

    await card(page, BOLT).getByRole("link", { name: "Przypisz kierowców" }).click();
    const create = page.getByRole("button", { name: /^Utwórz kierowcę: / });
    await expect(create.first()).toBeVisible();
    await cleanAgain(page, "inbox");
    const before = await create.count();
    const who = ((await create.first().getAttribute("aria-label")) ?? "").replace("Utwórz kierowcę: ", "");
    // everybody is in both files, and here once
    expect(before).toBe(9);
    await create.first().click();
    const dialog = page.getByRole("dialog", { name: `Nowy kierowca: ${who}` });
    await clean(page, "new driver");
    await dialog.getByRole("button", { name: "Utwórz i przypisz" }).click();
    await expect(dialog).toBeHidden();
    await expect(create).toHaveCount(before - 1);
    await page
      .getByRole("button", { name: /^Przypisz do kierowcy: / })
      .first()
      .click();
    const choice = page.getByRole("dialog", { name: /^Kim jest / });
    await choice.getByRole("textbox").fill(who.split(" ").at(-1) ?? "");
    await choice.getByRole("listitem").getByRole("button").first().click();
    await expect(create).toHaveCount(before - 2);
    await page.getByRole("button", { name: /^Przypisani/ }).click();
    const back = page.getByRole("button", { name: /^Cofnij decyzję: / });
    await expect(back).toHaveCount(4);
    await clean(page, "decided");
    await back.first().click();
    await expect(back).toHaveCount(3);

    // The same files again bring nothing.
    await new Frame(page).later("/app/upload");
    await give(page, BOLT);
    const again = card(page, BOLT).filter({ hasText: "Zduplikowany" });
    await expect(again.getByText(/Drugi raz niczego z niego nie wzięliśmy/)).toBeVisible();
    await expect(again.getByRole("link", { name: new RegExp(`^${BOLT}, Ewa Nowak`) })).toBeVisible();
    await clean(page, "duplicated");

    await new Frame(page).open("/app/upload/coverage");
    await expect(page.getByRole("row", { name: /Bolt/ })).toContainText("po czasie");
    await cleanAgain(page, "coverage");
    await new Frame(page).later("/app/log");
    await cleanAgain(page, "log");
    await page
      .getByRole("row")
      .filter({ hasText: "Wczytany" })
      .getByRole("link", { name: `Otwórz ${BOLT}` })
      .click();
    await expect(page.getByRole("heading", { level: 1, name: BOLT })).toBeVisible();
    await expect(page.getByRole("table", { name: "Wiersze z tego pliku" })).toBeVisible();
    await cleanAgain(page, "one import");
    await page.getByRole("button", { name: "Usuń wczytane dane" }).click();
    const question = page.getByRole("dialog", { name: `Usunąć ${BOLT}?` });
    await clean(page, "question");
    await question.getByRole("button", { name: "Usuń", exact: true }).click();
    await expect(question).toBeHidden();
    await expect(page.getByText("Usunięty").first()).toBeVisible();
  });

test("broken and wrong files say what to do, and a file without days asks for them", async ({ page, saldo }) => {
  await enterWorkbench(page, saldo, "import-broken");
  await page.locator("input[type=file]").setInputFiles([
    { name: "broken.xlsx", mimeType: "application/octet-stream", buffer: Buffer.from("PK\u0003\u0004 cut off") },
    { name: "letter.csv", mimeType: "text/csv", buffer: Buffer.from("Dear Sir;or Madam\nnothing;here\n") },
  ]);
  await expect(card(page, "broken.xlsx").getByText("Nic nie zostało wczytane")).toBeVisible();
  await expect(card(page, "letter.csv").getByText(/Nie znamy takiego układu kolumn/)).toBeVisible();
  await give(page, "uber-trip_activity-pl.csv");
  await expect(card(page, "uber-trip_activity-pl.csv").getByText(/payments_driver/)).toBeVisible();
  await give(page, "partner-transactions-en.csv");
  const whose = card(page, "partner-transactions-en.csv");
  await whose.getByRole("button", { name: /^Własne/ }).click();
  await expect(whose.getByText("Do zatwierdzenia")).toBeVisible();
  await give(page, BOLT);
  // The file says no days: it has those of the week above the list, and other ones if it is told so.
  const [from] = lastWeek();
  const day = Number(from.slice(8));
  await expect(
    card(page, BOLT)
      .getByText(new RegExp(`^${day}[– ]`))
      .first(),
  ).toBeVisible();
  await open(page, BOLT);
  await card(page, BOLT).getByText("Ustawienia tego pliku").click();
  await card(page, BOLT).getByLabel("Transakcje od").fill("2026-09-21");
  await card(page, BOLT).getByLabel("Transakcje do").fill("2026-09-27");
  await card(page, BOLT).getByRole("button", { name: "Odczytaj ponownie" }).click();
  await expect(card(page, BOLT).getByText("21–27 wrz 2026").first()).toBeVisible();
  await new Frame(page).later("/app/log");
  await expect(page.getByRole("row", { name: new RegExp(BOLT) })).toHaveCount(1);
  await new Frame(page).later("/app/upload");
  await card(page, BOLT)
    .getByRole("button", { name: `Porzuć ${BOLT}` })
    .click();
  await expect(card(page, BOLT)).toBeHidden();
});

test("the keyboard alone imports a file and decides about a driver", IN_FULL, async ({ page, saldo }) => {
  await enterWorkbench(page, saldo, "import-keys");
  const reach = async (name: string | RegExp) => {
    const target = page.getByRole("button", { name }).first();
    await expect(target).toBeVisible();
    for (let presses = 0; presses < 80; presses++) {
      if (await target.evaluate((node) => node === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not reach ${String(name)}`);
  };
  const chooser = page.waitForEvent("filechooser");
  await reach("wybierz z dysku");
  await page.keyboard.press("Enter");
  await (await chooser).setFiles(sample("orlen-transactions-pl.csv"));
  await reach(/^Wczytaj \d+ transakcj/);
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^Wczytano \d+/)).toBeVisible();
  await page.getByRole("link", { name: "Przypisz kierowców" }).focus();
  await page.keyboard.press("Enter");
  await reach(/^Pomijaj: /);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Pomijani 1/ })).toBeVisible();
});

/** Goes on by Tab until a control has the focus, which must be seen. */
async function tabTo(page: Page, control: Locator) {
  await expect(control).toBeVisible();
  for (let steps = 0; steps < 120; steps++) {
    if (await control.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(control).toBeFocused();
  const seen = await control.evaluate((element) => {
    const { outlineStyle, boxShadow } = getComputedStyle(element);
    return outlineStyle !== "none" || boxShadow !== "none";
  });
  expect(seen, "the focus can be seen").toBe(true);
}

test("a file is imported, everybody in it made a driver and that taken back, by keys alone", async ({
  page,
  saldo,
}) => {
  await enterWorkbench(page, saldo, "import-many-keys");
  await page.locator("input[type=file]").focus();
  await page.locator("input[type=file]").setInputFiles({
    name: "klawiatura.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(
      "date;driver_identifier;driver_name;type;amount;description\n2026-11-02;K-1;Jan Nowak;TRIP;12,50;\n2026-11-03;K-2;Ewa Lis;TRIP;8,00;\n",
    ),
  });
  const whole = card(page, "klawiatura.csv");
  await tabTo(page, whole.getByRole("button", { name: /^Partner/ }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: /^Wczytaj 2 transakcje/ }));
  await page.keyboard.press("Enter");
  await tabTo(page, whole.getByRole("link", { name: "Przypisz kierowców" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("checkbox", { name: "Ewa Lis" })).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "Utwórz 2 kierowców" }));
  await clean(page, "everybody chosen");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Utworzono kierowców: 2. Do osobnej decyzji: 0.")).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "Cofnij (2)" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Cofnięto decyzje: 2. Bez zmian: 0.")).toBeVisible();
  // They are drivers by now, so nobody is made twice.
  await expect(page.getByText("Ewa Lis: to samo imię i nazwisko")).toBeVisible();
});

test(
  "a file of 100 000 rows shows how far it is, is stopped without a trace, and then outlives a reload and comes whole",
  IN_FULL,
  async ({ page, saldo }) => {
    test.slow(); // where the machine does ten other things
    await enterWorkbench(page, saldo, "import-large");
    const rows = Array.from(
      { length: 100_000 },
      (_, n) =>
        `2026-09-${String(1 + Math.floor((n * 28) / 100_000)).padStart(2, "0")};K-${n % 300};Jan Nowak ${n % 300};PARTNER;COST;-${1 + (n % 90)},${String(n % 100).padStart(2, "0")};PLN;card;Myjnia, zlecenie ${n};FV/${n}`,
    );
    const head =
      "date;driver_identifier;driver_name;app;type;amount;currency;payment_method;description;document_number";
    const file = { name: "rok.csv", mimeType: "text/csv", buffer: Buffer.from([head, ...rows].join("\n")) };
    const confirm = page.getByRole("button", { name: /^Wczytaj 100\s000 transakcji/ });
    const progress = page.getByRole("progressbar", { name: "Wczytywany" });
    const bring = async () => {
      await page.locator("input[type=file]").setInputFiles(file);
      await card(page, file.name)
        .getByRole("button", { name: /^Partner/ })
        .click();
      await expect(confirm).toBeVisible();
    };
    await bring();
    await confirm.click();
    await expect(card(page, file.name).getByText(/z 100\s000 wierszy, jeszcze ok\. /)).toBeVisible();
    await page.getByRole("button", { name: `Przerwij i porzuć ${file.name}` }).click();
    await expect(card(page, file.name)).toBeHidden();
    await new Frame(page).later("/app/log");
    await expect(page.getByRole("row", { name: /rok\.csv/ }).getByText("Porzucony")).toBeVisible();
    await new Frame(page).later("/app/upload/drivers");
    await expect(page.getByText("Nikogo tu nie ma")).toBeVisible();

    await new Frame(page).later("/app/upload");
    await bring();
    await confirm.click();
    await expect(progress).toHaveAttribute("aria-valuemax", "100000");
    await page.reload();
    await new Frame(page).later("/app/log");
    const whole = page.getByRole("row", { name: /rok\.csv/ }).filter({ hasText: /Wczytany|Wczytywany/ });
    await expect(whole.getByText("Wczytany", { exact: true })).toBeVisible({ timeout: 240_000 }); // a machine may be slow
    await expect(whole).toContainText(/100\s000/);
    await expect(page.getByRole("row", { name: /rok\.csv/ }).getByText("Porzucony")).toBeVisible();
  },
);
