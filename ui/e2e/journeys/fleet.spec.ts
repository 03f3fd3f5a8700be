import { clean, cleanAgain } from "../pages/clean";
import { ways } from "../pages/combined";
import { Frame } from "../pages/frame";
import { expect, test } from "../saldo";

for (const width of ways(390, 1440))
  test(`a clerk adds, finds and blocks a driver at ${width} px`, async ({ page, saldo }) => {
    const name = `Babiak${width}`;
    await page.setViewportSize({ width, height: 900 });
    await new Frame(page).resume(saldo.people.anna, "/app/drivers");
    await page.getByRole("button", { name: "Dodaj kierowcę" }).click();
    const drawer = page.getByRole("dialog", { name: "Nowy kierowca" });
    await drawer.getByRole("textbox", { name: "Imię" }).fill("Oleh");
    await drawer.getByRole("textbox", { name: "Nazwisko" }).fill(name);
    await drawer.getByRole("textbox", { name: "E-mail" }).fill("to nie adres");
    await drawer.getByRole("button", { name: "Dodaj kierowcę" }).click();
    await expect(drawer.getByText(/Kierowca nie został dodany/)).toBeVisible();
    await clean(page, "drawer");
    await drawer.getByRole("textbox", { name: "E-mail" }).fill("");
    await drawer.getByRole("button", { name: "Dodaj kierowcę" }).click();
    await expect(drawer).toBeHidden();

    await page.getByRole("textbox", { name: "Nazwisko, e-mail, telefon, umowa" }).fill(name.toLowerCase());
    await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Brak IBAN");
    await cleanAgain(page, "list");
    await page.getByRole("link", { name: `${name} Oleh` }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
    await expect(page.getByText("Dodanie")).toBeVisible();
    await cleanAgain(page, "driver");
    const driver = page.url();
    await page.getByRole("link", { name: "Transakcje" }).click();
    await page.getByRole("button", { name: "Dodaj transakcję" }).first().click();
    const entry = page.getByRole("dialog", { name: "Nowa transakcja" });
    await entry.getByRole("textbox", { name: "Kwota" }).fill("1 234,50");
    await entry.getByRole("radio", { name: "Gotówka" }).check();
    await entry.getByRole("textbox", { name: "Nazwa" }).fill("Mandat");
    await entry.getByRole("textbox", { name: "Powód" }).fill("Przekroczenie prędkości");
    await cleanAgain(page, "entry");
    await entry.getByRole("button", { name: "Dodaj transakcję" }).click();
    await expect(entry).toBeHidden();
    await expect(page.getByText("Mandat").first()).toBeVisible();
    await cleanAgain(page, "transactions");
    await new Frame(page).open(driver);
    await page.getByRole("button", { name: "Zablokuj" }).click();
    const question = page.getByRole("dialog", { name: `Zablokować: Oleh ${name}?` });
    await question.getByRole("button", { name: "Zablokuj" }).click();
    await expect(page.getByRole("button", { name: "Odblokuj" })).toBeVisible();
  });
