import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve, stale } from "../../testing/server";
import type { Driver, DriverRow } from "./queries";

const row = (id: string, lastName: string, more: Partial<DriverRow> = {}): DriverRow => ({
  id,
  lastName,
  firstName: "Oleh",
  email: "",
  phone: "",
  ibanEnd: "2874",
  taxId: "5260250274",
  contractNumber: "",
  summaryLanguage: "",
  settlementFrequency: 0,
  settledOn: "",
  bailiffSeizure: false,
  active: true,
  blocked: false,
  linked: false,
  verified: false,
  activationSent: false,
  schemaNumber: 0,
  tags: [],
  identities: [],
  createdAt: "2026-11-01T09:00:00Z",
  ...more,
});

const babiak: Driver = {
  id: "d1",
  version: 3,
  firstName: "Oleh",
  lastName: "Babiak",
  email: "oleh@example.com",
  phone: "+48601234567",
  iban: "PL61109010140000071219812874",
  accountHolder: "",
  passportName: "",
  taxId: "5260250274",
  contractNumber: "",
  bailiffSeizure: false,
  summaryLanguage: "",
  settlementFrequency: 0,
  active: true,
  blocked: false,
  linked: false,
  verified: false,
  activationSent: false,
  schemaNumber: 0,
  tags: [],
  identities: [{ provider: "UBER", value: "u-1" }],
  createdAt: "2026-11-01T09:00:00Z",
  ibanChangedAt: null,
};

const counts = { all: 60, active: 58, inactive: 2, blocked: 1, withoutIban: 3, withoutTaxId: 4, withoutSchema: 57 };
const done = () => new Response(null, { status: 204 });

const stored = () => {
  let driver = babiak;
  const server = serve({
    "GET /api/session": () =>
      json({ ...partner, permissions: [...partner.permissions, "drivers.read", "drivers.write", "schemas.read"] }),
    "GET /api/providers": () => json({ providers: [{ code: "UBER", name: "Uber", hasDriverApp: true }] }),
    "GET /api/settlement-schemas": () =>
      json({
        schemas: [
          { schemaNumber: 1, name: "Standard", isDefault: true },
          { schemaNumber: 2, name: "Kurierzy", isDefault: false },
        ],
      }),
    "GET /api/tags": () => json({ tags: [{ id: "t", name: "Nocni", createdAt: "2026-11-01T09:00:00Z" }] }),
    "POST /api/drivers/tags": () =>
      json({
        drivers: [
          { id: "d1", result: "changed" },
          { id: "d2", result: "unchanged" },
        ],
      }),
    "GET /api/drivers/export": () =>
      new Response("Nazwisko;Imię\n", {
        headers: { "Content-Type": "text/csv", "Content-Disposition": "attachment; filename=drivers-2026-11-15.csv" },
      }),
    "GET /api/drivers": () =>
      json({
        drivers: [
          row("d1", "Babiak", { email: "oleh@example.com", phone: "+48601234567", identities: babiak.identities }),
          row("d2", "Żak", {
            ibanEnd: "",
            taxId: "",
            blocked: true,
            active: false,
            tags: [{ id: "t", name: "Nocni" }],
          }),
        ],
        total: 60,
        counts,
      }),
    "POST /api/drivers": () => json({ id: "new" }, 201),
    "GET /api/drivers/d1": () => json(driver),
    "GET /api/drivers/d1/place": () =>
      json({
        previous: null,
        next: { id: "d2", driverId: "d2", firstName: "Oleh", lastName: "Żak" },
        position: 1,
        total: 60,
      }),
    "GET /api/drivers/d2/place": () => json({ previous: null, next: null, position: 2, total: 60 }),
    "GET /api/drivers/d2": () => json({ ...driver, id: "d2", lastName: "Żak" }),
    "GET /api/drivers/d1/account": () =>
      json({ candidates: [], verifiedAt: null, activationSentAt: null, registered: false }),
    "GET /api/drivers/d1/history": () =>
      json({
        events: [
          {
            at: "2026-11-02T09:00:00Z",
            who: "Anna Mazurek",
            action: "drivers.save",
            changes: [{ field: "lastName", before: "Babiuk", after: "Babiak" }],
          },
        ],
      }),
    "PUT /api/drivers/d1": () => {
      driver = {
        ...driver,
        ...(server.sent("PUT /api/drivers/d1").at(-1)?.body as Driver),
        version: driver.version + 1,
      };
      return done();
    },
    "PUT /api/drivers/d1/identities": () => {
      driver = { ...driver, identities: [], version: driver.version + 1 };
      return done();
    },
    "POST /api/drivers/d1/block": () => {
      driver = { ...driver, blocked: true };
      return done();
    },
    "POST /api/drivers/d1/activation": () => refusal(409, { code: "drivers.activation_sent" }),
  });
  return { ...server, elsewhere: (change: Partial<Driver>) => (driver = { ...driver, ...change }) };
};

