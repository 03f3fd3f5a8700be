import { type Call, calling } from "../pages/api";
import { clean, cleanInEveryLanguage, LANGUAGES } from "../pages/clean";
import { IN_FULL, combined, SOAK } from "../pages/combined";
import { Frame } from "../pages/frame";
import { texts } from "../pages/texts";
import { expect, test } from "../saldo";

test.use({ size: "small" });

const looks = [
  { scheme: "light", width: 390 },
  { scheme: "dark", width: 390 },
  { scheme: "light", width: 1440 },
  { scheme: "dark", width: 1440 },
] as const;

/** The screens of questions; a shorter run sees them in `axe.spec.ts`. */
async function ofPartner(call: Call): Promise<string[]> {
  const { items } = await call<{ items: { id: string }[] }>("GET", "/api/threads");
  return ["/questions", `/questions/${items[0]?.id}`];
}

async function ofDriver(call: Call): Promise<string[]> {
  const { items } = await call<{ items: { id: string; settlementId: string }[] }>(
    "GET",
    "/api/driver-accounts/questions",
  );
  return [`/driver/questions/${items[0]?.id}`, `/driver/settlements/${items[0]?.settlementId}/ask`];
}

test("a partner writes, the driver is led to the board, reads and confirms, and the partner sees it", async ({
  page,
  saldo,
}) => {
  const frame = new Frame(page);
  const call = calling(page);
  await frame.resume(saldo.people.oleh, "/app/driver/board?lang=pl");
  await call("PUT", "/api/direct-messages/board/read"); // what journeys before this one have left
  await frame.resume(saldo.people.anna, "/app/outbox?lang=pl");
  await page.getByRole("button", { name: "Napisz wiadomość" }).click();
  await page.getByRole("radio", { name: "Wybrani kierowcy" }).check();
  const choice = page.getByRole("combobox", { name: "Szukaj kierowcy" });
  await choice.fill("Babiak");
  await page.getByTitle("Oleh Babiak").click();
  await page.keyboard.press("Escape");
  await page.getByLabel("Temat").fill("Przegląd");
  await page.getByLabel("Treść").fill("Cześć {first_name}, **jutro** przegląd.");
  await expect(page.getByRole("complementary", { name: "Podgląd" }).getByText("jutro")).toHaveCSS("font-weight", "700");
  await page.getByRole("button", { name: "Dodaj tłumaczenie: Українська" }).click();
  await page.getByLabel("Temat").last().fill("Огляд");
  await page.getByLabel("Treść").last().fill("Привіт, {first_name}, завтра огляд.");
  await page.getByRole("checkbox", { name: "Poproś o potwierdzenie przeczytania" }).check();
  await page.getByRole("button", { name: "Wyślij do 1" }).click();
  const check = page.getByRole("dialog", { name: "Wysłać wiadomość?" });
  await expect(check.getByText("Dostanie ją kierowców: 1.")).toBeVisible();
  await check.getByRole("button", { name: "Wyślij do 1" }).click();
  await expect(page).toHaveURL(/\/details\//);
  const message = page.url();

  await page.setViewportSize({ width: 390, height: 844 });
  await frame.resume(saldo.people.oleh, "/app/?lang=ru");
  for (const language of SOAK ? (["pl", "en", "de", "ru", "uk"] as const) : (["de", "uk"] as const)) {
    await page.goto(`/app/?lang=${language}`);
    await expect(page, language).toHaveURL(/\/driver\/board/);
    const bell = page.getByRole("link", { name: texts(language)("frame:bellBoard") });
    await expect(bell, language).toHaveAccessibleName(/: 1$/);
  }
  const note = page.getByRole("button", { name: /^Огляд/ });
  await expect(note).toContainText("Нове");
  await note.click();
  await expect(page.getByText("Привіт, Oleh, завтра огляд.")).toBeVisible();
  await page.getByRole("button", { name: "Прочитано", exact: true }).click();
  await expect(page.getByRole("link", { name: "Дошка, непрочитані: 0" })).toBeVisible();
  await expect(page.getByText("Підтверджено")).toBeVisible();
  await page.goto("/app/"); // nothing is unread: settlements come first
  await expect(page).toHaveURL(/\/driver\/settlements/);

  await page.setViewportSize({ width: 1440, height: 1000 });
  await frame.resume(saldo.people.anna, `${new URL(message).pathname}?lang=pl`);
  await expect(page.getByText("Przeczytało: 1 · Potwierdziło: 1")).toBeVisible();
  await page.getByRole("button", { name: "Usuń z tablic" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Usuń z tablic" }).click();
  await expect(page).toHaveURL(/\/outbox/);
  await expect(page.getByRole("link", { name: "Przegląd" })).toBeHidden();
  await frame.resume(saldo.people.oleh, "/app/driver/board?lang=pl");
  await expect(page.getByRole("heading", { name: "Przypięte" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Przegląd/ })).toBeHidden();
});

test("a message to everybody can be cancelled while it waits", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/send?lang=pl");
  await page.getByLabel("Treść").fill("Jutro święto");
  await page.getByRole("button", { name: /^Wyślij do \d+/ }).click();
  await expect(page.getByText("Przez 30 sekund możesz ją jeszcze cofnąć.")).toBeVisible();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Wyślij do/ })
    .click();
  await page.getByRole("button", { name: "Cofnij wysyłkę" }).click();
  await expect(page.getByText("Cofnięta").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Cofnij wysyłkę" })).toBeHidden();
});

test("a partner changes the text of a note and goes back to the default", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/outbox?lang=pl");
  await page.getByRole("button", { name: "Teksty powiadomień" }).click();
  const paid = page.getByRole("region", { name: "Gdy wypłata jest wysłana" });
  await expect(paid.getByText("Tekst domyślny")).toBeVisible();
  await page.getByRole("button", { name: "Zmień: Gdy wypłata jest wysłana" }).click();
  const form = page.getByRole("form", { name: "Gdy wypłata jest wysłana" });
  await form.getByLabel("Temat").fill("Kasa");
  await form.getByLabel("Treść").fill("{first_name}, masz **{payout}** na {iban}");
  await expect(form.getByText("1 234,56 zł", { exact: true }).first()).toHaveCSS("font-weight", "700");
  await form.getByRole("button", { name: "Zapisz" }).click();
  await expect(form.getByText("Nie ma czego wstawić za: iban")).toBeVisible();
  await form.getByLabel("Treść").fill("{first_name}, masz **{payout}**");
  await page.getByRole("link", { name: "Wiadomości" }).first().click(); // leaving asks first
  await page.getByRole("dialog").getByRole("button", { name: "Wróć do edycji" }).click();
  await form.getByRole("button", { name: "Zapisz" }).click();
  await expect(paid.getByText("Twój tekst")).toBeVisible();
  await expect(paid.getByText("Anna, masz")).toBeVisible();
  await paid.getByRole("button", { name: "Przywróć tekst domyślny" }).click();
  await expect(paid.getByText("Tekst domyślny")).toBeVisible();
  await page.getByRole("button", { name: "Cofnij" }).click();
  await expect(paid.getByText("Twój tekst")).toBeVisible();
  await expect(page.getByRole("region", { name: "Gdy przelew wróci" }).getByText("Tekst domyślny")).toBeVisible();
});

