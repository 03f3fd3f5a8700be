import type { Timeline, TimelineStep } from "../../explain/timeline";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { driver, json, partner, refusal, serve } from "../../testing/server";
import { renderApp, signedIn } from "../../testing/render";
import type { Explained, Explanation, Line, Part, Row, Settled } from "../../explain/queries";

const clerk = {
  ...partner,
  permissions: [
    ...partner.permissions,
    "settlements.read",
    "settlements.write",
    "transactions.read",
    "imports.read",
    "lookups.read",
  ] as const,
};

const part = (of: Partial<Part>): Part => ({ kind: "figure", amount: 0, times: 1, of: 1, ...of });

const explained = (figure: string, value: number, parts: Part[], more: Partial<Explanation> = {}): Explanation => ({
  figure,
  value,
  formula: "sum",
  parts,
  schema: { number: 3, version: 2 },
  ...more,
});

const NOON = "2026-11-03T11:00:00Z";
const FILE = "uber_2026-11-02.csv";

const rows: Explained["rows"] = Array.from({ length: 23 }, (_, at) => ({
  id: `t${at}`,
  provider: "UBER",
  type: "TRIP",
  amount: 10_000,
  occurredOn: "2026-11-04",
  spanFrom: "",
  spanTo: "",
  name: "",
  description: "",
  source: "import",
  importId: "i1",
  sourceFile: FILE,
  sourceRow: at + 2,
  sourceColumn: "",
  externalId: "",
  enteredBy: "",
  enteredAt: null,
}));

/** As a driver gets them: without the ids of files and the names of people. The second was entered by hand. */
const ownRows: Explained["rows"] = rows.map((row, at) => ({
  ...row,
  importId: "",
  ...(at === 1 && { source: "hand" as const, sourceFile: "", sourceRow: 0, enteredAt: NOON }),
}));

const income = 230_000;

const line = (of: Pick<Line, "group" | "name" | "amount" | "balance">, figure: string, provider?: string): Line => {
  const app = provider && { provider };
  return { ...of, ...app, terms: [{ figure, ...app, amount: of.amount }] };
};

const byCash = (cash: Line): Line[] => [
  line({ group: "start", name: "previousPeriod", amount: 0, balance: 0 }, "previousPeriod"),
  line({ group: "earnings", name: "revenue", amount: income, balance: income }, "income", "UBER"),
  cash,
  line({ group: "deductions", name: "settlementCost", amount: -13_000, balance: 187_000 }, "settlementCost"),
];

const cash = { group: "cash", name: "cashDeducted", amount: -30_000, balance: 200_000 } as const;
/** As a driver gets them: cash is one line. */
const ownLines = byCash(line(cash, "cashDeducted"));

