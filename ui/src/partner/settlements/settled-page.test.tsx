import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Settled } from "./settled-queries";

const member = {
  ...partner,
  permissions: [...partner.permissions, "settlements.read" as const, "settlements.write" as const],
};
const one: Settled = {
  id: "s1",
  number: 41,
  driverId: "d1",
  firstName: "Paweł",
  lastName: "Adamczyk",
  period: "2026-W45",
  firstOn: "2026-11-02",
  lastOn: "2026-11-08",
  weeks: 1,
  supplementary: false,
  state: "settled",
  absorbedInto: "",
  absorbedPeriod: "",
  apps: [],
  revenue: 284560,
  cashCollected: 62000,
  due: 160940,
  payout: 160940,
  next: 0,
  notCarriedCount: 0,
  settledAt: "2026-11-09T08:00:00Z",
  settledBy: "Anna Mazurek",
  sharedAt: null,
  paidOn: "",
  revokedAt: null,
  revokedBy: "",
  revokeReason: "",
  batch: 0,
  bill: null,
  hindrance: "",
};
const two: Settled = {
  ...one,
  id: "s2",
  number: 42,
  driverId: "d2",
  firstName: "Ewa",
  lastName: "Bąk",
  notCarriedCount: 1,
};
const closed: Settled = {
  ...one,
  id: "s3",
  number: 40,
  firstName: "Oleh",
  lastName: "Babiak",
  due: -60410,
  payout: 0,
  absorbedInto: "s1",
  absorbedPeriod: "2026-W45",
};
const totalsOf = (items: Settled[]) => ({
  count: items.length,
  revenue: 0,
  cashCollected: 0,
  due: items.reduce((sum, { due }) => sum + due, 0),
  payout: items.reduce((sum, { payout }) => sum + payout, 0),
  notCarriedCount: 1,
});

function stored(items: Settled[] = [two, one, closed]) {
  return serve({
    "GET /api/session": () => json(member),
    "GET /api/settlements/periods": () =>
      json({ periods: [{ code: "2026-W45", firstOn: "2026-11-02", lastOn: "2026-11-08" }] }),
    "GET /api/settlements": () => json({ items, totals: totalsOf(items) }),
  });
}

const rowOf = async (name: string) => (await screen.findByRole("link", { name })).closest("tr") as HTMLElement;
const outcomes = (...all: { id: string; fault?: string; params?: Record<string, string> }[]) =>
  json({ outcomes: all, done: all.filter(({ fault }) => !fault).length });

const file = (name: string) => () =>
  new Response("x", { headers: { "Content-Disposition": `attachment; filename=${name}` } });

/** The names of what is saved from now on. */
function savedFiles() {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  return saved;
}

beforeEach(signedIn);
afterEach(() => vi.restoreAllMocks());

