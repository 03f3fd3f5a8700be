import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { onSaved } from "../../browser/save";
import { withReportTexts } from "../../i18n/reports";
import { addressOf, askedOf } from "../../reports/parameters";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";

const asks = [
  { key: "from", title: "Od dnia", kind: "day", required: true },
  { key: "to", title: "Do dnia", kind: "day", required: true },
  {
    ...{ key: "app", title: "Aplikacja", kind: "choice", many: true },
    values: [
      { key: "UBER", title: "Uber" },
      { key: "BOLT", title: "Bolt" },
    ],
  },
] as const;
const report = { id: "r1", code: "income", title: "Przychody", ask: asks };
const result = {
  title: "Przychody",
  from: "2026-10-19",
  to: "2026-11-15",
  columns: [
    { key: "driver", title: "Kierowca", kind: "driver" },
    { key: "week", title: "Tydzień", kind: "text" },
    { key: "payout", title: "Do wypłaty", kind: "money" },
    { key: "share:payout", title: "Udział", kind: "percent" },
    { key: "minutes", title: "Czas pracy", kind: "minutes" },
  ],
  rows: [
    ["Babiak Oleh", "2026-W45", 287_830, 625, 2_405],
    ["Wolna Anna", "2026-W46", -500, null, 0],
  ],
  drivers: ["d1", "d2"],
  totals: [null, null, 287_330, 1_000, 2_405],
  totalsOnce: true,
  computedAt: "2026-11-18T10:00:00Z",
  rowsLeftOut: 1_200,
};
const definition = {
  ...{ id: "r1", code: "income", title: "Przychody", audience: "partner", enabled: true, own: true, version: 3 },
  ...{ place: "", changedAt: "2026-11-17T10:00:00Z", changedBy: "Anna Mazurek" },
  definition: { subject: "settlements", title: { pl: "Przychody" }, measures: ["payout"], ask: [] },
};
const ready = { ...definition, id: "", own: false, code: "drivers-ranking", title: "Kierowcy według przychodów" };
const subjects = [
  {
    ...{ key: "settlements", title: "Rozliczenia kierowców", dated: true, drivers: true },
    measures: [
      { key: "count", title: "Liczba pozycji", kind: "count" },
      { key: "payout", title: "Do wypłaty", kind: "money" },
    ],
    values: [
      { key: "week", title: "Tydzień", kind: "text" },
      { key: "tag", title: "Etykieta", kind: "tag" },
    ],
  },
  { key: "drivers", title: "Lista kierowców", measures: [{ key: "count", title: "Liczba pozycji", kind: "count" }] },
];
const people = [{ id: "p1", name: "Anna Mazurek", email: "anna@example.com", state: "active" }];

beforeEach(() => withReportTexts());

function start(permissions = ["settlements.read", "settlements.write"], reports: unknown[] = [report]) {
  signedIn();
  return serve({
    "GET /api/session": () =>
      json({ ...partner, permissions: [...partner.permissions, ...permissions] as typeof partner.permissions }),
    "GET /api/reports": () => json({ items: reports }),
    "GET /api/report-definitions": () => json({ items: [definition], ready: [ready], subjects }),
    "GET /api/report-schedules": () => json({ items: [] }),
    "GET /api/partners/people": () => json({ people }),
    "POST /api/reports/income": () => json(result),
    "POST /api/report-definitions/preview": () => json(result),
  });
}

