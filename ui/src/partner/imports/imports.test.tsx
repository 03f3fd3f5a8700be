import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { today } from "../../format/date";
import { renderApp, signedIn } from "../../testing/render";
import { importer, json, partner, refusal, serve } from "../../testing/server";
import type { Identity, Import, ImportRow, One, Preview, Status } from "./queries";
import { putAway } from "./uploads";
import { weekDays, weeksBefore } from "./weeks";

const counts: Preview["counts"] = {
  drivers: { all: 3, new: 1, unassigned: 0, ignored: 0, existing: 2 },
  transactions: { all: 12, new: 7, unassigned: 3, ignored: 0, existing: 1, failed: 1, fleet: 0, replaced: 0 },
  skipped: 1,
};
const totals: Preview["totals"] = [
  { type: "TRIP", count: 8, sum: 120000, newCount: 7, newSum: 110000, counted: true },
  { type: "FEE", count: 3, sum: -25050, newCount: 3, newSum: -25050, counted: true },
];
const file: Import = {
  id: "i1",
  status: "preview",
  provider: "BOLT",
  kind: "earnings",
  fileName: "bolt.csv",
  size: 3400,
  encoding: "UTF-8",
  delimiter: ";",
  periodFrom: "2026-11-02",
  periodTo: "2026-11-08",
  periodSource: "name",
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
  totals,
  faultParams: {},
  uploadedAt: "2026-11-09T08:00:00Z",
  uploadedBy: "Anna Mazurek",
  confirmedAt: null,
  confirmedBy: "",
  finishedAt: null,
  removedAt: null,
  removedBy: "",
};
const preview: Preview = {
  changes: { count: 0, partly: 0, old: 0, new: 0, drivers: [], rows: [] },
  parts: [
    {
      name: "",
      role: "money",
      provider: "BOLT",
      kind: "earnings",
      suggestedReport: "",
      encoding: "UTF-8",
      delimiter: ";",
      head: ["Kierowca", "Kwota"],
      headLine: 1,
    },
  ],
  rows: [{ part: "", line: 2, cells: ["Oleh Babiak", "12,00"] }],
  counts,
  totals,
  rowWarningCount: 1,
  rowWarnings: [{ line: 4, column: "Razem", says: 10000, adds: 9990 }],
  rowErrors: [
    {
      code: "wrong_amount",
      count: 1,
      first: [{ line: 7, column: "Kwota", found: "n/a", expected: "1234.56" }],
    },
  ],
  matches: {
    byIdentity: 1,
    byEmail: 0,
    byPhone: 0,
    byName: 1,
    pairs: [
      {
        provider: "BOLT",
        key: { kind: "id", value: "b7" },
        name: "Jan Nowak",
        driverUUID: "d7",
        driver: "Jan Nowak",
        rows: 4,
      },
    ],
    unassigned: [{ provider: "BOLT", keys: [{ kind: "id", value: "b9" }], name: "Iwan Petrenko", rows: 3, sum: 38810 }],
  },
  warnings: [{ code: "future_dates", count: 2, importId: "", found: "", expected: "" }],
  remembered: [],
  guessed: [],
};
const one = (of: Partial<Import> = {}, shown: Partial<Preview> = {}, progress: Partial<One["progress"]> = {}): One => ({
  import: { ...file, ...of },
  preview: { ...preview, ...shown },
  progress: { state: "", done: 0, total: 0, ...progress },
});

/** A server that has one import, whatever becomes of it. */
const stored = (first: One = one()) => {
  const state = { one: first, made: "i1" };
  const server = serve({
    "GET /api/session": () => json(importer),
    "GET /api/providers": () =>
      json({
        providers: [
          { code: "BOLT", name: "Bolt", hasDriverApp: true },
          { code: "PARTNER", name: "Partner", hasDriverApp: false },
        ],
      }),
    "GET /api/unmatched-drivers": () => json({ identities: [], next: "", waiting: 2, assigned: 0, ignored: 0 }),
    "GET /api/imports": () => {
      const wanted = server.seen.at(-1)?.query.status as Status | undefined;
      const fits = wanted === undefined || wanted === state.one.import.status;
      return json({ imports: fits ? [state.one.import] : [], next: "" });
    },
    "GET /api/imports/i1": () => json(state.one),
    "POST /api/imports": () => json({ id: state.made, status: state.one.import.status }, 201),
    "GET /api/imports/i1/file": () => new Response("Kierowca;Kwota"),
    "POST /api/imports/i1/cancel": () => {
      state.one = one({ status: "cancelled" });
      return new Response(null, { status: 204 });
    },
    "POST /api/imports/i1/confirm": () => {
      state.one = one({ status: "success" });
      return json({ id: "i1", status: "running" }, 202);
    },
  });
  return { server, state };
};

