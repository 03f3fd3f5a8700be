import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Preview } from "./merge-queries";

const state = {
  active: true,
  blocked: false,
  linked: false,
  verified: false,
  activationSent: false,
  schemaNumber: 0,
  tags: [],
  createdAt: "2026-11-01T09:00:00Z",
};
const totals = (sum: number) => ({ unsettled: [{ currency: "PLN", count: 1, sum }], settled: 2, settledOn: "" });

const preview: Preview = {
  kept: {
    ...state,
    id: "d1",
    firstName: "Oleh",
    lastName: "Babiak",
    version: 3,
    identities: [],
    totals: totals(10000),
  },
  other: {
    ...state,
    id: "d2",
    firstName: "Ołeh",
    lastName: "Babiak",
    version: 5,
    identities: [{ provider: "UBER", value: "u-2" }],
    totals: totals(2500),
  },
  fields: [
    { name: "lastName", kept: "Babiak", other: "Babiak", same: true, choosable: true, stays: "kept" },
    { name: "email", kept: "", other: "o@example.com", same: false, choosable: true, stays: "other" },
    { name: "phone", kept: "+48601", other: "+48602", same: false, choosable: true, stays: "kept" },
    { name: "blocked", kept: "", other: "true", same: false, choosable: false, stays: "other" },
    { name: "settledOn", kept: "", other: "2026-11-02", same: false, choosable: false, stays: "other" },
  ],
  transactions: 1,
  tags: [{ id: "t", name: "Nocni" }],
  after: { unsettled: [{ currency: "PLN", count: 2, sum: 12500 }], settled: 4, settledOn: "" },
  warnings: ["blocked"],
  freshLogin: false,
  refusal: "",
};

const stored = (shown: Preview, merge: () => Response) =>
  serve({
    "GET /api/session": () =>
      json({ ...partner, permissions: [...partner.permissions, "drivers.read", "drivers.write"] }),
    "GET /api/providers": () => json({ providers: [{ code: "UBER", name: "Uber", hasDriverApp: true }] }),
    "GET /api/drivers/d1/merge-preview": () => json(shown),
    "POST /api/drivers/d1/merge": merge,
  });

const open = async () => {
  signedIn();
  const rendered = renderApp("/drivers/d1/merge?with=d2");
  await screen.findByRole("heading", { name: /Oleh Babiak/ });
  return rendered;
};

const confirm = () => screen.getByRole("button", { name: "Połącz: Ołeh Babiak → Oleh Babiak" });

describe("merging two drivers", () => {
  it("shows what differs, what moves and the totals after, and sends the choices with both versions", async () => {
    const server = stored(preview, () => refusal(409, { code: "drivers.changed" }));
    const { user } = await open();
    expect(screen.getByRole("radio", { name: /o@example.com/ })).toBeChecked();
    expect(within(screen.getByRole("group", { name: "Telefon" })).getByRole("radio", { name: /601/ })).toBeChecked();
    expect(screen.getByText("Po połączeniu: tak")).toBeVisible();
    expect(screen.getByText(/Jedna strona jest zablokowana/)).toBeVisible();
    expect(await screen.findByText("Identyfikatory: Uber u-2")).toBeVisible();
    expect(screen.getByText(/125,00/)).toBeVisible();
    expect(screen.queryByText("settledOn")).toBeNull();
    await user.click(screen.getByRole("radio", { name: /602/ }));
    await user.click(confirm());
    expect(
      await screen.findByText(/Ktoś inny zmienił w tym czasie tego kierowcę.*Nic nie zostało połączone/),
    ).toBeVisible();
    await waitFor(() =>
      expect(server.sent("POST /api/drivers/d1/merge")[0]?.body).toEqual({
        with: "d2",
        version: 3,
        withVersion: 5,
        choices: { email: "other", phone: "other" },
        reason: "",
      }),
    );
  });

  it("cannot be pressed when it would be refused, and says why", async () => {
    stored({ ...preview, refusal: "drivers.merge_both_linked" }, () => json({ id: "m" }, 201));
    await open();
    expect(screen.getByText(/dwie osoby, które się logują/)).toBeVisible();
    expect(confirm()).toBeDisabled();
  });

  it("offers a sign-in when money would go to another account", async () => {
    stored({ ...preview, freshLogin: true }, () => {
      const stale = refusal(401, { code: "identity.fresh_login_needed" });
      stale.headers.set("WWW-Authenticate", 'Bearer error="insufficient_user_authentication"');
      return stale;
    });
    const { user } = await open();
    await user.click(confirm());
    expect(await screen.findByRole("button", { name: "Zaloguj się ponownie" })).toBeVisible();
  });
});