describe("a report", () => {
  it("shows the usual days at once, with totals and links to drivers", async () => {
    const server = start();
    renderApp("/report/income");
    const table = await screen.findByRole("table", { name: "Przychody" });
    const rows = within(table).getAllByRole("row");
    expect(rows.map((row) => row.textContent.replaceAll(/\s/g, " "))).toEqual([
      "KierowcaTydzieńDo wypłaty, złUdziałCzas pracy",
      "Babiak Oleh2–8 lis 20262 878,3062,5%40:05",
      "Wolna Anna9–15 lis 2026−5,000:00",
      "Razem (każdy kierowca raz)2 873,30100%40:05",
    ]);
    expect(within(table).getByText("Wolna Anna")).toHaveAttribute("href", expect.stringMatching(/\/drivers\/d2$/));
    expect(screen.getByText(/dalszych: 1.200/)).toBeInTheDocument();
    expect(server.sent("POST /api/reports/income")[0]?.body).toEqual({
      parameters: { days: "last_4_weeks" },
      page: 1,
      lang: "pl",
    });
  });

  it("keeps what was asked in its address, and goes on to the next page", async () => {
    const server = start();
    const { user, address } = renderApp("/report/income");
    await user.selectOptions(await screen.findByLabelText("Dni"), "last_month");
    await user.click(screen.getByLabelText("Bolt"));
    await user.click(screen.getByRole("button", { name: "Pokaż" }));
    expect(address()).toBe("/report/income?days=last_month&v.app=BOLT");
    await user.click(await screen.findByRole("button", { name: "Następna strona" }));
    await waitFor(() =>
      expect(server.sent("POST /api/reports/income").at(-1)?.body).toEqual({
        parameters: { days: "last_month", values: { app: ["BOLT"] } },
        page: 2,
        lang: "pl",
      }),
    );
  });

  it("says at the days that they are missing", async () => {
    const server = start();
    server.answers["POST /api/reports/income"] = () =>
      refusal(422, {
        code: "reports.days_invalid",
        fields: [
          { name: "from", code: "wrong_format" },
          { name: "to", code: "wrong_format" },
        ],
      });
    renderApp("/report/income?from=&to=");
    const from = await screen.findByLabelText(/^Od/);
    await waitFor(() => expect(from).toHaveAccessibleDescription("Podaj obie daty w formie 2026-11-01."));
    expect(from).toBeInvalid();
    expect(screen.queryByRole("table")).not.toBeInTheDocument();
  });

  it("goes out as a file of what is on screen", async () => {
    const server = start();
    server.answers["POST /api/reports/generate/income"] = () =>
      new Response("x", { headers: { "Content-Disposition": 'attachment; filename="income.pdf"' } });
    const names: string[] = [];
    const stop = onSaved((name) => names.push(name));
    const { user } = renderApp("/report/income?days=last_week");
    await user.click(await screen.findByRole("button", { name: "Pobierz" }));
    await user.click(screen.getByRole("menuitem", { name: "PDF" }));
    await waitFor(() => expect(names).toEqual(["income.pdf"]));
    stop();
    expect(server.sent("POST /api/reports/generate/income")[0]?.body).toEqual({
      parameters: { days: "last_week" },
      format: "pdf",
      lang: "pl",
    });
  });

  it("that is not there is named so", async () => {
    start();
    renderApp("/report/other");
    expect(await screen.findByRole("heading", { name: "Nie ma takiego raportu" })).toBeInTheDocument();
  });
});

it.each([
  [{ days: "last_week" }, "days=last_week"],
  [{ from: "2026-11-02", to: "" }, "from=2026-11-02&to="],
  [{ from: "", to: "", values: { app: ["UBER", "BOLT"] } }, "from=&to=&v.app=UBER&v.app=BOLT"],
] as const)("an address holds %j", (parameters, address) => {
  const mutable = JSON.parse(JSON.stringify(parameters)) as Parameters<typeof addressOf>[0];
  expect(addressOf(mutable).toString()).toBe(address);
  expect(askedOf(new URLSearchParams(address), [...asks] as unknown as Parameters<typeof askedOf>[1])).toEqual(mutable);
});

