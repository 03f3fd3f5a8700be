import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Card, DriverFuel, Refuelling } from "../../fuel/calls";
import { renderApp, signedIn } from "../../testing/render";
import { alone, driver, json, serve } from "../../testing/server";

const limits: Card["limits"] = {
  version: 1,
  plate: "WX 1001A",
  tank: 50_000,
  day: 40_000,
  month: 300_000,
  monthAmount: 1_500_00,
  discount: 20,
  validFrom: "",
  validTo: "2027-12-31",
};

const card: Card = {
  id: "c1",
  provider: "ORLEN",
  number: "•••• 4821",
  kind: "S",
  limits,
  usedDay: 10_500,
  usedMonth: 300_000,
  usedAmount: 1_520_00,
};

const bought = (id: string, change: Partial<Refuelling>): Refuelling => ({
  id,
  on: "2026-11-03",
  at: "2026-11-03T07:10:00Z",
  type: "FUEL",
  card: "c1",
  station: "nr 105",
  town: "Łódź",
  product: "Verva ON",
  millilitres: 30_500,
  unitPrice: 659_900,
  gross: 201_27,
  odometer: 88_411,
  correction: false,
  period: "",
  settlementId: "",
  odd: [],
  ...change,
});

const fuel: DriverFuel = {
  millilitres: 61_000,
  gross: 402_54,
  next: { period: "2026-W46", cost: 201_27, refund: 18_82 },
  cards: [card],
  refuellings: [
    bought("r2", { on: "2026-11-10", at: "2026-11-10T07:10:00Z" }),
    bought("r1", { period: "2026-W45", settlementId: "s1" }),
  ],
};

const withFuel = { ...driver, partner: driver.partner && { ...driver.partner, features: ["fuel" as const] } };

function start(of: DriverFuel, session: typeof driver = withFuel) {
  signedIn();
  const seen = serve({
    "GET /api/session": () => json(session),
    "GET /api/driver-accounts/fuel": () => json(of),
    "GET /api/providers": () => json({ providers: [{ code: "ORLEN", name: "ORLEN", hasDriverApp: false }], types: [] }),
  });
  renderApp("/fuel");
  return seen;
}

describe("a driver's fuel", () => {
  it("shows what is charged next, cards with their limits, and refuellings", async () => {
    start(fuel);
    expect(await screen.findByRole("region", { name: "Paliwo w następnym rozliczeniu (W46)" })).toHaveTextContent(
      /201,27 złZwrot części VAT: 18,82 zł\. Po zwrocie: 182,45 zł\./,
    );
    const cards = screen.getByRole("region", { name: "Karta paliwowa" });
    expect(cards).toHaveTextContent("•••• 4821karta z końcówką 4821");
    expect(cards).toHaveTextContent(
      "wydana na samochód · WX 1001A · bak 50 l · rabat 0,20 zł za litr · ważna do 31 gru 2027",
    );
    expect(cards).toHaveTextContent("Litry dzisiaj10,5 l z 40 l. Zostało 29,5 l");
    expect(cards).toHaveTextContent("Litry w tym miesiącu300 l z 300 l. Limit wykorzystany");
    expect(cards).toHaveTextContent("Wydatki w tym miesiącu1 520,00 zł z 1 500,00 zł. 20,00 zł ponad limit");
    expect(screen.getByRole("figure", { name: "Paliwo: 2 tygodnie" })).toHaveTextContent("201,27 zł");
    const rows = within(screen.getByRole("region", { name: "Tankowania" })).getAllByRole("listitem");
    expect(rows[0]).toHaveTextContent("Łódź, nr 105201,27 zł");
    expect(rows[0]).toHaveTextContent("Verva ON · 30,50 l · 6,599 zł za litr · licznik 88 411 km");
    expect(rows[0]).toHaveTextContent("Czeka na rozliczenie");
    const [, settled] = rows;
    if (!settled) throw new Error("there is one row");
    expect(within(settled).getByRole("link", { name: "Rozliczone w W45" })).toHaveAttribute(
      "href",
      "/driver/settlements/s1",
    );
    expect(within(settled).getByRole("link", { name: /^Zapytaj: Łódź, nr 105, 201,27/ })).toHaveAttribute(
      "href",
      "/driver/settlements/s1/ask?figure=fuelCost&row=r1",
    );
  });

  it("asks for the weeks that were chosen", async () => {
    const server = start(fuel);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "4 tygodnie" }));
    expect(screen.getByRole("button", { name: "4 tygodnie" })).toHaveAttribute("aria-pressed", "true");
    await waitFor(() => expect(server.sent("GET /api/driver-accounts/fuel")).toHaveLength(2));
    const [long, brief] = server.sent("GET /api/driver-accounts/fuel").map(({ query }) => query);
    expect(brief?.to).toBe(long?.to);
    expect(Date.parse(brief?.from ?? "") - Date.parse(long?.from ?? "")).toBe(9 * 7 * 86_400_000);
  });

  it("says what comes when there is nothing yet", async () => {
    start({ millilitres: 0, gross: 0, next: null, cards: [], refuellings: [] });
    expect(await screen.findByRole("heading", { name: "Nie ma jeszcze tankowań" })).toBeInTheDocument();
  });

  it("is in the menu of drivers whose fleet has it, and of no others", async () => {
    start(fuel);
    expect(await screen.findAllByRole("link", { name: "Paliwo" })).not.toHaveLength(0);
  });

  it("is not there before a fleet has accepted the driver", async () => {
    start(fuel, { ...alone, driver: alone.driver && { ...alone.driver, functions: [3] } });
    expect(await screen.findByRole("heading", { level: 2 })).toBeInTheDocument();
    expect(screen.queryByRole("region", { name: "Tankowania" })).not.toBeInTheDocument();
  });
});
