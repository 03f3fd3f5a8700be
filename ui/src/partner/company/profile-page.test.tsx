import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import { fitting } from "./picture";
import type { Changes, Connection, DriverFunctions, Profile, SMSSettings } from "./queries";
import { changesOf, merged, parseTaxId, sameChanges, valuesOf } from "./values";

const profile: Profile = {
  uuid: "p1",
  code: "flota",
  demo: false,
  logo: "",
  settlementLimit: 1200,
  settlementUsage: 360,
  remaining: 840,
  version: 3,
  name: "Drogowiec Flota",
  color: "#0B5D68",
  email: "biuro@flota.example",
  phone: "+48601234567",
  www: "https://flota.example",
  taxId: "5260250274",
  cities: ["Łódź"],
  services: [],
  commission: 850,
  provisionCharge: "always",
  driversDescribe: true,
  settlementFrequency: 1,
  driversChooseFrequency: true,
  address: { street: "Prosta", houseNumber: "1", apartmentNumber: "", city: "Łódź", postCode: "90-001", country: "PL" },
  account: "PL61109010140000071219812874",
  notes: "",
  referral: "",
};

const noSMS: SMSSettings = {
  on: false,
  provider: "SMSAPI",
  sender: "",
  partCost: 0,
  monthParts: 500,
  usedParts: 0,
  changedAt: null,
  changedBy: "",
};

const noService = (kind: Connection["kind"]): Connection => ({
  kind,
  available: kind !== "fuel.orlen",
  version: 0,
  state: "",
  reason: "",
  since: null,
  lastTryAt: null,
  lastOkAt: null,
  nextAt: null,
  free: null,
  settings: { account: "" },
  delivered: 0,
  waiting: 0,
  givenUp: 0,
  deliverFrom: "",
  rows: 0,
  newRows: 0,
  refused: 0,
  fetching: false,
});
const noServices = { services: (["fuel.orlen", "drive.webdav", "drive.s3"] as const).map(noService) };

const stored = () => {
  let kept = profile;
  let functions: DriverFunctions = { version: 1, "1": true, "2": true, "3": true, "4": true };
  const empty = () => new Response(null, { status: 204 });
  const server = serve({
    "GET /api/partners": () => json(kept),
    "PUT /api/partners": () => {
      kept = { ...kept, ...(server.sent("PUT /api/partners").at(-1)?.body as Changes), version: kept.version + 1 };
      return empty();
    },
    "GET /api/partners/driver-functions": () => json(functions),
    "GET /api/partners/people": () => json({ people: [], active: 1 }),
    "GET /api/payout-settings/two-person": () => json({ on: false, active: 1 }),
    "GET /api/sms-settings": () => json(noSMS),
    "GET /api/partner-services": () => json(noServices),
    "PUT /api/partners/driver-functions": () => {
      functions = server.sent("PUT /api/partners/driver-functions").at(-1)?.body as DriverFunctions;
      functions = { ...functions, version: functions.version + 1 };
      return empty();
    },
    "PUT /api/partners/logo": () => {
      kept = { ...kept, logo: "/identification/flota/logo?v=1" };
      return empty();
    },
    "DELETE /api/partners/logo": () => {
      kept = { ...kept, logo: "" };
      return empty();
    },
  });
  return {
    ...server,
    someoneElse: (changes: Partial<Profile>) => (kept = { ...kept, ...changes, version: kept.version + 1 }),
  };
};

const field = (name: string) => screen.getByRole("textbox", { name });
const save = () => screen.getByRole("button", { name: "Zapisz" });

const open = async () => {
  const app = renderApp("/profile");
  await screen.findByRole("textbox", { name: "Nazwa firmy" });
  const change = async (name: string, text: string) => {
    await app.user.clear(field(name));
    await app.user.paste(text);
  };
  return { ...app, change };
};

beforeEach(signedIn);