const pending = {
  driverId: "d1",
  firstName: "Vasyl",
  lastName: "Andrusiak",
  settled: null,
  period: "2026-W45",
  firstOn: "2026-11-02",
  lastOn: "2026-11-08",
  weeks: 1,
  supplementary: false,
  refusal: "",
  figures: {
    income,
    revenue: income,
    netIncome: income,
    payoutBase: income,
    cashCollected: 30_000,
    cashDeducted: 30_000,
    appFee: 13_000,
    settlementCost: 13_000,
    due: 187_000,
    payout: 187_000,
  },
  apps: [{ provider: "UBER", income, bonus: 0, tips: 0, cashCollected: 30_000, fee: 0, workingDays: 5 }],
  transfers: [{ purpose: "INVOICE", amount: 187_000, vat: 13_852, nameVat: true }],
  lines: byCash(line(cash, "cashCollected", "UBER")),
  explanations: [
    explained("income", income, [part({ kind: "app", figure: "income", provider: "UBER", amount: income })]),
    explained(
      "income",
      income,
      [
        part({
          kind: "rows",
          provider: "UBER",
          category: "income",
          amount: income,
          rows: rows.map(({ id, amount }) => ({ kind: "transaction", id, amount })),
        }),
      ],
      { provider: "UBER" },
    ),
    explained("appFee", 13_000, [part({ kind: "rule", rules: ["dailyFee.UBER"], amount: 3_200, times: 5 })], {
      formula: "at_most",
      cap: { amount: 13_000, rule: "maxFee1" },
      floor: true,
    }),
    explained("settlementCost", 13_000, [part({ figure: "appFee", amount: 13_000 })]),
    explained("nextPeriodTransfer", 0, [
      part({ figure: "due", amount: 187_000 }),
      part({ figure: "payout", amount: 187_000, times: -1 }),
    ]),
  ],
  rows,
  warnings: [{ code: "unknown_rows", count: 2, amount: 4_500 }],
  carries: [],
  absorbed: [],
  schemaName: "B2B z VAT",
  schemaNumber: 3,
  schemaVersion: 2,
  rules: { payoutOf: "INCOME", payoutIncludesCash: true, autoNextPeriod: true, additionalCosts: [], costRates: [] },
  last: {
    id: "s1",
    number: 11,
    period: "2026-W44",
    firstOn: "2026-10-26",
    lastOn: "2026-11-01",
    figures: { income: 150_000, due: 187_000 },
    revokeReason: "",
  },
  revoked: null,
  linkUntil: null,
  documents: [],
} as unknown as Explained;

const settled = {
  id: "s2",
  number: 12,
  driverId: "d1",
  state: "settled",
  firstOn: "2026-11-02",
  lastOn: "2026-11-08",
  absorbedInto: "",
  absorbedPeriod: "",
  due: 187_000,
  payout: 187_000,
  settledAt: "2026-11-09T07:45:00Z",
  sharedAt: "2026-11-09T07:46:00Z",
  paidOn: "",
  revokedAt: null,
  revokeReason: "",
} as unknown as Settled;

const providers = { providers: [{ code: "UBER", name: "Uber", hasDriverApp: true }] };
const nbsp = (text: string) => text.replace(/ (?=\d{3},)/g, "\u00a0");

function serving(answer: Explained, more: Record<string, () => Response> = {}) {
  return serve({
    "GET /api/session": () => json(clerk),
    "GET /api/providers": () => json(providers),
    "GET /api/settlements/periods": () => json({ periods: [{ code: "2026-W46" }, { code: "2026-W45" }] }),
    "GET /api/drivers/d1/pending-settlement": () => json(answer),
    "GET /api/drivers/d1/pending-timeline": () =>
      json(way(step("calculated"), { ...step("settled", "missing_file"), provider: "UBER" })),
    "GET /api/settlements/s2/timeline": () => json(way(step("settled"), step("paid", "no_account"))),
    "GET /api/settlements/s2": () => json(answer),
    "GET /api/settlements/s2/documents": () =>
      json({ documents: [], kind: "invoice", missing: [], seller: { name: "Vasyl Andrusiak" } }),
    ...more,
  });
}

/** A step that is reached, or one that is awaited for a reason. */
const step = (code: TimelineStep["code"], reason: TimelineStep["reason"] = ""): TimelineStep => ({
  code,
  done: reason === "" || reason === "bank_returned",
  at: null,
  on: "",
  by: "",
  reason,
  batch: 0,
  payOn: "",
  bankSays: "",
  file: "",
  provider: "",
  period: "",
  expectedOn: "",
});
const way = (...steps: TimelineStep[]): Timeline => ({ steps, account: "7412", usualDay: 3 });

beforeEach(() => signedIn());

