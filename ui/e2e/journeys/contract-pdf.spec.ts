import { execFileSync } from "node:child_process";
import type { Locator } from "@playwright/test";
import { clean, cleanInALook } from "../pages/clean";
import { asking } from "../pages/contracts";
import { Frame } from "../pages/frame";
import { pdf } from "../pages/pdf";
import { declare, next, personal, read, statements, step, terms } from "../pages/wizard";
import { expect, test } from "../saldo";

// A fleet with a driver who has an account and is accepted.
test.use({ size: "small" });

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 1000 };
const PDF = { name: "Umowa floty.pdf", mimeType: "application/pdf", buffer: pdf("Umowa floty", "Druga strona") };
const LOCKED = { ...PDF, buffer: Buffer.from("%PDF-1.7\ntrailer <</Encrypt 9 0 R>>") };

/** Where a field lies, as it says itself: from the left, from the top, its width and height. */
const placeOf = async (field: Locator) =>
  ((await field.getAttribute("aria-label")) ?? "").match(/\d+(,\d)?/g)?.map((n) => Number(n.replace(",", ".")));

test("a partner's PDF gets fields by keyboard and mouse, is signed on a phone, and its seal holds", async ({
  page,
  saldo,
}, info) => {
  const ask = asking(page);
  const frame = new Frame(page);
  await page.setViewportSize(DESK);
  await frame.resume(saldo.people.anna, "/app/contracts/texts?lang=pl");
  await page.getByRole("link", { name: "Dodaj własny PDF" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Nowy dokument z PDF" })).toBeVisible();
  const input = page.locator("input[type=file]");
  await input.setInputFiles(LOCKED);
  await expect(page.getByText(/^Tego pliku nie można użyć/)).toBeVisible();
  await cleanInALook(page, "choosing a PDF");
  await input.setInputFiles(PDF);
  await expect(page.getByRole("img", { name: "Strona 1 pliku" })).toBeVisible();
  await expect(page.getByText("Dodaj podpis kierowcy lub floty.")).toBeVisible();
  await page.getByLabel("Nazwa dokumentu").fill("Umowa floty");

  // by keyboard: from the menu, moved, resized, taken back
  const add = async (name: string) => {
    await page.getByRole("button", { name: "Dodaj pole" }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  await page.getByRole("button", { name: "Dodaj pole" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "imię i nazwisko" }).focus();
  await page.keyboard.press("Enter");
  const field = page.getByRole("button", { name: /^imię i nazwisko: / });
  await expect(field).toBeFocused();
  const [x = 0, y = 0, w = 0, h = 0] = (await placeOf(field)) ?? [];
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  expect(await placeOf(field)).toEqual([x + 2, y - 1, w + 1, h + 1]);
  await page.keyboard.press("Control+z");
  expect(await placeOf(field)).toEqual([x, y, w, h]);
  await add("adres zameldowania");
  await expect(page.getByRole("button", { name: /^adres zameldowania: / })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(field).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Delete");
  await expect(page.getByRole("button", { name: /^adres zameldowania/ })).toHaveCount(0);
  await expect(field).toBeFocused();

  // by mouse: dragged, resized by its corner, never beyond the page
  const box = (await field.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + 20, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 70, box.y + box.height / 2 + 40, { steps: 5 });
  await page.mouse.up();
  const [left = 0, top = 0] = (await placeOf(field)) ?? [];
  expect(left).toBeGreaterThan(x + 5);
  expect(top).toBeGreaterThan(y + 5);
  const now = (await field.boundingBox()) ?? box;
  await page.mouse.move(now.x + now.width + 1, now.y + now.height + 1);
  await page.mouse.down();
  await page.mouse.move(now.x + 5000, now.y + now.height + 1, { steps: 3 });
  await page.mouse.up();
  const [atLeft = 0, , wide = 0] = (await placeOf(field)) ?? [];
  expect(atLeft + wide).toBeCloseTo(209.9, 0);
  await page.getByRole("button", { name: "Cofnij" }).click();
  expect((await placeOf(field))?.[2]).toBe(w);

  // the second page: a box to tick and the signatures
  await page.getByRole("button", { name: "Następna strona" }).click();
  await expect(page.getByRole("img", { name: "Strona 2 pliku" })).toBeVisible();
  await add("chce ubezpieczenia chorobowego");
  await add("podpis kierowcy");
  await add("podpis floty");
  await expect(page.getByText("Dodaj podpis kierowcy lub floty.")).toBeHidden();
  await cleanInALook(page, "fields on a PDF");
  await page.getByRole("button", { name: "Poprzednia strona" }).click();

  // a value that does not fit is named; with more room the page shows the driver's data
  await page.getByRole("button", { name: "imię i nazwisko", exact: true }).click();
  await page.getByLabel("Szerokość, mm").fill("3");
  await page.getByLabel("Wypróbuj z danymi kierowcy").selectOption({ index: 1 });
  await expect(page.getByText("„imię i nazwisko” nie mieści się w polu na stronie 1. Powiększ pole.")).toBeVisible();
  await page.getByLabel("Szerokość, mm").fill("80");
  await expect(page.getByText(/nie mieści się/)).toBeHidden();
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.getByText("Dokument zapisany. Wersja 1.")).toBeVisible();
  await expect(page).toHaveURL(/\/contracts\/texts\/[0-9a-f-]{36}/);

  // what is not saved is asked about, and is there after a reload
  await page.setViewportSize(PHONE);
  await field.focus();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("link", { name: "Teksty dokumentów" }).click();
  await page.getByRole("button", { name: "Wróć do edycji" }).click();
  const before = await placeOf(field);
  await page.reload();
  await expect(page.getByText("To jest tekst, którego nie zapisano ostatnio.")).toBeVisible();
  expect(await placeOf(field)).toEqual(before);
  await clean(page, "fields on a PDF on a phone", { tall: true });
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.getByText("Dokument zapisany. Wersja 2.")).toBeVisible();

  // a driver reads and signs it on the phone
  await frame.resume(saldo.people.oleh, "/app/driver/fill-documents?lang=pl");
  await step(page, "Dane osobowe");
  await personal(page);
  await next(page);
  await step(page, "Pojazd i umowa");
  await terms(page);
  await next(page);
  await step(page, "Oświadczenia podatkowe");
  await statements(page);
  await next(page);
  await step(page, "Podpis");
  await read(page);
  await declare(page);
  await page.getByRole("button", { name: "Wpisz imię i nazwisko" }).click();
  await page.getByLabel("Imię i nazwisko").fill("Oleh Bondar");
  await page.getByRole("button", { name: "Podpisz i wyślij" }).click();
  await expect(page.getByRole("heading", { name: "Podpisano" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Pobierz: Umowa floty" })).toBeVisible();

  // the sealed file is the partner's pages with the driver's name, and poppler finds its seal valid
  await page.setViewportSize(DESK);
  await frame.resume(saldo.people.anna, "/app/contracts?lang=pl");
  await expect(page.getByRole("heading", { level: 1, name: "Umowy" })).toBeVisible();
  const listed = (await (await ask("GET", "/api/partner-documents/signed")).json()) as {
    contracts: { contractId: string; driverUUID: string; documents: { title: string }[] }[];
  };
  const signed = listed.contracts.find(({ documents }) => documents.some(({ title }) => title === "Umowa floty"));
  await page.goto(`/app/contracts/${signed?.driverUUID}/${signed?.contractId}?lang=pl`);
  const entry = page
    .getByRole("region", { name: "Dokumenty" })
    .getByRole("listitem")
    .filter({ hasText: "Umowa floty" });
  await expect(entry.getByText("Plik z pieczęcią")).toBeVisible();
  const download = page.waitForEvent("download");
  await entry.getByRole("button", { name: /^Pobierz:/ }).click();
  const file = info.outputPath("signed.pdf");
  await (await download).saveAs(file);
  const seal = execFileSync("pdfsig", ["-nocert", file]).toString();
  expect(seal).toContain("Signature is Valid");
  expect(seal).toContain("Total document signed");
  const words = execFileSync("pdftotext", ["-layout", file, "-"]).toString();
  for (const word of ["Umowa floty", "Druga strona", "Oleh Bondar"]) expect(words).toContain(word);
});
