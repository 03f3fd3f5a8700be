import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Page, Transaction } from "./queries";

const PATH = "/transactions/details/d1";

const base: Transaction = {
  id: "t1",
  provider: "UBER",
  type: "TRIP",
  category: "income",
  kind: "",
  amount: 84250,
  currency: "PLN",
  occurredOn: "2026-11-04",
  occurredAt: null,
  spanFrom: "",
  spanTo: "",
  name: "",
  description: "Kurs na lotnisko",
  payment: "",
  twinId: "",
  source: "import",
  sourceFile: "uber-45.csv",
  sourceRow: 1204,
  sourceColumn: "",
  externalId: "",
  reason: "",
  evidence: "",
  evidenceType: "",
  settlementUUID: "",
  corrects: "",
  correctedAmount: 0,
  editable: false,
  retypable: false,
  version: 1,
  createdAt: "2026-11-09T09:00:00Z",
};
const fine: Transaction = {
  ...base,
  id: "t2",
  provider: "PARTNER",
  type: "COST",
  category: "cost",
  kind: "cost",
  amount: -12345,
  name: "Mandat",
  description: "",
  payment: "card",
  source: "hand",
  sourceFile: "",
  sourceRow: 0,
  reason: "Fotoradar",
  editable: true,
  version: 3,
};
const odd: Transaction = {
  ...base,
  id: "t3",
  type: "UNKNOWN",
  category: "unknown",
  amount: 700,
  description: "Airport fee",
  retypable: true,
};

const page = (transactions: Transaction[], more: Partial<Page> = {}): Page => ({
  driver: { id: "d1", firstName: "Oleh", lastName: "Babiak" },
  transactions,
  next: "",
  count: transactions.length,
  sum: 71905,
  totals: [
    { category: "income", counted: true, count: 1, sum: 84250 },
    { category: "cost", counted: true, count: 1, sum: -12345 },
    { category: "unknown", counted: false, count: 1, sum: 700 },
  ],
  ...more,
});

const stored = () => {
  let rows = [base, fine, odd];
  return serve({
    "GET /api/session": () =>
      json({
        ...partner,
        permissions: [...partner.permissions, "transactions.read", "transactions.write", "lookups.read"],
      }),
    "GET /api/transactions": () => json(page(rows)),
    "GET /api/transactions/types": () =>
      json({
        types: [
          { type: "TRIP", category: "income", byHand: true, carriers: ["UBER", "PARTNER"] },
          { type: "INVOICE", category: "credit", byHand: true, carriers: ["PARTNER"] },
          { type: "CHARGE", category: "fee", byHand: false, carriers: ["UBER", "PARTNER"] },
        ],
      }),
    "GET /api/providers": () =>
      json({
        providers: [
          { code: "UBER", name: "Uber", hasDriverApp: true },
          { code: "PARTNER", name: "Partner", hasDriverApp: false },
        ],
      }),
    "POST /api/transactions": () => json({ transaction: { ...fine, id: "t9", name: "Myjnia" }, warnings: [] }, 201),
    "PUT /api/transactions/t2": () => json({ transaction: fine, warnings: [] }),
    "DELETE /api/transactions/t2": () => {
      rows = [base, odd];
      return new Response(null, { status: 204 });
    },
    "POST /api/transactions/t2/restore": () => {
      rows = [base, fine, odd];
      return new Response(null, { status: 204 });
    },
    "POST /api/transactions/retype": () =>
      json({ outcomes: [{ id: "t3", done: false, code: "transactions.settled" }] }),
    "GET /api/transactions/t2/history": () =>
      json({
        lines: [
          {
            at: "2026-11-09T09:00:00Z",
            who: "Anna Mazurek",
            action: "transactions.save",
            reason: "Fotoradar",
            changes: [{ field: "amount", before: "-10000", after: "-12345" }],
          },
        ],
      }),
  });
};

// The names of providers and types come by calls of their own; a busy machine needs its time.
const ready = async () => {
  await screen.findByText("Mandat");
  await screen.findAllByText("Uber");
  await screen.findByRole("option", { name: "Opłata aplikacji" });
};
const text = (node: Element) => node.textContent.replace(/\s/g, " ");

beforeEach(signedIn);