describe("a pending settlement", () => {
  it("is that of the last complete period, and its chain ends in the payout", async () => {
    const { sent } = serving(pending);
    renderApp("/transactions/summary/d1");
    expect(await screen.findByRole("heading", { level: 1, name: "Andrusiak Vasyl" })).toBeVisible();
    expect(sent("GET /api/drivers/d1/pending-settlement")[0]?.query).toEqual({ period: "2026-W45" });
    expect(
      screen.getByRole("button", { name: nbsp("Rozlicz (1 870,00 zł)").replace(" zł", "\u00a0zł") }),
    ).toBeVisible();
    const lines = within(screen.getByRole("main"))
      .getAllByRole("button", { expanded: false })
      .map(({ textContent }) => textContent);
    expect(lines).toEqual([
      expect.stringContaining("Saldo początkowe"),
      expect.stringContaining(nbsp("+2 300,00")),
      expect.stringContaining("−300,00"),
      expect.stringContaining("−130,00"),
      expect.stringContaining("Przechodzi na następny okres"),
    ]);
    expect(await screen.findByText("Brakuje pliku za ten tydzień: Uber.")).toBeVisible();
    expect(screen.getByText(/^2 transakcje nieznanego typu, 45,00/)).toBeVisible();
    expect(screen.getByText("w tym VAT 138,52, podany w tytule")).toBeVisible();
    const against = screen.getByRole("region", { name: /^Wobec 26/ });
    expect(within(against).getByText("Przychód")).toBeVisible();
    expect(within(against).queryByText("Należność")).toBeNull();
  });

  it("opens a line to formula, rule and the rows of the file, twenty at first", async () => {
    serving(pending);
    const { user } = renderApp("/transactions/summary/d1?period=2026-W45");
    await user.click(await screen.findByRole("button", { name: /^Uber 23 transakcje \+2/ }));
    const table = screen.getByRole("table", { name: "Transakcje: Przychód, Uber" });
    expect(within(table).getAllByRole("row")).toHaveLength(1 + 20 + 1);
    expect(within(table).getByRole("link", { name: `${FILE}, wiersz 2` })).toHaveAttribute("href", "/log/i1?row=t0");
    await user.click(screen.getByRole("button", { name: "Pokaż jeszcze 3" }));
    expect(within(table).getAllByRole("row")).toHaveLength(1 + 23 + 1);

    await user.click(screen.getByRole("button", { name: /^Opłata za rozliczenie/ }));
    expect(screen.queryByRole("button", { name: /^Opłaty dzienne/ })).toBeNull(); // the only part is not named twice
    expect(screen.getByText("5 × 32,00")).toBeVisible();
    expect(screen.getByText("160,00")).toBeVisible();
    expect(screen.getByText("przed limitem")).toBeVisible();
    expect(screen.getByRole("link", { name: "B2B z VAT, wersja 2" })).toHaveAttribute("href", "/schemas?schema=3");
  });

  it("leads from each row to its file, to what it corrects, or to who entered it", async () => {
    const [first, second, third] = rows as [Row, Row, Row];
    const [byHand, correcting, ofNoRow] = [
      {
        ...first,
        source: "hand",
        importId: "",
        sourceFile: "",
        sourceRow: 0,
        enteredBy: "Anna Nowak",
        enteredAt: NOON,
      },
      { ...second, corrects: { id: "old", amount: 9_000, importId: "i0", sourceFile: "old.csv", sourceRow: 7 } },
      {
        ...third,
        sourceRow: 0,
        corrects: { id: "gone", amount: 10_000, importId: "i0", sourceFile: "old.csv", sourceRow: 8 },
      },
    ] as const;
    serving({ ...pending, rows: [byHand, correcting, ofNoRow, ...rows.slice(3)] });
    const { user } = renderApp("/transactions/summary/d1?period=2026-W45");
    await user.click(await screen.findByRole("button", { name: /^Uber 23 transakcje/ }));
    const leads = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
    expect(leads("Wpisano ręcznie: Anna Nowak, 3 lis 2026")).toBe(
      "/transactions/details/d1?from=2026-11-04&to=2026-11-04&provider=UBER",
    );
    expect(leads(`${FILE}, wiersz 3`)).toBe("/log/i1?row=t1");
    expect(leads("Korekta: old.csv, wiersz 7")).toBe("/log/i0?row=old");
    expect(leads(FILE)).toBe("/log/i1?row=t2");
    expect(leads("Korekta: old.csv, wiersz 8")).toBe("/log/i0?row=gone");
  });

  it("leads to the transactions where files may not be opened", async () => {
    serving(pending, {
      "GET /api/session": () =>
        json({ ...clerk, permissions: clerk.permissions.filter((permission) => permission !== "imports.read") }),
    });
    const { user } = renderApp("/transactions/summary/d1?period=2026-W45");
    await user.click(await screen.findByRole("button", { name: /^Uber 23 transakcje/ }));
    expect(screen.getByRole("link", { name: `${FILE}, wiersz 2` })).toHaveAttribute(
      "href",
      "/transactions/details/d1?from=2026-11-04&to=2026-11-04&provider=UBER",
    );
  });

  it("says a debt in words and does not offer to settle it", async () => {
    serving({
      ...pending,
      refusal: "negative",
      figures: { previousPeriod: -4520, due: -4520, nextPeriodTransfer: -4520 },
      apps: [],
      lines: [line({ group: "start", name: "previousPeriod", amount: -4520, balance: -4520 }, "previousPeriod")],
      transfers: [],
    });
    renderApp("/transactions/summary/d1?period=2026-W45");
    expect(await screen.findByText(/^Kierowca jest winien tę kwotę/)).toBeVisible();
    expect(screen.getByText("Nie powstanie z tego żaden przelew.")).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Rozlicz/ })).toBeNull();
  });

  it("that is not there says so", async () => {
    serving(pending, {
      "GET /api/drivers/d1/pending-settlement": () => refusal(404, { code: "settlements.not_found" }),
    });
    renderApp("/transactions/summary/d1?period=2026-W40");
    expect(await screen.findByRole("heading", { name: "Nie ma tu nic do rozliczenia" })).toBeVisible();
  });

  it("prints with every line opened", async () => {
    serving(pending);
    let opened = 0;
    const print = vi.fn(() => {
      dispatchEvent(new Event("beforeprint"));
      opened = screen.getAllByRole("button", { expanded: true }).length;
      dispatchEvent(new Event("afterprint"));
    });
    vi.stubGlobal("print", print);
    const { user } = renderApp("/transactions/summary/d1?period=2026-W45");
    await user.click(await screen.findByRole("button", { name: "Drukuj" }));
    expect(print).toHaveBeenCalledOnce();
    expect(opened).toBe(4);
  });
});

