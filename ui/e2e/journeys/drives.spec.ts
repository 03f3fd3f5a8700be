import { readFileSync } from "node:fs";
import { calling, newSchema } from "../pages/api";
import { clean, cleanInEveryLanguage, LANGUAGES } from "../pages/clean";
import { Frame } from "../pages/frame";
import { PASSWORD } from "../pages/issuer";
import { texts } from "../pages/texts";
import { expect, test } from "../saldo";

test.use({ issued: true, apart: "drives" });

const DAY = 86_400_000;
const iso = (date: Date) => date.toISOString().slice(0, 10);

/** A week that lies whole in the month before: its code and its Wednesday. */
function weekOfLastMonth() {
  const now = new Date();
  const tenth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 10));
  const thursday = new Date(tenth.getTime() - ((tenth.getUTCDay() + 6) % 7) * DAY + 3 * DAY);
  const week = Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / DAY / 7) + 1;
  const code = `${thursday.getUTCFullYear()}-W${String(week).padStart(2, "0")}`;
  return { code, wednesday: iso(new Date(thursday.getTime() - DAY)), month: iso(tenth).slice(0, 7) };
}

test("a partner connects a drive, and the pack for the accountant goes there with each change", async ({
  page,
  saldo,
}) => {
  const call = calling(page);
  const frame = new Frame(page);
  const { at: drive, address } = saldo.drive;
  await frame.resume(saldo.people.anna, "/app/profile?lang=pl");
  const section = page.getByRole("region", { name: "Połączenia" });
  const row = section.getByRole("listitem").filter({ hasText: "Dysk WebDAV" });

  // a wrong password is told, and nothing is kept
  await row.getByRole("button", { name: "Połącz" }).click();
  const form = page.getByRole("dialog", { name: "Dysk WebDAV" });
  await form.getByLabel("Adres folderu").fill(address);
  await form.getByLabel("Login").fill("anna");
  await form.getByLabel("Hasło").fill("hunter3");
  await form.getByRole("button", { name: "Sprawdź i zapisz" }).click();
  await expect(form.getByText(/Usługa odrzuciła login lub hasło/)).toBeVisible();
  await clean(page, "a drive that refused");
  await form.getByLabel("Hasło").fill(PASSWORD);
  await form.getByRole("button", { name: "Sprawdź i zapisz" }).click();
  await expect(form).toBeHidden();
  await expect(row.getByText(/Działa.*Wolne miejsce: 5 GB\./s)).toBeVisible();
  await expect(page.getByText(PASSWORD)).toBeHidden();

  // a month without anything has a pack too; it says so
  const { code, wednesday, month } = weekOfLastMonth();
  await frame.open("/app/documents");
  await page.getByRole("link", { name: "Paczka dla księgowości" }).click();
  await expect(page.getByText("Nie ma jeszcze żadnej paczki")).toBeVisible();
  await cleanInEveryLanguage(page, ["/documents/accountant"]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/app/documents/accountant?lang=pl");
  await page.getByRole("button", { name: "Przygotuj paczkę" }).click();
  const packs = page.getByRole("list", { name: "Paczka dla księgowości" }).locator("> li");
  await expect(packs).toHaveCount(1);
  await expect(packs.first()).toContainText(/wersja 1.*Gotowa.*Rozliczenia: 0/s);

  // asked for again, it is the same
  await page.getByRole("button", { name: "Przygotuj paczkę" }).click();
  await expect(packs.first()).toContainText("Gotowa");
  await expect(packs).toHaveCount(1);

  // a late settlement of that month makes a second version, which names it
  const driver = await call<{ id: string }>("POST", "/api/drivers", {
    firstName: "Zofia",
    lastName: "Dyskowa",
    schemaNumber: await newSchema(call, { name: "Zlecenie", contractType: "CIVIL_CONTRACT" }),
  });
  await call("POST", "/api/transactions", {
    driverUUID: driver.id,
    kind: "internal",
    amount: 108_000,
    occurredOn: wednesday,
    payment: "card",
    name: "Kurs",
    reason: "Kurs",
  });
  const run = await call<{ id: string }>("POST", "/api/settlement-runs", { period: code, drivers: [driver.id] });
  await call("POST", `/api/settlement-runs/${run.id}/start`, { share: true });
  await expect
    .poll(async () => (await call<{ state: string }>("GET", `/api/settlement-runs/${run.id}`)).state)
    .toBe("done");
  await page.getByRole("button", { name: "Przygotuj paczkę" }).click();
  await expect(packs).toHaveCount(2);
  await expect(packs.first()).toContainText(/wersja 2.*Gotowa.*Rozliczenia: 1/s);
  await packs.first().getByText("Różnice względem poprzedniej wersji: 1").click();
  await expect(packs.first()).toContainText(/Rozliczenie \d+: dodane/);
  await clean(page, "a pack with differences, on a phone", { tall: true });

  // what is downloaded is what the drive has, version by version
  const download = page.waitForEvent("download");
  await packs.first().getByRole("button", { name: "Pobierz ZIP" }).click();
  const content = readFileSync(await (await download).path());
  const sent = () => [...drive.files].filter(([path]) => path.endsWith(".zip"));
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto("/app/profile?lang=pl");
  await row.getByRole("button", { name: "Wyślij też starsze…" }).click();
  const older = page.getByRole("dialog", { name: "Starsze dokumenty" });
  await older.getByLabel("Od dnia").fill(`${month}-01`);
  await older.getByRole("button", { name: "Wyślij" }).click();
  await expect(older).toBeHidden();
  await expect.poll(() => sent().length, { timeout: 60_000 }).toBe(2);
  expect(sent().some(([path, file]) => path.includes(month.replace("-", "/")) && file.equals(content))).toBe(true);

  await page.setViewportSize({ width: 390, height: 844 });
  for (const language of LANGUAGES) {
    const t = texts(language);
    await page.goto(`/app/documents/accountant?lang=${language}`);
    const shown = page.getByRole("list", { name: t("documents:pack") }).locator("> li");
    await expect(shown).toHaveCount(2);
    await expect(shown.first().getByText(t("accountant:state_ready"))).toBeVisible();
    await clean(page, `packs in ${language}, on a phone`, { tall: true });
  }

  // the password is changed at the service: the connection stops in words, once, until somebody mends it
  drive.changePassword("another");
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto("/app/profile?lang=pl");
  await row.getByRole("button", { name: "Sprawdź" }).click();
  await expect(row.getByText(/Zatrzymane.*Login lub hasło są odrzucane/s)).toBeVisible();
  for (const language of LANGUAGES) {
    const t = texts(language);
    await page.goto(`/app/profile?lang=${language}`);
    const shown = page.getByRole("region", { name: t("connections:title") });
    await expect(shown.getByText(t("connections:state.stopped"))).toBeVisible();
    await expect(shown).toContainText(new RegExp(t("connections:why.denied").source.slice(1)));
  }
  await page.goto("/app/?lang=pl");
  await page.getByText("Połączenia wymagające uwagi: 1").click();
  await expect(section.getByRole("heading", { name: "Połączenia" })).toBeInViewport();
});
