import type { Page } from "@playwright/test";
import { clean } from "../pages/clean";
import { ways } from "../pages/combined";
import { Frame } from "../pages/frame";
import { card, enterWorkbench, open } from "../pages/workbench";
import { expect, test } from "../saldo";

const HEAD = "Zestawienie kart;;;;\nNr karty;Dzień;Godzina;Do zapłaty;Stacja\n";

const file = (name: string, ...rows: string[]) => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(`${HEAD}${rows.join("\n")}\nRazem;;;999,00;\n`),
});

const give = (page: Page, ...files: ReturnType<typeof file>[]) => page.locator("input[type=file]").setInputFiles(files);
const holds = (page: Page, column: string) => page.getByRole("combobox", { name: `Co zawiera kolumna ${column}` });

for (const width of ways(1440, 390))
  test(`a clerk describes an unknown fuel card once, and the next file is recognised at ${width} px`, async ({
    page,
    saldo,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await enterWorkbench(page, saldo, `mapping-${width}`);
    await give(
      page,
      file("karty-wrzesien.csv", "700123;21.09.2026;06:10;250,40;Wola", "700124;22.09.2026;18:05;99,60;Praga"),
    );
    await expect(card(page, "karty-wrzesien.csv").getByText("Nic nie zostało wczytane")).toBeVisible();
    await clean(page, "unknown file");
    await page.getByRole("link", { name: "Opisz kolumny pliku karty-wrzesien.csv" }).click();

    // The row of names is found below the title; the description says what it lacks.
    await expect(page.getByLabel("Wiersz z nazwami kolumn")).toHaveValue("2");
    await expect(page.getByText(/^Jeszcze brakuje: dostawca; kolumna z kwotą; kolumna z datą/)).toBeVisible();
    await clean(page, "nothing described");
    await page.getByRole("button", { name: "Zapamiętaj i odczytaj plik" }).click();
    await expect(page.getByText(/^Nic nie zostało zapisane/)).toBeVisible();
    await expect(page.getByLabel("Dostawca")).toHaveAttribute("aria-invalid", "true");
    await clean(page, "refused");

    await holds(page, "Nr karty").selectOption("numer karty");
    await holds(page, "Dzień").selectOption("data");
    await holds(page, "Godzina").selectOption("godzina");
    await holds(page, "Do zapłaty").selectOption("kwota");
    await page.getByLabel("Dostawca").selectOption("Flotex");
    await page.getByRole("textbox", { name: "Nazwa" }).fill("Karty Flotex");
    const tried = page.getByRole("table", { name: "Tak odczytamy pierwsze wiersze" });
    await expect(tried.getByRole("row", { name: /^3 21 wrz 2026 06:10 karta 700123 Paliwo −250,40/ })).toBeVisible();
    await expect(tried.getByText("suma, pomijamy")).toBeVisible();
    await clean(page, "described");
    await page.getByRole("button", { name: "Zapamiętaj i odczytaj plik" }).click();

    const first = card(page, "karty-wrzesien.csv");
    await expect(first.getByText("Flotex, własny układ")).toBeVisible();
    await page.getByRole("button", { name: /^Wczytaj 2 transakcje \(−350,00.zł\)/ }).click();
    await expect(first.getByText(/^Wczytano 2/)).toBeVisible();
    await open(page, "karty-wrzesien.csv");
    await first.getByRole("link", { name: "Pokaż wczytany plik" }).click();
    const rows = page.getByRole("table", { name: "Wiersze z tego pliku" });
    await expect(rows.getByText("−250,40")).toBeVisible();
    await expect(rows.getByText("−99,60")).toBeVisible();

    // The next file with these columns needs no word.
    await new Frame(page).later("/app/upload");
    await give(page, file("karty-pazdziernik.csv", "700123;02.10.2026;07:00;10,00;Wola"));
    await expect(card(page, "karty-pazdziernik.csv").getByText("Flotex, własny układ")).toBeVisible();

    // A corrected description reads again what waits, and can be forgotten.
    await page.getByRole("link", { name: "Zapamiętane opisy kolumn" }).click();
    await clean(page, "all descriptions");
    await page.getByRole("link", { name: "Zmień Karty Flotex" }).click();
    await expect(holds(page, "Do zapłaty")).toHaveValue("amount");
    await expect(tried.getByRole("row", { name: /Paliwo −250,40/ })).toBeVisible();
    await page.getByLabel("Typ wszystkich wierszy").selectOption("Koszt");
    await expect(tried.getByRole("row", { name: /Koszt −250,40/ })).toBeVisible();
    await clean(page, "a description");
    await page.getByRole("button", { name: "Zapisz zmiany" }).click();
    await expect(page.getByRole("link", { name: "Zmień Karty Flotex" })).toBeVisible();
    await new Frame(page).later("/app/upload");
    const second = card(page, "karty-pazdziernik.csv");
    await open(page, "karty-pazdziernik.csv");
    await expect(second.getByRole("table", { name: "Kwoty nowych wierszy" }).getByText("Koszt")).toBeVisible();
    await page.getByRole("link", { name: "Zapamiętane opisy kolumn" }).click();
    await page.getByRole("button", { name: "Usuń Karty Flotex" }).click();
    const question = page.getByRole("dialog", { name: "Usunąć Karty Flotex?" });
    await clean(page, "question");
    await question.getByRole("button", { name: "Usuń" }).click();
    await expect(page.getByText("Nic jeszcze nie opisano")).toBeVisible();
  });
