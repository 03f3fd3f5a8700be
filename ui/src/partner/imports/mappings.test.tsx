import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { importer, json, refusal, serve } from "../../testing/server";
import type { Mapping } from "./mapping-queries";
import type { One } from "./queries";
import { putAway } from "./uploads";

const counts = {
  drivers: { all: 0, new: 0, unassigned: 0, ignored: 0, existing: 0 },
  transactions: { all: 0, new: 0, unassigned: 0, ignored: 0, existing: 0, failed: 0, fleet: 0, replaced: 0 },
  skipped: 0,
};
const one: One = {
  import: {
    id: "i1",
    status: "failed",
    provider: "",
    kind: "",
    fileName: "karty.csv",
    size: 100,
    encoding: "UTF-8",
    delimiter: ";",
    periodFrom: "",
    periodTo: "",
    periodSource: "",
    chosenProvider: "",
    city: "",
    datesFrom: "",
    datesTo: "",
    bonusFrom: "",
    bonusTo: "",
    allowDuplicates: false,
    mergeByName: false,
    duplicateOf: "",
    bookedAs: "",
    restated: "",
    counts,
    totals: [],
    fault: "imports.not_recognised",
    faultParams: {},
    uploadedAt: "2026-11-09T08:00:00Z",
    uploadedBy: "Anna Mazurek",
    source: "",
    confirmedAt: null,
    confirmedBy: "",
    finishedAt: null,
    removedAt: null,
    removedBy: "",
    readings: 1,
  },
  preview: {
    parts: [
      {
        name: "",
        role: "unknown",
        provider: "",
        kind: "",
        suggestedReport: "",
        encoding: "UTF-8",
        delimiter: ";",
        head: ["Karta", "Dzień", "Kwota", ""],
        headLine: 2,
      },
    ],
    rows: [
      { part: "", line: 1, cells: ["Zestawienie", "", "", ""] },
      { part: "", line: 2, cells: ["Karta", "Dzień", "Kwota", ""] },
      { part: "", line: 3, cells: ["7001", "21.09.2026", "10,50", "x"] },
    ],
    counts,
    totals: [],
    rowWarningCount: 0,
    rowWarnings: [],
    rowErrors: [],
    matches: { byIdentity: 0, byEmail: 0, byPhone: 0, byName: 0, pairs: [], unassigned: [] },
    warnings: [],
    changes: { count: 0, partly: 0, old: 0, new: 0, drivers: [], rows: [] },
    remembered: [],
    guessed: [],
  },
  progress: { state: "", done: 0, total: 0 },
  waitsFor: "",
};
const mapping: Mapping = {
  id: "m1",
  name: "Karty",
  version: 3,
  head: ["Karta", "Dzień", "Kwota", ""],
  importId: "i1",
  createdAt: "2026-11-09T08:00:00Z",
  createdBy: "Anna Mazurek",
  updatedAt: "2026-11-09T08:00:00Z",
  updatedBy: "Anna Mazurek",
  provider: "ORLEN",
  columns: [
    { header: "Karta", role: "card" },
    { header: "Dzień", role: "date" },
    { header: "Kwota", role: "amount" },
  ],
  decimal: ",",
  dateForm: "DD.MM.YYYY",
  sign: "negated",
  type: "FUEL",
};
const row = {
  line: 3,
  on: "2026-09-21",
  clock: "06:10",
  name: "",
  keys: [{ kind: "card", value: "7001" }],
  type: "FUEL",
  amount: -1050,
  rowErrors: [],
  skipped: "",
};
const lacking = (...names: string[]) =>
  refusal(422, { code: "imports.mapping_invalid", fields: names.map((name) => ({ name, code: "required" as const })) });