describe("the list of a driver's transactions", () => {
  it("shows who, what, from which row of which file, and an equation that adds up", async () => {
    stored();
    renderApp(PATH);
    await ready();
    expect(screen.getByRole("heading", { name: "Transakcje: Oleh Babiak" })).toBeInTheDocument();
    const row = screen.getByText("Kurs na lotnisko").closest("tr");
    expect(row && text(row)).toContain("4 lis 2026");
    expect(row && text(row)).toContain("UUberPrzejazdKurs na lotnisko");
    expect(row && text(row)).toContain("uber-45.csv, wiersz 1 204");
    expect(row && text(row)).toContain("842,50");
    const totals = screen.getByRole("region", { name: "Suma całego filtra" });
    expect(text(totals)).toContain("Przychód842,50Koszty−123,45Razem=719,05 zł");
    expect(text(totals)).toContain("Nie wlicza się: Bez typu 7,00");
  });

  it("keeps its filters in the address and asks the server by them", async () => {
    const server = stored();
    const { user, address } = renderApp(PATH);
    await ready();
    await user.selectOptions(screen.getByRole("combobox", { name: "Stan" }), "unsettled");
    await user.selectOptions(screen.getByRole("combobox", { name: "Typ" }), "TRIP");
    expect(address()).toBe(`${PATH}?state=unsettled&type=TRIP`);
    await waitFor(() => expect(server.sent("GET /api/transactions").length).toBeGreaterThan(2));
    server.answers["GET /api/transactions"] = () => json(page([], { totals: [], sum: 0 }));
    await user.type(screen.getByRole("textbox", { name: "Szukaj transakcji" }), "x");
    expect(await screen.findByText("Żadna transakcja nie pasuje do filtrów")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Wyczyść filtry" }));
    expect(address()).toBe(PATH);
  });

  it("shows what one settlement holds, without offering changes, and the way to all", async () => {
    const server = stored();
    const { user, address } = renderApp(`${PATH}/s7`);
    await ready();
    expect(server.sent("GET /api/transactions")[0]?.query.settlementUUID).toBe("s7");
    expect(screen.queryByRole("button", { name: "Dodaj transakcję" })).not.toBeInTheDocument();
    await user.click(screen.getByRole("link", { name: "Pokaż wszystkie tego kierowcy" }));
    expect(address()).toBe(PATH);
    expect(await screen.findByRole("button", { name: "Dodaj transakcję" })).toBeInTheDocument();
  });

  it("offers changes only of what was entered by hand, and the history of all", async () => {
    stored();
    const { user } = renderApp(PATH);
    await ready();
    expect(screen.getAllByRole("button", { name: /^Zmień/ })).toHaveLength(1);
    expect(screen.getAllByRole("button", { name: /^Historia/ })).toHaveLength(3);
    await user.click(screen.getByRole("button", { name: "Historia „Mandat”" }));
    expect(await screen.findByText(/Kwota: −100,00 → −123,45/)).toBeInTheDocument();
  });

  it("offers no changes to whoever may only read", async () => {
    const server = stored();
    server.answers["GET /api/session"] = () => json({ ...partner, permissions: ["session.read", "transactions.read"] });
    renderApp(`${PATH}?add=transaction&edit=t2`);
    await ready();
    expect(screen.queryByRole("button", { name: /Zmień|Usuń|Dodaj/ })).not.toBeInTheDocument();
    expect(screen.queryByRole("checkbox")).not.toBeInTheDocument();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("says what failed and that nothing was changed", async () => {
    const server = stored();
    server.answers["GET /api/transactions"] = () => refusal(404, { code: "transactions.driver_not_found" });
    renderApp(PATH);
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Nie ma takiego kierowcy. Nic nie zostało zmienione.");
  });
});

describe("entering a transaction", () => {
  const open = async () => {
    const app = renderApp(PATH);
    await ready();
    await app.user.click(screen.getByRole("button", { name: "Dodaj transakcję" }));
    const drawer = await screen.findByRole("dialog");
    return { ...app, drawer };
  };
  const field = (drawer: HTMLElement, name: string) => within(drawer).getByLabelText(name);

  it("sends minor units, warns of a day to come and passes", async () => {
    const server = stored();
    const { user, drawer, address } = await open();
    await user.type(field(drawer, "Kwota"), "1 234,50");
    await user.type(field(drawer, "Nazwa"), "Myjnia");
    await user.type(field(drawer, "Powód"), "Auto po kliencie");
    await user.click(within(drawer).getByRole("radio", { name: "Gotówka" }));
    const date = field(drawer, "Data");
    await user.clear(date);
    await user.type(date, "2099-01-02");
    expect(await within(drawer).findByText(/Ten dzień dopiero nadejdzie/)).toBeInTheDocument();
    await user.click(within(drawer).getByRole("button", { name: "Dodaj transakcję" }));
    await waitFor(() => expect(address()).toBe(PATH));
    expect(server.sent("POST /api/transactions")[0]?.body).toEqual({
      driverUUID: "d1",
      kind: "cost",
      amount: 123450,
      payment: "cash",
      occurredOn: "2099-01-02",
      name: "Myjnia",
      reason: "Auto po kliencie",
      description: "",
    });
  });

  it("stops at an amount that cannot be read", async () => {
    const server = stored();
    const { user, drawer } = await open();
    await user.type(field(drawer, "Kwota"), "12,345");
    await user.click(within(drawer).getByRole("button", { name: "Dodaj transakcję" }));
    expect(await within(drawer).findByText("Sprawdź zapis")).toBeInTheDocument();
    expect(server.sent("POST /api/transactions")).toHaveLength(0);
  });

  it("books once when the file is refused, and says so", async () => {
    const server = stored();
    server.answers["PUT /api/transactions/t9/evidence"] = () => refusal(422, { code: "transactions.evidence_refused" });
    const { user, drawer, address } = await open();
    await user.type(field(drawer, "Kwota"), "5");
    await user.upload(field(drawer, "Dowód"), new File(["%PDF-"], "mandat.pdf", { type: "application/pdf" }));
    await user.click(within(drawer).getByRole("button", { name: "Dodaj transakcję" }));
    expect(await screen.findByText(/„Myjnia” jest zapisana, ale bez pliku\. To nie jest PDF/)).toBeInTheDocument();
    expect(address()).toBe(PATH);
    expect(server.sent("POST /api/transactions")).toHaveLength(1);
  });
});

describe("changing a transaction", () => {
  it("shows a cost as it was entered and sends the version it was changed from", async () => {
    const server = stored();
    const { user, address } = renderApp(PATH);
    await ready();
    await user.click(screen.getByRole("button", { name: "Zmień „Mandat”" }));
    const drawer = await screen.findByRole("dialog");
    const amount = within(drawer).getByLabelText("Kwota");
    expect(amount).toHaveValue("123,45");
    await user.clear(amount);
    await user.type(amount, "99");
    await user.click(within(drawer).getByRole("button", { name: "Zapisz zmiany" }));
    await waitFor(() => expect(address()).toBe(PATH));
    expect(server.sent("PUT /api/transactions/t2")[0]?.body).toMatchObject({
      version: 3,
      amount: 9900,
      name: "Mandat",
    });
  });

  it("does not overwrite what somebody else saved while the form was open", async () => {
    const server = stored();
    const { user } = renderApp(PATH);
    await ready();
    await user.click(screen.getByRole("button", { name: "Zmień „Mandat”" }));
    const drawer = await screen.findByRole("dialog");
    server.answers["PUT /api/transactions/t2"] = () => refusal(409, { code: "transactions.changed" });
    server.answers["GET /api/transactions"] = () => json(page([{ ...fine, version: 4 }]));
    const press = () => user.click(within(drawer).getByRole("button", { name: "Zapisz zmiany" }));
    await press();
    expect(await within(drawer).findByText(/Ktoś zmienił tę transakcję w międzyczasie/)).toBeInTheDocument();
    await press();
    await waitFor(() => expect(server.sent("PUT /api/transactions/t2")).toHaveLength(2));
    const versions = server.sent("PUT /api/transactions/t2").map(({ body }) => (body as { version: number }).version);
    expect(versions).toEqual([3, 3]);
  });

  it("deletes at once and brings back", async () => {
    const server = stored();
    const { user } = renderApp(PATH);
    await ready();
    await user.click(screen.getByRole("button", { name: "Usuń „Mandat”" }));
    expect(await screen.findByText("Usunięto „Mandat”")).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText("Fotoradar")).not.toBeInTheDocument());
    await user.click(screen.getByRole("button", { name: "Cofnij" }));
    expect(await screen.findByText("Fotoradar")).toBeInTheDocument();
    expect(server.sent("POST /api/transactions/t2/restore")).toHaveLength(1);
  });
});

describe("rows of unknown type", () => {
  it("are chosen, given a type that their provider can bring, and every refusal is named", async () => {
    const server = stored();
    const { user } = renderApp(PATH);
    await ready();
    expect(screen.getAllByRole("checkbox")).toHaveLength(1);
    await user.click(screen.getByRole("checkbox", { name: "Zaznacz „Airport fee”" }));
    const bar = screen.getByRole("region", { name: "Nowy typ" });
    expect(text(bar)).toContain("1 zaznaczona7,00");
    expect(within(bar).queryByRole("option", { name: "Faktura" })).not.toBeInTheDocument();
    await user.selectOptions(within(bar).getByRole("combobox"), "CHARGE");
    await user.click(within(bar).getByRole("button", { name: "Nadaj typ (1)" }));
    expect(await screen.findByText(/Nadano typ: 0\. Odmówiono: 1\./)).toBeInTheDocument();
    expect(screen.getByText(/Airport fee Ta transakcja jest już w rozliczeniu/)).toBeInTheDocument();
    expect(server.sent("POST /api/transactions/retype")[0]?.body).toEqual({
      type: "CHARGE",
      transactions: [{ id: "t3", version: 1 }],
    });
  });
});