const card = () => screen.findByRole("listitem", { name: "bolt.csv" });
const text = (node: Element | null) => (node?.textContent ?? "").replace(/\s/g, " ");

beforeEach(() => {
  signedIn();
  putAway("i1");
  putAway("i2");
});

describe("a file on the workbench", () => {
  it("shows what it is, what becomes of its rows and money, and names both in the button", async () => {
    stored();
    renderApp("/upload");
    const shown = await card();
    await within(shown).findByText("Bolt, zarobki kierowców");
    expect(text(shown)).toContain("2–8 lis 2026według pliku");
    expect(text(shown)).toContain("UTF-8, średnik");
    const table = within(shown).getByRole("table", { name: "Co jest w pliku" });
    expect(text(within(table).getByRole("row", { name: /^Transakcje/ }))).toBe("Transakcje1273011");
    expect(text(within(shown).getByRole("table", { name: "Kwoty nowych wierszy" }))).toContain("Razem, zł849,50");
    expect(within(shown).getByRole("button", { name: /Wczytaj 10 transakcji \(849,50.zł\)/ })).toBeInTheDocument();
    expect(within(shown).getByText("Nic jeszcze nie zapisano")).toBeInTheDocument();
    expect(within(shown).getByText(/Wiersze z datą z przyszłości: 2/)).toBeInTheDocument();
  });

  it("shows what only informs beside the money, and adds it to nothing", async () => {
    const { state } = stored();
    const payout = { type: "PAYOUT", count: 2, sum: -1574226, newCount: 2, newSum: -1574226, counted: false } as const;
    state.one = { ...state.one, preview: { ...preview, totals: [payout, ...totals] } };
    renderApp("/upload");
    const table = await within(await card()).findByRole("table", { name: "Kwoty nowych wierszy" });
    expect(text(table)).toMatch(/Razem, zł849,50$/);
    expect(text(within(table).getByRole("row", { name: /^Wypłata/ }))).toMatch(/Nie wlicza się.15 742,26$/);
    expect(screen.getByRole("button", { name: /Wczytaj 12 transakcji \(849,50.zł\)/ })).toBeInTheDocument();
  });

  it("names the rows that take a remembered type", async () => {
    const { state } = stored();
    const rows = { provider: "BOLT", seen: "Airport", type: "TRIP", count: 2, sum: 2500, lines: [3, 9] };
    state.one = { ...state.one, preview: { ...preview, remembered: [rows] } };
    renderApp("/upload");
    const shown = await card();
    await within(shown).findByRole("heading", { name: "Typy zapamiętane wcześniej" });
    expect(text(shown)).toContain("Airport → Przejazd, 25,00 złWiersze: 3, 9");
  });

  it("says of refused rows where, what stands there, what should and what to do; and of warnings both totals", async () => {
    stored();
    renderApp("/upload");
    const shown = await card();
    const group = within(shown).getByText("Kwota nie jest liczbą").closest("li");
    expect(text(group)).toContain("wiersze 7");
    expect(text(group)).toContain("KolumnaKwotaZnalezionon/aOczekiwano1234.56");
    expect(text(group)).toContain("Popraw komórkę w pliku");
    expect(text(within(shown).getByRole("row", { name: /^4 Razem/ }))).toBe("4 Razem100,0099,90");
    expect(within(shown).getByText("Iwan Petrenko")).toBeInTheDocument();
    expect(within(shown).getByText("Jan Nowak to Jan Nowak")).toBeInTheDocument();
  });

  it("is confirmed by a press, and then says what was imported and who waits", async () => {
    const { server } = stored();
    const { user } = renderApp("/upload");
    const shown = await card();
    await user.click(within(shown).getByRole("button", { name: /^Wczytaj 10/ }));
    expect(await within(shown).findByText(/Wczytano 10 transakcji/)).toBeInTheDocument();
    expect(within(shown).getByRole("link", { name: "Przypisz kierowców" })).toHaveAttribute("href", "/upload/drivers");
    expect(server.sent("POST /api/imports/i1/confirm")[0]?.body).toEqual({ bookedAs: "", restated: "" });
    expect(within(shown).getByRole("button", { name: "Usuń wczytane dane" })).toBeInTheDocument();
  });

  it("asks before it counts money that another file has brought", async () => {
    const { server } = stored(
      one({}, { warnings: [{ code: "same_money", count: 0, importId: "i0", found: "", expected: "" }] }),
    );
    server.answers["GET /api/imports/i0"] = () => json(one({ id: "i0", fileName: "przejazdy.csv" }));
    const { user } = renderApp("/upload");
    const shown = await card();
    expect(await within(shown).findByRole("link", { name: /przejazdy.csv, Anna Mazurek/ })).toHaveAttribute(
      "href",
      "/log/i0",
    );
    expect(within(shown).getByRole("button", { name: /^Wczytaj 10/ })).toBeDisabled();
    await user.click(within(shown).getByRole("radio", { name: /Jako szczegóły/ }));
    await user.click(within(shown).getByRole("button", { name: "Zachowaj jako szczegóły, bez pieniędzy" }));
    await waitFor(() =>
      expect(server.sent("POST /api/imports/i1/confirm")[0]?.body).toEqual({ bookedAs: "detail", restated: "" }),
    );
  });

  const week = { provider: "BOLT", driverUUID: "d1", identityId: "", name: "Łukasz Żółkiewski", from: "2026-11-09" };
  const restated = (partly: boolean) =>
    one(
      {},
      {
        changes: {
          count: 1,
          partly: partly ? 1 : 0,
          old: 318150,
          new: 319150,
          drivers: [
            { ...week, to: "2026-11-15", old: 318150, new: 319150, oldRows: 1, newRows: 1, settled: 0, partly },
          ],
          rows: [],
        },
      },
    );

  it("shows the difference per driver of a week that is imported already, and replaces it only by name", async () => {
    const { server } = stored(restated(false));
    const { user } = renderApp("/upload");
    const shown = await card();
    const table = within(shown).getByRole("table", { name: "Ten tydzień jest już wczytany, z innymi kwotami" });
    expect(text(within(table).getByRole("row", { name: /Żółkiewski/ }))).toMatch(/3 181,50.*3 191,50.*\+10,00$/);
    expect(within(shown).queryByRole("button", { name: /^Wczytaj 10/ })).not.toBeInTheDocument();
    expect(within(shown).getByRole("button", { name: "Wczytaj jako dodatkowe" })).toBeInTheDocument();
    await user.click(within(shown).getByRole("button", { name: "Zastąp ten tydzień" }));
    await waitFor(() =>
      expect(server.sent("POST /api/imports/i1/confirm")[0]?.body).toEqual({ bookedAs: "", restated: "replace" }),
    );
  });

  it("does not offer to replace a longer period than the file covers, and says what to do", async () => {
    stored(restated(true));
    renderApp("/upload");
    const shown = await card();
    expect(within(shown).getByText(/Zastąpienie usunęłoby też pozostałe dni/)).toBeInTheDocument();
    expect(within(shown).queryByText(/Zastąp je tym plikiem/)).not.toBeInTheDocument();
    expect(within(shown).queryByRole("button", { name: "Zastąp ten tydzień" })).not.toBeInTheDocument();
    expect(within(shown).getByRole("button", { name: "Wczytaj jako dodatkowe" })).toBeEnabled();
  });

  it("shows rows done while it is written, and can be stopped", async () => {
    const { server } = stored(one({ status: "running" }, {}, { state: "running", done: 4000, total: 12000 }));
    const { user } = renderApp("/upload");
    const shown = await card();
    expect(within(shown).getByRole("progressbar")).toHaveAttribute("aria-valuenow", "4000");
    expect(text(shown)).toContain("4 000 z 12 000 wierszy");
    await user.click(within(shown).getByRole("button", { name: "Przerwij i porzuć bolt.csv" }));
    await waitFor(() => expect(server.sent("POST /api/imports/i1/cancel")).toHaveLength(1));
    expect(await screen.findByText("Żaden plik nie czeka na zatwierdzenie")).toBeInTheDocument();
  });

  it("goes up with what was said about it, and a wrong one says which to fetch instead", async () => {
    const { server, state } = stored(
      one(
        { status: "failed", fault: "imports.wrong_file", faultParams: { suggestedReport: "bolt.earnings" }, kind: "" },
        { parts: [], rowErrors: [], warnings: [] },
      ),
    );
    state.made = "i1";
    const { user } = renderApp("/upload");
    await screen.findByText("Żaden plik nie czeka na zatwierdzenie");
    await user.click(screen.getByText("Ustawienia kolejnych plików"));
    await user.click(screen.getByRole("checkbox", { name: /Łącz kierowców/ }));
    expect(screen.getByRole("checkbox", { name: /Zezwól na zduplikowane/ })).not.toBeChecked();
    const input = document.querySelector<HTMLInputElement>("input[type=file]");
    if (input) await user.upload(input, new File(["a;b"], "bolt.csv"));
    const shown = await card();
    expect(await within(shown).findByText(/pobierz raport „Zarobki na kierowcę”/)).toBeInTheDocument();
    const [sent] = server.sent("POST /api/imports");
    expect(sent?.body).toEqual({ mergeByName: "true", file: "bolt.csv" });
    expect(sent?.key).toBeTruthy();
    await user.click(within(shown).getByRole("button", { name: "Ukryj bolt.csv" }));
    expect(screen.queryByRole("listitem", { name: "bolt.csv" })).not.toBeInTheDocument();
  });

  it("says that an upload failed and sends it again under the same key", async () => {
    const { server } = stored(one({ status: "cancelled" }));
    server.answers["POST /api/imports"] = () => refusal(413, { code: "request.too_large" });
    const { user } = renderApp("/upload");
    await screen.findByText("Żaden plik nie czeka na zatwierdzenie");
    const input = document.querySelector<HTMLInputElement>("input[type=file]");
    if (input) await user.upload(input, new File(["a;b"], "duży.csv"));
    const shown = await screen.findByRole("listitem", { name: "duży.csv" });
    expect(within(shown).getByRole("alert")).toHaveTextContent("Plik nie został przesłany. Przesłane dane są za duże.");
    await user.click(within(shown).getByRole("button", { name: "Prześlij ponownie" }));
    await waitFor(() => expect(server.sent("POST /api/imports")).toHaveLength(2));
    const [first, second] = server.sent("POST /api/imports");
    expect(second?.key).toBe(first?.key);
    await user.click(await screen.findByRole("button", { name: "Przerwij przesyłanie duży.csv" }));
    expect(screen.queryByRole("listitem", { name: "duży.csv" })).not.toBeInTheDocument();
  });

  const undated: Partial<Preview> = {
    rowErrors: [{ code: "no_date", count: 9, first: [{ line: 2, column: "", found: "", expected: "" }] }],
  };

  it("that says no days asks for them and is read again", async () => {
    const { server, state } = stored(one({}, undated));
    state.made = "i2";
    server.answers["GET /api/imports/i2"] = () => json(one({ id: "i2", fileName: "drugi.csv" }));
    const { user } = renderApp("/upload");
    await card();
    const asked = within(await screen.findByRole("group", { name: "Za który tydzień jest ten plik?" }));
    await user.selectOptions(asked.getByLabelText("Tydzień"), "Inne dni");
    await user.type(asked.getByLabelText("Transakcje od"), "2026-11-02");
    await user.type(asked.getByLabelText("Transakcje do"), "2026-11-08");
    await user.click(asked.getByRole("button", { name: "Odczytaj ponownie" }));
    expect(await screen.findByRole("listitem", { name: "drugi.csv" })).toBeInTheDocument();
    expect(server.sent("POST /api/imports")[0]?.body).toEqual({
      datesFrom: "2026-11-02",
      datesTo: "2026-11-08",
      file: "bolt.csv",
    });
    expect(server.sent("POST /api/imports/i1/cancel")).toHaveLength(1);
  });

  it("asks for the week once for all files, after the last of them was read", async () => {
    const { server } = stored(one({}, undated));
    let second = one({ id: "i2", fileName: "drugi.csv", status: "analyzing" });
    let number = 2;
    const third = one({ id: "i3", fileName: "trzeci.csv" });
    const all = () => [one({}, undated), second, third];
    server.answers["GET /api/imports"] = () => {
      const wanted = server.seen.at(-1)?.query.status;
      return json({
        imports: all()
          .map((each) => each.import)
          .filter(({ status }) => status === wanted),
        next: "",
      });
    };
    server.answers["GET /api/imports/i2"] = () => json(second);
    server.answers["GET /api/imports/i3"] = () => json(third);
    server.answers["GET /api/imports/i2/file"] = () => new Response("Kierowca;Kwota");
    server.answers["POST /api/imports/i2/cancel"] = () => new Response(null, { status: 204 });
    server.answers["POST /api/imports"] = () => json({ id: `i${(number += 2)}`, status: "analyzing" }, 201);
    const { user } = renderApp("/upload");
    await card();
    await screen.findByRole("listitem", { name: "trzeci.csv" });
    expect(screen.queryByLabelText("Tydzień")).not.toBeInTheDocument();
    second = one({ id: "i2", fileName: "drugi.csv" }, undated);
    const asked = within(await screen.findByRole("group", { name: "Za który tydzień są te 2 pliki?" }));
    expect(asked.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["drugi.csv", "bolt.csv"]);
    await user.click(asked.getByRole("button", { name: "Odczytaj ponownie 2 pliki" }));
    await waitFor(() => expect(server.sent("POST /api/imports")).toHaveLength(2));
    const [week] = weeksBefore(today("Europe/Warsaw"), 1);
    for (const { body } of server.sent("POST /api/imports"))
      expect(body).toMatchObject({ datesFrom: week?.[0], datesTo: week?.[1] });
  });

  it("reads none again when one of them cannot be fetched", async () => {
    const { server } = stored(one({}, undated));
    server.answers["GET /api/imports/i1/file"] = () => refusal(404, { code: "request.not_found" });
    const { user } = renderApp("/upload");
    await card();
    const asked = within(await screen.findByRole("group", { name: "Za który tydzień jest ten plik?" }));
    await user.click(asked.getByRole("button", { name: "Odczytaj ponownie" }));
    expect(await screen.findByText(/Żaden plik nie został odczytany ponownie/)).toBeInTheDocument();
    expect(server.sent("POST /api/imports")).toHaveLength(0);
  });

  it("whose removal gave up can be removed further", async () => {
    const { server } = stored(one({ status: "removing" }, {}, { state: "failed", done: 2000, total: 9000 }));
    server.answers["DELETE /api/imports/i1"] = () => new Response(null, { status: 204 });
    const { user } = renderApp("/upload");
    const shown = await card();
    expect(within(shown).getByRole("alert")).toHaveTextContent("Usuwanie przerwał błąd.");
    await user.click(within(shown).getByRole("button", { name: "Usuwaj dalej" }));
    await waitFor(() => expect(server.sent("DELETE /api/imports/i1")).toHaveLength(1));
  });

  it("offers nothing to whoever may only read", async () => {
    const { server } = stored();
    server.answers["GET /api/session"] = () => json({ ...partner, permissions: ["session.read", "imports.read"] });
    renderApp("/upload");
    const shown = await card();
    expect(within(shown).queryByRole("button", { name: /Wczytaj|Porzuć/ })).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "wybierz z dysku" })).not.toBeInTheDocument();
  });
});