describe("the menu", () => {
  const menu = async () => within(await screen.findByRole("navigation", { name: "Menu główne" }));

  it("has reports where there are some", async () => {
    start();
    renderApp("/reports");
    const link = await (await menu()).findByText("Raporty");
    expect(link).toHaveAttribute("href", expect.stringMatching(/reports$/));
  });

  it("has none where there are none", async () => {
    const server = start(["settlements.read"], []);
    renderApp("/reports");
    await screen.findByRole("heading", { name: "Raporty" });
    await waitFor(() => expect(server.sent("GET /api/reports").length).toBeGreaterThan(0));
    expect((await menu()).queryByText("Raporty")).not.toBeInTheDocument();
    expect(screen.queryByText("Nowy raport")).not.toBeInTheDocument();
  });
});

describe("the list of reports", () => {
  it("switches a ready one on, and one that is there off", async () => {
    const server = start();
    server.answers["POST /api/report-definitions"] = () => json({ id: "r2" }, 201);
    server.answers["PUT /api/report-definitions/r1"] = () => new Response(null, { status: 204 });
    const { user } = renderApp("/reports");
    await user.click(await screen.findByRole("button", { name: "Włącz: Kierowcy według przychodów" }));
    await waitFor(() =>
      expect(server.sent("POST /api/report-definitions")[0]?.body).toMatchObject({
        code: "drivers-ranking",
        enabled: true,
        version: 0,
      }),
    );
    await user.click(screen.getByRole("button", { name: "Zmień: Przychody" }));
    await user.click(screen.getByRole("menuitem", { name: "Wyłącz" }));
    await waitFor(() =>
      expect(server.sent("PUT /api/report-definitions/r1")[0]?.body).toMatchObject({ enabled: false, version: 3 }),
    );
  });

  it("asks before one is removed", async () => {
    const server = start();
    server.answers["DELETE /api/report-definitions/r1"] = () => new Response(null, { status: 204 });
    const { user } = renderApp("/reports");
    await user.click(await screen.findByRole("button", { name: "Zmień: Przychody" }));
    await user.click(screen.getByRole("menuitem", { name: "Usuń" }));
    const dialog = screen.getByRole("dialog", { name: "Usunąć raport „Przychody”?" });
    expect(server.sent("DELETE /api/report-definitions/r1")).toHaveLength(0);
    await user.click(within(dialog).getByRole("button", { name: "Usuń" }));
    await waitFor(() => expect(server.sent("DELETE /api/report-definitions/r1")[0]?.query).toEqual({ version: "3" }));
  });
});