it("a revoked settlement has its figures and its reason, and nothing to open", async () => {
  const revoked = { ...settled, state: "revoked", revokedAt: "2026-11-10T08:00:00Z", revokeReason: "Zła stawka" };
  serving({ ...pending, settled: revoked as Settled, explanations: [], rows: [], warnings: [] });
  renderApp("/transactions/summary/d1/s2");
  expect(await screen.findByText(/^To rozliczenie wycofano 10 lis 2026\..*Powód: Zła stawka/)).toBeVisible();
  expect(screen.getByText("nr 12")).toBeVisible();
  expect(within(screen.getByRole("main")).queryByRole("button", { expanded: false })).toBeNull();
  expect(screen.getByText("+2 300,00")).toBeVisible();
});

const none = { documents: [], kind: "invoice", missing: [], seller: { name: "Vasyl Andrusiak" } };
const invoice = {
  id: "b1",
  kind: "invoice",
  number: "SF/FLOTA/2026/11/1",
  issuedOn: "2026-11-09",
  net: 173_148,
  vat: 13_852,
  gross: 187_000,
  issuedBy: "Anna",
  cancelledAt: null,
  hasFile: true,
  authorityState: "",
  authorityNumber: "",
  authorityReason: "",
};

const file = (name: string) =>
  new Response("content", { headers: { "Content-Disposition": `attachment; filename=${name}` } });

/** What is handed over to be saved. */
function handed() {
  const names: string[] = [];
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => undefined }));
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return names;
}

