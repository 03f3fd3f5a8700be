import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import { isFine } from "./buyer";
import { nextLook, type Order } from "./queries";

const member = {
  ...partner,
  permissions: [...partner.permissions, "licences.read" as const, "licences.write" as const],
};

const buyer = {
  name: "Wrzos Mobility",
  taxId: "5260250274",
  street: "Krucza",
  houseNumber: "4A",
  apartmentNumber: "",
  postCode: "00-950",
  city: "Warszawa",
  country: "PL",
  email: "faktury@wrzos.example",
};

const names = { pl: "Start", en: "Start", de: "Start", uk: "Старт", ru: "Старт" };

const offer = {
  closed: "" as const,
  providers: ["sandbox"],
  packages: [
    { code: "start", names, units: 100, minQuantity: 1, maxQuantity: 20, netPrice: 9900, vatRate: 2300 },
    {
      code: "fleet",
      names: { pl: "Flota" },
      units: 1000,
      minQuantity: 2,
      maxQuantity: 5,
      netPrice: 79900,
      vatRate: 2300,
    },
  ],
  buyer,
};

const order: Order = {
  id: "o1",
  number: "L/FLOTA/1",
  packageNames: names,
  quantity: 1,
  units: 100,
  netPrice: 9900,
  vatRate: 2300,
  reverseCharge: false,
  net: 9900,
  vat: 2277,
  gross: 12177,
  state: "started",
  reason: "",
  provider: "sandbox",
  url: "https://pay.example/1",
  createdAt: "2026-11-19T08:00:00Z",
  createdBy: "Anna Mazurek",
  paidAt: null,
  refunded: 0,
  refundedUnits: 0,
  documents: [],
  buyer,
};

const invoice = {
  id: "d1",
  kind: "invoice" as const,
  number: "FL/2026/1",
  issuedOn: "2026-11-19",
  gross: 12177,
  hasXml: true,
  authority: "" as const,
};

const quote = (quantity: number) => ({
  units: 100 * quantity,
  net: 9900 * quantity,
  vatRate: 2300,
  vat: 2277 * quantity,
  gross: 12177 * quantity,
  reverseCharge: false,
  weeks: 7,
});

function shop(routes: Parameters<typeof serve>[0] = {}) {
  let asked = 1;
  const server = serve({
    "GET /api/session": () => json(member),
    "GET /api/licences/packages": () => json(offer),
    "POST /api/licences/orders/quote": () => json(quote(asked)),
    ...routes,
  });
  return Object.assign(server, { next: (quantity: number) => (asked = quantity) });
}

const leave = vi.fn();

beforeEach(() => {
  signedIn();
  leave.mockReset();
  vi.spyOn(location, "assign").mockImplementation(leave);
});

