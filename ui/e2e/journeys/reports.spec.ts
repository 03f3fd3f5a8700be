import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { clean, cleanInALook } from "../pages/clean";
import { Frame } from "../pages/frame";
import { expect, test } from "../saldo";

// A fleet with settlements to report on, whose reports no other journey changes.
test.use({ size: "small", apart: "reports" });

const minor = (text: string) => Number(text.replaceAll("−", "-").replaceAll(/[^\d-]/g, ""));

const ready = (page: Page, title: string) => page.getByRole("button", { name: `Włącz: ${title}` });

test("a clerk switches a report on, reads it, takes it along and has it mailed", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/stats?lang=pl");
  await page.locator("main").getByRole("link", { name: "Raporty" }).click();
  await ready(page, "Przychody i wypłaty według tygodni").click();
  await expect(frame.menu().getByRole("link", { name: "Raporty" })).toBeVisible();
  const row = page.getByRole("link", { name: "Przychody i wypłaty według tygodni" });
  await cleanInALook(page, "reports", row);

  await row.click();
  const table = page.getByRole("table", { name: "Przychody i wypłaty według tygodni" });
  await expect(table).toBeVisible();
  await page.getByLabel("Dni", { exact: true }).selectOption({ label: "Własne daty" });
  await page.getByRole("button", { name: "Pokaż" }).click();
  const from = page.locator("input[type=date]").first();
  await expect(from).toHaveAccessibleDescription(/Podaj obie daty/);
  await expect(table).toBeHidden();
  await clean(page, "a report without its days");
  await from.fill("2026-01-01");
  await page.locator("input[type=date]").nth(1).fill("2026-12-31");
  await page.getByRole("button", { name: "Pokaż" }).click();
  await expect(page).toHaveURL(/\?from=2026-01-01&to=2026-12-31$/);
  await expect(table).toBeVisible();
  await cleanInALook(page, "a report", table);

  // The rows add up to the totals, and the file has the same.
  const last = table.locator("tbody td:last-child");
  const sum = (await last.allTextContents()).map(minor).reduce((all, one) => all + one, 0);
  expect(sum).toBe(minor((await table.locator("tfoot td").last().textContent()) ?? ""));
  await page.reload();
  await expect(table).toBeVisible();
  for (const [format, ending] of [
    ["CSV", "csv"],
    ["Excel (XLSX)", "xlsx"],
    ["PDF", "pdf"],
  ] as const) {
    await page.getByRole("button", { name: "Pobierz" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: format }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(new RegExp(`\\.${ending}$`));
    if (ending === "csv") {
      const lines = readFileSync(await file.path(), "utf8")
        .trim()
        .split(/\r?\n/);
      expect(minor(lines.at(-1)?.split(";").at(-1) ?? "")).toBe(sum);
    }
  }

  await frame.open("/app/reports/schedules");
  await page.getByRole("button", { name: "Zaplanuj wysyłkę" }).click();
  const dialog = page.getByRole("dialog", { name: "Zaplanuj wysyłkę" });
  await dialog.getByRole("button", { name: "Zapisz" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible(); // to whom?
  await clean(page, "a schedule without recipients");
  await dialog.getByRole("checkbox", { name: /Anna/ }).check();
  await dialog.getByRole("button", { name: "Zapisz" }).click();
  const schedule = page.getByRole("list", { name: "Wysyłka" }).getByRole("listitem");
  await expect(schedule).toContainText("co tydzień, poniedziałek, 7:00");
  await page.getByRole("button", { name: /^Zmień: / }).click();
  await page.getByRole("menuitem", { name: "Wstrzymaj" }).click();
  await expect(schedule).toContainText("Wstrzymana");
  await cleanInALook(page, "schedules", schedule);
});

test("a clerk makes a report beside its first rows", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/reports/edit?lang=pl");
  const preview = page.getByRole("region", { name: "Podgląd" });
  await expect(preview.getByRole("row").nth(1)).toBeVisible();
  await page.getByLabel("Nazwa").fill("Wypłaty kierowców");
  await page.getByLabel("Dodaj podział").selectOption({ label: "Kierowca" });
  await page.getByRole("button", { name: "Usuń: Tydzień" }).click();
  await expect(preview.getByRole("link").first()).toBeVisible(); // each driver
  await page.getByRole("checkbox", { name: "Do wypłaty", exact: true }).check();
  await page.getByRole("checkbox", { name: "Do wypłaty: udział" }).check();
  await expect(preview.getByRole("columnheader", { name: /udział/i })).toBeVisible();
  await page.getByLabel("Kolejność").selectOption({ label: "Do wypłaty, malejąco" });
  await expect(preview).toHaveAttribute("aria-busy", "false"); // its rows are dimmed meanwhile
  await cleanInALook(page, "editor", preview);

  // What cannot be is said at its part.
  await page.getByRole("checkbox", { name: "Liczba kierowców", exact: true }).check();
  await page.getByRole("checkbox", { name: "Liczba kierowców: udział" }).check();
  await expect(preview.getByText("Popraw pole „Liczby w kolumnach”.")).toBeVisible();
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.getByRole("group", { name: "Liczby w kolumnach" }).locator(".field-error")).toBeVisible();
  await clean(page, "editor with an error", { tall: true });
  await page.getByRole("checkbox", { name: "Liczba kierowców: udział" }).uncheck();
  await page.getByRole("checkbox", { name: "Liczba kierowców", exact: true }).uncheck();
  await page.getByRole("button", { name: "Zapisz" }).click();
  await page.getByRole("link", { name: "Wypłaty kierowców" }).click();
  await expect(page).toHaveURL(/\/report\/wyplaty-kierowcow/);
  await expect(page.getByRole("table").getByRole("row").nth(2)).toBeVisible();
});

test("a driver has the reports that the fleet gives, on the phone", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/reports?lang=pl");
  await ready(page, "Moje rozliczenia według miesięcy").click();
  await expect(page.getByText("Włączono raport „Moje rozliczenia według miesięcy”.")).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await frame.resume(saldo.people.oleh, "/app/driver/settlements?lang=pl");
  await page.getByRole("button", { name: "Więcej" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Raporty" }).click();
  await page.getByRole("link", { name: "Moje rozliczenia według miesięcy" }).click();
  const table = page.getByRole("table", { name: "Moje rozliczenia według miesięcy" });
  await expect(table.getByRole("row").nth(1)).toBeVisible();
  await cleanInALook(page, "a driver's report", table);
});