describe("the documents of a settlement", () => {
  const done = { ...pending, settled } as Explained;
  const PATH = "/api/settlements/s2/documents";

  it("are issued with what the company is called, and downloaded", async () => {
    const names = handed();
    let documents: unknown[] = [];
    let asked = 0;
    const { sent } = serving(done, {
      [`GET ${PATH}`]: () => json({ ...none, documents }),
      [`POST ${PATH}`]: () => {
        if (asked++ === 0)
          return refusal(422, { code: "billing.invalid", fields: [{ name: "street", code: "required" }] });
        documents = [invoice];
        return json({ id: "b1", number: invoice.number }, 201);
      },
      "GET /api/billing-documents/b1": () => file("SF-1.pdf"),
      "GET /api/billing-documents/b1/xml": () => file("SF-1.xml"),
      "GET /api/settlements/s2/statement": () => file("rozliczenie-12.pdf"),
    });
    const { user } = renderApp("/transactions/summary/d1/s2");
    await user.click(await screen.findByRole("button", { name: "Wystaw fakturę" }));
    const dialog = within(screen.getByRole("dialog", { name: "Wystaw fakturę" }));
    expect(dialog.getByRole("textbox", { name: "Nazwa na dokumencie" })).toHaveValue("Vasyl Andrusiak");
    await user.click(dialog.getByRole("button", { name: "Wystaw fakturę" }));
    expect(await dialog.findByText(/^Popraw zaznaczone pola/)).toBeVisible();
    expect(dialog.getByRole("textbox", { name: "Ulica i numer" })).toHaveAttribute("aria-invalid", "true");
    await user.type(dialog.getByRole("textbox", { name: "Ulica i numer" }), "Polna 1");
    await user.click(dialog.getByRole("button", { name: "Wystaw fakturę" }));
    expect(await screen.findByText(invoice.number)).toBeVisible();
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(sent(`POST ${PATH}`)[1]?.body).toEqual({ name: "Vasyl Andrusiak", street: "Polna 1" });
    await user.click(screen.getByRole("button", { name: "Pobierz SF/FLOTA/2026/11/1, PDF" }));
    await user.click(screen.getByRole("button", { name: "Pobierz SF/FLOTA/2026/11/1, XML" }));
    await user.click(screen.getByRole("button", { name: "Rozliczenie PDF" }));
    await waitFor(() => expect(names).toEqual(["SF-1.pdf", "SF-1.xml", "rozliczenie-12.pdf"]));
  });

  it("say what is missing and where to put it right", async () => {
    serving(done, {
      [`GET ${PATH}`]: () => json({ ...none, missing: ["billing.no_tax_id", "billing.no_partner_tax_id"] }),
    });
    renderApp("/transactions/summary/d1/s2");
    const part = within(await screen.findByRole("region", { name: "Faktura lub rachunek" }));
    expect(await part.findByText(/^Kierowca nie ma numeru NIP firmy/)).toBeVisible();
    expect(part.getByRole("link", { name: "Zobacz kierowcę" })).toHaveAttribute("href", "/drivers/d1");
    expect(part.getByRole("link", { name: "Uzupełnij profil" })).toHaveAttribute("href", "/profile");
    expect(part.queryByRole("button")).toBeNull();
  });

  it("are cancelled with it, and say what the office thinks of them", async () => {
    const cancelled = { ...invoice, state: "cancelled", cancelledAt: "2026-11-10T08:00:00Z" };
    const refused = {
      ...invoice,
      id: "b2",
      number: "SF/2",
      state: "refused",
      authorityState: "refused",
      authorityReason: "Brak uprawnienia",
    };
    serving(done, { [`GET ${PATH}`]: () => json({ ...none, documents: [cancelled, refused] }) });
    renderApp("/transactions/summary/d1/s2");
    expect(await screen.findByText("Anulowano")).toBeVisible();
    expect(screen.getByText("Odrzucono w KSeF")).toBeVisible();
    expect(screen.getByText("Brak uprawnienia")).toBeVisible();
  });

  it("on their way to KSeF say what they wait for, and have their confirmation afterwards", async () => {
    const waiting = { ...invoice, state: "waiting", authorityState: "waiting" };
    const held = { ...waiting, id: "b2", number: "SF/2", onTheWay: "no_grant" };
    const sent = { ...waiting, id: "b3", number: "SF/3", onTheWay: "sent" };
    const accepted = {
      ...waiting,
      id: "b4",
      number: "SF/4",
      state: "accepted",
      authorityState: "accepted",
      hasUpo: true,
    };
    serving(done, { [`GET ${PATH}`]: () => json({ ...none, documents: [waiting, held, sent, accepted] }) });
    renderApp("/transactions/summary/d1/s2");
    expect(await screen.findByText("Wstrzymano wysyłkę do KSeF")).toBeVisible();
    expect(screen.getByText(/Uprawnienia → Nadaj → samofakturowanie/)).toBeVisible();
    expect(screen.getByText("Czeka na KSeF")).toBeVisible();
    expect(screen.getByText("Wysłano do KSeF, czeka na numer")).toBeVisible();
    expect(screen.getByRole("button", { name: "Pobierz SF/4, UPO" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Pobierz SF/2, UPO" })).toBeNull();
  });

  it("that cannot be fetched say so", async () => {
    handed();
    serving(done, {
      [`GET ${PATH}`]: () => json({ ...none, documents: [invoice] }),
      "GET /api/billing-documents/b1": () => refusal(404, { code: "billing.not_found" }),
    });
    const { user } = renderApp("/transactions/summary/d1/s2");
    await user.click(await screen.findByRole("button", { name: "Pobierz SF/FLOTA/2026/11/1, PDF" }));
    expect(await screen.findByText(/^Nie udało się pobrać pliku/)).toBeVisible();
  });
});

describe("a driver", () => {
  let next: Timeline;
  beforeEach(() => {
    next = way(step("calculated"), step("settled"), step("shared"), {
      ...step("paid", "to_order"),
      expectedOn: "2026-11-11",
    });
  });

  const serveDriver = (items: Settled[], session: unknown = driver) =>
    serve({
      "GET /api/session": () => json(session),
      "GET /api/providers": () => json(providers),
      "GET /api/driver-accounts/settlements": () => json({ items, more: false }),
      "GET /api/driver-accounts/next-payout": () =>
        json({
          settlementId: items[0]?.id ?? "",
          amount: settled.payout,
          firstOn: "2026-11-02",
          lastOn: "2026-11-08",
          timeline: next,
        }),
      "GET /api/driver-accounts/settlements/s2/timeline": () => json(next),
      "GET /api/driver-accounts/settlements/s2": () => json({ ...pending, settled, lines: ownLines, rows: ownRows }),
      "GET /api/driver-accounts/settlements/s2/statement": () => file("rozliczenie-12.pdf"),
    });

  it("starts with the next payout and sees those before it", async () => {
    const debt = { ...settled, id: "s0", due: -4520, payout: 0, absorbedInto: "s1" };
    const paid = { ...settled, id: "s1", due: 191_835, payout: 191_835, state: "paid", paidOn: "2026-11-03" };
    serveDriver([settled, paid as Settled, debt]);
    const { user, address } = renderApp("/");
    expect(await screen.findByText("Najbliższa wypłata")).toBeVisible();
    expect(address()).toBe("/driver/settlements");
    expect(screen.getByText("zwykle w środę · przelew na rachunek … 7412")).toBeVisible();
    expect(screen.getByText("Rozliczone. Flota zleci przelew.")).toBeVisible();
    expect(screen.getByText("przelew wt., 3 lis")).toBeVisible();
    expect(screen.getByText("−45,20")).toBeVisible();
    expect(screen.getByText("potrącone później")).toBeVisible();
    await user.click(screen.getByRole("link", { name: "Zobacz, skąd ta kwota" }));
    expect(await screen.findByRole("heading", { name: "Dlaczego tyle" })).toBeVisible();
    expect(await screen.findByText("przelew na rachunek … 7412")).toBeVisible();
    expect(screen.getAllByRole("listitem").filter((one) => one.className.startsWith("step "))).toHaveLength(4);
    expect(screen.getByText("zwykle w środę")).toBeVisible();
    expect(screen.getByRole("link", { name: "Coś się nie zgadza? Zapytaj" })).toHaveTextContent("Zapytaj");
    await user.click(await screen.findByRole("button", { name: /^Uber 23 transakcje/ }));
    expect(screen.getByText(`${FILE}, wiersz 2`)).toBeVisible();
    expect(screen.getByText("Wpisano ręcznie, 3 lis 2026")).toBeVisible();
    expect(screen.queryByRole("link", { name: /wiersz|Wpisano/ })).toBeNull();
    expect(screen.getByRole("button", { name: /^Gotówka, którą masz/ })).toBeVisible();
    const names = handed();
    await user.click(screen.getByRole("button", { name: "Pobierz PDF" }));
    await waitFor(() => expect(names).toEqual(["rozliczenie-12.pdf"]));
  });

  it("reads what the bank said when the money came back", async () => {
    next = way(
      step("settled"),
      step("batched"),
      { ...step("returned", "bank_returned"), bankSays: "Rachunek zamknięty" },
      step("paid", "no_account"),
    );
    serveDriver([settled]);
    renderApp("/driver/settlements/s2");
    expect(await screen.findByText("Bank podał: Rachunek zamknięty")).toBeVisible();
    expect(screen.getByText(/Flota nie ma Twojego rachunku/)).toBeVisible();
  });

  it("gets the invoice that was issued in their name", async () => {
    serve({
      "GET /api/session": () => json(driver),
      "GET /api/providers": () => json(providers),
      "GET /api/driver-accounts/settlements/s2": () =>
        json({
          ...pending,
          settled,
          documents: [
            { id: "b1", kind: "invoice", number: "1/2026", issuedOn: "2026-11-09", gross: 160940, hasFile: true },
          ],
        }),
      "GET /api/driver-accounts/documents/b1": () => file("1-2026.pdf"),
      "GET /api/driver-accounts/documents/b1/xml": () => file("1-2026.xml"),
    });
    const { user } = renderApp("/driver/settlements/s2");
    const names = handed();
    await user.click(await screen.findByRole("button", { name: "Pobierz 1/2026, PDF" }));
    await waitFor(() => expect(names).toEqual(["1-2026.pdf"]));
    await user.click(screen.getByRole("button", { name: "Pobierz 1/2026, XML" }));
    await waitFor(() => expect(names).toEqual(["1-2026.pdf", "1-2026.xml"]));
  });

  it("turns the link off that was mailed", async () => {
    let linkUntil: string | null = "2027-02-14T11:00:00Z";
    serve({
      "GET /api/session": () => json(driver),
      "GET /api/providers": () => json(providers),
      "GET /api/driver-accounts/settlements/s2": () => json({ ...pending, settled, linkUntil }),
      "POST /api/driver-accounts/settlements/s2/end-links": () => {
        linkUntil = null;
        return new Response(null, { status: 204 });
      },
    });
    const { user } = renderApp("/driver/settlements/s2");
    expect(await screen.findByText(/^Do 14 lut 2027 link z wiadomości otwiera to rozliczenie/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Wyłącz link" }));
    await waitFor(() => expect(screen.queryByText(/link z wiadomości/)).toBeNull());
  });

  it("who is not linked yet reads what comes next", async () => {
    serveDriver([], { ...driver, driver: driver.driver && { ...driver.driver, linked: false } });
    renderApp("/driver/settlements");
    expect(await screen.findByRole("heading", { name: "Flota jeszcze Cię nie przyjęła" })).toBeVisible();
  });

  it("with nothing shared reads that", async () => {
    serveDriver([]);
    renderApp("/driver/settlements");
    expect(await screen.findByRole("heading", { name: "Nie ma jeszcze wypłat" })).toBeVisible();
  });
});