describe("buying settlements", () => {
  it("shows what the server computes, and pays exactly that", async () => {
    const server = shop({
      "POST /api/licences/orders": () => json({ id: "o1", number: "L/FLOTA/1", gross: 24354 }, 201),
      "POST /api/licences/orders/o1/pay": () => json({ state: "started", redirectUrl: "https://pay.example/1" }, 202),
      "GET /api/licences/orders/o1": () => json(order),
    });
    const { user, address } = renderApp("/licenses/purchase");
    expect(await screen.findByRole("button", { name: /^Zapłać 121,77/ })).toBeEnabled();
    expect(screen.getByText(/wystarczy na ok. 7 tygodni/)).toBeInTheDocument();
    server.next(2);
    await user.click(screen.getByRole("button", { name: "O jeden więcej" }));
    const pay = await screen.findByRole("button", { name: /^Zapłać 243,54/ });
    await user.click(pay);
    await waitFor(() => expect(leave).toHaveBeenCalledWith("https://pay.example/1"));
    expect(server.sent("POST /api/licences/orders")[0]?.body).toEqual({
      package: "start",
      quantity: 2,
      buyer,
      expectsGross: 24354,
      language: "pl",
    });
    expect(address()).toBe("/payment-service/o1");
  });

  it("keeps to the bounds of a package, by buttons, keys and typing", async () => {
    shop();
    const { user } = renderApp("/licenses/purchase");
    await user.click(await screen.findByRole("radio", { name: /Flota/ }));
    const quantity = screen.getByLabelText("Liczba pakietów");
    expect(quantity).toHaveValue("2");
    expect(screen.getByRole("button", { name: "O jeden mniej" })).toBeDisabled();
    await user.type(quantity, "{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}");
    expect(quantity).toHaveValue("5");
    await user.clear(quantity);
    await user.type(quantity, "6");
    expect(screen.getByRole("alert")).toHaveTextContent("Podaj liczbę od 2 do 5.");
    expect(screen.getByRole("button", { name: "Zamów" })).toBeDisabled();
  });

  it("says at each field what is wrong, also what only the server knows", async () => {
    const server = shop({
      "POST /api/licences/orders": () =>
        refusal(422, { code: "licences.order_invalid", fields: [{ name: "buyer.taxId", code: "invalid" }] }),
    });
    const { user } = renderApp("/licenses/purchase");
    const pay = await screen.findByRole("button", { name: /^Zapłać/ });
    await user.clear(screen.getByLabelText(/^Miejscowość/));
    await user.click(pay);
    expect(screen.getByLabelText(/^Miejscowość/)).toHaveAccessibleDescription("Uzupełnij to pole.");
    expect(server.sent("POST /api/licences/orders")).toHaveLength(0);
    await user.type(screen.getByLabelText(/^Miejscowość/), "Warszawa");
    await user.click(pay);
    await waitFor(() => expect(screen.getByLabelText(/^NIP/)).toBeInvalid());
    expect(screen.getByText(/Nic nie zostało zamówione/)).toBeInTheDocument();
    await user.type(screen.getByLabelText(/^NIP/), "{Backspace}4");
    expect(screen.getByLabelText(/^NIP/)).toBeValid();
    expect(leave).not.toHaveBeenCalled();
  });

  it("leads to the order where paying could not begin, so that nothing is ordered twice", async () => {
    shop({
      "POST /api/licences/orders": () => json({ id: "o1", number: "L/FLOTA/1", gross: 12177 }, 201),
      "POST /api/licences/orders/o1/pay": () => refusal(409, { code: "licences.closed" }),
      "GET /api/licences/orders/o1": () => json({ ...order, state: "draft", url: "" }),
    });
    const { user } = renderApp("/licenses/purchase");
    await user.click(await screen.findByRole("button", { name: /^Zapłać/ }));
    expect(await screen.findByRole("heading", { name: "Zamówienie czeka na płatność" })).toBeInTheDocument();
    expect(leave).not.toHaveBeenCalled();
  });

  it("asks for the price again when it has changed meanwhile", async () => {
    const server = shop({ "POST /api/licences/orders": () => refusal(409, { code: "licences.price_changed" }) });
    const { user } = renderApp("/licenses/purchase");
    server.next(3);
    await user.click(await screen.findByRole("button", { name: /^Zapłać/ }));
    expect(await screen.findByText(/Cena się zmieniła/)).toBeInTheDocument();
    expect(await screen.findByRole("button", { name: /^Zapłać 365,31/ })).toBeEnabled();
  });

  it("says that nothing can be bought where payments are off", async () => {
    shop({ "GET /api/licences/packages": () => json({ ...offer, closed: "no_provider", providers: [] }) });
    renderApp("/licenses/purchase");
    expect(await screen.findByText("Zakup online jest niedostępny")).toBeInTheDocument();
  });

  it("checks tax ids and post codes of countries whose form is known", () => {
    expect(isFine("taxId", { ...buyer, taxId: "PL 526-025-02-74" })).toBe(true);
    expect(isFine("taxId", { ...buyer, taxId: "5260250275" })).toBe(false);
    expect(isFine("postCode", { ...buyer, postCode: "0950" })).toBe(false);
    expect(isFine("postCode", { ...buyer, country: "FR", postCode: "75001" })).toBe(true);
    expect(isFine("apartmentNumber", buyer)).toBe(true);
    expect(isFine("email", { ...buyer, email: "faktury" })).toBe(false);
  });
});

