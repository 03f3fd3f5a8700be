import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { CardLimits, DriverFuel } from "../../fuel/calls";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Driver } from "./queries";

const babiak: Partial<Driver> = {
  id: "d1",
  version: 3,
  firstName: "Oleh",
  lastName: "Babiak",
  tags: [],
  identities: [],
};

const limits: CardLimits = {
  version: 1,
  plate: "WX 1001A",
  tank: 30_000,
  day: 0,
  month: 300_000,
  monthAmount: 1_500_00,
  discount: 0,
  validFrom: "",
  validTo: "",
};

const fuel: DriverFuel = {
  millilitres: 30_500,
  gross: 201_27,
  next: null,
  cards: [
    { id: "c1", provider: "ORLEN", number: "•••• 4821", kind: "K", limits, usedDay: 0, usedMonth: 0, usedAmount: 0 },
  ],
  refuellings: [
    {
      id: "r1",
      on: "2026-11-03",
      at: null,
      type: "FUEL",
      card: "c1",
      station: "",
      town: "Łódź",
      product: "Verva ON",
      millilitres: 30_500,
      unitPrice: 0,
      gross: 201_27,
      odometer: 0,
      correction: false,
      period: "2026-W45",
      settlementId: "s1",
      odd: ["over_tank", "two_towns"],
    },
  ],
};

const PUT = "PUT /api/drivers/d1/fuel/cards/c1";

function start(features: ("fuel" | "logistics_menu")[] = ["fuel"]) {
  signedIn();
  const server = serve({
    "GET /api/session": () =>
      json({
        ...partner,
        permissions: [...partner.permissions, "drivers.read", "drivers.write", "lookups.read"],
        partner: partner.partner && { ...partner.partner, features },
      }),
    "GET /api/providers": () => json({ providers: [{ code: "ORLEN", name: "ORLEN", hasDriverApp: false }] }),
    "GET /api/drivers/d1": () => json(babiak),
    "GET /api/drivers/d1/fuel": () => json(fuel),
    [PUT]: () => new Response(null, { status: 204 }),
  });
  renderApp("/drivers/d1");
  return server;
}

describe("fuel on the page of a driver", () => {
  it("marks in words what should be checked", async () => {
    start();
    const section = await screen.findByRole("region", { name: "Paliwo" });
    expect(await within(section).findByText("1 tankowanie do sprawdzenia")).toBeInTheDocument();
    const row = within(within(section).getByRole("region", { name: "Tankowania" })).getByRole("listitem");
    expect(row).toHaveTextContent("Więcej litrów, niż mieści bak");
    expect(row).toHaveTextContent("Tej karty użyto w dwóch miastach w ciągu 30 minut");
    expect(row).toHaveTextContent("Rozliczone w W45");
    expect(within(row).queryByRole("link")).not.toBeInTheDocument();
  });

  it("saves the limits of a card from the version that was seen, and reads them again", async () => {
    const server = start();
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Limity karty •••• 4821" }));
    const dialog = screen.getByRole("dialog", { name: "Limity karty •••• 4821" });
    const day = within(dialog).getByRole("textbox", { name: "Limit dzienny w litrach" });
    await user.type(day, "czterdzieści");
    await user.click(within(dialog).getByRole("button", { name: "Zapisz" }));
    expect(day).toBeInvalid();
    expect(server.sent(PUT)).toHaveLength(0);
    await user.clear(day);
    await user.type(day, "40,5");
    await user.clear(within(dialog).getByRole("textbox", { name: "Limit miesięczny w litrach" }));
    await user.click(within(dialog).getByRole("button", { name: "Zapisz" }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(server.sent(PUT)[0]?.body).toEqual({ ...limits, day: 40_500, month: 0 });
    expect(server.sent("GET /api/drivers/d1/fuel").length).toBeGreaterThan(1);
  });

  it("keeps what was typed when a colleague was faster", async () => {
    const server = start();
    server.answers[PUT] = () => refusal(409, { code: "fuel.changed" });
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Limity karty •••• 4821" }));
    const dialog = screen.getByRole("dialog");
    await user.type(within(dialog).getByRole("textbox", { name: "Limit dzienny w litrach" }), "40");
    await user.click(within(dialog).getByRole("button", { name: "Zapisz" }));
    expect(await within(dialog).findByRole("alert")).toHaveTextContent(
      "Ktoś w międzyczasie zmienił tę kartę. Sprawdź ją jeszcze raz. Limity nie zostały zapisane.",
    );
    expect(within(dialog).getByRole("textbox", { name: "Limit dzienny w litrach" })).toHaveValue("40");
  });

  it("is not there without the feature", async () => {
    const server = start([]);
    expect(await screen.findByRole("heading", { level: 1, name: "Babiak Oleh" })).toBeInTheDocument();
    expect(screen.queryByRole("region", { name: "Paliwo" })).not.toBeInTheDocument();
    expect(server.sent("GET /api/drivers/d1/fuel")).toHaveLength(0);
  });
});
