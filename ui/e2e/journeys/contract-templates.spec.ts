import { readFileSync, writeFileSync } from "node:fs";
import { clean, cleanInALook, LANGUAGES } from "../pages/clean";
import { combined, SOAK } from "../pages/combined";
import { asking, signedContract } from "../pages/contracts";
import { Frame } from "../pages/frame";
import { expect, test } from "../saldo";

test.use({ size: "small" });

const PHONE = { width: 390, height: 844 };

test("several contracts are countersigned after a look at what that does, and anybody checks a file", async ({
  page,
  saldo,
}, info) => {
  const ask = asking(page);
  await new Frame(page).enter(saldo.people.anna, "/app/contracts?lang=pl");
  await expect(page.getByRole("heading", { level: 1, name: "Umowy" })).toBeVisible();
  const first = await signedContract(ask, "Zawada");
  await signedContract(ask, "Zielinska");

  // both wait; the dry run says who and what changes
  await page.goto("/app/contracts?lang=pl&state=waiting");
  await page.getByRole("checkbox", { name: "Zaznacz wszystkie do podpisu" }).check();
  await cleanInALook(page, "contracts that wait");
  await page.getByRole("button", { name: "Podpisz (2)" }).click();
  const dialog = page.getByRole("dialog", { name: "Podpisać umowy?" });
  await expect(dialog.getByText("Oleh Zawada: rachunek brak → PL…2874")).toBeVisible();
  await clean(page, "countersigning many", { tall: true });
  await dialog.getByRole("button", { name: "Podpisz (2)" }).click();
  await expect(dialog.getByText("Podpisano 2 umowy.")).toBeVisible();
  await dialog.getByRole("button", { name: "Zamknij" }).last().click();
  await page.goto("/app/contracts?lang=pl&state=active");

  // one contract: pages, evidence, file
  await page.getByRole("link", { name: "Oleh Zawada" }).click();
  const entry = page.getByRole("region", { name: "Dokumenty" }).getByRole("listitem").first();
  await expect(entry.getByText("Plik z pieczęcią")).toBeVisible();
  await entry.getByRole("button", { name: /^Pokaż:/ }).click();
  await expect(entry.getByRole("img", { name: /strona 1$/ })).toBeVisible();
  await page.getByText("Przebieg podpisania").click();
  await expect(page.getByText("Zapis jest kompletny: żadne zdarzenie nie zostało zmienione.")).toBeVisible();
  await cleanInALook(page, "one contract");
  const download = page.waitForEvent("download");
  await entry.getByRole("button", { name: /^Pobierz:/ }).click();
  const file = info.outputPath("signed.pdf");
  await (await download).saveAs(file);
  const changed = info.outputPath("changed.pdf");
  const bytes = readFileSync(file);
  bytes[2000] = (bytes[2000] ?? 0) ^ 1;
  writeFileSync(changed, bytes);
  const address = (await entry.getByRole("link", { name: "Strona sprawdzania" }).getAttribute("href")) ?? "";

  // anybody with the code, on a phone: nothing of the file is sent
  await page.setViewportSize(PHONE);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(request.url());
  });
  await page.goto(`${address}?lang=pl`);
  await expect(page.getByText("Obowiązuje")).toBeVisible();
  await expect(page.getByText("O.Z.")).toBeVisible();
  await page.getByLabel("Wybierz plik").setInputFiles(file);
  await expect(page.getByText("To jest dokładnie ten plik, który wydaliśmy.")).toBeVisible();
  await page.getByLabel("Wybierz plik").setInputFiles(changed);
  await expect(page.getByText(/^To nie jest plik, który wydaliśmy/)).toBeVisible();
  expect(sent).toEqual([]);
  const schemes = ["light", "dark"] as const;
  for (const [language, scheme] of combined(SOAK ? LANGUAGES : (["de", "uk"] as const), schemes)) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(`${address}?lang=${language}`);
    await expect(page.getByRole("heading", { level: 2 })).toBeVisible();
    await clean(page, `the page of a code, ${language}, ${scheme}`);
  }
  await page.emulateMedia({ colorScheme: null });

  // codes that do not exist look like codes that are none
  for (const code of ["00000000000000000000000000000000", "no-code"]) {
    await page.goto(`/app/verify/${code}?lang=pl`);
    await expect(page.getByRole("heading", { name: "Nie ma dokumentu o tym kodzie" })).toBeVisible();
  }

  // withdrawn with a reason, and whoever checks it is told
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.goto(`/app/contracts/${first.driver}/${first.contract}?lang=pl`);
  await page.getByRole("button", { name: "Wycofaj umowę" }).click();
  const why = page.getByRole("dialog", { name: "Wycofać umowę?" });
  await why.getByLabel("Powód").fill("Błędna data");
  await why.getByRole("button", { name: "Wycofaj umowę" }).click();
  await expect(page.getByText("Umowa wycofana.", { exact: true })).toBeVisible();
  await page.goto(`${address}?lang=pl`);
  await expect(page.getByText("Wycofana")).toBeVisible();

  // the driver's profile names the contract
  await page.goto(`/app/drivers/${first.driver}?lang=pl`);
  await expect(page.getByRole("region", { name: "Umowy" }).getByText("Umowa zlecenie")).toBeVisible();
});

