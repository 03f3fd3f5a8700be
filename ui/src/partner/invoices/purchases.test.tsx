import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Purchase, PurchasePage } from "./purchase-calls";

const member = { ...partner, permissions: [...partner.permissions, "invoices.decide" as const] };

const ID = "5260250274-20261119-0123456789AB-3F";

const alone: Purchase = {
  id: ID,
  number: "FV/1",
  seller: "Warsztat Żuraw",
  issuedOn: "2026-11-19",
  gross: 12300,
  currency: "PLN",
  strange: false,
};
const proposed = { invoice: "i1", driver: "Łukasz Żuraw", how: "code", matchedBy: "" } as const;
const one: Purchase = { ...alone, match: proposed };

function fetched(
  items: Purchase[],
  page: Partial<PurchasePage> = {},
  decide = () => new Response(null, { status: 204 }),
) {
  return serve({
    "GET /api/session": () => json(member),
    "GET /api/purchases": () =>
      json({
        items,
        count: items.length,
        problem: "",
        ...page,
      }),
    [`POST /api/purchases/${ID}`]: decide,
  });
}

beforeEach(() => signedIn());

describe("invoices from KSeF", () => {
  it("says what is next where there is nothing", async () => {
    fetched([]);
    renderApp("/purchases");
    expect(await screen.findByText("Nie ma jeszcze faktur z KSeF")).toBeVisible();
    expect(screen.getByRole("link", { name: "Połącz KSeF" })).toHaveAttribute("href", "/profile#services");
  });

  it("proposes an invoice of a driver, which a person assigns and takes back", async () => {
    const items = [one];
    const { seen } = fetched(items, {}, () => {
      const wasProposed = items[0]?.match?.how === "code";
      items[0] = wasProposed ? { ...alone, match: { ...proposed, how: "", matchedBy: "Anna Mazurek" } } : alone;
      return new Response(null, { status: 204 });
    });
    renderApp("/purchases");
    expect(await screen.findByText("Propozycja: Łukasz Żuraw")).toBeVisible();
    expect(screen.getByText("kod na zdjęciu")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Przypisz FV/1 do faktury kierowcy Łukasz Żuraw" }));
    expect(await screen.findByText("Przypisane przez: Anna Mazurek")).toBeVisible();
    expect(seen.find(({ route }) => route.startsWith("POST"))?.query).toEqual({ invoice: "i1" });
    await userEvent.click(screen.getByRole("button", { name: "Cofnij przypisanie FV/1" }));
    expect(await screen.findByRole("cell", { name: /–/ })).toBeVisible();
    expect(seen.filter(({ route }) => route.startsWith("POST")).at(-1)?.query).toEqual({});
  });

  it("shows what is strange, not read and in the way", async () => {
    const { seen } = fetched([{ ...alone, strange: true, currency: "" }], {
      problem: "denied",
      lastAt: "2026-11-19T10:00:00Z",
      nextAt: "2026-11-19T11:00:00Z",
    });
    renderApp("/purchases?show=strange");
    const table = within(await screen.findByRole("table", { name: "Faktury z KSeF" }));
    expect(await table.findByText("Nieodczytana: inny wzór")).toBeVisible();
    expect(screen.getByText(/Ostatnio pobrano: 19.* Następne pobranie: 19/)).toBeVisible();
    expect(screen.getByText(/nie może czytać faktur w KSeF/)).toBeVisible();
    await userEvent.click(table.getByRole("button", { name: "FV/1 jest w porządku" }));
    expect(seen.find(({ route }) => route.startsWith("POST"))?.query).toEqual({ known: "true" });
    expect(seen.find(({ route }) => route === "GET /api/purchases")?.query.show).toBe("strange");
  });

  it("says that somebody was faster", async () => {
    fetched([one], {}, () => refusal(409, { code: "purchases.matched" }));
    renderApp("/purchases");
    await userEvent.click(await screen.findByRole("button", { name: /^Przypisz FV/ }));
    expect(await screen.findByText("Ktoś już przypisał tę fakturę.")).toBeVisible();
  });
});
