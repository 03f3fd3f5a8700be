import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Issued } from "./queries";

const member = {
  ...partner,
  permissions: [
    ...partner.permissions,
    "settlements.read" as const,
    "settlements.write" as const,
    "partner.write" as const,
  ],
};
const declined: Issued = {
  id: "f1",
  kind: "invoice",
  state: "declined",
  number: "",
  issuedOn: "2026-11-09",
  net: 95370,
  vat: 7630,
  gross: 103000,
  issuedBy: "Anna Mazurek",
  cancelledAt: null,
  hasFile: false,
  authorityState: "",
  authorityNumber: "",
  authorityReason: "Zły adres",
  corrects: "",
  correctedBy: "",
  settlementId: "s1",
  settlementNumber: 41,
  period: "2026-W45",
  driverId: "d1",
  firstName: "Zofia",
  lastName: "Samofaktura",
};

function stored(some: { uncertified?: number; items?: Issued[] } = {}) {
  const items = some.items ?? [];
  const server = serve({
    "GET /api/session": () => json(member),
    "GET /api/billing-documents": () =>
      json({
        items,
        total: items.length,
        net: 95370,
        vat: 7630,
        gross: 103000,
        uncertified: some.uncertified ?? 0,
        awaiting: items.length,
      }),
    "GET /api/billing-agreements": () => json({ fleet: { approval: "none" }, drivers: [] }),
  });
  return server;
}

beforeEach(() => signedIn());

describe("documents", () => {
  it("say why a driver declined an invoice, without a number and without files", async () => {
    stored({ items: [declined] });
    renderApp("/documents?state=declined");
    const row = await screen.findByRole("row", { name: /Samofaktura/ });
    expect(row).toHaveTextContent("Bez numeru");
    expect(row).toHaveTextContent("Odrzucona przez kierowcę");
    expect(row).toHaveTextContent("Zły adres");
    expect(within(row).queryByRole("button", { name: /PDF/ })).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /ZIP/ })).not.toBeInTheDocument();
  });

  it("take how drivers approve, with the days of silence, and keep what was typed when it is refused", async () => {
    const server = stored();
    let tries = 0;
    server.answers["PUT /api/billing-agreements"] = () =>
      tries++ === 0 ? refusal(422, { code: "billing.invalid" }) : new Response(null, { status: 204 });
    const { user } = renderApp("/documents");
    await user.click(await screen.findByRole("button", { name: "Zatwierdzanie faktur" }));
    const dialog = screen.getByRole("dialog");
    await user.click(within(dialog).getByRole("radio", { name: /Milczenie/ }));
    const days = within(dialog).getByRole("textbox");
    await user.clear(days);
    await user.type(days, "61");
    expect(within(dialog).getByRole("alert")).toHaveTextContent("od 1 do 60");
    expect(within(dialog).getByRole("button", { name: "Zapisz" })).toBeDisabled();
    await user.clear(days);
    await user.type(days, "14");
    await user.click(within(dialog).getByRole("button", { name: "Zapisz" }));
    expect(await within(dialog).findByRole("alert")).toBeInTheDocument();
    expect(days).toHaveValue("14");
    await user.click(within(dialog).getByRole("button", { name: "Zapisz" }));
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
    expect(server.sent("PUT /api/billing-agreements")[1]?.body).toEqual({ approval: "tacit", days: 14 });
  });

  it("ask for the certificate that offline invoices lack, and say when it is none", async () => {
    const server = stored({ uncertified: 3, items: [declined] });
    server.answers["PUT /api/billing-certificate"] = () => refusal(422, { code: "billing.certificate" });
    const { user } = renderApp("/documents");
    await user.click(await screen.findByRole("button", { name: "Dodaj certyfikat" }));
    const dialog = await screen.findByRole("dialog");
    expect(within(dialog).getByRole("button", { name: "Zapisz" })).toBeDisabled();
    await user.type(within(dialog).getByRole("textbox", { name: "Certyfikat (PEM)" }), "x");
    await user.type(within(dialog).getByRole("textbox", { name: /^Klucz prywatny/ }), "y");
    await user.click(within(dialog).getByRole("button", { name: "Zapisz" }));
    expect(await within(dialog).findByText(/certyfikat KSeF typu Offline/)).toBeInTheDocument();
  });
});