describe("what is settled", () => {
  it("shows where each settlement stands, and what was carried into another cannot be chosen", async () => {
    stored();
    renderApp("/settlements/settled");
    const row = await rowOf("Babiak Oleh");
    expect(within(row).getByText("Przeniesione do 2026-W45")).toBeInTheDocument();
    expect(within(row).getByRole("checkbox")).toBeDisabled();
    expect(within(await rowOf("Bąk Ewa")).getByText("nie przeniesiono")).toBeInTheDocument();
    expect(screen.getByRole("combobox", { name: "Okres" })).toHaveDisplayValue("Wszystkie okresy");
  });

  it("says why somebody cannot be paid, and leads to where that is put right", async () => {
    stored([{ ...two, hindrance: "no_account" }, one]);
    renderApp("/settlements/settled");
    const why = within(await rowOf("Bąk Ewa")).getByRole("link", { name: "Brak rachunku bankowego" });
    expect(why).toHaveAttribute("href", "/drivers/d2");
    expect(within(await rowOf("Adamczyk Paweł")).queryByText("Brak rachunku bankowego")).not.toBeInTheDocument();
  });

  it("is marked as paid on a day, and each refusal is named", async () => {
    const server = stored();
    server.answers["POST /api/settlements/pay"] = () =>
      outcomes({ id: "s2", fault: "settlements.paid", params: { number: "42" } }, { id: "s1" });
    const { user } = renderApp("/settlements/settled");
    await user.click(within(await rowOf("Bąk Ewa")).getByRole("checkbox"));
    await user.click(within(await rowOf("Adamczyk Paweł")).getByRole("checkbox"));
    await user.click(screen.getByRole("button", { name: "Oznacz jako wypłacone (2)" }));
    const dialog = await screen.findByRole("dialog");
    const day = within(dialog).getByLabelText<HTMLInputElement>("Data wypłaty");
    expect(day.value).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    await user.click(within(dialog).getByRole("button", { name: /^Oznacz 2/ }));
    expect(await screen.findByText(/Oznaczono jako wypłacone: 1\. Odmówiono: 1\./)).toBeInTheDocument();
    expect(screen.getByText(/nr 42, Bąk Ewa/)).toBeInTheDocument();
    expect(server.sent("POST /api/settlements/pay")[0]?.body).toEqual({ ids: ["s2", "s1"], paidOn: day.value });
  });

  it("is revoked only with a reason, after saying what that undoes", async () => {
    const server = stored();
    server.answers["GET /api/settlements/s1/undoing"] = () =>
      json({
        settlement: one,
        transactions: 12,
        absorbed: ["2026-W44"],
        carries: [
          { type: "TAX_OVERPAYMENT", amount: 500, fromPeriod: "2026-W45", occurredOn: "2026-11-09", carried: true },
        ],
        units: 1,
        documents: [
          { number: "FV/2026/11/7", gross: 123000, corrected: true },
          { number: "RACH/2026/11/3", gross: 4500, corrected: false },
        ],
      });
    server.answers["POST /api/settlements/revoke"] = () => outcomes({ id: "s1" });
    const { user } = renderApp("/settlements/settled");
    await rowOf("Adamczyk Paweł");
    await user.click(screen.getByRole("button", { name: "Działania: nr 41, Adamczyk Paweł" }));
    await user.click(screen.getByRole("menuitem", { name: "Wycofaj" }));
    const dialog = await screen.findByRole("dialog");
    expect(await within(dialog).findByText(/nierozliczone: 12/)).toBeInTheDocument();
    expect(within(dialog).getByText(/otwarte: 2026-W44/)).toBeInTheDocument();
    expect(within(dialog).getByText(/wrócą do licencji: 1/)).toBeInTheDocument();
    expect(within(dialog).getByText(/FV\/2026\/11\/7.*fakturą korygującą/)).toBeInTheDocument();
    expect(within(dialog).getByText(/RACH\/2026\/11\/3.*anulujemy/)).toBeInTheDocument();
    // whose it is and how much, and why it cannot be pressed yet
    expect(dialog).toHaveAccessibleName("Wycofaj rozliczenie nr 41");
    expect(within(dialog).getAllByRole("listitem")[0]).toHaveTextContent(/nr 41.*Adamczyk Paweł.*\d,\d\d/);
    const button = within(dialog).getByRole("button", { name: "Wycofaj 1" });
    expect(button).toBeDisabled();
    expect(within(dialog).getByLabelText("Powód")).toHaveAccessibleDescription(/powód/i);
    await user.type(within(dialog).getByLabelText("Powód"), "  Zły koszt ");
    await user.click(button);
    expect(await screen.findByText(/Wycofano: 1\./)).toBeInTheDocument();
    expect(server.sent("POST /api/settlements/revoke")[0]?.body).toEqual({ ids: ["s1"], reason: "Zły koszt" });
  });

  it("that cannot be revoked leads to the one that must be revoked first", async () => {
    const server = stored();
    server.answers["GET /api/settlements/s1/undoing"] = () =>
      json({
        settlement: one,
        transactions: 12,
        absorbed: [],
        carries: [],
        units: 1,
        documents: [],
        refusal: "settlements.carried",
        params: { settlement: "s9", number: "49" },
      });
    const { user } = renderApp("/settlements/settled");
    await rowOf("Adamczyk Paweł");
    await user.click(screen.getByRole("button", { name: "Działania: nr 41, Adamczyk Paweł" }));
    await user.click(screen.getByRole("menuitem", { name: "Wycofaj" }));
    const dialog = await screen.findByRole("dialog");
    expect(await within(dialog).findByText(/rozliczenie nr 49/)).toBeInTheDocument();
    expect(within(dialog).getByRole("link", { name: "Pokaż tamto rozliczenie" })).toHaveAttribute(
      "href",
      "/transactions/summary/d1/s9",
    );
    expect(within(dialog).queryByRole("button", { name: /^Wycofaj/ })).not.toBeInTheDocument();
  });

  it("is sent in parts of two hundred, and what failed midway is not called done", async () => {
    const many = Array.from({ length: 250 }, (_, n) => ({ ...one, id: `m${n}`, number: n + 1, lastName: `Z${n}` }));
    const server = stored();
    // The page shows one of them; whoever asks for all gets them in pages of two hundred.
    server.answers["GET /api/settlements"] = () => {
      const { page = "1", size = "50" } = server.sent("GET /api/settlements").at(-1)?.query ?? {};
      const from = (Number(page) - 1) * 200;
      return json({ items: size === "200" ? many.slice(from, from + 200) : many.slice(0, 1), totals: totalsOf(many) });
    };
    server.answers["POST /api/settlements/share"] = () => {
      const calls = server.sent("POST /api/settlements/share");
      const { ids } = calls.at(-1)?.body as { ids: string[] };
      return ids.length === 200 ? outcomes(...ids.map((id) => ({ id }))) : refusal(500, { code: "internal" });
    };
    const { user } = renderApp("/settlements/settled");
    await user.click(within(await rowOf("Z0 Paweł")).getByRole("checkbox"));
    await user.click(screen.getByRole("button", { name: "Zaznacz wszystkie 250 z filtra" }));
    await screen.findByRole("button", { name: "Oznacz jako wypłacone (250)" });
    await user.click(screen.getByRole("button", { name: "Więcej" }));
    await user.click(screen.getByRole("menuitem", { name: "Udostępnij kierowcy" }));
    expect(await screen.findByText(/Udostępniono: 200\./)).toBeInTheDocument();
    expect(screen.getByText(/Niewykonane lub nieznane: 50/)).toBeInTheDocument();
  });

  it("leaves as a file of the whole filter, and it is said when there is none", async () => {
    const server = stored();
    const saved = savedFiles();
    server.answers["GET /api/settlements/export"] = file("settlements-2026-11-15.xlsx");
    const { user } = renderApp("/settlements/settled?period=2026-W45&q=ada&page=1");
    await user.click(await screen.findByRole("button", { name: "Eksport" }));
    await user.click(screen.getByRole("menuitem", { name: "Excel (XLSX)" }));
    await waitFor(() => expect(saved).toEqual(["settlements-2026-11-15.xlsx"]));
    expect(await screen.findByText("Pobrano plik settlements-2026-11-15.xlsx")).toBeInTheDocument();
    expect(server.sent("GET /api/settlements/export")[0]?.query).toEqual({
      state: "settled",
      period: "2026-W45",
      query: "ada",
      sort: "number",
      descending: "true",
      format: "xlsx",
      lang: "pl",
    });
    server.answers["GET /api/settlements/export"] = () => refusal(500, { code: "internal" });
    await user.click(await screen.findByRole("button", { name: "Eksport" }));
    await user.click(screen.getByRole("menuitem", { name: "CSV" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Plik nie powstał");
  });

  it("shows several periods together until one is chosen", async () => {
    const server = stored();
    server.answers["GET /api/settlements/periods"] = () =>
      json({
        periods: [
          { code: "2026-W45", firstOn: "2026-11-02", lastOn: "2026-11-08" },
          { code: "2026-W44", firstOn: "2026-10-26", lastOn: "2026-11-01" },
        ],
      });
    const { user, address } = renderApp("/settlements/settled?show=all&period=2026-W45&since=2026-W44");
    const stepper = await screen.findByRole("group", { name: "Okres" });
    await waitFor(() => expect(stepper).toHaveTextContent(/26 paź\s?–\s?8 lis 2026/));
    expect(server.sent("GET /api/settlements").at(-1)?.query).toMatchObject({ since: "2026-W44", period: "2026-W45" });
    await user.selectOptions(within(stepper).getByRole("combobox"), "2026-W44");
    expect(address()).toBe("/settlements/settled?show=all&period=2026-W44");
  });

  it("shows what was revoked, by whom and why", async () => {
    const server = stored([
      {
        ...one,
        state: "revoked",
        revokedAt: "2026-11-10T09:00:00Z",
        revokedBy: "Anna Mazurek",
        revokeReason: "Zły koszt",
      },
    ]);
    const { user, address } = renderApp("/settlements/settled");
    await user.click(await screen.findByRole("button", { name: "Wycofane" }));
    expect(address()).toBe("/settlements/settled?show=revoked");
    expect(await screen.findByText(/Zły koszt \(Anna Mazurek, 10 lis 2026/)).toBeInTheDocument();
    await waitFor(() => expect(server.seen.some(({ query }) => query.state === "revoked")).toBe(true));
    expect(screen.queryByRole("checkbox")).not.toBeInTheDocument();
  });
});

describe("what is paid", () => {
  it("is unmarked", async () => {
    const server = stored([{ ...one, state: "paid", paidOn: "2026-11-10" }]);
    server.answers["POST /api/settlements/unpay"] = () => outcomes({ id: "s1" });
    const { user } = renderApp("/settlements/paid");
    expect(within(await rowOf("Adamczyk Paweł")).getByText("Wypłacone 10 lis 2026")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Działania: nr 41, Adamczyk Paweł" }));
    await user.click(screen.getByRole("menuitem", { name: "Cofnij wypłatę" }));
    expect(await screen.findByText(/Cofnięto wypłatę: 1\./)).toBeInTheDocument();
    expect(server.sent("POST /api/settlements/unpay")[0]?.body).toEqual({ ids: ["s1"] });
  });

  it("leaves as a report of days that are in order", async () => {
    const server = stored([{ ...one, state: "paid", paidOn: "2026-11-10" }]);
    const saved = savedFiles();
    server.answers["GET /api/reports/payout"] = () => refusal(500, { code: "internal" });
    const { user } = renderApp("/settlements/paid");
    await user.click(await screen.findByRole("button", { name: "Raport wypłat" }));
    const dialog = await screen.findByRole("dialog", { name: "Raport wypłat" });
    const [from, to] = [within(dialog).getByLabelText("Wypłacono od"), within(dialog).getByLabelText("Wypłacono do")];
    const button = within(dialog).getByRole("button", { name: "Pobierz raport" });
    const days = async (first: string, last: string) => {
      await user.clear(from);
      await user.type(from, first);
      await user.clear(to);
      await user.type(to, last);
    };
    await days("2026-11-02", "2026-11-01");
    expect(within(dialog).getByText("Data końcowa jest wcześniejsza niż początkowa.")).toBeInTheDocument();
    expect(button).toBeDisabled();
    await days("2025-01-01", "2026-02-05");
    expect(within(dialog).getByText("Raport może obejmować najwyżej 400 dni.")).toBeInTheDocument();
    await days("2026-11-01", "2026-11-10");
    await user.click(button);
    expect(await within(dialog).findByText(/Plik nie powstał/)).toBeInTheDocument();
    server.answers["GET /api/reports/payout"] = file("payout-2026-11-01-2026-11-10.xlsx");
    await user.click(button);
    await waitFor(() => expect(saved).toEqual(["payout-2026-11-01-2026-11-10.xlsx"]));
    expect(server.sent("GET /api/reports/payout").at(-1)?.query).toEqual({
      from: "2026-11-01",
      to: "2026-11-10",
      lang: "pl",
    });
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  });
});