test("a driver chooses how to be told, and the partner sees who wants no e-mails", async ({ page, saldo }) => {
  const frame = new Frame(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await frame.resume(saldo.people.oleh, "/app/driver/profile?lang=uk");
  const mails = page.getByRole("checkbox", { name: "Листи з повідомленнями від автопарку" });
  await expect(mails).toBeChecked();
  await mails.click(); // it changes when the server has answered
  await expect(page.getByText("Збережено.")).toBeVisible();
  const kept = page.waitForResponse((one) => one.url().endsWith("/note-choices") && one.request().method() === "PUT");
  await page.getByRole("combobox", { name: "Мова листів і сповіщень" }).selectOption({ label: "Українська" });
  await kept;
  await page.reload();
  await expect(mails).not.toBeChecked();
  await expect(page.getByRole("combobox", { name: "Мова листів і сповіщень" })).toHaveValue("uk");

  await page.setViewportSize({ width: 1440, height: 1000 });
  const call = calling(page);
  await frame.resume(saldo.people.anna, "/app/outbox?lang=pl");
  const oleh = (await call<{ drivers: { id: string }[] }>("GET", "/api/drivers?q=Babiak")).drivers[0]?.id;
  await page.goto(`/app/send?driver=${oleh}&lang=pl`);
  await page.getByLabel("Treść").fill("Jutro przegląd");
  await page.getByRole("button", { name: "Wyślij do 1" }).click();
  await expect(page.getByText("Nie chcą e-maili, tylko tablica: 1")).toBeVisible();
  await frame.resume(saldo.people.oleh, "/app/driver/profile?lang=uk"); // as it was, for whoever comes next
  await mails.click();
  await expect(mails).toBeChecked();
});

test(
  "a partner writes to the drivers of a filter, with their payouts, and loses nothing",
  IN_FULL,
  async ({ page, saldo }) => {
    const frame = new Frame(page);
    await frame.resume(saldo.people.anna, "/app/drivers?q=Babiak&lang=pl");
    await page.getByRole("button", { name: "Napisz do nich" }).click();
    await expect(page.getByRole("radio", { name: "Kierowcy z Twojego filtra" })).toBeChecked();
    const content = page.getByLabel("Treść");
    await content.fill("Za {period}: {payout}");
    await expect(page.getByText("Nie ma czego wstawić za: period, payout")).toBeVisible();
    await page.getByRole("combobox", { name: "Kwoty z tygodnia" }).click();
    await page.locator(".ant-select-item-option").nth(1).click();
    await expect(page.getByText("Nie ma czego wstawić za: period, payout")).toBeHidden();
    await expect(page.getByRole("complementary", { name: "Podgląd" }).getByText(/1\s234,56\szł/)).toBeVisible();
    await page.getByRole("button", { name: "Wyślij", exact: true }).click(); // that week is not settled
    await expect(page.getByText("Bez udostępnionego rozliczenia z tego tygodnia, nie dostaną jej: 1")).toBeVisible();
    await expect(page.getByText("Nikt nie dostałby tej wiadomości.")).toBeVisible();
    await page.getByRole("dialog").getByRole("button", { name: "Wróć" }).click();

    await page.getByRole("link", { name: "Etykiety" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Wróć do edycji" }).click();
    await expect(content).toHaveValue("Za {period}: {payout}");

    await page.route("**/api/direct-messages/preview", (route) =>
      route.fulfill({
        status: 401,
        contentType: "application/problem+json",
        body: JSON.stringify({ status: 401, title: "Unauthorized", code: "access.unauthenticated" }),
      }),
    );
    await content.fill("Za {period}: {payout}, dzięki");
    await expect(page.getByText("Sesja wygasła")).toBeVisible();
    await page.unroute("**/api/direct-messages/preview");
    await frame.resume(saldo.people.anna, "/app/send?lang=pl");
    await expect(page.getByText("Zachowaliśmy to, co było wpisane")).toBeVisible();
    await expect(content).toHaveValue("Za {period}: {payout}, dzięki");
    await expect(page.getByRole("radio", { name: "Kierowcy z Twojego filtra" })).toBeChecked();
    await page.getByRole("link", { name: "Etykiety" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Odrzuć" }).click();
    await expect(page.getByRole("heading", { name: "Etykiety" })).toBeVisible();
    await page.goto("/app/send");
    await expect(content).toHaveValue("");
  },
);

test("a partner invites drivers by their addresses", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.anna, "/app/outbox?lang=pl");
  await page.getByRole("button", { name: "Zaproś kierowców" }).click();
  const dialog = page.getByRole("dialog", { name: "Zaproś kierowców" });
  await dialog.getByLabel("Adresy e-mail").fill("nowy@kierowcy.example, zły");
  await dialog.getByRole("button", { name: "Wyślij zaproszenia" }).click();
  await expect(dialog.getByText("Nikogo nie zaproszono.")).toBeVisible();
  await dialog.getByLabel("Adresy e-mail").fill("nowy@kierowcy.example");
  await dialog.getByRole("button", { name: "Wyślij zaproszenia" }).click();
  await expect(page.getByText("Zaproszono.")).toBeVisible();
  await expect(dialog).toBeHidden();
});

test(
  "a driver stops mails of messages by the address in one of them, and is then left out",
  IN_FULL,
  async ({ page, saldo }) => {
    const call = calling(page);
    await new Frame(page).resume(saldo.people.anna, "/app/outbox?lang=pl");
    const { drivers } = await call<{ drivers: { id: string }[] }>("GET", "/api/drivers?q=Babiak");
    const message = { content: "Myjnia jest dziś zamknięta.", channel: ["EMAIL"], driverUUIDs: [drivers[0]?.id] };
    await call("POST", "/api/direct-messages", { ...message, expects: 1 });
    const mail = await saldo.mailTo(saldo.people.oleh.email);
    const address = /^List-Unsubscribe:\s*<([^>]+)>/im.exec(mail.replace(/\r?\n[ \t]+/g, ""))?.[1] ?? mail;
    for (const [language, { scheme, width }] of combined(LANGUAGES, looks)) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 844 });
      await page.goto(address.replace(/lang=\w+/, `lang=${language}`));
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(texts(language)("unsubscribe:question"));
      await clean(page, `unsubscribing, ${language}, ${scheme}, ${width} px`);
    }
    await page.goto(address.replace(/lang=\w+/, "lang=pl"));
    await page.getByRole("button").click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(texts("pl")("unsubscribe:done"));
    await clean(page, "unsubscribed");
    const preview = await call<{ recipients: number }>("POST", "/api/direct-messages/preview", message);
    expect(preview.recipients).toBe(0);
    await new Frame(page).resume(saldo.people.oleh, "/app/driver/profile?lang=pl");
    const mails = page.getByRole("checkbox", { name: texts("pl")("accounts:toldMessageMails") });
    await expect(mails).not.toBeChecked();
  },
);

test(
  "messages and the board are readable in every language, on a phone and in the dark",
  IN_FULL,
  async ({ page, saldo }) => {
    test.slow();
    const frame = new Frame(page);
    for (const person of ["anna", "oleh"] as const) {
      const call = calling(page);
      await frame.resume(saldo.people[person]);
      const paths =
        person === "anna"
          ? [
              ...(SOAK ? ["/send", "/outbox"] : []), // axe.spec.ts sees these
              "/outbox/texts",
              `/details/${(await call<{ items: { id: string }[] }>("GET", "/api/direct-messages")).items[0]?.id}`,
            ]
          : ["/driver/board"];
      if (SOAK) paths.push(...(await (person === "anna" ? ofPartner(call) : ofDriver(call))));
      await cleanInEveryLanguage(page, paths, async () => {
        await page.waitForLoadState("networkidle");
        const notes = page.locator("main button[aria-expanded=false]");
        if (new URL(page.url()).pathname === "/app/driver/board") await notes.first().click();
      });
    }
  },
);
