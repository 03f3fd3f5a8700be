import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { alone, config, driver, json, newAccount, refusal, serve, stale } from "../../testing/server";
import { countriesFor, joinPhone, splitPhone } from "../../format/official/countries";
import { filledFrom, wrongIn } from "./account-form";
import type { Account } from "./queries";

const ACCOUNT = "/api/driver-accounts";
const INVITES = `POST ${ACCOUNT}/partners/invites`;

const account: Account = {
  id: "oleh",
  completed: true,
  version: 3,
  partnerUuid: "",
  partnerDescription: "",
  referenceId: "",
  isLinked: false,
  driverFunctions: [],
  firstName: "Oleh",
  lastName: "Babiak",
  email: "oleh@example.com",
  phone: "+48601234567",
  cities: ["Warszawa"],
  taxId: "",
  newsletter: false,
  carStatus: "own",
  activity: "active",
  address: { street: "", houseNumber: "", apartmentNumber: "", city: "", postCode: "", country: "" },
  hasPesel: true,
  pesel: "•••••••1359",
  settlementFrequency: 0,
  summaryLanguage: "uk",
  bailiffSeizure: false,
};

const partners = [
  { uuid: "p1", code: "flota", name: "Drogowiec Flota", cities: ["Kraków"], consent: "Zgadzam się: Drogowiec Flota" },
  { uuid: "p2", code: "wrzos", name: "Wrzos Mobility", cities: [], consent: "Zgadzam się: Wrzos Mobility" },
];

const told = { noteMails: false, notePush: true, messageMails: true, language: "" };

const silent = () => new Response(null, { status: 204 });

const drive = (session: typeof driver, more: Parameters<typeof serve>[0] = {}) =>
  serve({
    "GET /api/session": () => json(session),
    [`GET ${ACCOUNT}`]: () => json(account),
    [`GET ${ACCOUNT}/partners`]: () => json({ partners }),
    [`GET ${ACCOUNT}/settlement-frequency`]: () => json({ frequency: 1, chosen: false, mayChoose: false }),
    [`GET ${ACCOUNT}/partner-settlement-frequency`]: () => json({ frequency: 1, driversChoose: false }),
    [`GET ${ACCOUNT}/note-choices`]: () => json(told),
    "GET /api/suggestions/cities": () => json({ cities: ["Łódź", "Łódź Widzew"] }),
    ...more,
  });

const type = async (user: ReturnType<typeof renderApp>["user"], name: string, text: string) => {
  const field = screen.getByRole("textbox", { name });
  await user.clear(field);
  await user.type(field, text);
};

beforeEach(signedIn);

