import { clean, cleanAgain } from "../pages/clean";
import { ways } from "../pages/combined";
import { Frame } from "../pages/frame";
import { expect, test } from "../saldo";

for (const width of ways(390, 1440))
  test(`a clerk merges two duplicates and takes it back at ${width} px`, async ({ page, saldo }) => {
    const last = `Dubel${width}`;
    // both widths share one fleet: the same phones would be evidence across them
    const prefix = width === 390 ? "601 390" : "601 144";
    const digits = prefix.replace(" ", "");
    await page.setViewportSize({ width, height: 900 });
    const frame = new Frame(page);
    await frame.resume(saldo.people.anna, "/app/drivers");
    const search = page.getByRole("textbox", { name: "Nazwisko, e-mail, telefon, umowa" });
    const drawer = page.getByRole("dialog", { name: "Nowy kierowca" });
    const links: string[] = [];
    for (const [first, phone, amount] of [
      ["Zofia", `${prefix} 200`, "100,00"],
      ["Żofia", `${prefix} 300`, "250,00"],
    ] as const) {
      await frame.open("/app/drivers");
      await page.getByRole("button", { name: "Dodaj kierowcę" }).click();
      await drawer.getByRole("textbox", { name: "Imię" }).fill(first);
      await drawer.getByRole("textbox", { name: "Nazwisko" }).fill(last);
      await drawer.getByRole("textbox", { name: "Telefon" }).fill(phone);
      await drawer.getByRole("button", { name: "Dodaj kierowcę" }).click();
      await expect(drawer).toBeHidden();
      await search.fill(last);
      await page.getByRole("link", { name: `${last} ${first}` }).click();
      await expect(page.getByRole("heading", { level: 1 })).toContainText(last);
      links.push(page.url());
      await page.locator("main").getByRole("link", { name: "Transakcje" }).click();
      await page.getByRole("button", { name: "Dodaj transakcję" }).first().click();
      const entry = page.getByRole("dialog", { name: "Nowa transakcja" });
      await entry.getByRole("textbox", { name: "Kwota" }).fill(amount);
      await entry.getByRole("radio", { name: "Karta" }).check();
      await entry.getByRole("textbox", { name: "Nazwa" }).fill(`Koszt ${first}`);
      await entry.getByRole("textbox", { name: "Powód" }).fill("Mandat");
      await entry.getByRole("button", { name: "Dodaj transakcję" }).click();
      await expect(entry).toBeHidden();
    }

    // The proposal says what speaks for it; nothing was merged by itself.
    await frame.open("/app/drivers");
    await page.getByRole("link", { name: /Możliwe duplikaty/ }).click();
    const pair = page.getByRole("listitem").filter({ hasText: last });
    await expect(pair).toContainText("imię i nazwisko");
    await clean(page, "duplicates", { tall: true });
    await pair.getByRole("button", { name: /To różne osoby/ }).click();
    await expect(pair).toBeHidden();
    await page.getByRole("button", { name: "Różne osoby", exact: true }).click();
    await pair.getByRole("button", { name: /Proponuj ponownie/ }).click();
    await expect(pair).toBeHidden();
    await page.getByRole("button", { name: "Do sprawdzenia" }).click();
    await pair.getByRole("link", { name: /Porównaj i połącz/ }).click();

    // Both sides, what moves, the totals after.
    const phones = page.getByRole("group", { name: "Telefon" });
    await expect(phones.getByRole("radio", { name: `+48${digits}200` })).toBeChecked();
    await phones.getByRole("radio", { name: `+48${digits}300` }).check();
    await expect(page.getByText("1 nierozliczona transakcja").first()).toBeVisible();
    await expect(page.getByText("−350,00")).toBeVisible();
    await clean(page, "merge", { tall: true });
    await page.getByRole("button", { name: `Połącz: Żofia ${last} → Zofia ${last}` }).click();
    await expect(page).toHaveURL((links[0] ?? "").replace(/\?.*/, ""));
    await expect(page.getByRole("textbox", { name: "Telefon", exact: true })).toHaveValue(`+48${digits}300`);
    await expect(page.getByText(`Połączono z: Żofia ${last}`)).toBeVisible();
    await expect(page.getByText(`dotyczy: Żofia ${last}`).first()).toBeVisible();
    await clean(page, "merged driver", { tall: true });
    await page.locator("main").getByRole("link", { name: "Transakcje" }).click();
    await expect(page.getByText("Koszt Zofia").first()).toBeVisible();
    await expect(page.getByText("Koszt Żofia").first()).toBeVisible();

    // And back: both are there as before.
    await frame.open(links[0] ?? "");
    await page.getByRole("button", { name: `Cofnij połączenie: Żofia ${last}` }).click();
    const question = page.getByRole("dialog", { name: `Cofnąć połączenie z: Żofia ${last}?` });
    await clean(page, "undo", { tall: true });
    await question.getByRole("button", { name: "Cofnij połączenie" }).click();
    await expect(page.getByText("Cofnięto: znów są osobno")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Telefon", exact: true })).toHaveValue(`+48${digits}200`);
    await frame.open(links[1] ?? "");
    await expect(page.getByRole("textbox", { name: "Telefon", exact: true })).toHaveValue(`+48${digits}300`);
    await page.locator("main").getByRole("link", { name: "Transakcje" }).click();
    await expect(page.getByText("Koszt Żofia").first()).toBeVisible();
    await expect(page.getByText("Koszt Zofia")).toHaveCount(0);

    // The other way in: from the driver, by search, and back at once from the message.
    await page.goto(links[1] ?? "");
    await page.getByRole("link", { name: "Połącz z innym kierowcą" }).click();
    await expect(page.getByRole("link", { name: `Porównaj: Zofia ${last}` })).toBeVisible();
    await cleanAgain(page, "pick", { tall: true });
    await page.getByRole("link", { name: `Porównaj: Zofia ${last}` }).click();
    await page.getByRole("button", { name: "Zamień strony" }).click();
    await page.getByRole("button", { name: `Połącz: Żofia ${last} → Zofia ${last}` }).click();
    await page.getByRole("region", { name: "Powiadomienia" }).getByRole("button", { name: "Cofnij" }).click();
    await expect(page.getByText("Cofnięto: znów są osobno")).toBeVisible();
  });
