import { resolve } from "node:path";
import { clean } from "../pages/clean";
import { Frame } from "../pages/frame";
import { expect, test } from "../saldo";

test.use({ size: "small", locale: "de-DE" });

const SCAN = resolve(import.meta.dirname, "../fixtures/invoice-photo.jpg");

test("an employment contract is signed by hand, not on the screen", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await frame.resume(saldo.people.oleh, "/app/driver/fill-documents?lang=de");
  const step = (name: string) => expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeVisible();
  const next = () => page.getByRole("button", { name: "Weiter", exact: true }).click();
  await step("Persönliche Daten");
  // only what Germany asks for
  await expect(page.getByLabel("PESEL")).toHaveCount(0);
  await page.getByLabel("Geburtsdatum").fill("1990-05-14");
  await page.getByLabel("Staatsangehörigkeit").selectOption("UA");
  await page.getByLabel("Steuer-ID").fill("86095742719");
  await page.getByLabel("Art des Ausweises").selectOption("passport");
  await page.getByLabel("Ausweisnummer").fill("FA123456");
  await page.getByLabel("Straße").fill("Lange Straße");
  await page.getByLabel("Hausnummer").fill("1");
  await page.getByLabel("Postleitzahl").fill("10115");
  await page.getByRole("textbox", { name: "Ort", exact: true }).fill("Berlin");
  await page.getByLabel("Telefon").fill("+49 30 1234567");
  await page.getByLabel("E-Mail").fill("oleh@drivers.example");
  await next();
  await step("Fahrzeug und Vertrag");
  await expect(page.getByText("umowa zlecenia")).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Arbeitsvertrag" }).check();
  await page.getByLabel("Ort des Vertrags").fill("Berlin");
  await page.getByLabel("Konto für Auszahlungen").fill("DE89 3704 0044 0532 0130 00");
  await next();
  await step("Steuerliche Angaben");
  await page.getByLabel("Krankenkasse").fill("Techniker");
  await expect(page.getByRole("checkbox", { name: "Befreit von der Rentenversicherung" })).toBeDisabled();
  await clean(page, "German statements", { tall: true });
  await next();

  await step("Unterschrift");
  const contract = page.getByRole("button", { name: /^Arbeitsvertrag/ });
  await expect(contract).toContainText("Unterschrift von Hand, nicht hier");
  await expect(page.getByText("Dieses Dokument braucht eine Unterschrift auf Papier.")).toBeVisible();
  await contract.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("img").first()).toBeVisible();
  await dialog.getByRole("button", { name: "Weiter: Datenschutzhinweise" }).click();
  await dialog.locator("footer").getByRole("button", { name: "Schließen" }).click();
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: "Namen tippen" }).click();
  await page.getByLabel("Vor- und Nachname").fill("Oleh Babiak");
  await page.getByRole("button", { name: "Unterschreiben und senden" }).click();
  await expect(page.getByText("Drucke die markierten Dokumente")).toBeVisible();
  await clean(page, "a contract to print", { tall: true });
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: /^Zum Drucken herunterladen: Arbeitsvertrag/ }).click();
  expect((await file).suggestedFilename()).toMatch(/^Arbeitsvertrag.*\.pdf$/);

  // the scan of what was signed by hand closes it for the driver
  await page.getByRole("link", { name: "Zu den Verträgen" }).click();
  await expect(page.getByText("Von Hand zu unterschreiben")).toBeVisible();
  await page.getByLabel(/^Scan hinzufügen/).setInputFiles(SCAN);
  await expect(page.getByText("Die Flotte prüft den Scan")).toBeVisible();
  await clean(page, "a contract whose scan is there", { tall: true });
});