// The form is large: on a busy machine it takes its time.
beforeEach(signedIn);

describe("the list of drivers", () => {
  it("is gone through one by one with its filter and order", async () => {
    const server = stored();
    const { user, address } = renderApp("/drivers?q=ole&show=active&sort=-name&page=2");
    await user.click(await screen.findByRole("link", { name: "Babiak Oleh" }));
    expect(await screen.findByText("1 z 60")).toBeInTheDocument();
    expect(server.sent("GET /api/drivers/d1/place")[0]?.query).toEqual({ q: "ole", state: "active", sort: "-name" });
    await user.keyboard("j");
    expect(await screen.findByRole("heading", { level: 1, name: "Żak Oleh" })).toBeInTheDocument();
    await user.click(screen.getByRole("link", { name: "Kierowcy", current: false }));
    expect(address()).toBe("/drivers?q=ole&show=active&sort=-name&page=2");
  });

  it("shows who they are, what is missing, and counts on its views", async () => {
    stored();
    renderApp("/drivers");
    const link = await screen.findByRole("link", { name: "Żak Oleh" });
    const cells = within(link.closest("tr") ?? fail()).getAllByRole("cell");
    for (const word of ["Zablokowany", "Nieaktywny", "Brak IBAN", "Brak NIP"]) expect(cells[5]).toHaveTextContent(word);
    expect(cells[3]).toHaveTextContent("Nocni");
    expect(cells[2]).toHaveTextContent("Standard domyślny");
    expect(screen.getByText("oleh@example.com · +48601234567")).toBeInTheDocument();
    expect(await screen.findByRole("img", { name: "Uber u-1" })).toHaveTextContent("U");
    expect(screen.getByText("60 kierowców")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Brak IBAN 3" })).toHaveAttribute("aria-pressed", "false");
    expect(screen.getByText("1–50 z 60")).toBeInTheDocument();
  });

  it("keeps search, view, order and page in the address", async () => {
    stored();
    const { user, address } = renderApp("/drivers");
    await screen.findByRole("link", { name: "Babiak Oleh" });
    await user.click(screen.getByRole("button", { name: "Następna strona" }));
    expect(address()).toBe("/drivers?page=2");
    await user.click(screen.getByRole("button", { name: "Zablokowani 1" }));
    expect(address()).toBe("/drivers?show=blocked");
    await user.click(screen.getByRole("button", { name: "Dodano" }));
    await user.keyboard("/");
    await user.type(screen.getByRole("textbox", { name: "Nazwisko, e-mail, telefon, umowa" }), "żak");
    expect(address()).toBe("/drivers?show=blocked&sort=createdAt&q=%C5%BCak");
  });

  it("says what to do when there are none, and when none matches", async () => {
    const server = stored();
    const nobody = { all: 0, active: 0, inactive: 0, blocked: 0, withoutIban: 0, withoutTaxId: 0, withoutSchema: 0 };
    server.answers["GET /api/drivers"] = () => json({ drivers: [], total: 0, counts: nobody });
    const { user } = renderApp("/drivers?q=zzz");
    expect(await screen.findByText("Żaden kierowca nie pasuje")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Wyczyść wyszukiwanie i filtry" }));
    expect(await screen.findByText("Nie ma jeszcze kierowców")).toBeInTheDocument();
    expect(screen.getAllByRole("button", { name: "Dodaj kierowcę" })).toHaveLength(1);
  });

  it("adds a driver, and says at the field what the server refused", async () => {
    const server = stored();
    const works = server.answers["POST /api/drivers"] ?? fail;
    server.answers["POST /api/drivers"] = () =>
      refusal(422, { code: "drivers.invalid", fields: [{ name: "iban", code: "wrong_format" }] });
    const { user, address } = renderApp("/drivers?add=driver");
    const drawer = await screen.findByRole("dialog");
    await user.type(within(drawer).getByRole("textbox", { name: "Imię" }), "Oleh");
    await user.type(within(drawer).getByRole("textbox", { name: "Nazwisko" }), "Babiak");
    await user.type(within(drawer).getByRole("textbox", { name: "IBAN" }), "x");
    await user.click(within(drawer).getByRole("button", { name: "Dodaj kierowcę" }));
    expect(await within(drawer).findByText(/Kierowca nie został dodany/)).toBeInTheDocument();
    expect(await within(drawer).findByText(/Ten numer konta jest błędny/)).toBeInTheDocument();
    server.answers["POST /api/drivers"] = works;
    await user.clear(within(drawer).getByRole("textbox", { name: "IBAN" }));
    await user.click(within(drawer).getByRole("button", { name: "Dodaj kierowcę" }));
    await waitFor(() => expect(address()).toBe("/drivers"));
    expect(server.sent("POST /api/drivers").at(-1)?.body).toMatchObject({
      firstName: "Oleh",
      lastName: "Babiak",
      iban: "",
      summaryLanguage: "",
      settlementFrequency: 0,
      schemaNumber: 0,
    });
  });

  it("keeps income, missing schema and the size of a page in the address", async () => {
    const server = stored();
    const { user, address } = renderApp("/drivers");
    await screen.findByRole("link", { name: "Babiak Oleh" });
    await user.click(screen.getByRole("button", { name: "Bez własnego schematu 57" }));
    await user.click(screen.getByRole("checkbox", { name: "Tylko z przychodem" }));
    await user.selectOptions(screen.getByRole("combobox", { name: "Na stronie" }), "25");
    expect(address()).toBe("/drivers?show=schema&income=true&size=25");
    expect(await screen.findByText("1–25 z 60")).toBeInTheDocument();
    const page = screen.getByRole("textbox", { name: /Strona/ });
    await user.clear(page);
    await user.type(page, "99{Enter}");
    expect(address()).toBe("/drivers?show=schema&income=true&size=25&page=3");
    await waitFor(() =>
      expect(server.sent("GET /api/drivers").at(-1)?.query).toMatchObject({
        income: "true",
        missing: "schema",
        page: "3",
        size: "25",
      }),
    );
  });

  it("shows the columns that a person chose, also after a reload", async () => {
    stored();
    const { user } = renderApp("/drivers");
    await screen.findByRole("link", { name: "Babiak Oleh" });
    await user.click(screen.getByRole("button", { name: "Kolumny" }));
    const chooser = screen.getByRole("dialog", { name: "Kolumny" });
    await user.click(within(chooser).getByRole("checkbox", { name: "Konto" }));
    within(chooser).getByRole("checkbox", { name: "E-mail" }).focus();
    await user.keyboard(" ");
    await user.click(within(chooser).getByRole("checkbox", { name: "Dodano" }));
    expect(screen.getByText("•••• 2874")).toBeInTheDocument();
    expect(screen.queryByRole("columnheader", { name: "Dodano" })).not.toBeInTheDocument();
    cleanup();
    renderApp("/drivers");
    expect(await screen.findByText("•••• 2874")).toBeInTheDocument();
    expect(screen.getByRole("cell", { name: "oleh@example.com" })).toBeInTheDocument();
  });

  it("gives a tag to those who are chosen, says who had it, and takes it back from the others only", async () => {
    const server = stored();
    const { user } = renderApp("/drivers");
    await user.click(await screen.findByRole("checkbox", { name: "Zaznacz: Babiak Oleh" }));
    const bar = screen.getByRole("region", { name: "Zaznaczeni kierowcy" });
    expect(bar).toHaveTextContent("Zaznaczono 1 kierowcę");
    await user.click(within(bar).getByRole("button", { name: "Zaznacz całą stronę" }));
    await user.selectOptions(within(bar).getByRole("combobox", { name: "Etykieta" }), "Nocni");
    await user.click(within(bar).getByRole("button", { name: "Dodaj etykietę" }));
    expect(
      await screen.findByText("Dodano etykietę „Nocni” 1 kierowcy. U 1 nie było czego zmieniać."),
    ).toBeInTheDocument();
    expect(server.sent("POST /api/drivers/tags")[0]?.body).toEqual({ driverIds: ["d1", "d2"], add: ["t"], remove: [] });
    expect(screen.queryByRole("region", { name: "Zaznaczeni kierowcy" })).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Cofnij" }));
    await waitFor(() =>
      expect(server.sent("POST /api/drivers/tags")[1]?.body).toEqual({ driverIds: ["d1"], add: [], remove: ["t"] }),
    );
  });

  it("keeps the choice and says why when tags are refused", async () => {
    const server = stored();
    server.answers["POST /api/drivers/tags"] = () => refusal(422, { code: "drivers.invalid" });
    const { user } = renderApp("/drivers");
    await user.click(await screen.findByRole("checkbox", { name: "Zaznacz: Babiak Oleh" }));
    const bar = screen.getByRole("region", { name: "Zaznaczeni kierowcy" });
    await user.selectOptions(within(bar).getByRole("combobox", { name: "Etykieta" }), "Nocni");
    await user.click(screen.getByRole("button", { name: "Zdejmij etykietę" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Żadna etykieta nie została zmieniona");
    expect(screen.getByText("Zaznaczono 1 kierowcę")).toBeInTheDocument();
  });

  it("hands out the file of the whole filter, and says when there is none", async () => {
    const server = stored();
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    const { user } = renderApp("/drivers?show=iban&page=2");
    await user.click(await screen.findByRole("button", { name: "Eksport" }));
    await user.click(screen.getByRole("menuitem", { name: "CSV" }));
    await waitFor(() => expect(saved).toEqual(["drivers-2026-11-15.csv"]));
    expect(server.sent("GET /api/drivers/export")[0]?.query).toEqual({
      missing: "iban",
      sort: "name",
      format: "csv",
      lang: "pl",
    });
    server.answers["GET /api/drivers/export"] = () => refusal(500, { code: "internal" });
    await user.click(await screen.findByRole("button", { name: "Eksport" }));
    await user.click(screen.getByRole("menuitem", { name: "Excel (XLSX)" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Plik nie powstał");
    vi.restoreAllMocks();
  });
});

describe("one driver", () => {
  const open = async () => {
    const app = renderApp("/drivers/d1");
    const name = await screen.findByRole("textbox", { name: "Nazwisko" });
    return { ...app, name };
  };
  const save = () => screen.getByRole("button", { name: "Zapisz" });

  it("shows the last settlements, their trend, and leads to each", async () => {
    const server = stored();
    const settled = { id: "s2", driverId: "d1", number: 12, state: "settled", paidOn: "", payout: 60000 };
    const items = [
      { ...settled, firstOn: "2026-11-02", lastOn: "2026-11-08" },
      {
        ...settled,
        id: "s1",
        number: 5,
        state: "paid",
        paidOn: "2026-11-04",
        payout: 120000,
        firstOn: "2026-10-26",
        lastOn: "2026-11-01",
      },
    ];
    server.answers["GET /api/session"] = () =>
      json({ ...partner, permissions: [...partner.permissions, "drivers.read", "settlements.read"] });
    server.answers["GET /api/settlements"] = () => json({ items, totals: null });
    server.answers["GET /api/settlements/periods"] = () => json({ periods: [] });
    renderApp("/drivers/d1");
    const trend = await screen.findByRole("list", { name: "Wypłaty w kolejnych okresach" });
    expect(within(trend).getAllByRole("link")).toHaveLength(2);
    expect(within(trend).getAllByRole("link")[0]).toHaveAttribute("href", "/transactions/summary/d1/s1");
    expect(screen.getByRole("link", { name: /nr 5, Wypłacone 4 lis 2026/ })).toBeInTheDocument();
    expect(server.sent("GET /api/settlements")[0]?.query).toMatchObject({ driver: "d1" });
  });

  it("is changed over the version that was read", async () => {
    const server = stored();
    const { user, name } = await open();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Babiak Oleh");
    expect(screen.getByRole("textbox", { name: "IBAN" })).toHaveValue("PL61 1090 1014 0000 0712 1981 2874");
    expect(await screen.findByText("Nazwisko: Babiuk → Babiak")).toBeInTheDocument();
    expect(save()).toBeDisabled();
    await user.type(name, "-Nowy");
    await user.click(save());
    expect(await screen.findByText("Zapisano")).toBeInTheDocument();
    expect(server.sent("PUT /api/drivers/d1")[0]?.body).toMatchObject({ lastName: "Babiak-Nowy", version: 3 });
  });

  it("shows what somebody else saved, and puts my changes on it", async () => {
    const server = stored();
    const works = server.answers["PUT /api/drivers/d1"] ?? fail;
    server.answers["PUT /api/drivers/d1"] = () => refusal(409, { code: "drivers.changed" });
    const { user, name } = await open();
    await user.type(name, "-Nowy");
    server.elsewhere({ phone: "+48700000000", version: 4 });
    await user.click(save());
    expect(await screen.findByText("Telefon: +48700000000")).toBeInTheDocument();
    expect(name).toHaveValue("Babiak-Nowy");
    server.answers["PUT /api/drivers/d1"] = works;
    await user.click(screen.getByRole("button", { name: "Nałóż moje zmiany na najnowsze" }));
    await user.click(save());
    expect(await screen.findByText("Zapisano")).toBeInTheDocument();
    expect(server.sent("PUT /api/drivers/d1").at(-1)?.body).toMatchObject({
      lastName: "Babiak-Nowy",
      phone: "+48700000000",
      version: 4,
    });
  });

  it("keeps what was typed while a fresh sign-in is asked for", async () => {
    const server = stored();
    server.answers["PUT /api/drivers/d1"] = stale;
    const { user, name } = await open();
    await user.type(name, "-Nowy");
    await user.click(save());
    await user.click(await screen.findByRole("button", { name: "Zaloguj się ponownie" }));
    expect(sessionStorage.getItem("saldo.return")).toBe("/drivers/d1");
    expect(sessionStorage.getItem("saldo.draft.anna.driver.d1")).toContain("Babiak-Nowy");
  });

  it("is blocked only after the effect was read", async () => {
    const server = stored();
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Zablokuj" }));
    const question = await screen.findByRole("dialog", { name: "Zablokować: Oleh Babiak?" });
    expect(question).toHaveTextContent("pomijany w rozliczeniach i wypłatach");
    expect(server.sent("POST /api/drivers/d1/block")).toHaveLength(0);
    await user.click(within(question).getByRole("button", { name: "Zablokuj" }));
    expect(await screen.findByRole("button", { name: "Odblokuj" })).toBeInTheDocument();
  });

  it("loses an id, and an edit that was begun before goes on", async () => {
    const server = stored();
    const { user, name } = await open();
    await user.type(name, "-Nowy");
    await user.click(await screen.findByRole("button", { name: "Usuń Uber u-1" }));
    expect(await screen.findByText("Jeszcze żadnych")).toBeInTheDocument();
    expect(name).toHaveValue("Babiak-Nowy");
    await user.click(save());
    expect(await screen.findByText("Zapisano")).toBeInTheDocument();
    expect(server.sent("PUT /api/drivers/d1").at(-1)?.body).toMatchObject({ version: 4 });
  });

  it("says why an activation was not sent", async () => {
    stored();
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Wyślij aktywację" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Można to zrobić tylko raz");
  });

  it("that is not there is said so", async () => {
    const server = stored();
    server.answers["GET /api/drivers/d9"] = () => refusal(404, { code: "drivers.not_found" });
    renderApp("/drivers/d9");
    expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się wczytać kierowcy");
  });
});

function fail(): never {
  throw new Error("it is not there");
}