test("a text is written with its pages beside it, wrong marks are named, and nobody overwrites another", async ({
  page,
  saldo,
}) => {
  const ask = asking(page);
  await new Frame(page).enter(saldo.people.anna, "/app/contracts/texts?lang=pl");
  await cleanInALook(page, "texts of contracts", page.getByRole("link", { name: "Dodaj dokument" }));
  await page.getByRole("link", { name: "Dodaj dokument" }).click();
  await page.getByLabel("Nazwa dokumentu").fill("Zgoda na wizerunek");
  await expect(page.getByRole("img", { name: "Strona 1" })).toBeVisible();
  const text = page.getByRole("textbox", { name: "Tekst", exact: true });
  await text.fill("# Zgoda\n\nTo jest *źle*.\n\n[signature:driver]");
  await expect(page.getByRole("button", { name: "Wiersz 3, znak 9" })).toBeVisible();
  await expect(page.getByText("Tego znaku nie można tu użyć.")).toBeVisible();
  await text.fill("# Zgoda\n\n\n\n[signature:driver]");
  await text.press("Control+Home");
  await text.press("ArrowDown");
  await text.press("ArrowDown");
  await page.getByRole("button", { name: "Wstaw dane" }).click();
  await page.getByRole("menuitem", { name: "miejsce urodzenia" }).click();
  await expect(text).toHaveValue(/\n\{\{driver\.birthPlace\}\}/);
  await page.getByLabel("Wypróbuj z danymi kierowcy").selectOption({ index: 1 });
  await expect(page.getByText(/^Kierowca nie ma jeszcze: miejsce urodzenia/)).toBeVisible();
  await cleanInALook(page, "writing a text");
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.getByText("Tekst zapisany. Wersja 1.")).toBeVisible();
  await expect(page).toHaveURL(/\/contracts\/texts\/[0-9a-f-]{36}/);

  // somebody else saves first: nothing is lost on either side
  const id = /texts\/([0-9a-f-]+)/.exec(page.url())?.[1] ?? "";
  const at = `/api/partner-documents/templates/${id}`;
  const now = (await (await ask("GET", at)).json()) as Record<string, unknown>;
  const theirs = { ...now, body: "# Ich zgoda\n\n[signature:driver]" };
  await ask("PUT", at, { data: Object.fromEntries(Object.entries(theirs).filter(([name]) => name !== "history")) });
  await text.fill("# Moja zgoda\n\n[signature:driver]");
  await page.reload();
  await expect(text).toHaveValue(/^# Moja zgoda/);
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.getByText(/^Ktoś w międzyczasie zapisał ten dokument/)).toBeVisible();
  await page.getByRole("button", { name: "Pokaż tamten tekst" }).click();
  await expect(page.getByText("# Ich zgoda")).toBeVisible();
  await page.getByRole("button", { name: "Zapisz mój jako nowszy" }).click();
  await expect(page.getByText("Tekst zapisany. Wersja 3.")).toBeVisible();
  await page.getByText("Wersje", { exact: true }).click();
  await page.getByRole("button", { name: "Pokaż wersję 2" }).click();
  await expect(page.getByText("# Ich zgoda")).toBeVisible();
  await clean(page, "versions of a text", { tall: true });

  // how the partner signs
  await page.goto("/app/contracts/settings?lang=pl");
  await page.getByLabel("Początek numeru umowy").fill("U/");
  await cleanInALook(page, "settings of contracts");
  await page.getByRole("button", { name: "Zapisz ustawienia" }).click();
  await expect(page.getByText("Ustawienia zapisane.")).toBeVisible();
});