describe("the page of a payment", () => {
  const at = (state: Order["state"], more: Partial<Order> = {}) =>
    shop({ "GET /api/licences/orders/o1": () => json({ ...order, state, ...more }) });

  it("believes the server, never the address", async () => {
    at("started");
    renderApp("/payment-service/o1?status=success&paid=1");
    expect(await screen.findByRole("heading", { name: "Czekamy na potwierdzenie płatności" })).toBeInTheDocument();
    expect(screen.getByText(/Tę kartę możesz zamknąć/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Dokończ płatność" })).toBeEnabled();
  });

  it("shows what was added, and the invoice", async () => {
    at("success", { paidAt: "2026-11-19T08:01:00Z", documents: [invoice] });
    renderApp("/payment-service/o1");
    expect(await screen.findByRole("heading", { name: /^Zapłacono/ })).toBeInTheDocument();
    expect(screen.getByText(/Dodaliśmy 100 rozliczeń/)).toBeInTheDocument();
    expect(await screen.findByText(/Pozostało 840 rozliczeń/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Pobierz PDF: FL/2026/1" })).toBeEnabled();
    expect(screen.getByRole("button", { name: "Wróć do rozliczeń" })).toBeEnabled();
  });

  it("says why it failed, pays anew, and by another way", async () => {
    const server = at("failed", { reason: "no_funds", url: "" });
    server.answers["GET /api/licences/packages"] = () => json({ ...offer, providers: ["sandbox", "stripe"] });
    server.answers["POST /api/licences/orders/o1/retry"] = () =>
      json({ state: "started", redirectUrl: "https://pay.example/2" }, 202);
    const { user } = renderApp("/payment-service/o1");
    expect(await screen.findByText("Na rachunku lub karcie zabrakło środków.")).toBeInTheDocument();
    await user.click(await screen.findByRole("button", { name: /^Inny sposób: Karta/ }));
    await waitFor(() => expect(leave).toHaveBeenCalledWith("https://pay.example/2"));
    expect(server.sent("POST /api/licences/orders/o1/retry")[0]?.body).toEqual({ provider: "stripe" });
  });

  it("has no button that pays again while the money is looked into", async () => {
    at("review", { url: "" });
    renderApp("/payment-service/o1");
    const what = await screen.findByText(/Nie płać ponownie/);
    const outcome = what.closest("section");
    if (!outcome) throw new Error("no section");
    expect(within(outcome).queryByRole("button")).not.toBeInTheDocument();
  });

  it("says what was refused when the order is cancelled too late", async () => {
    const server = at("started");
    server.answers["POST /api/licences/orders/o1/cancel"] = () => refusal(409, { code: "licences.paid" });
    const { user } = renderApp("/payment-service/o1");
    await user.click(await screen.findByRole("button", { name: "Anuluj zamówienie" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("już opłacone");
  });

  it("is looked at again soon, then less often, and not at all once nothing can change", () => {
    const look = (state: Order["state"], looks: number, documents = order.documents) =>
      nextLook({ ...order, state, documents }, looks);
    expect(look("started", 0)).toBe(2000);
    expect(look("started", 10)).toBe(7000);
    expect(look("started", 100)).toBe(10_000);
    expect(look("failed", 0)).toBe(10_000);
    expect(look("success", 0)).toBe(2000);
    expect(look("success", 0, [invoice])).toBeUndefined();
    expect(look("draft", 0)).toBeUndefined();
  });
});

describe("what was bought", () => {
  const bought = { ...order, state: "success" as const, paidAt: "2026-11-19T08:01:00Z", documents: [invoice] };
  const page = { items: [bought], total: 1, units: 100, net: 9900, vat: 2277, gross: 12177, refunded: 0 };

  it("lists orders with their sums, filters by days and states, and keeps both in the address", async () => {
    const server = shop({ "GET /api/licences/orders": () => json(page) });
    const { user, address } = renderApp("/licenses/history");
    const row = await screen.findByRole("row", { name: /L\/FLOTA\/1/ });
    expect(row).toHaveTextContent("Opłacone");
    expect(within(row).getByRole("button", { name: "Pobierz XML: FL/2026/1" })).toBeEnabled();
    expect(screen.getByLabelText("Zapłacone, cały filtr")).toHaveTextContent(/Brutto121,77/);
    await user.click(screen.getByRole("button", { name: "Nieudane" }));
    await waitFor(() => expect(address()).toBe("/licenses/history?state=failed"));
    expect(screen.getByRole("button", { name: "Nieudane" })).toHaveAttribute("aria-pressed", "true");
    await waitFor(() =>
      expect(server.sent("GET /api/licences/orders").at(-1)?.query).toMatchObject({ state: "failed" }),
    );
  });

  it("says what to do where nothing was bought, and where the filter leaves nothing", async () => {
    shop({ "GET /api/licences/orders": () => json({ ...page, items: [], total: 0 }) });
    const { user } = renderApp("/licenses/history?from=2026-01-01");
    await user.click(await screen.findByRole("button", { name: "Wyczyść filtry" }));
    expect(await screen.findByText("Nie ma jeszcze zakupów")).toBeInTheDocument();
  });

  it("names what is wrong with a file at its invoice", async () => {
    shop({
      "GET /api/licences/orders": () => json(page),
      "GET /api/licences/documents/d1/xml": () => refusal(409, { code: "licences.no_file_yet" }),
    });
    const { user } = renderApp("/licenses/history");
    await user.click(await screen.findByRole("button", { name: "Pobierz XML: FL/2026/1" }));
    expect(await screen.findByRole("alert")).toBeInTheDocument();
  });
});