describe("the log", () => {
  it("lists files with their counts and keeps its filters in the address", async () => {
    const { server } = stored(one({ status: "success" }));
    const { user, address } = renderApp("/log");
    const row = (await screen.findByRole("link", { name: "Otwórz bolt.csv" })).closest("tr");
    expect(text(row)).toContain("Wczytany");
    expect(text(row)).toContain("1273011Anna Mazurek");
    await user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "failed");
    expect(address()).toBe("/log?status=failed");
    expect(await screen.findByText("Żaden plik nie pasuje do filtrów")).toBeInTheDocument();
    expect(server.sent("GET /api/imports").at(-1)?.query).toEqual({ status: "failed" });
    await user.click(screen.getByRole("button", { name: "Wyczyść filtry" }));
    expect(await screen.findByRole("link", { name: "Otwórz bolt.csv" })).toBeInTheDocument();
  });

  const brought: ImportRow = {
    id: "r1",
    state: "unassigned",
    sourceFile: "bolt.csv",
    sourceRow: 2,
    sourceColumn: "Kwota",
    provider: "BOLT",
    type: "TRIP",
    amount: 1200,
    currency: "PLN",
    occurredOn: "2026-11-08",
    spanFrom: "2026-11-02",
    spanTo: "2026-11-08",
    description: "",
    driverUUID: "",
    identityId: "w1",
    firstName: "Iwan",
    lastName: "Petrenko",
    settlementUUID: "",
    corrects: "",
  };

  it("opens an import to its rows and removes it after saying what goes, or says which settlements hold it", async () => {
    const { server } = stored(one({ status: "success" }));
    server.answers["GET /api/imports/i1/rows"] = () => json({ rows: [brought], next: "" });
    server.answers["DELETE /api/imports/i1"] = () =>
      refusal(409, { code: "imports.settled", params: { settlements: "s1 s2", drivers: "d1 d2", count: "2" } });
    const { user } = renderApp("/log/i1");
    const row = (await screen.findByText("Petrenko Iwan")).closest("tr");
    expect(text(row)).toContain("2KwotaPetrenko IwanCzeka2–8 lis 2026Przejazd12,00");
    await user.click(screen.getByRole("button", { name: "Usuń wczytane dane" }));
    const question = screen.getByRole("dialog", { name: "Usunąć bolt.csv?" });
    expect(question).toHaveTextContent("Znikną jego transakcje (7) i wiersze, które czekają na kierowcę (3).");
    await user.click(within(question).getByRole("button", { name: "Usuń" }));
    const said = await within(question).findByRole("alert");
    expect(said).toHaveTextContent("Nic nie zostało usunięte.");
    expect(within(said).getByRole("link", { name: "Rozliczenie s2" })).toHaveAttribute(
      "href",
      "/transactions/details/d2/s2",
    );
  });

  const ROWS = "GET /api/imports/i1/rows";
  const many = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => ({ ...brought, id: `r${first + at}`, sourceRow: first + at }));

  it("opens an import at one of its rows, marks it and scrolls to it", async () => {
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(() => undefined);
    const { server } = stored(one({ status: "success" }));
    server.answers[ROWS] = () =>
      json(
        server.sent(ROWS).at(-1)?.query.at === "r70"
          ? { rows: many(65, 114), before: true, next: "114_r114" }
          : { rows: many(2, 51), before: false, next: "51_r51" },
      );
    const { user, address } = renderApp("/log/i1?row=r70");
    const marked = await waitFor(() => screen.getByRole("row", { current: true }));
    expect(text(marked)).toMatch(/^70Kwota/);
    expect(scrolled.mock.contexts).toEqual([marked]);
    await user.click(screen.getByRole("button", { name: "Pokaż od pierwszego wiersza" }));
    await waitFor(() => expect(screen.queryByRole("row", { current: true })).toBeNull());
    expect(address()).toBe("/log/i1");
    expect(screen.queryByRole("button", { name: "Pokaż od pierwszego wiersza" })).toBeNull();
    expect(scrolled).toHaveBeenCalledOnce();
  });

  it("says that the row it was opened at is not there, and shows those that are", async () => {
    const { server } = stored(one({ status: "removed" }));
    server.answers["GET /api/imports/i1/rows"] = () => json({ rows: many(2, 4), before: false, next: "" });
    renderApp("/log/i1?row=r70");
    expect(await screen.findByText(/^Tego wiersza nie ma już w tym pliku/)).toBeVisible();
    expect(screen.queryByRole("row", { current: true })).toBeNull();
    expect(screen.getAllByText("Petrenko Iwan")).toHaveLength(3);
  });

  it("says that nothing was imported yet, and what could not be loaded", async () => {
    const { server } = stored();
    server.answers["GET /api/imports"] = () => json({ imports: [], next: "" });
    renderApp("/log");
    expect(await screen.findByText("Jeszcze niczego nie wczytano")).toBeInTheDocument();
  });
});

