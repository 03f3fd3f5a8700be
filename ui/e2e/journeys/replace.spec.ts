import { readFileSync } from "node:fs";
import { clean } from "../pages/clean";
import { ways } from "../pages/combined";
import { Frame } from "../pages/frame";
import { sample } from "../pages/samples";
import { card, enterWorkbench } from "../pages/workbench";
import { expect, test } from "../saldo";

const FILE = "Zarobki na kierowcę-2026W46-Demo.csv";

/** Bolt's report of one driver; corrected, it has 10 more. */
function report(corrected: boolean) {
  const text = readFileSync(sample("bolt-earnings-pl.csv"), "utf8").split("\n").slice(0, 2).join("\n");
  const changes = [
    ["4970.90", "4980.90"],
    ["4210.40", "4220.40"],
    ["3756.30", "3766.30"],
    ["3181.50", "3191.50"],
  ] as const;
  const said = corrected ? changes.reduce((all, [from, to]) => all.replace(from, to), text) : text;
  return [{ name: FILE, mimeType: "text/csv", buffer: Buffer.from(said) }];
}

for (const width of ways(390, 1440))
  test(`a clerk replaces a corrected week and sees what is due at ${width} px`, async ({ page, saldo }) => {
    await page.setViewportSize({ width, height: 900 });
    await enterWorkbench(page, saldo, `replace-${width}`);
    await page.locator("input[type=file]").setInputFiles(report(false));
    await page.getByRole("button", { name: /^Wczytaj \d+ transakcj/ }).click();
    await card(page, FILE).getByRole("link", { name: "Przypisz kierowców" }).click();
    await page.getByRole("button", { name: /^Utwórz kierowcę: / }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Utwórz i przypisz" }).click();
    await expect(page.getByRole("dialog")).toBeHidden();

    await new Frame(page).later("/app/upload");
    await page.locator("input[type=file]").setInputFiles(report(true));
    const again = card(page, FILE).filter({ hasText: "Ten tydzień jest już wczytany, z innymi kwotami" });
    const row = again.getByRole("row", { name: /Żółkiewski/ });
    await expect(row).toContainText("3 181,50");
    await expect(row).toContainText("3 191,50");
    await expect(row).toContainText("+10,00");
    await expect(again.getByRole("button", { name: "Wczytaj jako dodatkowe" })).toBeVisible();
    await clean(page, "difference", { tall: true });
    await again.getByRole("button", { name: "Zastąp ten tydzień" }).click();
    await expect(card(page, FILE).getByText(/^Wczytano 1 transakcj/)).toBeVisible();
    await clean(page, "replaced", { tall: true });

    // the log says what became of the older file
    await new Frame(page).later("/app/log");
    await page
      .getByRole("link", { name: `Otwórz ${FILE}` })
      .last()
      .click();
    await expect(page.getByText("Zastąpiony").first()).toBeVisible();
    await clean(page, "older-file", { tall: true });
    await page
      .getByRole("table", { name: "Wiersze z tego pliku" })
      .getByRole("link", { name: /Żółkiewski/ })
      .first()
      .click();
    await expect(page.getByText(/3.191,50/).first()).toBeVisible();
  });
