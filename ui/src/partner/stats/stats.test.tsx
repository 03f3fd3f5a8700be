import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withStatsTexts } from "../../i18n/stats";
import type { Fleet } from "../../stats/calls";
import { lastSunday, later, weekDaysOf, weeksIn } from "../../stats/days";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";

const equation: Fleet["equation"] = {
  settlements: 410,
  revenue: 10_000_00,
  fee: 2_500_00,
  cash: 1_500_00,
  left: 6_000_00,
  earned: 800_00,
  tax: 200_00,
  costs: -100_00,
  broughtForward: -50_00,
  carriedForward: 25_00,
  payouts: 5_025_00,
};

const stats: Fleet = {
  from: "2026-11-02",
  to: "2026-11-15",
  currency: "PLN",
  previous: { from: "2026-10-19", to: "2026-11-01" },
  equation,
  previousEquation: { ...equation, settlements: 400, revenue: 8_000_00 },
  weeks: [
    {
      ...{ week: "2026-W45", from: "2026-11-02", to: "2026-11-08", revenue: 4_000_00, lastYear: 5_000_00 },
      ...{ payout: 2_000_00, earned: 300_00, active: 12, fresh: 2, gone: 1, cashShare: 2_000 },
    },
    {
      ...{ week: "2026-W46", from: "2026-11-09", to: "2026-11-15", revenue: 6_000_00, lastYear: 4_000_00 },
      ...{ payout: 0, earned: 0, active: 14, fresh: 3, gone: 0, cashShare: 2_500 },
    },
  ],
  apps: [
    { provider: "UBER", revenue: 7_500_00, previous: 5_000_00, rows: 900, weeks: [3_000_00, 4_500_00] },
    { provider: "BOLT", revenue: 2_500_00, previous: 0, rows: 300, weeks: [1_000_00, 1_500_00] },
  ],
  top: [{ id: "d1", firstName: "Oleh", lastName: "Babiak", revenue: 900_00, previous: 1_000_00, change: -1_000 }],
  bottom: [{ id: "d2", firstName: "Anna", lastName: "Wolna", revenue: 90_00, previous: 0, change: null }],
  cohorts: [{ month: "2026-09", drivers: 10, active: [10, 9, 8, 8, 7] }],
  payoutWeek: "2026-W45",
  payoutBands: [
    { from: 0, to: 100_000, drivers: 3, amount: 1_500_00 },
    { from: 100_000, to: 0, drivers: 9, amount: 12_000_00 },
  ],
  debts: [
    { from: 1, to: 2, drivers: 1, amount: 40_00 },
    { from: 2, to: 0, drivers: 2, amount: 60_00 },
  ],
  completeness: [
    {
      provider: "UBER",
      weeks: [
        { week: "2026-W45", state: "complete", days: 7, imports: ["i1"] },
        { week: "2026-W46", state: "missing", days: 0, imports: [] },
      ],
    },
  ] as unknown as Fleet["completeness"],
  licence: { left: 840, perWeek: 400, endsOn: "2026-12-03" },
};

beforeEach(async () => {
  vi.useFakeTimers({ now: new Date("2026-11-18T10:00:00Z"), toFake: ["Date"] });
  await withStatsTexts();
});
afterEach(() => vi.useRealTimers());

function start(of: Fleet = stats) {
  signedIn();
  return serve({
    "GET /api/session": () => json({ ...partner, permissions: [...partner.permissions, "settlements.read"] }),
    "GET /api/providers": () =>
      json({
        providers: [
          { code: "UBER", name: "Uber", apps: true },
          { code: "BOLT", name: "Bolt", apps: true },
        ],
      }),
    "GET /api/stats/partner": () => json(of),
  });
}

/** By its heading: asking every element for its role and name takes seconds on a page of charts. */
async function figure(title: string | RegExp) {
  const found = (await screen.findByText(title, { selector: "figure h2" })).closest("figure");
  if (!found) throw new Error("the heading is in no figure");
  return found;
}