describe("the partner's profile", () => {
  it("is in the user menu", async () => {
    stored();
    const { user, address } = renderApp("/tags");
    await user.click(await screen.findByRole("button", { name: /^Konto: / }));
    await user.click(screen.getByRole("menuitem", { name: "Profil partnera" }));
    expect(address()).toBe("/profile");
    expect(await screen.findByRole("heading", { level: 1, name: "Profil partnera" })).toBeInTheDocument();
  });

  it("is not in the menu of whoever may not read it", async () => {
    const server = stored();
    server.answers["GET /api/session"] = () => json({ ...partner, permissions: ["session.read", "tags.read"] });
    const { user } = renderApp("/tags");
    await user.click(await screen.findByRole("button", { name: /^Konto: / }));
    expect(screen.getByRole("menuitem", { name: "Wyloguj się" })).toBeInTheDocument();
    expect(screen.queryByRole("menuitem", { name: "Profil partnera" })).not.toBeInTheDocument();
  });

  it("shows numbers as people read them", async () => {
    stored();
    await open();
    expect(field("Telefon")).toHaveValue("+48 601 234 567");
    expect(field("NIP")).toHaveValue("526-025-02-74");
    expect(field("Konto do przelewów (IBAN)")).toHaveValue("PL61 1090 1014 0000 0712 1981 2874");
    expect(screen.getByRole("spinbutton", { name: "Prowizja od faktur" })).toHaveValue("8,50");
    expect(screen.getByText("Wykorzystano 360 z 1 200")).toBeInTheDocument();
    expect(screen.getByText("Kod flota")).toBeInTheDocument();
    expect(screen.getByRole("radio", { name: "co tydzień" })).toBeChecked();
  });

  it("gives every control a name", async () => {
    stored();
    await open();
    await screen.findByText(/Twoi kierowcy widzą/);
    for (const role of ["textbox", "spinbutton", "combobox", "checkbox", "radio", "radiogroup", "switch", "button"])
      for (const control of screen.getAllByRole(role)) expect(control, control.outerHTML).toHaveAccessibleName();
  });

  it("says so when there is nothing to save, and sends nothing", async () => {
    const server = stored();
    const { user, change } = await open();
    await change("Telefon", "601234567");
    await user.click(save());
    expect(await screen.findByText("Nic nie zostało zmienione, więc nie było czego zapisywać.")).toBeInTheDocument();
    expect(server.sent("PUT /api/partners")).toEqual([]);
  });

  it("saves all fields at once, in canonical form and with the version it was made from", async () => {
    const server = stored();
    const { user, change } = await open();
    await change("Nazwa firmy", " Flota Północ ");
    await change("Konto do przelewów (IBAN)", "PL83101010230000261395100000");
    await change("Strona WWW", "www.flota.example");
    await user.click(screen.getByRole("radio", { name: "co 2 tygodnie" }));
    expect(screen.getByText("Są niezapisane zmiany.")).toBeInTheDocument();
    await user.click(save());
    expect(await screen.findByText("Zapisano.")).toBeInTheDocument();
    expect(server.sent("PUT /api/partners")[0]?.body).toEqual({
      ...changesOf(valuesOf(profile, "PL"), 3, "PL"),
      name: "Flota Północ",
      account: "PL83101010230000261395100000",
      www: "https://www.flota.example",
      settlementFrequency: 2,
    });
    expect(Object.keys(server.sent("PUT /api/partners")[0]?.body as object)).not.toContain("settlementLimit");
    expect(field("Nazwa firmy")).toHaveValue("Flota Północ");
    // the frame learns the new name and colour
    expect(server.sent("GET /api/session").length).toBeGreaterThan(1);
  });

  it("marks a wrong number before anything is sent", async () => {
    const server = stored();
    const { user, change } = await open();
    await change("NIP", "5260250275");
    await user.click(save());
    expect(await screen.findByText("Jedna z cyfr jest błędna albo dwie są zamienione")).toBeInTheDocument();
    expect(screen.getByText("Popraw zaznaczone pola. Nic nie zostało zapisane.")).toBeInTheDocument();
    expect(field("NIP")).toHaveAttribute("aria-invalid", "true");
    expect(server.sent("PUT /api/partners")).toEqual([]);
  });

  it("puts what the server refuses at its field and keeps what was typed", async () => {
    const server = stored();
    server.answers["PUT /api/partners"] = () =>
      refusal(422, {
        code: "partner.invalid",
        fields: [{ name: "address.city", code: "too_long", params: { max: "100" } }],
      });
    const { user } = await open();
    await user.clear(field("Miasto"));
    await user.type(field("Miasto"), "Kraków"); // key by key, where change pastes
    await user.click(save());
    expect(await screen.findByText("Maksymalna liczba znaków: 100")).toBeInTheDocument();
    expect(screen.getByText(/Niektóre pola wymagają poprawy\. Nic nie zostało zapisane\./)).toBeInTheDocument();
    expect(field("Miasto")).toHaveValue("Kraków");
  });

  it("lets go of changes on request", async () => {
    stored();
    const { user, change } = await open();
    await change("Nazwa firmy", "Inna");
    await user.click(screen.getByRole("button", { name: "Odrzuć zmiany" }));
    expect(field("Nazwa firmy")).toHaveValue("Drogowiec Flota");
    expect(screen.queryByText("Są niezapisane zmiany.")).not.toBeInTheDocument();
  });

  it("asks before unsaved changes are left behind", async () => {
    stored();
    const { user, change, address } = await open();
    await change("Nazwa firmy", "Inna");
    await user.click(screen.getByRole("link", { name: "Etykiety" }));
    expect(await screen.findByText("Odrzucić wpisane dane?")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Wróć do edycji" }));
    expect(address()).toBe("/profile");
    await user.click(screen.getByRole("link", { name: "Etykiety" }));
    await user.click(await screen.findByRole("button", { name: "Odrzuć" }));
    await waitFor(() => expect(address()).toBe("/tags"));
  });

  it("joins a change with a newer one that somebody else saved", async () => {
    const server = stored();
    const works = server.answers["PUT /api/partners"];
    server.answers["PUT /api/partners"] = () => refusal(409, { code: "partner.changed" });
    const { user, change } = await open();
    await change("Nazwa firmy", "Moja");
    server.someoneElse({ email: "nowy@flota.example" });
    await user.click(save());
    expect(await screen.findByText(/Ktoś inny zapisał w międzyczasie te same dane\./)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Wczytaj najnowsze dane" }));
    expect(field("Nazwa firmy")).toHaveValue("Moja");
    expect(field("E-mail")).toHaveValue("nowy@flota.example");
    if (works) server.answers["PUT /api/partners"] = works;
    await user.click(save());
    expect(await screen.findByText("Zapisano.")).toBeInTheDocument();
    expect(server.sent("PUT /api/partners").at(-1)?.body).toMatchObject({
      version: 4,
      name: "Moja",
      email: "nowy@flota.example",
    });
  });

  it("keeps what was typed over the end of a session", async () => {
    const server = stored();
    const { user, change } = await open();
    server.answers["PUT /api/partners"] = () => refusal(401, { code: "access.unauthenticated" });
    await change("Nazwa firmy", "Moja");
    await user.click(save());
    expect(await screen.findByText(/Sesja wygasła/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Zaloguj się" }));
    expect(sessionStorage.getItem("saldo.return")).toBe("/profile");
    cleanup(); // the page is left for the provider's, and loaded anew
    signedIn();
    renderApp("/profile");
    await waitFor(() => expect(field("Nazwa firmy")).toHaveValue("Moja"));
    expect(screen.getByText(/Zachowaliśmy to, co było wpisane/)).toBeInTheDocument();
  });

  it("can be read but not changed by whoever may only read", async () => {
    const server = stored();
    server.answers["GET /api/session"] = () =>
      json({ ...partner, permissions: ["session.read", "tags.read", "partner.read"] });
    await open();
    expect(field("Nazwa firmy")).toBeDisabled();
    expect(screen.queryByRole("button", { name: "Zapisz" })).not.toBeInTheDocument();
    for (const one of await screen.findAllByRole("switch")) expect(one).toBeDisabled();
  });

  it("says what failed and tries again", async () => {
    const server = stored();
    const works = server.answers["GET /api/partners"];
    server.answers["GET /api/partners"] = () => refusal(500, { code: "internal" });
    const { user } = renderApp("/profile");
    expect(await screen.findByText("Nie udało się wczytać profilu")).toBeInTheDocument();
    if (works) server.answers["GET /api/partners"] = works;
    await user.click(screen.getByRole("button", { name: "Spróbuj ponownie" }));
    expect(await screen.findByRole("textbox", { name: "Nazwa firmy" })).toBeInTheDocument();
  });
});

describe("what drivers see", () => {
  it("is turned on and off at once, and told in words", async () => {
    const server = stored();
    const { user } = await open();
    expect(
      await screen.findByText(/Twoi kierowcy widzą: przejazdy, czas pracy, faktury, rozliczenia\./),
    ).toHaveTextContent("Zaczynają od rozliczeń.");
    await user.click(screen.getByRole("switch", { name: "Faktury i rozliczenia" }));
    await waitFor(() => expect(screen.getByText(/Zaczynają od faktur\./)).toBeInTheDocument());
    expect(server.sent("PUT /api/partners/driver-functions")[0]?.body).toEqual({
      version: 1,
      "1": true,
      "2": true,
      "3": false,
      "4": true,
    });
    await waitFor(() => expect(screen.getByRole("switch", { name: "Przejazdy" })).toBeEnabled());
    await user.click(screen.getByRole("switch", { name: "Przejazdy" }));
    await waitFor(() => expect(server.sent("PUT /api/partners/driver-functions")).toHaveLength(2));
    expect(server.sent("PUT /api/partners/driver-functions")[1]?.body).toMatchObject({
      version: 2,
      "1": false,
      "3": false,
    });
  });

  it("stays as it was when the server refuses", async () => {
    const server = stored();
    server.answers["PUT /api/partners/driver-functions"] = () => refusal(409, { code: "partner.changed" });
    const { user } = await open();
    await user.click(await screen.findByRole("switch", { name: "Przejazdy" }));
    expect(await screen.findByText(/Przełączniki zostają bez zmian\./)).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole("switch", { name: "Przejazdy" })).toBeChecked());
  });
});

describe("the brand", () => {
  it("shows how a colour will really look while it is chosen", async () => {
    stored();
    const { change } = await open();
    expect(screen.getByLabelText("Wybierz kolor")).toHaveValue("#0b5d68");
    await change("Kolor", "#FFFF00");
    expect(await screen.findByText(/jest nieco jaśniejszy albo ciemniejszy/)).toBeInTheDocument();
    const [light] = screen.getAllByText("Rozlicz");
    expect(light).not.toHaveStyle({ background: "#FFFF00", color: "#FFFFFF" });
  });

  it("takes a picture and gives it back", async () => {
    const server = stored();
    const { user } = await open();
    await user.upload(
      screen.getByLabelText("Wybierz obraz", { selector: "input" }),
      new File(["png"], "logo.png", { type: "image/png" }),
    );
    expect(await screen.findByRole("img", { name: "Twoje logo" })).toHaveAttribute(
      "src",
      "/identification/flota/logo?v=1",
    );
    expect(server.sent("PUT /api/partners/logo")[0]).toMatchObject({
      body: "png",
      key: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    await user.click(screen.getByRole("button", { name: "Usuń logo" }));
    expect(await screen.findByText("Nie ma jeszcze logo")).toBeInTheDocument();
  });

  it("says why a picture was refused", async () => {
    const server = stored();
    server.answers["PUT /api/partners/logo"] = () => refusal(422, { code: "partner.picture_refused" });
    const { user } = await open();
    await user.upload(
      screen.getByLabelText("Wybierz obraz", { selector: "input" }),
      new File(["?"], "logo.png", { type: "image/png" }),
    );
    expect(await screen.findByText(/To nie jest obraz PNG ani JPEG.*Logo zostaje bez zmian\./)).toBeInTheDocument();
  });

  it("never sends a drawing that could hold scripts", async () => {
    expect(await fitting(new File(["<svg/>"], "logo.svg", { type: "image/svg+xml" }))).toBeUndefined();
    const small = new File(["jpeg"], "logo.jpg", { type: "image/jpeg" });
    expect(await fitting(small)).toBe(small);
  });
});

describe("the values of the form", () => {
  it("go to the server as they came from it", () => {
    const { version, ...rest } = changesOf(valuesOf(profile, "PL"), 3, "PL");
    expect(version).toBe(3);
    expect(profile).toMatchObject(rest);
  });

  it("are the same when they mean the same", () => {
    const values = valuesOf(profile, "PL");
    const typed = { ...values, phone: "601 234 567", account: "61109010140000071219812874", color: "#0b5d68" };
    expect(sameChanges(changesOf(typed, 1, "PL"), changesOf(values, 2, "PL"))).toBe(true);
    expect(sameChanges(changesOf({ ...values, notes: "x" }, 1, "PL"), changesOf(values, 1, "PL"))).toBe(false);
  });

  it("keep mine where I changed it and theirs everywhere else, also within the address", () => {
    const base = changesOf(valuesOf(profile, "PL"), 3, "PL");
    const mine = { ...base, name: "Mine", address: { ...base.address, city: "Kraków" } };
    const theirs = { ...profile, version: 4, notes: "theirs", address: { ...profile.address, street: "Długa" } };
    expect(merged(base, mine, theirs)).toMatchObject({
      name: "Mine",
      notes: "theirs",
      version: 4,
      address: { city: "Kraków", street: "Długa" },
    });
  });

  it("take German tax numbers on the German instance alone", () => {
    for (const text of ["DE136695976", "36574261809", "181/815/08155"]) {
      expect(parseTaxId(text, "DE").ok).toBe(true);
      expect(parseTaxId(text, "PL").ok).toBe(false);
    }
    expect(parseTaxId("5260250274", "DE").ok).toBe(false);
  });
});

describe("SMS settings", () => {
  const dialog = () => screen.findByRole("dialog", { name: "SMS" });

  it("are off until an account at a provider is given, which is never shown again", async () => {
    const server = stored();
    let kept: SMSSettings = noSMS;
    server.answers["GET /api/sms-settings"] = () => json(kept);
    server.answers["PUT /api/sms-settings"] = () => {
      kept = { ...noSMS, on: true, sender: "Wrzos", partCost: 9, usedParts: 12 };
      return new Response(null, { status: 204 });
    };
    server.answers["DELETE /api/sms-settings"] = () => {
      kept = noSMS;
      return new Response(null, { status: 204 });
    };
    const { user } = await open();
    await user.click(await screen.findByRole("button", { name: "Włącz SMS-y" }));
    const form = within(await dialog());
    await user.type(await form.findByLabelText("Token API"), "secret-token");
    await user.type(form.getByLabelText("Nazwa nadawcy"), "Wrzos");
    await user.clear(form.getByLabelText("Cena jednej części"));
    await user.type(form.getByLabelText("Cena jednej części"), "0,09");
    await user.click(form.getByRole("button", { name: "Zapisz" }));
    await waitFor(() =>
      expect(server.sent("PUT /api/sms-settings").at(-1)?.body).toEqual({
        provider: "SMSAPI",
        token: "secret-token",
        sender: "Wrzos",
        partCost: 9,
        monthParts: 500,
      }),
    );
    expect(await screen.findByText(/SMSAPI, nadawca Wrzos, 0,09.zł za część/)).toBeInTheDocument();
    expect(screen.getByText(/W tym miesiącu: 12 z 500 części/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Zmień" }));
    expect(await within(await dialog()).findByLabelText("Token API")).toHaveValue("");
    await user.click(within(await dialog()).getByRole("button", { name: "Anuluj" }));
    await user.click(screen.getByRole("button", { name: "Wyłącz" }));
    await user.click(within(await dialog()).getByRole("button", { name: "Wyłącz" }));
    expect(await screen.findByText("SMS-y wyłączone")).toBeInTheDocument();
    expect(await screen.findByRole("button", { name: "Włącz SMS-y" })).toBeInTheDocument();
  });

  it("of Twilio need its account, and say which field is wrong", async () => {
    const server = stored();
    server.answers["PUT /api/sms-settings"] = () =>
      refusal(422, { code: "messages.invalid", fields: [{ name: "account", code: "wrong_format" }] });
    const { user } = await open();
    await user.click(await screen.findByRole("button", { name: "Włącz SMS-y" }));
    const form = within(await dialog());
    await user.selectOptions(await form.findByLabelText("Dostawca"), "TWILIO");
    await user.type(form.getByLabelText("Account SID"), "AC1");
    await user.type(form.getByLabelText("Auth Token"), "secret-token");
    await user.type(form.getByLabelText("Nadawca"), "+48111222333");
    await user.click(form.getByRole("button", { name: "Zapisz" }));
    expect(await form.findByText(/Nic nie zapisano\./)).toBeInTheDocument();
    expect(form.getByLabelText("Account SID")).toHaveAttribute("aria-invalid", "true");
  });
});

describe("connections", () => {
  const dialog = () => screen.findByRole("dialog", { name: "Dysk WebDAV" });
  const drive: Connection = {
    ...noService("drive.webdav"),
    version: 1,
    state: "working",
    lastOkAt: "2026-11-16T06:31:00Z",
    free: 12_345_678_901,
    delivered: 214,
    settings: { address: "https://cloud.example/Saldo", account: "anna", deliver: ["invoices", "reports", "packs"] },
    deliverFrom: "2026-11-01",
  };

  it("are tried before they are kept, and say what was wrong", async () => {
    const server = stored();
    let services = noServices.services;
    server.answers["GET /api/partner-services"] = () => json({ services });
    server.answers["PUT /api/partner-services/drive.webdav"] = () => refusal(409, { code: "connections.denied" });
    const { user } = await open();
    const section = within(await screen.findByRole("region", { name: "Połączenia" }));
    const [, second] = await section.findAllByRole("button", { name: "Połącz" });
    await user.click(second ?? section.getByText("nothing"));
    const form = within(await dialog());
    await user.type(await form.findByLabelText("Adres folderu"), "https://cloud.example/Saldo");
    await user.type(form.getByLabelText("Login"), "anna");
    await user.type(form.getByLabelText("Hasło"), "hunter2");
    await user.click(form.getByLabelText("Udostępnione rozliczenia (PDF)"));
    await user.click(form.getByRole("button", { name: "Sprawdź i zapisz" }));
    expect(await form.findByText(/Usługa odrzuciła login lub hasło/)).toBeInTheDocument();
    expect(server.sent("PUT /api/partner-services/drive.webdav").at(-1)?.body).toEqual({
      version: 0,
      password: "hunter2",
      settings: { address: "https://cloud.example/Saldo", account: "anna", deliver: ["invoices", "reports", "packs"] },
    });
    services = [noService("fuel.orlen"), drive, noService("drive.s3")];
    server.answers["PUT /api/partner-services/drive.webdav"] = () => json(drive);
    await user.click(form.getByRole("button", { name: "Sprawdź i zapisz" }));
    expect(await screen.findByText("Połączono: Dysk WebDAV")).toBeInTheDocument();
    expect(await section.findByText(/Na dysku: 214\. Wolne miejsce: 12 GB/)).toBeInTheDocument();
    expect(section.queryByText(/hunter2/)).not.toBeInTheDocument();
  });

  it("can be tested, changed without a password and removed", async () => {
    const server = stored();
    let services = [noService("fuel.orlen"), drive, noService("drive.s3")];
    const stopped: Connection = { ...drive, state: "stopped", reason: "no_space", waiting: 3 };
    server.answers["GET /api/partner-services"] = () => json({ services });
    server.answers["POST /api/partner-services/drive.webdav/test"] = () => {
      services = [noService("fuel.orlen"), stopped, noService("drive.s3")];
      return json(stopped);
    };
    server.answers["POST /api/partner-services/drive.webdav/deliver"] = () => new Response(null, { status: 204 });
    server.answers["DELETE /api/partner-services/drive.webdav"] = () => {
      services = noServices.services;
      return new Response(null, { status: 204 });
    };
    const { user } = await open();
    const section = within(await screen.findByRole("region", { name: "Połączenia" }));
    await user.click(await section.findByRole("button", { name: "Sprawdź" }));
    expect(await screen.findByText("Dysk WebDAV: połączenie nie działa")).toBeInTheDocument();
    expect(await section.findByText(/Na dysku nie ma już miejsca\..*Czeka: 3/)).toBeInTheDocument();
    await user.click(section.getByRole("button", { name: "Wyślij też starsze…" }));
    const older = within(await screen.findByRole("dialog", { name: "Starsze dokumenty" }));
    await user.type(older.getByLabelText("Od dnia"), "2026-01-01");
    await user.click(older.getByRole("button", { name: "Wyślij" }));
    await waitFor(() =>
      expect(server.sent("POST /api/partner-services/drive.webdav/deliver").at(-1)?.body).toEqual({
        from: "2026-01-01",
      }),
    );
    await user.click(section.getByRole("button", { name: "Rozłącz" }));
    await user.click(within(await dialog()).getByRole("button", { name: "Rozłącz" }));
    expect(await screen.findByText("Rozłączono: Dysk WebDAV")).toBeInTheDocument();
    expect(await section.findAllByRole("button", { name: "Połącz" })).toHaveLength(3);
  });

  it("fetches fuel statements out of a mailbox, now and by itself", async () => {
    const server = stored();
    let services = [noService("fuel.orlen"), noService("fuel.mailbox")];
    const box: Connection = {
      ...noService("fuel.mailbox"),
      version: 1,
      state: "working",
      lastOkAt: "2026-11-18T03:31:00Z",
      settings: { account: "anna", address: "imap.example.com", folder: "INBOX", confirm: true },
      rows: 214,
      newRows: 3,
      refused: 2,
    };
    server.answers["GET /api/partner-services"] = () => json({ services });
    server.answers["PUT /api/partner-services/fuel.mailbox"] = () => {
      services = [noService("fuel.orlen"), box];
      return json(box);
    };
    server.answers["POST /api/partner-services/fuel.mailbox/fetch"] = () => new Response(null, { status: 204 });
    const { user } = await open();
    const section = within(await screen.findByRole("region", { name: "Połączenia" }));
    const [, second] = await section.findAllByRole("button", { name: "Połącz" });
    await user.click(second ?? section.getByText("nothing"));
    const form = within(await screen.findByRole("dialog", { name: "Skrzynka na zestawienia paliwowe" }));
    await user.type(await form.findByLabelText("Serwer IMAP"), "imap.example.com");
    await user.type(form.getByLabelText("Login"), "anna");
    await user.type(form.getByLabelText("Hasło"), "hunter2");
    await user.click(form.getByLabelText("Zatwierdzaj pliki automatycznie"));
    await user.click(form.getByRole("button", { name: "Sprawdź i zapisz" }));
    expect(await section.findByText(/Wiersze w ostatnim pliku: 214, nowe: 3\. Odrzucone wiadomości: 2/)).toBeVisible();
    expect(server.sent("PUT /api/partner-services/fuel.mailbox").at(-1)?.body).toEqual({
      version: 0,
      password: "hunter2",
      settings: { address: "imap.example.com", account: "anna", confirm: true },
    });
    await user.click(section.getByRole("button", { name: "Pobierz teraz" }));
    expect(await screen.findByText("Skrzynka na zestawienia paliwowe: pobieranie rozpoczęte")).toBeInTheDocument();
    expect(server.sent("POST /api/partner-services/fuel.mailbox/fetch")).toHaveLength(1);
  });

  it("keep a Google Drive once Google has led back with its consent", async () => {
    const server = stored();
    let services = [noService("drive.google")];
    server.answers["GET /api/partner-services"] = () => json({ services });
    server.answers["PUT /api/partner-services/drive.google"] = () => {
      services = [{ ...noService("drive.google"), version: 1, state: "working" }];
      return json(services[0]);
    };
    const { user, address } = renderApp("/profile?ask=connect-drive.google&google=state-1%20code-1");
    const form = within(await screen.findByRole("dialog", { name: "Google Drive" }));
    expect(await form.findByText(/^Google potwierdził zgodę/)).toBeInTheDocument();
    expect(form.queryByLabelText("Hasło")).toBeNull();
    await user.click(form.getByLabelText("Raporty z harmonogramu"));
    await user.click(form.getByRole("button", { name: "Sprawdź i zapisz" }));
    expect(await screen.findByText("Połączono: Google Drive")).toBeInTheDocument();
    expect(server.sent("PUT /api/partner-services/drive.google").at(-1)?.body).toEqual({
      version: 0,
      password: "state-1 code-1",
      settings: { account: "", deliver: ["statements", "invoices", "packs"] },
    });
    expect(address()).not.toContain("code-1");
  });

  it("keep no Google Drive before its owner agreed there", async () => {
    const server = stored();
    server.answers["GET /api/partner-services"] = () => json({ services: [noService("drive.google")] });
    server.answers["GET /api/partner-services/google/start"] = () => refusal(409, { code: "connections.off" });
    const { user } = await open();
    const section = within(await screen.findByRole("region", { name: "Połączenia" }));
    await user.click(await section.findByRole("button", { name: "Połącz" }));
    const form = within(await screen.findByRole("dialog", { name: "Google Drive" }));
    expect(await form.findByRole("button", { name: "Sprawdź i zapisz" })).toBeDisabled();
    await user.click(form.getByRole("button", { name: "Połącz z Google Drive" }));
    expect(await form.findByRole("alert")).toBeInTheDocument();
    expect(server.sent("PUT /api/partner-services/drive.google")).toHaveLength(0);
  });

  it("let Saldo into KSeF with a certificate and its key, and say why not", async () => {
    const server = stored();
    let services = [noService("ksef")];
    const answers = [
      refusal(422, { code: "ksef.password" }),
      json({ ...noService("ksef"), version: 1, state: "working" }),
    ];
    server.answers["GET /api/partner-services"] = () => json({ services });
    server.answers["PUT /api/partner-services/ksef"] = () => {
      if (answers.length === 1) {
        const renewal = {
          days: 90,
          renewsOn: "2027-01-10",
          renewalRefusedAt: "2027-01-11T09:30:00Z",
          renewalCode: 25007,
        };
        services = [{ ...noService("ksef"), version: 1, state: "working", ...renewal }];
      }
      return answers.shift() ?? new Response(null, { status: 500 });
    };
    const { user } = await open();
    const section = within(await screen.findByRole("region", { name: "Połączenia" }));
    await user.click(await section.findByRole("button", { name: "Połącz" }));
    const form = within(await screen.findByRole("dialog", { name: "KSeF" }));
    const save = await form.findByRole("button", { name: "Sprawdź i zapisz" });
    expect(save).toBeDisabled();
    await user.upload(form.getByLabelText("Certyfikat"), new File(["a certificate"], "own.crt"));
    await user.upload(form.getByLabelText("Klucz prywatny"), new File(["a key"], "own.key"));
    expect(form.getByRole("button", { name: "Certyfikat: own.crt" })).toBeInTheDocument();
    await user.type(form.getByLabelText("Hasło do klucza"), "hunter3");
    await user.click(save);
    expect(await form.findByRole("alert")).toHaveTextContent(/hasł/i);
    await user.clear(form.getByLabelText("Hasło do klucza"));
    await user.click(save);
    expect(await screen.findByText("Połączono: KSeF")).toBeInTheDocument();
    expect(await screen.findByText(/^Od 10 sty 2027 Saldo samo poprosi KSeF/)).toBeInTheDocument();
    expect(screen.getByText(/KSeF nie wydał nowego certyfikatu: .*kod 25007/)).toBeInTheDocument();
    expect(server.sent("PUT /api/partner-services/ksef").map(({ body }) => body)).toEqual([
      {
        version: 0,
        settings: { account: "" },
        certificate: btoa("a certificate"),
        key: btoa("a key"),
        password: "hunter3",
      },
      { version: 0, settings: { account: "" }, certificate: btoa("a certificate"), key: btoa("a key") },
    ]);
  });
});