describe("the editor", () => {
  it("writes a definition beside its first rows, and saves it", async () => {
    const server = start();
    server.answers["POST /api/report-definitions"] = () => json({ id: "r2" }, 201);
    const { user, address } = renderApp("/reports/edit");
    fireEvent.change(await screen.findByLabelText(/^Nazwa/), { target: { value: "Wypłaty wg etykiety" } });
    expect(screen.getByText("Raport otworzysz pod /report/wyplaty-wg-etykiety")).toBeInTheDocument();
    await user.selectOptions(screen.getByLabelText("Dodaj podział"), "tag");
    await user.click(screen.getByRole("button", { name: "Przesuń wyżej: Etykieta" }));
    await user.selectOptions(screen.getByLabelText("Dodaj filtr"), "tag");
    await user.click(screen.getByLabelText("Do wypłaty: udział"));
    expect(await screen.findByRole("table", { name: "Przychody" })).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Zapisz" }));
    await waitFor(() => expect(address()).toBe("/reports"));
    expect(server.sent("POST /api/report-definitions")[0]?.body).toEqual({
      code: "wyplaty-wg-etykiety",
      audience: "partner",
      enabled: true,
      version: 0,
      definition: {
        subject: "settlements",
        title: { pl: "Wypłaty wg etykiety" },
        measures: ["payout", "count", "share:payout"],
        by: ["tag", "week"],
        filter: [{ field: "tag", is: ["$tag"] }],
        ask: [
          { name: "from", kind: "day" },
          { name: "to", kind: "day" },
          { name: "tag", kind: "tag", many: true },
        ],
        total: true,
      },
    });
  });

  it("says in words where a definition is wrong", async () => {
    const server = start();
    const wrong = () =>
      refusal(422, { code: "reports.definition_invalid", params: { place: "measures[1]", found: "share:drivers" } });
    server.answers["POST /api/report-definitions/preview"] = wrong;
    server.answers["PUT /api/report-definitions/r1"] = wrong;
    const { user } = renderApp("/reports/edit/r1");
    expect(await screen.findByText(/^Popraw pole „Liczby w kolumnach”\./)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Zapisz" }));
    const part = screen.getByRole("group", { name: "Liczby w kolumnach" });
    expect(await within(part).findByText(/measures\[1\]/)).toBeInTheDocument();
  });

  it("takes a definition as text, and no text that is none", async () => {
    start();
    const { user } = renderApp("/reports/edit/r1");
    await user.click(await screen.findByRole("button", { name: "Pokaż definicję jako tekst" }));
    const text = screen.getByLabelText("Definicja (JSON)");
    fireEvent.change(text, { target: { value: "[]" } });
    await user.click(screen.getByRole("button", { name: "Zastosuj" }));
    expect(text).toHaveAccessibleDescription(/To nie jest poprawny JSON\.$/);
    fireEvent.change(text, { target: { value: '{"subject":"drivers","title":{"pl":"Lista"},"measures":["count"]}' } });
    await user.click(screen.getByRole("button", { name: "Zastosuj" }));
    expect(screen.getByLabelText(/^Nazwa/)).toHaveValue("Lista");
    expect(screen.getByLabelText(/^O czym/)).toHaveValue("drivers");
  });
});

describe("schedules", () => {
  it("are made for people of the office", async () => {
    const server = start();
    server.answers["POST /api/report-schedules"] = () => json({ id: "s1" }, 201);
    const { user } = renderApp("/reports/schedules");
    await user.click(await screen.findByRole("button", { name: "Zaplanuj wysyłkę" }));
    const dialog = await screen.findByRole("dialog");
    await user.selectOptions(within(dialog).getByLabelText("Jak często"), "month");
    await user.click(await within(dialog).findByLabelText(/Anna Mazurek/));
    await user.click(within(dialog).getByRole("button", { name: "Zapisz" }));
    await waitFor(() =>
      expect(server.sent("POST /api/report-schedules")[0]?.body).toMatchObject({
        reportId: "r1",
        parameters: { days: "last_week" },
        every: "month",
        day: 1,
        hour: 7,
        format: "xlsx",
        recipients: ["p1"],
      }),
    );
  });

  it("say when the next one goes, why one stands still, and go on", async () => {
    const server = start();
    const schedule = {
      ...{ id: "s1", reportId: "r1", parameters: { days: "last_week" }, every: "week", weekday: 1, hour: 7 },
      ...{ format: "pdf", recipients: ["p1", "gone"], paused: true, version: 2, reason: "recipients", sent: 2 },
      last: "2026-11-16T06:00:00Z",
    };
    server.answers["GET /api/report-schedules"] = () => json({ items: [schedule] });
    server.answers["PUT /api/report-schedules/s1"] = () => new Response(null, { status: 204 });
    const { user } = renderApp("/reports/schedules");
    const list = await screen.findByRole("list", { name: "Wysyłka" });
    await waitFor(() =>
      expect(list).toHaveTextContent("co tydzień, poniedziałek, 7:00 · PDF · Anna Mazurek, osoba bez dostępu"),
    );
    expect(list).toHaveTextContent("ostatnio pon., 16 lis, 07:00 do 2 osób");
    expect(list).toHaveTextContent("Wstrzymana: brak odbiorców");
    await user.click(screen.getByRole("button", { name: "Zmień: Przychody" }));
    await user.click(screen.getByRole("menuitem", { name: "Wznów" }));
    await waitFor(() => expect(server.sent("PUT /api/report-schedules/s1")[0]?.body).toMatchObject({ paused: false }));
  });
});
