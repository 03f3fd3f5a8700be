import { expect, type Page } from "@playwright/test";
import type { Saldo } from "../saldo";
import { Frame } from "./frame";
import { sample } from "./samples";
import { answerUber, card, enterWorkbench } from "./workbench";

const BOLT = "bolt-earnings-pl.csv";
const UBER = "uber-payments_driver-pl.csv";
const DAY_MS = 86_400_000;

/** Monday and Sunday of the week before this one, which screens begin with. */
export function lastWeek(): [from: string, to: string] {
  const today = Date.parse(`${new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Warsaw" }).format(new Date())}Z`);
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS - 7 * DAY_MS;
  const written = (at: number) => new Date(at).toISOString().slice(0, 10);
  return [written(monday), written(monday + 6 * DAY_MS)];
}

/** A partner of its own with two imported files, and drivers made of everybody in them. */
export async function monday(page: Page, saldo: Saldo, code: string) {
  await enterWorkbench(page, saldo, code);
  saldo.grant(code, 100);
  // Files without dates take the week that the stepper shows, the last one at first.
  await page.locator("input[type=file]").setInputFiles([BOLT, UBER].map(sample));
  await answerUber(page, UBER);
  const all = page.getByRole("region", { name: "2 pliki do zatwierdzenia" });
  await all.getByRole("button", { name: /^Wczytaj \d+ transakcj/ }).click();
  await expect(card(page, BOLT).getByText(/^Wczytano \d+/)).toBeVisible();
  await expect(card(page, UBER).getByText(/^Wczytano \d+/)).toBeVisible();
  await new Frame(page).later("/app/upload/drivers");
  await page.getByRole("button", { name: /^Utwórz \d+ kierowc/ }).click();
  await expect(page.getByText(/^Utworzono kierowców: \d+\. Do osobnej decyzji: 0\.$/)).toBeVisible();
}