describe("unmatched drivers", () => {
  const stranger: Identity = {
    id: "w1",
    provider: "BOLT",
    keys: [{ kind: "id", value: "b9" }],
    name: "Iwan Petrenko",
    state: "waiting",
    driverUUID: "",
    driverFirstName: "",
    driverLastName: "",
    rows: 3,
    sum: 38810,
    firstOn: "2026-11-02",
    lastOn: "2026-11-08",
    createdAt: "2026-11-09T08:00:00Z",
    decidedAt: null,
    decidedBy: "",
  };
  const unmatched = (of: Identity) => {
    const { server } = stored();
    let now = of;
    server.answers["GET /api/unmatched-drivers"] = () => {
      const wanted = server.seen.at(-1)?.query.state;
      return json({
        identities: wanted === now.state ? [now] : [],
        next: "",
        waiting: Number(now.state === "waiting"),
        assigned: Number(now.state === "assigned"),
        ignored: Number(now.state === "ignored"),
      });
    };
    server.answers["GET /api/drivers"] = () =>
      json({ drivers: [{ id: "d1", firstName: "Iwan", lastName: "Petrenko", email: "", phone: "", blocked: false }] });
    const decide = (state: Identity["state"]) => () => {
      now = { ...now, state, ...(state === "assigned" && { driverUUID: "d1", driverLastName: "Petrenko" }) };
      return json({ rows: 3, driverUUID: "d1" });
    };
    server.answers["POST /api/unmatched-drivers/w1/assign"] = decide("assigned");
    server.answers["POST /api/unmatched-drivers/w1/create"] = decide("assigned");
    server.answers["POST /api/unmatched-drivers/w1/ignore"] = decide("ignored");
    server.answers["POST /api/unmatched-drivers/w1/undo"] = decide("waiting");
    return server;
  };

  it("shows who waits with provider, key, rows and sum, and counts them in the menu", async () => {
    unmatched(stranger);
    renderApp("/upload/drivers");
    const row = (await screen.findByText("Iwan Petrenko")).closest("li");
    expect(text(row)).toContain("388,10 zł3 wiersze, 2–8 lis 2026");
    expect(text(row)).toContain("id b9");
    expect(screen.getByRole("link", { name: /^Wczytaj dane 1 kierowca z plików/ })).toBeInTheDocument();
  });

  it("makes drivers of all who have a name, says who was left and why, and takes it back", async () => {
    const server = unmatched(stranger);
    const people = [stranger, { ...stranger, id: "w2", name: "Ewa Lis" }, { ...stranger, id: "w3", name: "" }];
    server.answers["GET /api/unmatched-drivers"] = () =>
      json({ identities: people, next: "", waiting: 3, assigned: 0, ignored: 0 });
    server.answers["POST /api/unmatched-drivers/create"] = () =>
      json({
        outcomes: [
          { id: "w1", outcome: "created", driverUUID: "d9", rows: 3 },
          { id: "w2", outcome: "same_email", driverUUID: "d1", rows: 0 },
        ],
      });
    server.answers["POST /api/unmatched-drivers/undo"] = () =>
      json({ outcomes: [{ id: "w1", outcome: "undone", driverUUID: "d9", rows: 3 }] });
    const { user } = renderApp("/upload/drivers");
    expect(await screen.findAllByRole("checkbox")).toHaveLength(2);
    await user.click(screen.getByRole("checkbox", { name: "Ewa Lis" }));
    expect(screen.getByText("Zaznaczono 1 osobę")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Zaznacz wszystkich z nazwiskiem" }));
    await user.click(await screen.findByRole("button", { name: "Utwórz 2 kierowców" }));
    expect(await screen.findByText("Utworzono kierowców: 1. Do osobnej decyzji: 1.")).toBeInTheDocument();
    expect(new Set((server.sent("POST /api/unmatched-drivers/create")[0]?.body as { ids: string[] }).ids)).toEqual(
      new Set(["w1", "w2"]),
    );
    expect(screen.getByText(/kierowca z tym adresem e-mail już jest/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Otwórz kierowcę (Ewa Lis)" })).toHaveAttribute("href", "/drivers/d1");
    expect(screen.queryByRole("region", { name: "Zaznaczone osoby" })).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Cofnij (1)" }));
    expect(await screen.findByText("Cofnięto decyzje: 1. Bez zmian: 0.")).toBeInTheDocument();
    expect(server.sent("POST /api/unmatched-drivers/undo")[0]?.body).toEqual({ ids: ["w1"] });
  });

  it("assigns to a driver whom a search finds, and takes it back", async () => {
    const server = unmatched(stranger);
    const { user } = renderApp("/upload/drivers");
    await user.click(await screen.findByRole("button", { name: "Przypisz do kierowcy: Iwan Petrenko" }));
    const dialog = screen.getByRole("dialog", { name: "Kim jest Iwan Petrenko?" });
    await user.click(await within(dialog).findByRole("button", { name: /Petrenko Iwan/ }));
    expect(await screen.findByText("Nikogo tu nie ma")).toBeInTheDocument();
    expect(server.sent("POST /api/unmatched-drivers/w1/assign")[0]?.body).toEqual({ driverUUID: "d1" });
    await user.click(screen.getByRole("button", { name: "Cofnij" }));
    expect(await screen.findByText("Iwan Petrenko")).toBeInTheDocument();
  });

  it("creates a driver under names that can be put right", async () => {
    const server = unmatched(stranger);
    const { user } = renderApp("/upload/drivers");
    await user.click(await screen.findByRole("button", { name: "Utwórz kierowcę: Iwan Petrenko" }));
    const dialog = screen.getByRole("dialog", { name: "Nowy kierowca: Iwan Petrenko" });
    await user.clear(within(dialog).getByLabelText("Imię"));
    await user.type(within(dialog).getByLabelText("Imię"), "Ivan");
    await user.click(within(dialog).getByRole("button", { name: "Utwórz i przypisz" }));
    await waitFor(() =>
      expect(server.sent("POST /api/unmatched-drivers/w1/create")[0]?.body).toEqual({
        firstName: "Ivan",
        lastName: "Petrenko",
      }),
    );
  });

  it("lists what was decided, with the way back, and says why that was refused", async () => {
    const server = unmatched({ ...stranger, state: "ignored", decidedBy: "Anna", decidedAt: "2026-11-09T08:00:00Z" });
    server.answers["POST /api/unmatched-drivers/w1/undo"] = () => refusal(409, { code: "imports.identity_undecided" });
    const { user } = renderApp("/upload/drivers?show=ignored");
    await user.click(await screen.findByRole("button", { name: "Cofnij decyzję: Iwan Petrenko" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Decyzja nadal obowiązuje (Iwan Petrenko).");
  });
});

describe("the coverage", () => {
  it("says of each week in words whether it is there", async () => {
    const { server } = stored();
    server.answers["GET /api/imports/coverage"] = () =>
      json({
        providers: [
          {
            provider: "BOLT",
            weeks: [
              { week: "2026-W45", state: "complete", days: 7, imports: ["i1"] },
              { week: "2026-W44", state: "partial", days: 3, imports: ["i1"] },
              { week: "2026-W43", state: "missing", days: 0, imports: [] },
            ],
          },
        ],
      });
    renderApp("/upload/coverage");
    const row = await screen.findByRole("row", { name: /Bolt/ });
    expect(text(row)).toBe("BBoltjestczęściowo3 z 7 dnibrak");
    expect(screen.getByRole("columnheader", { name: /2–8 lis 2026/ })).toBeInTheDocument();
    expect(screen.getByText("nie ma pliku za ten tydzień")).toBeInTheDocument();
  });

  it.each([
    ["2026-W45", "2026-11-02", "2026-11-08"],
    ["2026-W01", "2025-12-29", "2026-01-04"],
    ["2026-W53", "2026-12-28", "2027-01-03"],
  ])("knows the days of %s", (week, from, to) => {
    expect(weekDays(week)).toEqual([from, to]);
  });

  it.each(["2027-01-04", "2027-01-10"])("knows the weeks before the one of %s", (day) => {
    expect(weeksBefore(day, 2)).toEqual([
      ["2026-12-28", "2027-01-03"],
      ["2026-12-21", "2026-12-27"],
    ]);
  });
});
