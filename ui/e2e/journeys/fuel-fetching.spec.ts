import { clean } from "../pages/clean";
import { Frame } from "../pages/frame";
import { PASSWORD } from "../pages/issuer";
import { texts } from "../pages/texts";
import { expect, test } from "../saldo";

test.use({ issued: true, apart: "fuel-fetching" });

const languages = ["en", "de", "uk", "ru", "pl"] as const;

test("a partner connects fuel cards and a mailbox, and finds what was fetched in the imports", async ({
  page,
  saldo,
}) => {
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/profile?lang=pl");
  const section = page.getByRole("region", { name: "Połączenia" });
  const row = (name: string) => section.getByRole("listitem").filter({ hasText: name });

  const cards = row("ORLEN Flota");
  await cards.getByRole("button", { name: "Połącz" }).click();
  const orlen = page.getByRole("dialog", { name: "ORLEN Flota" });
  await orlen.getByLabel("Numer floty").fill("0012345");
  await orlen.getByLabel("Login").fill("anna");
  await orlen.getByLabel("Hasło").fill("hunter3");
  await orlen.getByRole("button", { name: "Sprawdź i zapisz" }).click();
  await expect(orlen.getByText(/Usługa odrzuciła login lub hasło/)).toBeVisible();
  await orlen.getByLabel("Hasło").fill(PASSWORD);
  await orlen.getByRole("button", { name: "Sprawdź i zapisz" }).click();
  await expect(orlen).toBeHidden();
  await cards.getByRole("button", { name: "Pobierz teraz" }).click();
  await expect(cards.getByText(/Działa.*Wiersze w ostatnim pliku: 4, nowe: 4\./s)).toBeVisible();

  const box = row("Skrzynka na zestawienia paliwowe");
  await box.getByRole("button", { name: "Połącz" }).click();
  const form = page.getByRole("dialog", { name: "Skrzynka na zestawienia paliwowe" });
  await form.getByLabel("Serwer IMAP").fill(saldo.mailbox);
  await form.getByLabel("Login").fill("anna");
  await form.getByLabel("Hasło").fill(PASSWORD);
  await form.getByRole("checkbox", { name: "Zatwierdzaj pliki automatycznie" }).check();
  await clean(page, "connecting a mailbox");
  await form.getByRole("button", { name: "Sprawdź i zapisz" }).click();
  await expect(form).toBeHidden();
  await box.getByRole("button", { name: "Pobierz teraz" }).click();
  await expect(box.getByText(/Wiersze w ostatnim pliku: 3, nowe: 3\./)).toBeVisible();
  await expect(page.getByText(PASSWORD)).toBeHidden();

  for (const language of languages) {
    const t = texts(language);
    await page.goto(`/app/profile?lang=${language}`);
    const shown = page.getByRole("region", { name: t("connections:title") });
    await expect(shown.getByText(t("connections:kind.fuel.mailbox"))).toBeVisible();
    await expect(shown.getByRole("button", { name: t("connections:fetch") })).toHaveCount(2);
  }

  await page.goto("/app/log?lang=pl"); // nobody knows the cards, so even what may be confirmed by itself waits
  await expect(page.getByRole("link", { name: /zestawienie\.csv/ })).toBeVisible();
  await page.getByRole("link", { name: /orlen-.*\.csv/ }).click();
  await expect(page.getByText(/ORLEN Flota,/)).toBeVisible();
  await expect(page.getByText("Pobrano automatycznie")).toBeVisible();
  await expect(page.getByText(/^Ten plik został pobrany automatycznie\. Sprawdź go/)).toBeVisible();
});