/** A server with one file that nobody knows and one mapping. */
const stored = (answers: Parameters<typeof serve>[0] = {}) =>
  serve({
    "GET /api/session": () => json(importer),
    "GET /api/providers": () =>
      json({
        providers: [
          { code: "BOLT", name: "Bolt", hasDriverApp: true },
          { code: "ORLEN", name: "ORLEN", hasDriverApp: false },
        ],
      }),
    "GET /api/transactions/types": () =>
      json({
        types: [
          { type: "FUEL", carriers: ["ORLEN"] },
          { type: "COST", carriers: ["ORLEN"] },
          { type: "TRIP", carriers: ["BOLT"] },
        ],
      }),
    "GET /api/unmatched-drivers": () => json({ identities: [], next: "", waiting: 0, assigned: 0, ignored: 0 }),
    "GET /api/imports": () => json({ imports: [], next: "" }),
    "GET /api/imports/i1": () => json(one),
    "GET /api/import-mappings": () => json({ mappings: [mapping] }),
    "POST /api/import-mappings/try": () => json({ rows: [row] }),
    "POST /api/import-mappings": () => json({ id: "m1" }, 201),
    "PUT /api/import-mappings/m1": () => new Response(null, { status: 204 }),
    "DELETE /api/import-mappings/m1": () => new Response(null, { status: 204 }),
    "GET /api/remembered-types": () => json({ types: [remembered] }),
    "DELETE /api/remembered-types/r1": () => new Response(null, { status: 204 }),
    "POST /api/imports/i1/read-again": () => json({ id: "i1", status: "analyzing" }, 202),
    ...answers,
  });

const remembered = {
  id: "r1",
  provider: "UBER",
  layout: "payments",
  mappingId: "",
  seen: "Airport",
  type: "TRIP",
  updatedAt: "2026-11-02T08:00:00Z",
  updatedBy: "Anna Mazurek",
};

const holds = (column: string) => screen.findByRole("combobox", { name: `Co zawiera kolumna ${column}` });
const sent = (server: ReturnType<typeof serve>, route: string) =>
  server.seen.findLast((call) => call.route === route)?.body;

/** The field for providers, once their names are here. */
const providers = async () => {
  await screen.findByRole("option", { name: "ORLEN" });
  return screen.getByLabelText("Dostawca");
};

beforeEach(() => {
  signedIn();
  putAway("i1");
});

describe("describing the columns of a file", () => {
  it("says what is still missing, then shows how the first rows are read, and sends what was said", async () => {
    const server = stored({
      "POST /api/import-mappings/try": () =>
        (sent(server, "POST /api/import-mappings/try") as Mapping).columns.length < 3
          ? lacking("amount", "driver")
          : json({ rows: [row, { ...row, line: 4, on: "", skipped: "total" }] }),
    });
    const { user, address } = renderApp("/upload/files/i1/columns");
    await user.selectOptions(await holds("Dzień"), "data");
    await screen.findByText(/^Jeszcze brakuje: kolumna z kwotą; kolumna, która mówi, czyj/);
    await user.selectOptions(await holds("Karta"), "numer karty");
    await user.selectOptions(await holds("Kwota"), "kwota");
    await user.selectOptions(await providers(), "ORLEN");
    const table = await screen.findByRole("table", { name: "Tak odczytamy pierwsze wiersze" });
    expect(within(table).getByRole("row", { name: /^3/ })).toHaveTextContent(
      /^321 wrz 2026 06:10karta 7001Paliwo−10,50$/,
    );
    expect(within(table).getByText("suma, pomijamy")).toBeInTheDocument();
    // a fuel card writes what drivers owe as plain amounts
    expect(screen.getByLabelText("Znak kwot")).toHaveValue("negated");
    expect(screen.getByLabelText("Typ wszystkich wierszy")).toHaveValue("FUEL");
    await user.click(screen.getByRole("button", { name: "Zapamiętaj i odczytaj plik" }));
    await waitFor(() => expect(address()).toBe("/upload"));
    expect(sent(server, "POST /api/import-mappings")).toEqual({
      name: "karty",
      importId: "i1",
      part: "",
      headLine: 2,
      provider: "ORLEN",
      columns: [
        { header: "Karta", role: "card" },
        { header: "Dzień", role: "date" },
        { header: "Kwota", role: "amount" },
      ],
      decimal: "",
      dateForm: "",
      sign: "negated",
      type: "FUEL",
    });
  });

  it("says beside each field what is wrong with it, by the place of the column in the file", async () => {
    stored({
      "POST /api/import-mappings": () =>
        refusal(422, {
          code: "imports.mapping_invalid",
          fields: [
            { name: "provider", code: "required" },
            { name: "columns.1.role", code: "duplicate" },
            { name: "amount", code: "required" },
          ],
        }),
    });
    const { user } = renderApp("/upload/files/i1/columns");
    await user.selectOptions(await holds("Karta"), "data");
    await user.selectOptions(await holds("Kwota"), "data");
    await user.click(screen.getByRole("button", { name: "Zapamiętaj i odczytaj plik" }));
    await screen.findByText(/Nic nie zostało zapisane/);
    expect(await holds("Kwota")).toHaveAccessibleDescription("Ta wartość jest już użyta");
    expect(await holds("Karta")).not.toHaveAttribute("aria-invalid");
    expect(screen.getByLabelText("Dostawca")).toHaveAccessibleDescription("Wypełnij to pole");
    expect(screen.getByText("Jeszcze brakuje: kolumna z kwotą")).toBeInTheDocument();
  });

  it("takes another row for the names and forgets what was said of other columns, but not the rest", async () => {
    stored();
    const { user } = renderApp("/upload/files/i1/columns");
    await user.selectOptions(await providers(), "BOLT");
    await user.selectOptions(await holds("Karta"), "numer karty");
    await user.selectOptions(screen.getByLabelText("Wiersz z nazwami kolumn"), "1");
    expect(await holds("Zestawienie")).toHaveValue("");
    expect(screen.getByLabelText("Dostawca")).toHaveValue("BOLT");
  });

  it("leaves the type to a column that holds it", async () => {
    const server = stored();
    const { user } = renderApp("/upload/files/i1/columns");
    await user.selectOptions(await providers(), "ORLEN");
    await user.selectOptions(await holds("Karta"), "typ lub produkt");
    expect(screen.getByLabelText("Typ wszystkich wierszy")).toBeDisabled();
    expect(screen.getByText("Mówi to kolumna Karta.")).toBeInTheDocument();
    await waitFor(() => expect(sent(server, "POST /api/import-mappings/try")).toMatchObject({ type: "" }));
  });

  it("offers to read a file again whose first rows are not kept", async () => {
    const server = stored({ "GET /api/imports/i1": () => json({ ...one, preview: { ...one.preview, rows: [] } }) });
    const { user } = renderApp("/upload/files/i1/columns");
    await user.click(await screen.findByRole("button", { name: "Odczytaj ponownie" }));
    await waitFor(() => expect(server.seen.map(({ route }) => route)).toContain("POST /api/imports/i1/read-again"));
  });
});

