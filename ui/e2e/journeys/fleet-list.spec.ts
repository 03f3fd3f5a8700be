import { readFileSync } from "node:fs";
import { clean, cleanAgain } from "../pages/clean";
import { ways } from "../pages/combined";
import { Frame } from "../pages/frame";
import { expect, test } from "../saldo";

for (const width of ways(1440, 390))
  test(`a clerk sorts, exports and settles a list of drivers at ${width} px`, async ({ page, saldo }) => {
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    const names = ["Adamski", "Borek", "Czapla"].map((name) => `${name}${width}`);
    const tag = `Nocni ${width}`;
    const schema = `Kurierzy ${width}`;
    await page.setViewportSize({ width, height: 900 });
    await new Frame(page).resume(saldo.people.anna, "/app/tags");
    await page.getByRole("button", { name: "Dodaj etykietę" }).first().click();
    await page.getByRole("textbox", { name: "Nazwa" }).fill(tag);
    await page.getByRole("dialog").getByRole("button", { name: "Dodaj etykietę" }).click();
    await expect(page.getByRole("dialog")).toBeHidden();

    await page.goto("/app/drivers");
    for (const name of names) {
      await page.getByRole("button", { name: "Dodaj kierowcę" }).first().click();
      const drawer = page.getByRole("dialog", { name: "Nowy kierowca" });
      await drawer.getByRole("textbox", { name: "Imię" }).fill("Jan");
      await drawer.getByRole("textbox", { name: "Nazwisko" }).fill(name);
      await drawer.getByRole("textbox", { name: "Telefon" }).fill("601 234 567");
      await drawer.getByRole("textbox", { name: "Numer umowy" }).fill(`=1+${width}`);
      await drawer.getByRole("button", { name: "Dodaj kierowcę" }).click();
      await expect(drawer).toBeHidden();
    }

    await page.getByRole("textbox", { name: "Nazwisko, e-mail, telefon, umowa" }).fill(String(width));
    await page.getByRole("button", { name: /^Bez własnego schematu/ }).click();
    await expect(page).toHaveURL(/show=schema/);
    for (const name of names) await expect(row(name)).toContainText("Standard domyślny");

    await page.getByRole("button", { name: "Kolumny" }).click();
    const chooser = page.getByRole("dialog", { name: "Kolumny" });
    await chooser.getByRole("checkbox", { name: "Numer umowy" }).press("Space");
    await clean(page, "columns", { tall: true });
    await page.keyboard.press("Escape");
    await page.reload();
    await expect(row(names[0] ?? "")).toContainText(`=1+${width}`);
    await cleanAgain(page, "list", { tall: true });

    for (const name of names) await page.getByRole("checkbox", { name: `Zaznacz: ${name} Jan` }).check();
    const bar = page.getByRole("region", { name: "Zaznaczeni kierowcy" });
    await expect(bar).toContainText("Zaznaczono 3 kierowców");
    await bar.getByRole("combobox", { name: "Etykieta" }).selectOption(tag);
    await clean(page, "selection", { tall: true });
    await bar.getByRole("button", { name: "Dodaj etykietę" }).click();
    await expect(page.getByText(`Dodano etykietę „${tag}” 3 kierowcom.`)).toBeVisible();
    for (const name of names) await expect(row(name)).toContainText(tag);
    await page.getByRole("button", { name: "Cofnij" }).click();
    await expect(page.getByText("Cofnięto u 3 kierowców")).toBeVisible();
    for (const name of names) await expect(row(name)).not.toContainText(tag);

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Eksport" }).click();
    await page.getByRole("menuitem", { name: "CSV" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^drivers-\d{4}-\d\d-\d\d\.csv$/);
    const lines = readFileSync(await file.path(), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines[0]).toContain("\ufeffNazwisko;Imię;E-mail;Telefon;IBAN");
    expect(lines.slice(1).map((line) => line.split(";")[0])).toEqual(names);
    expect(lines[1]).toContain(`;'+48601234567;`);
    expect(lines[1]).toContain(`;'=1+${width};`);

    await new Frame(page).open("/app/schemas");
    await page.getByRole("button", { name: "Dodaj schemat" }).click();
    await page.getByRole("textbox", { name: "Nazwa", exact: true }).fill(schema);
    await page.getByRole("button", { name: "Dodaj schemat" }).click();
    await expect(page.getByRole("button", { name: schema, exact: true })).toBeVisible();
    await new Frame(page).open(`/app/drivers?q=${names[1]}`);
    await page.getByRole("link", { name: `${names[1]} Jan` }).click();
    await page.getByRole("combobox", { name: "Schemat" }).click();
    await page.getByTitle(schema).click();
    await page.getByRole("button", { name: "Zapisz", exact: true }).click();
    await expect(page.getByText("Zapisano", { exact: true })).toBeVisible();
    await expect(page.getByText(`Schemat: ${schema}`)).toBeVisible();
    await expect(page.getByText(`Schemat: Domyślny → ${schema}`)).toBeVisible();
    await cleanAgain(page, "driver", { tall: true });
    await new Frame(page).open(`/app/drivers?q=${width}`);
    await expect(row(names[1] ?? "")).toContainText(schema);
    await expect(row(names[0] ?? "")).toContainText("Standard domyślny");
  });
