import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Settled } from "./settled-queries";
import type { SentSummary } from "./sending-queries";

const member = {
  ...partner,
  permissions: [...partner.permissions, "settlements.read" as const, "settlements.write" as const],
};
const row: Settled = {
  id: "s1",
  number: 41,
  driverId: "d1",
  firstName: "Paweł",
  lastName: "Adamczyk",
  period: "2026-W45",
  firstOn: "2026-11-02",
  lastOn: "2026-11-08",
  weeks: 1,
  supplementary: false,
  state: "settled",
  absorbedInto: "",
  absorbedPeriod: "",
  apps: [],
  revenue: 284560,
  cashCollected: 62000,
  due: 160940,
  payout: 160940,
  next: 0,
  notCarriedCount: 0,
  settledAt: "2026-11-09T08:00:00Z",
  settledBy: "Anna Mazurek",
  sharedAt: null,
  paidOn: "",
  revokedAt: null,
  revokedBy: "",
  revokeReason: "",
  batch: 0,
  bill: { id: "b1", state: "failed", reason: "550 no such user", at: "2026-11-09T09:00:00Z", openedAt: null, times: 1 },
  hindrance: "",
};
const failed: SentSummary = {
  id: "b1",
  settlementId: "s1",
  number: 41,
  period: "2026-W45",
  firstOn: "2026-11-02",
  lastOn: "2026-11-08",
  payout: 160940,
  driverId: "d1",
  firstName: "Paweł",
  lastName: "Adamczyk",
  address: "pawel@mail.example",
  language: "pl",
  state: "failed",
  reason: "550 no such user",
  sentBy: "Anna Mazurek",
  writtenAt: "2026-11-09T08:59:00Z",
  decidedAt: "2026-11-09T09:00:00Z",
  openedAt: null,
  expiresAt: "2027-01-08T09:00:00Z",
  works: true,
  newest: true,
};
const sending = {
  id: "x1",
  state: "preview",
  again: false,
  recipients: 37,
  refused: 2,
  refusals: [{ code: "no_address", count: 2, drivers: [{ id: "d7", firstName: "Ewa", lastName: "Bąk" }] }],
  startsAt: null as string | null,
  now: "2026-11-09T10:00:00Z",
  queued: 0,
  sent: 0,
  failed: 0,
  finishedAt: null,
};

function stored() {
  let state = "preview";
  const server = serve({
    "GET /api/session": () => json(member),
    "GET /api/settlements/periods": () => json({ periods: [] }),
    "GET /api/settlements": () =>
      json({
        items: [row],
        totals: { count: 1, revenue: 0, cashCollected: 0, due: 160940, payout: 160940, notCarriedCount: 0 },
      }),
    "GET /api/summaries": () => json({ items: [failed] }),
    "POST /api/summary-sendings": () => json({ id: "x1" }, 201),
    "GET /api/summary-sendings/x1": () => json({ ...sending, state, startsAt: "2026-11-09T10:00:30Z" }),
    "POST /api/summary-sendings/x1/start": () => {
      state = "waiting";
      return json({ state, startsAt: "2026-11-09T10:00:30Z" }, 202);
    },
    "POST /api/summary-sendings/x1/cancel": () => {
      state = "cancelled";
      return new Response(null, { status: 204 });
    },
  });
  return server;
}

beforeEach(signedIn);

it("shows who gets a bill before all are sent, counts down, and cancels by one click", async () => {
  const server = stored();
  const { user } = renderApp("/settlements/settled?period=2026-W45");
  await user.click(await screen.findByRole("button", { name: "Wyślij wszystkie" }));
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByText(/39 wybranych = 37 dostanie wiadomość \+ 2 nie/)).toBeInTheDocument();
  expect(within(dialog).getByText(/Brak adresu e-mail: 2/)).toHaveTextContent("Bąk Ewa i 1 więcej");
  expect(server.sent("POST /api/summary-sendings")[0]?.body).toEqual({ state: "settled", period: "2026-W45" });
  expect(server.sent("POST /api/summary-sendings/x1/start")).toHaveLength(0);
  await user.click(within(dialog).getByRole("button", { name: "Wyślij 37" }));
  expect(await screen.findByText(/Rozliczenia do wysłania: 37\. Start za \d+ s\./)).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Anuluj wysyłkę" }));
  expect(await screen.findByText("Anulowano. Nikt nie dostał wiadomości.")).toBeInTheDocument();
});

it("names a bill that failed with the server's reason, and says why it cannot be tried again", async () => {
  const server = stored();
  server.answers["POST /api/summaries/b1/retry"] = () => refusal(409, { code: "summaries.no_address" });
  const { user } = renderApp("/settlements/settled");
  expect(await screen.findByText("Nie doręczono")).toBeInTheDocument();
  await user.click(await screen.findByRole("button", { name: "Ponów wysyłkę: Adamczyk Paweł" }));
  expect(await screen.findByText(/Kierowca nie ma adresu e-mail/)).toBeInTheDocument();
});
