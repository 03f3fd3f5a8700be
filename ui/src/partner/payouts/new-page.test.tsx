import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Excluded, Plan, Settings } from "./queries";

const member = {
  ...partner,
  permissions: [...partner.permissions, "payouts.read" as const, "payouts.write" as const],
};
const settings: Settings = {
  profile: "pko",
  foreignProfile: "",
  secondPerson: false,
  version: 0,
  profiles: [
    { key: "pko", bank: "PKO BP iPKO biznes", standard: "elixir", foreign: false },
    { key: "pain03", bank: "", standard: "pain.001.001.03", foreign: true },
  ],
  account: "PL…2177",
  taxId: true,
};
const out: Excluded = {
  settlementId: "s2",
  driverId: "d2",
  firstName: "Ewa",
  lastName: "Bąk",
  number: 42,
  firstOn: "2026-11-02",
  lastOn: "2026-11-08",
  payout: 5000,
  reason: "account_changed",
  batch: 0,
  changedAt: "2026-11-12T08:00:00Z",
  found: "",
};
const plan: Plan = {
  drafts: [
    {
      way: "domestic",
      profile: "pko",
      settlements: 1,
      transfers: 2,
      sum: 123456,
      changes: [{ field: "name", was: "Олег Б.", is: "Oleg B." }],
      changed: 1,
    },
  ],
  excluded: [out],
  payer: [],
  warnings: [],
  payOn: "2026-11-16",
  token: "abc",
};

beforeEach(signedIn);

describe("new transfers", () => {
  const stored = () =>
    serve({
      "GET /api/session": () => json(member),
      "GET /api/payout-settings": () => json(settings),
      "POST /api/payout-batches/plan": () => json(plan),
    });

  it("are shown before they are made: the sum, names that the file holds otherwise, and who is left out", async () => {
    const server = stored();
    const { user } = renderApp("/payouts/new");
    expect(await screen.findByText("1 234,56 zł", { normalizer: (text) => text.replace(/\s/g, " ") })).toBeVisible();
    await user.click(screen.getByText("1 nazwa jest w pliku zapisana inaczej"));
    expect(screen.getByText(/Олег Б\./)).toBeInTheDocument();
    const line = within(screen.getByRole("region", { name: /Pominięci/ })).getByRole("listitem");
    expect(line).toHaveTextContent("Konto zmienione 12 lis 2026: sprawdź z kierowcą");
    await user.click(within(line).getByRole("button", { name: "Zapłać na nowe konto" }));
    expect(server.sent("POST /api/payout-batches/plan").at(-1)?.body).toMatchObject({ accept: ["s2"], profile: "pko" });
  });

  it("are made exactly as shown; if something changed, nothing is and the plan is asked for anew", async () => {
    const server = stored();
    server.answers["POST /api/payout-batches"] = () => refusal(409, { code: "payouts.changed" });
    const { user } = renderApp("/payouts/new");
    const press = await screen.findByRole("button", { name: /^Utwórz przelewy: 2/ });
    const asked = server.sent("POST /api/payout-batches/plan").length;
    await user.click(press);
    expect(await screen.findByText(/Od podglądu coś się zmieniło\. Nie utworzono żadnej paczki\./)).toBeVisible();
    expect(server.sent("POST /api/payout-batches")[0]?.body).toMatchObject({ token: "abc", profile: "pko" });
    expect(server.sent("POST /api/payout-batches/plan").length).toBeGreaterThan(asked);
  });
});
