import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { today } from "../../format/date";
import { renderApp, signedIn } from "../../testing/render";
import { importer, json, partner, refusal, serve } from "../../testing/server";
import type { Identity, Import, ImportRow, One, Person, Preview, Status } from "./queries";
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
  source: "",
  confirmedAt: null,
  confirmedBy: "",
  finishedAt: null,
  removedAt: null,
  removedBy: "",
  readings: 1,
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
  waitsFor: "",
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
    "GET /api/unmatched-drivers": () =>
      json({ identities: [], next: "", people: 2, waiting: 2, assigned: 0, ignored: 0 }),
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
/** The row of the file, opened to its details. */
const opened = async (user: ReturnType<typeof renderApp>["user"]) => {
  const row = await card();
  await user.click(within(row).getByRole("button", { name: "bolt.csv" }));
  return row;
};
const text = (node: Element | null) => (node?.textContent ?? "").replace(/\s/g, " ");

beforeEach(() => {
  signedIn();
  putAway("i1");
  putAway("i2");
});

describe("a file on the workbench", () => {
  it("shows what it is, what becomes of its rows and money, and names both in the button", async () => {
    stored();
    const { user } = renderApp("/upload");
    const line = await card();
    await within(line).findByText("Bolt, zarobki kierowców");
    expect(text(line)).toContain("Okres2–8 lis 2026Kierowcy3nieprzypisani: 1Do wczytania10Istniejące1Odrzucone1");
    expect(within(line).queryByRole("table")).not.toBeInTheDocument();
    const shown = await opened(user);
    expect(text(shown)).toContain("2–8 lis 2026według pliku");
    expect(text(shown)).toContain("UTF-8, średnik");
    const table = within(shown).getByRole("table", { name: "Co jest w pliku" });
    expect(text(within(table).getByRole("row", { name: /^Transakcje/ }))).toBe("Transakcje1273011");
    expect(text(within(shown).getByRole("table", { name: "Kwoty nowych wierszy" }))).toContain("Razem, zł849,50");
    const bar = screen.getByRole("region", { name: "1 plik do zatwierdzenia" });
    expect(within(bar).getByRole("button", { name: /Wczytaj 10 transakcji \(849,50.zł\)/ })).toBeInTheDocument();
    expect(text(bar)).toContain("Nic jeszcze nie zapisano");
    expect(text(bar)).toContain("Wiersze, które zaczekają na przypisanie: 3.");
    expect(within(shown).getByText(/Wiersze z datą z przyszłości: 2/)).toBeInTheDocument();
  });

  it("shows what only informs beside the money, and adds it to nothing", async () => {
    const { state } = stored();
    const payout = { type: "PAYOUT", count: 2, sum: -1574226, newCount: 2, newSum: -1574226, counted: false } as const;
    state.one = { ...state.one, preview: { ...preview, totals: [payout, ...totals] } };
    const { user } = renderApp("/upload");
    const table = await within(await opened(user)).findByRole("table", { name: "Kwoty nowych wierszy" });
    expect(text(table)).toMatch(/Razem, zł849,50$/);
    expect(text(within(table).getByRole("row", { name: /^Wypłata/ }))).toMatch(/Nie wlicza się.15 742,26$/);
    expect(screen.getByRole("button", { name: /Wczytaj 12 transakcji \(849,50.zł\)/ })).toBeInTheDocument();
  });

  it("names the rows that take a remembered type", async () => {
    const { state } = stored();
    const rows = { provider: "BOLT", seen: "Airport", type: "TRIP", count: 2, sum: 2500, lines: [3, 9] };
    state.one = { ...state.one, preview: { ...preview, remembered: [rows] } };
    const { user } = renderApp("/upload");
    const shown = await opened(user);
    await within(shown).findByRole("heading", { name: "Typy zapamiętane wcześniej" });
    expect(text(shown)).toContain("Airport → Przejazd, 25,00 złWiersze: 3, 9");
  });

  it("says of refused rows where, what stands there, what should and what to do; and of warnings both totals", async () => {
    stored();
    const { user } = renderApp("/upload");
    const shown = await opened(user);
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
    await user.click(screen.getByRole("button", { name: /^Wczytaj 10/ }));
    expect(await within(shown).findByText(/Wczytano 10 transakcji/)).toBeInTheDocument();
    expect(within(shown).getByRole("link", { name: "Przypisz kierowców" })).toHaveAttribute("href", "/upload/drivers");
    expect(server.sent("POST /api/imports/i1/confirm")[0]?.body).toEqual({ reading: 1, bookedAs: "", restated: "" });
    await opened(user);
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
      expect(server.sent("POST /api/imports/i1/confirm")[0]?.body).toEqual({
        reading: 1,
        bookedAs: "detail",
        restated: "",
      }),
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
      expect(server.sent("POST /api/imports/i1/confirm")[0]?.body).toEqual({
        reading: 1,
        bookedAs: "",
        restated: "replace",
      }),
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
    const [week] = weeksBefore(today("Europe/Warsaw"), 1);
    expect(sent?.body).toEqual({ mergeByName: "true", file: "bolt.csv", datesFrom: week?.[0], datesTo: week?.[1] });
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

  it("that says no days is read again for the chosen week at one press, as the same import", async () => {
    const { server, state } = stored(one({}, undated));
    server.answers["POST /api/imports/i1/read-again"] = () => {
      state.one = one({ readings: 2 });
      return json({ id: "i1", status: "analyzing" }, 202);
    };
    const { user } = renderApp("/upload");
    await card();
    const asked = within(await screen.findByRole("region", { name: "Za który tydzień jest ten plik?" }));
    await user.click(screen.getByRole("button", { name: "Wcześniejszy okres" }));
    await user.click(asked.getByRole("button", { name: /^Przyjmij / }));
    await waitFor(() => expect(screen.queryByText("Za który tydzień jest ten plik?")).not.toBeInTheDocument());
    const [, before] = weeksBefore(today("Europe/Warsaw"), 2);
    expect(server.sent("POST /api/imports/i1/read-again")[0]?.body).toMatchObject({
      datesFrom: before?.[0],
      datesTo: before?.[1],
      allowDuplicates: false,
    });
    expect(server.sent("POST /api/imports")).toHaveLength(0);
    expect(await card()).toBeInTheDocument();
  });

  it("follows the week that is stepped to, once, if it took the week before", async () => {
    const [last, before, third] = weeksBefore(today("Europe/Warsaw"), 3);
    const picked = one({ periodSource: "picker", datesFrom: last?.[0] ?? "", datesTo: last?.[1] ?? "" });
    const { server } = stored(picked);
    server.answers["POST /api/imports/i1/read-again"] = () => json({ id: "i1", status: "analyzing" }, 202);
    const { user } = renderApp("/upload");
    await card();
    await user.click(screen.getByRole("button", { name: "Późniejszy okres" }));
    for (const step of [last, before, third])
      if (step) await user.click(screen.getByRole("button", { name: "Wcześniejszy okres" }));
    await waitFor(() => expect(server.sent("POST /api/imports/i1/read-again")).toHaveLength(1), { timeout: 3000 });
    expect(server.sent("POST /api/imports/i1/read-again")[0]?.body).toMatchObject({ datesFrom: third?.[0] });
  });

  it("asks for the week once for all files, after the last of them was read, and keeps their order", async () => {
    const { server } = stored(one({}, undated));
    let second = one({ id: "i2", fileName: "drugi.csv", status: "analyzing" });
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
    for (const id of ["i1", "i2"])
      server.answers[`POST /api/imports/${id}/read-again`] = () => json({ id, status: "analyzing" }, 202);
    const names = () =>
      screen.getAllByRole("button", { name: /^(bolt|drugi|trzeci)\.csv$/ }).map(({ textContent }) => textContent);
    const { user } = renderApp("/upload");
    await screen.findByRole("listitem", { name: "trzeci.csv" });
    expect(screen.queryByText(/^Za który tydzień/)).not.toBeInTheDocument();
    expect(names()).toEqual(["bolt.csv", "drugi.csv", "trzeci.csv"]);
    second = one({ id: "i2", fileName: "drugi.csv" }, undated);
    const asked = within(await screen.findByRole("region", { name: "Za który tydzień są te 2 pliki?" }));
    expect(asked.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["bolt.csv", "drugi.csv"]);
    await user.click(asked.getByRole("button", { name: /^Przyjmij / }));
    for (const id of ["i1", "i2"])
      await waitFor(() => expect(server.sent(`POST /api/imports/${id}/read-again`)).toHaveLength(1));
    expect(names()).toEqual(["bolt.csv", "drugi.csv", "trzeci.csv"]);
  });

  it("says that it could not be read again, and changes nothing", async () => {
    const { server } = stored(one({}, undated));
    server.answers["POST /api/imports/i1/read-again"] = () => refusal(404, { code: "imports.file_gone" });
    const { user } = renderApp("/upload");
    await card();
    const asked = within(await screen.findByRole("region", { name: "Za który tydzień jest ten plik?" }));
    await user.click(asked.getByRole("button", { name: /^Przyjmij / }));
    expect(await screen.findByText(/Plik nie został odczytany ponownie/)).toBeInTheDocument();
  });

  it("is not confirmed as it was seen before somebody else read it again", async () => {
    const { server } = stored();
    server.answers["POST /api/imports/i1/confirm"] = () => refusal(409, { code: "imports.read_meanwhile" });
    const { user } = renderApp("/upload");
    await card();
    await user.click(screen.getByRole("button", { name: /^Wczytaj 10/ }));
    expect(await screen.findByText(/Ktoś w międzyczasie odczytał ten plik ponownie/)).toBeInTheDocument();
    expect(server.sent("POST /api/imports/i1/confirm")[0]?.body).toMatchObject({ reading: 1 });
  });

  it("that Uber and Uber Eats hand out alike is told apart by one press", async () => {
    const { server, state } = stored(
      one({ status: "failed", fault: "imports.provider_needed", faultParams: { choices: "BOLT, PARTNER" }, kind: "" }),
    );
    state.one.import.provider = "";
    server.answers["POST /api/imports/i1/read-again"] = () => {
      state.one = one({ readings: 2 });
      return json({ id: "i1", status: "analyzing" }, 202);
    };
    const { user } = renderApp("/upload");
    await screen.findByText("Żaden plik nie czeka na zatwierdzenie");
    const input = document.querySelector<HTMLInputElement>("input[type=file]");
    if (input) await user.upload(input, new File(["a;b"], "bolt.csv"));
    const asked = within(await screen.findByRole("group", { name: "Czyje są wiersze tego pliku?" }));
    await user.click(asked.getByRole("button", { name: "Bolt" }));
    expect(await within(await card()).findByText("Do zatwierdzenia")).toBeInTheDocument();
    expect(server.sent("POST /api/imports/i1/read-again")[0]?.body).toMatchObject({ provider: "BOLT" });
    expect(server.sent("POST /api/imports")).toHaveLength(1);
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

  it.each([
    ["preview", "unusual", /kwota paliwa różni się od zwykłej o ponad połowę/],
    ["preview", "unknown", /jest w nim karta, która nie należy do żadnego kierowcy/],
    ["cancelled", "replaced", /^Nowszy pobrany plik obejmuje te same dni/],
  ] as const)("says of a fetched file (%s) why it was not confirmed: %s", async (status, waitsFor, said) => {
    stored({ ...one({ status, source: "fuel.orlen", uploadedBy: "" }), waitsFor });
    renderApp("/log/i1");
    expect(await screen.findByText(said)).toBeVisible();
  });

  it("says it no more once a person confirmed the file", async () => {
    const { server } = stored({
      ...one({ status: "success", source: "fuel.orlen", uploadedBy: "" }),
      waitsFor: "unusual",
    });
    server.answers["GET /api/imports/i1/rows"] = () => json({ rows: many(2, 4), before: false, next: "" });
    renderApp("/log/i1");
    expect(await screen.findAllByText("Petrenko Iwan")).toHaveLength(3);
    expect(screen.queryByText(/pobrany automatycznie/)).toBeNull();
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
  const iwan: Person = {
    identities: [stranger, { ...stranger, id: "w2", provider: "PARTNER", keys: [{ kind: "phone", value: "+48500" }] }],
    firstName: "Iwan",
    lastName: "Petrenko",
    email: "iwan@example.com",
    phone: "+48500",
    rows: 5,
    sum: 48810,
    firstOn: "2026-11-02",
    lastOn: "2026-11-08",
    creatable: true,
  };
  const ewa: Person = {
    ...iwan,
    identities: [{ ...stranger, id: "w3", keys: [{ kind: "id", value: "1cbd1e18-5f50-5fcf-bedc-dd9f8e83c63f" }] }],
    firstName: "Ewa",
    lastName: "Lis",
    creatable: false,
    match: { driverUUID: "d1", firstName: "Ewa", lastName: "Lis", by: ["phone", "name"], certain: true },
  };
  const unnamed: Person = { ...ewa, identities: [{ ...stranger, id: "w4" }], firstName: "", lastName: "" };
  delete unnamed.match;
  const unmatched = (people: Person[], decided: Identity[] = []) => {
    const { server } = stored();
    let now = people;
    server.answers["GET /api/unmatched-drivers/people"] = () =>
      json({
        people: now,
        next: "",
        all: now.length,
        new: now.filter(({ creatable }) => creatable).length,
        certain: now.filter(({ match }) => match?.certain).length,
      });
    server.answers["GET /api/unmatched-drivers"] = () => {
      const wanted = server.seen.at(-1)?.query.state;
      return json({
        identities: decided.filter(({ state }) => state === wanted),
        next: "",
        people: now.length,
        waiting: now.length,
        assigned: 0,
        ignored: 0,
      });
    };
    server.answers["GET /api/drivers"] = () =>
      json({ drivers: [{ id: "d1", firstName: "Iwan", lastName: "Petrenko", email: "", phone: "", blocked: false }] });
    const gone = () => {
      now = [];
      return json({ rows: 3, driverUUID: "d1" });
    };
    for (const id of ["w1", "w3"])
      for (const what of ["assign", "create", "ignore"])
        server.answers[`POST /api/unmatched-drivers/${id}/${what}`] = gone;
    server.answers["POST /api/unmatched-drivers/undo"] = () => {
      now = people;
      const ids = (server.seen.at(-1)?.body as { ids: string[] }).ids;
      return json({ outcomes: ids.map((id) => ({ id, outcome: "undone", driverUUID: "d1", rows: 3 })) });
    };
    return server;
  };

  it("shows one row for a person of two providers, without a UUID, and counts people in the menu", async () => {
    unmatched([iwan, ewa]);
    renderApp("/upload/drivers");
    const row = (await screen.findByText("Iwan Petrenko")).closest("li");
    expect(text(row)).toContain("488,10 zł5 wierszy, 2–8 lis 2026");
    expect(text(row)).toContain("id b9");
    expect(text(row)).toContain("+48500");
    expect(text(row)).toContain("Nie ma podobnego kierowcy");
    expect(document.body.textContent).not.toContain("1cbd1e18");
    expect(screen.getByText(/…83c63f/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: /^Wczytaj dane 2 kierowców z plików/ })).toBeInTheDocument();
  });

  it("makes drivers of all new people at one press, says who was left and why, and takes it back", async () => {
    const other = { ...iwan, identities: [{ ...stranger, id: "w5" }], firstName: "Adam", lastName: "Kos" };
    const server = unmatched([iwan, other, unnamed]);
    server.answers["POST /api/unmatched-drivers/create"] = () =>
      json({
        outcomes: [
          { id: "w1", outcome: "created", driverUUID: "d9", rows: 3 },
          { id: "w5", outcome: "same_email", driverUUID: "d1", rows: 0 },
        ],
      });
    const { user } = renderApp("/upload/drivers");
    expect(await screen.findAllByRole("checkbox")).toHaveLength(2);
    await user.click(screen.getByRole("checkbox", { name: "Adam Kos" }));
    expect(screen.getByText("Zaznaczono 1 osobę")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Wyczyść zaznaczenie" }));
    await user.click(await screen.findByRole("button", { name: "Utwórz 2 kierowców" }));
    expect(await screen.findByText("Utworzono kierowców: 1. Do osobnej decyzji: 1.")).toBeInTheDocument();
    expect(server.sent("POST /api/unmatched-drivers/create")[0]?.body).toEqual({
      people: [
        { ids: ["w1", "w2"], firstName: "Iwan", lastName: "Petrenko" },
        { ids: ["w5"], firstName: "Adam", lastName: "Kos" },
      ],
    });
    expect(screen.getByText(/kierowca z tym adresem e-mail już jest/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Otwórz kierowcę (Adam Kos)" })).toHaveAttribute("href", "/drivers/d1");
    await user.click(screen.getByRole("button", { name: "Cofnij (1)" }));
    expect(await screen.findByText("Cofnięto decyzje: 1. Bez zmian: 0.")).toBeInTheDocument();
    expect(server.sent("POST /api/unmatched-drivers/undo")[0]?.body).toEqual({ ids: ["w1", "w2"] });
  });

  it("shows the driver whom somebody matches with the evidence, and accepts one or all certain ones", async () => {
    const server = unmatched([ewa]);
    server.answers["POST /api/unmatched-drivers/assign"] = () =>
      json({ outcomes: [{ id: "w3", outcome: "assigned", driverUUID: "d1", rows: 3 }] });
    const { user } = renderApp("/upload/drivers");
    expect(await screen.findByText(/ten sam telefon, to samo imię i nazwisko/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Połącz 1 pewną osobę" }));
    expect(await screen.findByText("Połączono: 1. Do osobnej decyzji: 0.")).toBeInTheDocument();
    expect(server.sent("POST /api/unmatched-drivers/assign")[0]?.body).toEqual({
      people: [{ ids: ["w3"], driverUUID: "d1" }],
    });
    await user.click(screen.getByRole("button", { name: "Połącz: Ewa Lis to Ewa Lis" }));
    expect(await screen.findByText("Nikogo tu nie ma")).toBeInTheDocument();
    expect(server.sent("POST /api/unmatched-drivers/w3/assign")[0]?.body).toEqual({ driverUUID: "d1", also: [] });
  });

  it("assigns to a driver whom a search by the name finds, and takes it back", async () => {
    const server = unmatched([iwan]);
    const { user } = renderApp("/upload/drivers");
    await user.click(await screen.findByRole("button", { name: "Przypisz do kierowcy: Iwan Petrenko" }));
    const dialog = screen.getByRole("dialog", { name: "Kim jest Iwan Petrenko?" });
    expect(within(dialog).getByRole("textbox")).toHaveValue("Iwan Petrenko");
    await user.click(await within(dialog).findByRole("button", { name: /Petrenko Iwan/ }));
    expect(await screen.findByText("Nikogo tu nie ma")).toBeInTheDocument();
    expect(server.sent("POST /api/unmatched-drivers/w1/assign")[0]?.body).toEqual({ driverUUID: "d1", also: ["w2"] });
    await user.click(screen.getByRole("button", { name: "Cofnij" }));
    expect(await screen.findByText("Iwan Petrenko")).toBeInTheDocument();
  });

  it("creates a driver from the file's name, e-mail and phone, which can be put right", async () => {
    const server = unmatched([iwan]);
    const { user } = renderApp("/upload/drivers");
    await user.click(await screen.findByRole("button", { name: "Utwórz kierowcę: Iwan Petrenko" }));
    const dialog = screen.getByRole("dialog", { name: "Nowy kierowca: Iwan Petrenko" });
    expect(within(dialog).getByLabelText("E-mail")).toHaveValue("iwan@example.com");
    await user.clear(within(dialog).getByLabelText("Imię"));
    await user.type(within(dialog).getByLabelText("Imię"), "Ivan");
    await user.click(within(dialog).getByRole("button", { name: "Utwórz i przypisz" }));
    await waitFor(() =>
      expect(server.sent("POST /api/unmatched-drivers/w1/create")[0]?.body).toEqual({
        firstName: "Ivan",
        lastName: "Petrenko",
        email: "iwan@example.com",
        phone: "+48500",
        also: ["w2"],
      }),
    );
  });

  it("lists what was decided, with the way back, and says why that was refused", async () => {
    const server = unmatched(
      [],
      [{ ...stranger, state: "ignored", decidedBy: "Anna", decidedAt: "2026-11-09T08:00:00Z" }],
    );
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
