import { readFileSync } from "node:fs";
import type { Download, Page } from "@playwright/test";
import { clean, cleanInALook, fits } from "../pages/clean";
import { Frame } from "../pages/frame";
import { differ, tonesOf } from "../pages/grey";
import { expect, test } from "../saldo";

// A fleet with files and settlements of some weeks.
test.use({ size: "small" });

const figure = (page: Page, name: string | RegExp) => page.getByRole("figure", { name });

/** An amount as it is written in Polish, in minor units. */
const minor = (text: string) => Number(text.replaceAll("−", "-").replaceAll(/[^\d-]/g, ""));

async function taken(page: Page, title: string, entry: string): Promise<Download> {
  await page.getByRole("button", { name: `Pobierz: ${title}` }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: entry }).click();
  return download;
}

test("a clerk reads what was earned, opens the rows behind a number and takes a chart along", async ({
  page,
  saldo,
}) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/stats?lang=pl");
  await expect(frame.menu().getByRole("link", { name: "Statystyki" })).toHaveAttribute("aria-current", "page");
  const revenue = figure(page, "Przychód w tygodniach");
  const lead = minor((await revenue.locator("figcaption b").textContent()) ?? "");
  expect(lead).toBeGreaterThan(0);
  await cleanInALook(page, "statistics", revenue);

  // What is said, what is drawn and what stands in the table are the same.
  await page.keyboard.press("t");
  await expect(page.getByRole("img")).toHaveCount(0);
  const cells = page.getByRole("table", { name: "Przychód w tygodniach" }).locator("tbody td:nth-child(2)");
  const rows = (await cells.allTextContents()).map(minor);
  expect(rows.reduce((sum, one) => sum + one, 0)).toBe(lead);
  await clean(page, "statistics as tables", { tall: true });
  await page.keyboard.press("t");
  await expect(revenue.getByRole("img")).toBeVisible();

  // Both lines of the equation add up.
  for (const label of ["Od przychodu do kwoty po gotówce", "Od tej kwoty do wypłat"]) {
    const terms = page.getByLabel(label).locator("> div");
    let sum = 0;
    for (const term of await terms.all()) {
      const text = (await term.locator("dd").first().textContent()) ?? "";
      const value = minor((await term.getByRole("link").textContent()) ?? "");
      if (text.startsWith("=")) expect(sum, label).toBe(value);
      else sum += text.startsWith("−") ? -value : value;
    }
  }

  // Files are what is on screen.
  const table = await taken(page, "Przychód w tygodniach", "Tabela (CSV)");
  expect(table.suggestedFilename()).toBe("saldo-revenue.csv");
  const lines = readFileSync(await table.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(rows.length + 1);
  expect(lines.slice(1).map((line) => minor(line.split(";")[1] ?? ""))).toEqual(rows);
  const picture = await taken(page, "Przychód w tygodniach", "Obraz do skalowania (SVG)");
  expect(readFileSync(await picture.path(), "utf8")).toMatch(/^<svg[^>]*>.*Przychód w tygodniach/s);
  const png = await taken(page, "Przychód w tygodniach", "Obraz (PNG)");
  expect(
    readFileSync(await png.path())
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");

  // The keyboard alone: one stop of Tab for a chart, arrows within it, Enter opens the rows.
  const points = revenue.getByRole("listitem").getByRole("link");
  const settled = points.and(page.locator("[href*='show=all']")).last();
  const name = (await settled.getAttribute("aria-label")) ?? "";
  await points.last().focus();
  await expect(revenue.locator("[aria-hidden] b").last()).toBeVisible();
  for (let at = (await points.count()) - 1; !(await settled.evaluate((one) => one === document.activeElement)); at--) {
    expect(at, name).toBeGreaterThan(0);
    await page.keyboard.press("ArrowLeft");
  }
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/settlements\/settled\?show=all&period=2\d{3}-W\d\d$/);
  await expect(page.getByRole("button", { name: "Z wypłaconymi" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible();
  await page.goBack();
  await expect(revenue).toBeVisible();

  // As many weeks before, by the address; and fewer of them.
  const before = await page.getByRole("group", { name: "Okres" }).locator("b").textContent();
  await page.getByLabel("Długość okresu").selectOption("4");
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
  await expect(page.getByRole("group", { name: "Okres" }).locator("b")).not.toHaveText(before ?? "");
  await page.getByRole("button", { name: "Wcześniejszy okres" }).click();
  await expect(page.getByRole("button", { name: "Późniejszy okres" })).toBeEnabled();
});

test("charts can be read without colour, and on paper", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/stats?lang=pl");
  const apps = figure(page, "Przychód według aplikacji");
  await expect(apps.getByRole("img")).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(apps.getByRole("button")).toHaveCount(0);
  await expect(apps.getByRole("img")).toBeVisible();
  await page.emulateMedia({ media: "screen" });
  const tones = await tonesOf(apps.locator("svg > g > rect[height='11']"));
  expect(tones.length).toBeGreaterThan(1);
  for (const [nth, one] of tones.entries())
    for (const other of tones.slice(nth + 1)) expect(differ(one, other), JSON.stringify(tones)).toBe(true);
});

test("the home page shows the last week in figures that lead to its rows", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/?lang=pl");
  const tile = page.getByRole("link", { name: /^Przychód: [\d\s]+,\d\d\szł$/ });
  await expect(tile).toHaveAttribute("title", /,\d\d\szł$/);
  await cleanInALook(page, "home with figures", tile);
  await page.getByRole("link", { name: "Wszystkie statystyki" }).click();
  await expect(page).toHaveURL(/\/app\/stats$/);
});

test("a driver sees their own weeks on the phone", async ({ page, saldo }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await new Frame(page).resume(saldo.people.oleh, "/app/driver/settlements?lang=pl");
  await page.getByRole("button", { name: "Więcej" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Statystyki" }).click();
  const chart = figure(page, /^Wypłaty: /);
  await expect(chart.getByRole("img")).toBeVisible();
  await expect(page.getByRole("region", { name: "Ostatnia wypłata" })).toContainText(/\d,\d\d\szł/);
  await fits(page, "statistics of a driver");
  await cleanInALook(page, "statistics of a driver", chart);
  await page.getByRole("button", { name: /^Tabela: Wypłaty/ }).click();
  await expect(chart.getByRole("table")).toBeVisible();
  await clean(page, "weeks of a driver as a table");
});