describe("a driver without a profile", () => {
  it.each(["/", "/driver/profile", "/driver/partners-list", "/tags"])("is sent from %s to fill it in", async (path) => {
    drive(newAccount);
    const { address } = renderApp(path);
    expect(await screen.findByRole("heading", { name: "Uzupełnij profil" })).toBeInTheDocument();
    expect(address()).toBe("/add-driver-account");
    expect(screen.queryByRole("link", { name: "Mój profil" })).not.toBeInTheDocument();
  });

  it("fills it in with what is known already, and goes on", async () => {
    let filled = false;
    const server = drive(newAccount, {
      "GET /api/session": () => json(filled ? alone : newAccount),
      [`POST ${ACCOUNT}`]: () => {
        filled = true;
        return json({ id: "oleh" }, 201);
      },
    });
    const { user, address } = renderApp("/");
    expect(await screen.findByRole("textbox", { name: "Imię" })).toHaveValue("Oleh");
    expect(screen.getByRole("textbox", { name: "E-mail" })).toHaveValue("oleh@example.com");
    await user.type(screen.getByRole("textbox", { name: "Telefon" }), "601 234 567");
    await user.type(screen.getByRole("combobox", { name: "Miasta, w których jeździsz" }), "Łódź{Enter}");
    await user.selectOptions(screen.getByRole("combobox", { name: "Samochód" }), "Mam własny");
    await user.click(screen.getByRole("button", { name: "Zapisz profil" }));
    await waitFor(() => expect(address()).toBe("/driver/partners-list"));
    expect(await screen.findByText("Profil został zapisany")).toBeInTheDocument();
    expect(server.sent(`POST ${ACCOUNT}`)[0]?.body).toMatchObject({
      firstName: "Oleh",
      phone: "+48601234567",
      cities: ["Łódź"],
      carStatus: "own",
      activity: "unknown",
      summaryLanguage: "pl",
    });
    expect(server.sent(`POST ${ACCOUNT}`)[0]?.body).not.toHaveProperty("pesel");
  });

  it("is told at each field what is wrong, before anything is sent", async () => {
    const server = drive(newAccount);
    const { user } = renderApp("/add-driver-account");
    await screen.findByRole("textbox", { name: "Imię" });
    await user.clear(screen.getByRole("textbox", { name: "Imię" }));
    await user.type(screen.getByRole("textbox", { name: "Telefon" }), "601");
    await user.click(screen.getByRole("button", { name: "Zapisz profil" }));
    expect(screen.getByRole("textbox", { name: "Imię" })).toHaveAccessibleDescription("Wypełnij to pole");
    expect(screen.getByRole("textbox", { name: "Telefon" })).toHaveAccessibleDescription(/To nie jest numer telefonu/);
    expect(screen.getByRole("combobox", { name: /Miasta/ })).toHaveAccessibleDescription(/Wypełnij to pole/);
    expect(screen.getByRole("combobox", { name: /Miasta/ })).toBeRequired();
    expect(screen.getByRole("textbox", { name: "Imię" })).toHaveFocus();
    expect(server.sent(`POST ${ACCOUNT}`)).toHaveLength(0);
  });

  it("keeps what was typed when the server refuses a field", async () => {
    drive(newAccount, {
      [`POST ${ACCOUNT}`]: () =>
        refusal(422, { code: "accounts.invalid", fields: [{ name: "address.postCode", code: "wrong_format" }] }),
    });
    const { user } = renderApp("/add-driver-account");
    await user.type(await screen.findByRole("textbox", { name: "Telefon" }), "601234567");
    await user.type(screen.getByRole("combobox", { name: /Miasta/ }), "Łódź{Enter}");
    await user.click(screen.getByRole("button", { name: "Zapisz profil" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Profil nie został zapisany.");
    expect(screen.getByRole("textbox", { name: "Kod pocztowy" })).toHaveAccessibleDescription(/00-001/);
    expect(screen.getByRole("textbox", { name: "Telefon" })).toHaveValue("601234567");
  });
});

it("has no PESEL in the German instance, and Germany first", async () => {
  drive(newAccount);
  renderApp("/add-driver-account", undefined, { ...config, instance: "de", currency: "EUR" });
  await screen.findByRole("textbox", { name: "Telefon" });
  expect(screen.queryByRole("textbox", { name: "PESEL" })).toBeNull();
  expect(screen.getByRole("combobox", { name: "Kraj numeru" })).toHaveValue("DE");
});

it("saves the city that was typed last with the first press, and leaving its field moves nothing", async () => {
  const server = drive(newAccount, { [`POST ${ACCOUNT}`]: () => json({ id: "oleh" }, 201) });
  const { user } = renderApp("/add-driver-account");
  await user.type(await screen.findByRole("textbox", { name: "Telefon" }), "601 234 567");
  const field = screen.getByRole("combobox", { name: /Miasta/ });
  await user.type(field, "Pcim");
  field.blur();
  expect(screen.queryByRole("button", { name: "Usuń: Pcim" })).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Zapisz profil" }));
  expect(server.sent(`POST ${ACCOUNT}`)[0]?.body).toMatchObject({ cities: ["Pcim"] });
});

describe("a phone number", () => {
  it("is never taken for a Polish one", async () => {
    const server = drive(newAccount, { [`POST ${ACCOUNT}`]: () => json({ id: "oleh" }, 201) });
    const { user } = renderApp("/add-driver-account");
    await user.type(await screen.findByRole("textbox", { name: "Telefon" }), "050 123 45 67");
    await user.type(screen.getByRole("combobox", { name: /Miasta/ }), "Łódź");
    await user.click(screen.getByRole("button", { name: "Zapisz profil" }));
    expect(screen.getByRole("textbox", { name: "Telefon" })).toHaveAccessibleDescription(/Sprawdź cyfry i kraj/);
    expect(server.sent(`POST ${ACCOUNT}`)).toHaveLength(0);
    await user.selectOptions(screen.getByRole("combobox", { name: "Kraj numeru" }), "UA");
    await user.click(screen.getByRole("button", { name: "Zapisz profil" }));
    expect(server.sent(`POST ${ACCOUNT}`)[0]?.body).toMatchObject({ phone: "+380501234567" });
  });

  it.each([
    ["+48601234567", "PL", "601 234 567"],
    ["+380501234567", "UA", "501234567"],
    ["+491701234567", "DE", "170 1234567"],
    ["+12125550123", "US", "2125550123"],
    ["", "PL", ""],
  ])("%s is of %s", (number, country, national) => {
    expect(splitPhone(number, "PL")).toEqual({ country, national });
  });

  it.each([
    ["UA", "050 123-45-67", "+380501234567"],
    ["DE", "0170 1234567", "+491701234567"],
    ["IT", "06 1234 5678", "+390612345678"],
    ["BY", "8029 123 45 67", "+375291234567"],
    ["PL", "+380 50 123 45 67", "+380 50 123 45 67"],
    ["PL", "0501234567", "0501234567"],
  ])("of %s typed as %s is %s", (country, typed, number) => {
    expect(joinPhone(country, typed)).toBe(number);
  });

  it("can be of every country, that of the business first", () => {
    expect(countriesFor("DE", "de")[0]).toEqual({ code: "DE", name: "Deutschland" });
    expect(countriesFor("PL", "pl").length).toBeGreaterThan(170);
    expect(new Set(countriesFor("PL", "pl").map(({ code }) => code)).size).toBe(countriesFor("PL", "pl").length);
  });
});

it("offers cities while one is typed", async () => {
  drive(newAccount);
  const { user } = renderApp("/add-driver-account");
  const field = await screen.findByRole("combobox", { name: /Miasta/ });
  await user.type(field, "lod");
  await waitFor(() => expect(document.querySelectorAll("datalist option")).toHaveLength(2));
  await user.clear(field);
  await user.type(field, "Pcim");
  await user.tab();
  await user.click(screen.getByRole("button", { name: "Usuń: Pcim" }));
  expect(screen.queryByRole("button", { name: "Usuń: Pcim" })).not.toBeInTheDocument();
});

describe("choosing a partner", () => {
  const open = async (session = alone, more: Parameters<typeof serve>[0] = {}) => {
    const server = drive(session, more);
    const app = renderApp("/driver/partners-list");
    await app.user.click(await screen.findByRole("button", { name: "Wybierz: Wrzos Mobility" }));
    const dialog = await screen.findByRole("dialog", { name: "Wybrać flotę Wrzos Mobility?" });
    return { ...app, server, dialog: within(dialog) };
  };

  it("is what a partner's link leads to, once", async () => {
    localStorage.setItem("saldo.invited", "wrzos");
    const server = drive(alone);
    const { user, address } = renderApp("/");
    const dialog = await screen.findByRole("dialog", { name: "Wybrać flotę Wrzos Mobility?" });
    expect(server.seen.some(({ query }) => query.q === "wrzos")).toBe(true);
    await user.click(within(dialog).getByRole("button", { name: "Zamknij" }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(address()).toBe("/driver/partners-list");
    expect(localStorage.getItem("saldo.invited")).toBeNull();
  });

  it("is not asked about by the link of the partner that somebody has", async () => {
    localStorage.setItem("saldo.invited", "flota");
    drive(driver);
    const { address } = renderApp("/");
    await waitFor(() => expect(address()).toBe("/driver/settlements"));
  });

  it("needs the consent, whose words are the server's, and shows what is shared", async () => {
    let chosen = false;
    const { user, server, dialog, address } = await open(alone, {
      "GET /api/session": () => json(chosen ? driver : alone),
      [INVITES]: () => {
        chosen = true;
        return silent();
      },
      [`GET ${ACCOUNT}/partner-profile`]: () =>
        json({ ...partners[1], phone: "", email: "", www: "", isLinked: false }),
    });
    expect(await dialog.findByText("+48 601 234 567")).toBeInTheDocument();
    await user.click(dialog.getByRole("button", { name: "Wybierz tę flotę" }));
    expect(server.sent(INVITES)).toHaveLength(0);
    const consent = dialog.getByRole("checkbox", { name: "Zgadzam się: Wrzos Mobility" });
    expect(consent).toHaveAccessibleDescription(/Zaznacz zgodę/);
    await user.click(consent);
    await user.click(dialog.getByRole("button", { name: "Wybierz tę flotę" }));
    await waitFor(() => expect(address()).toBe("/driver/partner-profile"));
    expect(server.sent(INVITES)[0]?.body).toEqual({
      partnerUuid: "p2",
      consentToSendContactDetails: true,
      language: "pl",
    });
    expect(await screen.findByText("Twoja flota to teraz Wrzos Mobility")).toBeInTheDocument();
    expect(await screen.findByText("Czekasz na potwierdzenie floty")).toBeInTheDocument();
  });

  it("says why it was refused and that nothing was chosen", async () => {
    const { user, dialog } = await open(driver, { [INVITES]: () => refusal(409, { code: "accounts.blocked" }) });
    expect(dialog.getByText(/Teraz jeździsz z flotą Drogowiec Flota/)).toBeInTheDocument();
    await user.click(dialog.getByRole("checkbox"));
    await user.click(dialog.getByRole("button", { name: "Wybierz tę flotę" }));
    expect(await dialog.findByRole("alert")).toHaveTextContent("Wybór nie został zapisany.");
  });

  it("invites a partner that is not there", async () => {
    const server = drive(alone, { [`GET ${ACCOUNT}/partners`]: () => json({ partners: [] }), [INVITES]: silent });
    const { user } = renderApp("/driver/partners-list?q=zzz");
    expect(await screen.findByText("Żadna flota nie pasuje do „zzz”")).toBeInTheDocument();
    await type(user, "Nazwa floty", "Nowa Flota");
    await type(user, "E-mail floty", "biuro");
    await user.click(screen.getByRole("button", { name: "Wyślij zaproszenie" }));
    expect(screen.getByRole("textbox", { name: "E-mail floty" })).toHaveAccessibleDescription("Sprawdź zapis");
    await type(user, "E-mail floty", "biuro@nowa.example");
    await user.click(screen.getByRole("checkbox"));
    await user.click(screen.getByRole("button", { name: "Wyślij zaproszenie" }));
    expect(await screen.findByText("Zaproszenie do biuro@nowa.example jest w drodze")).toBeInTheDocument();
    expect(server.sent(INVITES)[0]?.body).toMatchObject({ partnerName: "Nowa Flota" });
    expect(screen.getByRole("textbox", { name: "Nazwa floty" })).toHaveValue("");
  });

  it("says that an address was invited today", async () => {
    drive(alone, {
      [INVITES]: () =>
        refusal(409, { code: "accounts.invited_already", fields: [{ name: "partnerEmail", code: "duplicate" }] }),
    });
    const { user } = renderApp("/driver/partners-list");
    await screen.findByRole("textbox", { name: "Nazwa floty" });
    await type(user, "Nazwa floty", "Nowa Flota");
    await type(user, "E-mail floty", "biuro@nowa.example");
    await user.click(screen.getByRole("button", { name: "Wyślij zaproszenie" }));
    expect(screen.getByRole("checkbox")).toHaveAccessibleDescription(/Zaznacz zgodę/);
    await user.click(screen.getByRole("checkbox"));
    await user.click(screen.getByRole("button", { name: "Wyślij zaproszenie" }));
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "E-mail floty" })).toHaveAccessibleDescription(/już dziś wysłano/),
    );
  });

  it("says what failed and tries again", async () => {
    const server = drive(alone, { [`GET ${ACCOUNT}/partners`]: () => refusal(500, { code: "internal" }) });
    const { user } = renderApp("/driver/partners-list");
    expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się wczytać flot");
    server.answers[`GET ${ACCOUNT}/partners`] = () => json({ partners });
    await user.click(screen.getByRole("button", { name: "Spróbuj ponownie" }));
    expect(await screen.findByText("Wrzos Mobility")).toBeInTheDocument();
  });
});

describe("the partner of a driver", () => {
  const card = { ...partners[0], phone: "+48223456789", email: "biuro@flota.example", www: "flota.example" };

  it("is shown with its contacts and can be left", async () => {
    let left = false;
    const server = drive(driver, {
      "GET /api/session": () => json(left ? alone : driver),
      [`GET ${ACCOUNT}/partner-profile`]: () => json({ ...card, isLinked: true }),
      [`DELETE ${ACCOUNT}/partners`]: () => {
        left = true;
        return silent();
      },
    });
    const { user, address } = renderApp("/driver/partner-profile");
    expect(await screen.findByRole("link", { name: "+48 223 456 789" })).toHaveAttribute("href", "tel:+48223456789");
    expect(screen.getByRole("link", { name: "flota.example" })).toHaveAttribute("href", "https://flota.example");
    expect(screen.getByText("Flota potwierdziła współpracę")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Odejdź z floty" }));
    const dialog = await screen.findByRole("dialog", { name: /Odejść z floty/ });
    await user.click(within(dialog).getByRole("button", { name: "Odejdź" }));
    await waitFor(() => expect(address()).toBe("/driver/partners-list"));
    expect(server.sent(`DELETE ${ACCOUNT}/partners`)).toHaveLength(1);
  });

  it("is asked for where none is chosen", async () => {
    drive(alone);
    const { user, address } = renderApp("/driver/partner-profile");
    expect(await screen.findByText("Nie masz jeszcze floty")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Wybierz flotę" }));
    expect(address()).toBe("/driver/partners-list");
  });
});

describe("the profile", () => {
  it("says when there is nothing to save, and saves what is different", async () => {
    const server = drive(driver, { [`PUT ${ACCOUNT}`]: silent });
    const { user } = renderApp("/driver/profile");
    expect(await screen.findByRole("textbox", { name: "Nazwisko" })).toHaveValue("Babiak");
    expect(screen.getByRole("textbox", { name: "PESEL" })).toHaveAccessibleDescription(/•••••••1359/);
    await user.click(screen.getByRole("button", { name: "Zapisz zmiany" }));
    expect(screen.getByText(/Nic się nie zmieniło/)).toBeInTheDocument();
    await type(user, "Nazwisko", "Babiak-Nowy");
    await user.click(screen.getByRole("button", { name: "Zapisz zmiany" }));
    expect(await screen.findByText("Zmiany zostały zapisane")).toBeInTheDocument();
    expect(server.sent(`PUT ${ACCOUNT}`)).toHaveLength(1);
    expect(server.sent(`PUT ${ACCOUNT}`)[0]?.body).toMatchObject({ lastName: "Babiak-Nowy", version: 3 });
    expect(server.sent(`PUT ${ACCOUNT}`)[0]?.body).not.toHaveProperty("pesel");
  });

  it("keeps what was typed when somebody saved something else meanwhile, until it is loaded again", async () => {
    const server = drive(driver, { [`PUT ${ACCOUNT}`]: () => refusal(409, { code: "accounts.changed" }) });
    const { user } = renderApp("/driver/profile");
    await screen.findByRole("textbox", { name: "Nazwisko" });
    server.answers[`GET ${ACCOUNT}`] = () => json({ ...account, lastName: "Inny", version: 4 });
    await type(user, "Nazwisko", "Babiak-Nowy");
    await user.click(screen.getByRole("button", { name: "Zapisz zmiany" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Profil zmienił się w międzyczasie");
    expect(screen.getByRole("textbox", { name: "Nazwisko" })).toHaveValue("Babiak-Nowy");
    await user.click(screen.getByRole("button", { name: "Wczytaj ponownie" }));
    expect(screen.getByRole("textbox", { name: "Nazwisko" })).toHaveValue("Inny");
  });

  const close = async (answer: () => Response) => {
    const server = drive(driver, { [`DELETE ${ACCOUNT}`]: answer });
    const app = renderApp("/driver/profile");
    await app.user.click(await screen.findByRole("button", { name: "Usuń moje konto…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Usunąć konto na zawsze?" }));
    expect(dialog.getByText(/Zostają: rozliczenia i faktury/)).toBeInTheDocument();
    await app.user.click(dialog.getByRole("button", { name: "Usuń konto" }));
    expect(server.sent(`DELETE ${ACCOUNT}`)).toHaveLength(0);
    await app.user.type(dialog.getByRole("textbox"), "Usuń");
    await app.user.click(dialog.getByRole("button", { name: "Usuń konto" }));
    return { ...app, server, dialog };
  };

  it("keeps each choice of how to be told at once, and shows what holds where the line is cut", async () => {
    let chosen = told;
    let online = true;
    const server = drive(driver, {
      [`GET ${ACCOUNT}/note-choices`]: () => json(chosen),
      [`PUT ${ACCOUNT}/note-choices`]: () => {
        if (!online) return Promise.reject(new TypeError("cut"));
        chosen = { ...chosen, messageMails: false };
        return silent();
      },
    });
    const { user } = renderApp("/driver/profile");
    const box = await screen.findByRole("checkbox", { name: "E-maile z wiadomościami od floty" });
    await user.click(box);
    expect(await screen.findByText("Zapisano.")).toBeInTheDocument();
    expect(box).not.toBeChecked();
    expect(server.sent(`PUT ${ACCOUNT}/note-choices`)[0]?.body).toEqual({ messageMails: false });
    online = false;
    await user.click(box);
    expect(await screen.findByText(/Nic nie zostało zmienione\./)).toBeInTheDocument();
    expect(box).not.toBeChecked();
  });

  it("is deleted after the word is typed, and the person leaves", async () => {
    const { server, address } = await close(silent);
    await waitFor(() => expect(address()).toBe("/sign-in"));
    expect(server.sent(`DELETE ${ACCOUNT}`)).toHaveLength(1);
    expect(await screen.findByText("Konto zostało usunięte.")).toBeInTheDocument();
    expect(screen.queryByText(/Sesja wygasła/)).not.toBeInTheDocument();
  });

  it("asks for a fresh sign-in where the last one is too old", async () => {
    const { user, dialog, address } = await close(stale);
    expect(await dialog.findByText(/minęło ponad 5 minut/)).toBeInTheDocument();
    expect(address()).toBe("/driver/profile");
    await user.click(dialog.getByRole("button", { name: "Zaloguj się ponownie" }));
    expect(sessionStorage.getItem("saldo.return")).toBe("/driver/profile");
  });
});

describe("the frequency of settlements", () => {
  const answers = (mayChoose: boolean) => ({
    [`GET ${ACCOUNT}/settlement-frequency`]: () => json({ frequency: 1, chosen: false, mayChoose }),
    [`GET ${ACCOUNT}/partner-settlement-frequency`]: () => json({ frequency: 1, driversChoose: mayChoose }),
    [`PUT ${ACCOUNT}/settlement-frequency`]: silent,
  });

  it("can be chosen where the partner lets drivers choose", async () => {
    const server = drive(driver, answers(true));
    const { user } = renderApp("/driver/settlement-frequency");
    expect(await screen.findByRole("radio", { name: /Co tydzień/ })).toBeChecked();
    await user.click(screen.getByRole("radio", { name: /Co miesiąc/ }));
    await user.click(screen.getByRole("button", { name: "Zapisz częstość" }));
    expect(await screen.findByText("Częstość została zapisana")).toBeInTheDocument();
    expect(server.sent(`PUT ${ACCOUNT}/settlement-frequency`)[0]?.body).toEqual({ frequency: 4 });
  });

  it("is only shown where the partner decides", async () => {
    drive(driver, answers(false));
    const { address } = renderApp("/driver/settlement-frequency");
    await waitFor(() => expect(address()).toMatch(/^\/driver\/profile/));
    expect(await screen.findByText(/Flota ustala to dla wszystkich/)).toBeInTheDocument();
    expect(screen.getByRole("radio", { name: /Co miesiąc/ })).toBeDisabled();
    expect(screen.queryByRole("button", { name: "Zapisz częstość" })).not.toBeInTheDocument();
  });
});

describe("the frame of a driver", () => {
  it("has only the screens that are theirs", async () => {
    drive(driver);
    renderApp("/driver/profile");
    const menu = within(await screen.findByRole("navigation", { name: "Menu główne" }));
    expect(menu.getAllByRole("link").map((link) => link.textContent)).toEqual([
      "Wypłaty",
      "Faktury",
      "Kursy",
      "Czas pracy",
      "Statystyki",
      "Moja flota",
      "Mój profil",
      "Dokumenty kierowcy",
    ]);
  });

  it("has its menu at the bottom of a phone", async () => {
    vi.stubGlobal("matchMedia", (query: string) => ({
      matches: query.includes("width"),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    drive(alone);
    const { user } = renderApp("/driver/profile");
    const bar = within(await screen.findByRole("navigation", { name: "Menu główne" }));
    expect(bar.getAllByRole("link").map((link) => link.textContent)).toEqual(["Floty", "Profil"]);
    await user.click(bar.getByRole("button", { name: "Więcej" }));
    expect(await screen.findByRole("dialog", { name: "Menu główne" })).toBeInTheDocument();
  });
});

describe("what a driver types", () => {
  const filled = filledFrom({ ...account, summaryLanguage: "uk" });

  it.each([
    ["PL", { taxId: "5260250274" }, []],
    ["PL", { taxId: "5260250275" }, ["taxId"]],
    ["PL", { taxId: "DE136695976" }, ["taxId"]],
    ["DE", { taxId: "DE136695976" }, []],
    ["DE", { taxId: "36574261809" }, []],
    ["PL", { pesel: "44051401358" }, ["pesel"]],
    ["PL", { pesel: "44051401359" }, []],
    ["PL", { address: { ...filled.address, postCode: "10115" } }, ["address.postCode"]],
    ["PL", { address: { ...filled.address, postCode: "10115", country: "DE" } }, []],
    ["PL", { address: { ...filled.address, postCode: "01001", country: "UA" } }, []],
    ["PL", { firstName: "ż".repeat(50) }, []],
    ["PL", { firstName: "ż".repeat(51) }, ["firstName"]],
    ["PL", { cities: [] }, ["cities"]],
    ["PL", { email: "oleh@" }, ["email"]],
    ["PL", { phone: "0501234567" }, ["phone"]],
    ["PL", { phone: "+380501234567" }, []],
  ])("in %s as %j is wrong in %j", (country, change, fields) => {
    expect(Object.keys(wrongIn({ ...filled, ...change }, country))).toEqual(fields);
  });
});