describe("the statistics", () => {
  it("say what each chart shows with its number", async () => {
    const server = start();
    renderApp("/stats");
    expect(await figure("Przychód w tygodniach")).toHaveTextContent(
      "10 000,00 zł przychodu z 2 tygodni, +11,1% wobec tego samego okresu rok temu",
    );
    expect(await figure("Przychód według aplikacji")).toHaveTextContent("75% przychodu daje Uber");
    expect(await figure("Aktywni kierowcy")).toHaveTextContent("14 kierowców z przychodem w tygodniu 9–15 lis 2026");
    expect(await figure(/^Nowi kierowcy/)).toHaveTextContent("5 nowych kierowców w tym okresie. Przestali jeździć: 1");
    expect(await figure("Udział gotówki")).toHaveTextContent("25% przychodu w gotówce w ostatnim tygodniu");
    expect(await figure("Rozkład wypłat, tydzień 45")).toHaveTextContent(
      "od 1 000 zł to najczęstsza wypłata: 9 kierowców z 12",
    );
    expect(await figure(/^Długi/)).toHaveTextContent("100,00 zł długu ma 3 kierowców");
    expect(await figure(/^Jak długo/)).toHaveTextContent("70% nowych kierowców jeździło po 4 tygodniach");
    expect(await figure("Wczytane pliki")).toHaveTextContent("1 z 2 plików ostatnich 12 tygodni. Brakuje: 1.");
    expect(await figure("Licencja")).toHaveTextContent("840 rozliczeń pozostało. Przy 400 rozliczeniach na tydzień");
    expect(server.sent("GET /api/stats/partner")[0]?.query).toEqual({});
  });

  it("add up on screen, with the signs of the sum", async () => {
    start();
    renderApp("/stats");
    const first = await screen.findByLabelText("Od przychodu do kwoty po gotówce");
    expect(first).toHaveTextContent(/Przychód10 000,00.*8 000,00\+25%.*−2 500,00.*−1 500,00.*=6 000,00 zł/);
    const second = screen.getByLabelText("Od tej kwoty do wypłat");
    expect(second).toHaveTextContent(
      /6 000,00.*Zarobek floty−800,00.*Podatki−200,00.*Koszty\+100,00.*okresów−50,00.*okresy−25,00.*=5 025,00 zł/,
    );
  });

  it("lead from every number to its rows", async () => {
    start();
    renderApp("/stats");
    const revenue = await figure("Przychód w tygodniach");
    const [settled, open] = within(revenue).getAllByRole("link");
    expect(settled).toHaveAttribute("href", expect.stringMatching(/settlements\/settled\?show=all&period=2026-W45$/));
    expect(settled).toHaveAttribute(
      "aria-label",
      expect.stringMatching(/^2–8 lis 2026: 4\s000,00\szł, rok temu 5\s000,00\szł$/),
    );
    expect(open).toHaveAttribute("href", expect.stringMatching(/settlements\/pending\?period=2026-W46$/));
    const equation = within(screen.getByLabelText("Od tej kwoty do wypłat"));
    expect(equation.getAllByRole("link")[0]).toHaveAttribute(
      "href",
      expect.stringMatching(/settlements\/settled\?show=all&period=2026-W46&since=2026-W45$/),
    );
    expect(screen.getByText("Babiak Oleh")).toHaveAttribute(
      "href",
      expect.stringMatching(/transactions\/details\/d1\?from=2026-11-02&to=2026-11-15$/),
    );
    const files = within(await figure("Wczytane pliki")).getAllByRole("link");
    expect(files.map((one) => one.getAttribute("href")?.replace("/app", ""))).toEqual(["/log/i1", "/upload/coverage"]);
    expect(within(await figure(/^Długi/)).getAllByRole("link")[0]).toHaveAttribute(
      "href",
      expect.stringMatching(/settlements\/pending\?most=-1&sort=payout$/),
    );
  });

  it("go back by as many weeks, and keep the days in the address", async () => {
    const server = start();
    const { user, address } = renderApp("/stats");
    await figure("Przychód w tygodniach");
    expect(screen.getByRole("button", { name: "Późniejszy okres" })).toBeDisabled();
    await user.click(screen.getByRole("button", { name: "Wcześniejszy okres" }));
    expect(address()).toBe("/stats?from=2026-10-19&to=2026-11-01");
    await waitFor(() =>
      expect(server.sent("GET /api/stats/partner").at(-1)?.query).toEqual({ from: "2026-10-19", to: "2026-11-01" }),
    );
    await user.selectOptions(screen.getByLabelText("Długość okresu"), "4");
    expect(address()).toBe("/stats?from=2026-10-19&to=2026-11-15");
  });

  it("leave out what was before, when nobody wants to compare", async () => {
    start();
    const { user, address } = renderApp("/stats");
    await user.click(await screen.findByRole("checkbox", { name: "Porównaj z poprzednim okresem" }));
    expect(address()).toBe("/stats?compare=off");
    expect(await screen.findByLabelText("Od przychodu do kwoty po gotówce")).not.toHaveTextContent("8 000,00");
  });

  it("are tables with T", async () => {
    start();
    renderApp("/stats");
    await figure("Przychód w tygodniach");
    fireEvent.keyDown(document.body, { key: "t" });
    const table = within(await figure("Przychód według aplikacji")).getByRole("table");
    expect(within(table).getAllByRole("row")[1]).toHaveTextContent("Uber7 500,0075%5 000,00+50%900");
    expect(within(table).getAllByRole("row")[2]).toHaveTextContent("Bolt2 500,0025%0,00–300");
  });

  it("say that there is nothing yet, and what failed", async () => {
    const server = start({ ...stats, apps: [], equation: { ...equation, settlements: 0 } });
    renderApp("/stats");
    expect(await screen.findByRole("heading", { name: "Brak danych z tego okresu" })).toBeInTheDocument();
    server.answers["GET /api/stats/partner"] = () => refusal(500, { code: "internal" });
  });
});

describe("days of weeks", () => {
  it("are counted whole", () => {
    expect(weeksIn("2026-11-02", "2026-11-15")).toBe(2);
    expect(later("2026-10-25", 7)).toBe("2026-11-01");
    expect(lastSunday("2026-11-18")).toBe("2026-11-15");
    expect(lastSunday("2026-11-15")).toBe("2026-11-08");
    expect(weekDaysOf("2026-W46")).toEqual({ from: "2026-11-09", to: "2026-11-15" });
    expect(weekDaysOf("2027-W01")).toEqual({ from: "2027-01-04", to: "2027-01-10" });
    expect(weekDaysOf("2026-W01")).toEqual({ from: "2025-12-29", to: "2026-01-04" });
  });
});
