import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { provider, renderApp, signedIn, signedInBefore } from "../testing/render";
import { json, partner, serve, stale } from "../testing/server";

const member = {
  ...partner,
  permissions: [
    ...partner.permissions,
    "partner.read" as const,
    "partner.write" as const,
    "payouts.read" as const,
    "payouts.write" as const,
    "settlements.read" as const,
  ],
};

const stored = () =>
  serve({
    "GET /api/session": () => json(member),
    "GET /api/partners/people": () => json({ people: [], active: 2 }),
    "GET /api/payout-settings/two-person": () => json({ on: false, active: 2 }),
    "GET /api/payout-batches": () => json({ items: [], total: 0 }),
    "GET /api/payout-settings": () =>
      json({ profile: "pko", foreignProfile: "", secondPerson: false, version: 1, account: "", profiles: [] }),
    "GET /api/billing-documents": () =>
      json({ items: [], total: 0, net: 0, vat: 0, gross: 0, uncertified: 1, awaiting: 0 }),
    "GET /api/billing-agreements": () => json({ fleet: { approval: "none" }, drivers: [] }),
    "POST /api/partners/people": stale,
    "POST /api/payout-settings/two-person/turn-on": stale,
  });

const again = () => screen.findByRole("button", { name: "Zaloguj się ponownie" });
const returnTo = () => sessionStorage.getItem("saldo.return");

describe("what needs a sign-in of the last minutes", () => {
  it.each(["/profile?ask=invite", "/payouts?settings=open", "/documents?certificate=open"])(
    "is asked for before anything is typed, and is open again afterwards: %s",
    async (path) => {
      const asked = signedInBefore();
      stored();
      const { user } = renderApp(path);
      const dialog = within(await screen.findByRole("dialog"));
      expect(dialog.queryByRole("textbox")).not.toBeInTheDocument();
      expect(dialog.queryByRole("combobox")).not.toBeInTheDocument();
      await user.click(await again());
      expect(asked.at(-1)).toMatchObject({ what: "login", options: { maxAge: 0 } });
      expect(returnTo()).toBe(path);
    },
  );

  it("is filled in at once by whoever has just signed in, however wrong their clock is", async () => {
    const hour = 3600;
    provider("token", Date.now() / 1000 - hour, hour);
    stored();
    renderApp("/profile?ask=invite");
    expect(await screen.findByRole("textbox", { name: "Imię" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Zaloguj się ponownie" })).not.toBeInTheDocument();
  });

  it("leaves the question behind when it is closed", async () => {
    signedIn();
    stored();
    const { user, address } = renderApp("/profile?ask=invite");
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Anuluj" }));
    expect(address()).toBe("/profile");
  });

  it("says so and leads back when the server refuses all the same", async () => {
    signedIn();
    stored();
    const { user } = renderApp("/profile?ask=invite");
    await user.click(await screen.findByRole("button", { name: "Wyślij zaproszenie" }));
    expect(await screen.findByText(/minęło ponad 5 minut.*Nikogo nie zaproszono/)).toBeVisible();
    await user.click(await again());
    expect(returnTo()).toBe("/profile?ask=invite");
  });
});