describe("remembered descriptions", () => {
  it("are changed from the version that was opened", async () => {
    const server = stored();
    const { user, address } = renderApp("/upload/mappings");
    await user.click(await screen.findByRole("link", { name: "Zmień Karty" }));
    expect(await holds("Dzień")).toHaveValue("date");
    await user.clear(screen.getByRole("textbox", { name: "Nazwa" }));
    await user.type(screen.getByRole("textbox", { name: "Nazwa" }), "Orlen");
    await user.click(screen.getByRole("button", { name: "Zapisz zmiany" }));
    await waitFor(() => expect(address()).toBe("/upload/mappings"));
    expect(sent(server, "PUT /api/import-mappings/m1")).toMatchObject({
      version: 3,
      name: "Orlen",
      type: "FUEL",
      columns: mapping.columns,
    });
  });

  it("are deleted after a question", async () => {
    const server = stored();
    const { user } = renderApp("/upload/mappings");
    await user.click(await screen.findByRole("button", { name: "Usuń Karty" }));
    const question = await screen.findByRole("dialog", { name: "Usunąć Karty?" });
    await user.click(within(question).getByRole("button", { name: "Usuń" }));
    await screen.findByText("Usunięto: Karty");
    expect(server.seen.map(({ route }) => route)).toContain("DELETE /api/import-mappings/m1");
  });
});

describe("remembered types", () => {
  it("are listed and removed", async () => {
    const server = stored();
    const { user } = renderApp("/upload/mappings");
    const list = await screen.findByRole("table", { name: "Zapamiętane typy" });
    await within(list).findByText("Airport");
    expect(within(list).getByText("Przejazd")).toBeInTheDocument();
    await user.click(within(list).getByRole("button", { name: "Usuń typ dla: Airport" }));
    await screen.findByText("Usunięto zapamiętany typ: Airport");
    expect(server.seen.map(({ route }) => route)).toContain("DELETE /api/remembered-types/r1");
  });
});
