import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Own } from "../../stats/calls";
import { renderApp, signedIn } from "../../testing/render";
import { alone, driver, json, serve } from "../../testing/server";

const week = (number: number, payout: number): Own["weeks"][number] => ({
  week: `2026-W${number}`,
  from: `2026-11-${String(2 + 7 * (number - 45)).padStart(2, "0")}`,
  to: `2026-11-${String(8 + 7 * (number - 45)).padStart(2, "0")}`,
  revenue: payout * 2,
  payout,
  fees: 100_00,
  cash: 50_00,
  minutes: 2_400,
});

const own: Own = {
  settledPeriods: 2,
  currency: "PLN",
  last: 2_878_30,
  average4: 2_500_00,
  weeks: [week(45, 2_121_70), week(46, 2_878_30)],
  perHour: 65_40,
  cashShare: 2_150,
  feeShare: null,
  bestWeekday: 5,
};

function start(of: Own, session = driver) {
  signedIn();
  serve({ "GET /api/session": () => json(session), "GET /api/stats/driver": () => json(of) });
  return renderApp("/driver/stats");
}

describe("a driver's statistics", () => {
  it("show the last payout, the usual one, and each week", async () => {
    start(own);
    expect(await screen.findByRole("region", { name: "Ostatnia wypłata" })).toHaveTextContent(
      "2 878,30 złŚrednia z 4 ostatnich: 2 500,00 zł. Ostatnia: +15,1% wobec średniej.",
    );
    const chart = screen.getByRole("figure", { name: "Wypłaty: 2 tygodnie" });
    expect(chart).toHaveTextContent("2 878,30 zł to najwyższa wypłata, za 9–15 lis 2026");
    expect(within(chart).getAllByRole("link")[1]).toHaveAccessibleName(
      /^9–15 lis 2026: 2\s878,30\szł, przychód 5\s756,60\szł$/,
    );
    const facts = screen.getByLabelText("Twoja praca");
    expect(facts).toHaveTextContent("Na godzinę65,40 zł");
    expect(facts).toHaveTextContent("Udział gotówki21,5%bezgotówkowo 78,5%");
    expect(facts).toHaveTextContent("Najlepszy dzieńpiątek");
    expect(facts).not.toHaveTextContent("Opłaty aplikacji");
  });

  it("wait for the second settlement", async () => {
    start({ ...own, settledPeriods: 1, weeks: [] });
    expect(await screen.findByRole("heading", { name: "Statystyki po drugim rozliczeniu" })).toBeInTheDocument();
    expect(screen.queryByRole("figure")).not.toBeInTheDocument();
  });

  it("are not there before a fleet has accepted the driver", async () => {
    start(own, { ...alone, driver: alone.driver && { ...alone.driver, functions: [3] } });
    expect(await screen.findByRole("heading", { level: 2 })).toBeInTheDocument();
    expect(screen.queryByRole("figure")).not.toBeInTheDocument();
  });
});
