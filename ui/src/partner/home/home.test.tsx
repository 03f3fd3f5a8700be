import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Overview, Pending } from "./queries";
import { nextStep, pathOf, type Step } from "./steps";

const nothing: Overview = {
  period: { code: "2026-W45", firstOn: "2026-11-02", lastOn: "2026-11-08" },
  missingFiles: [],
  toConfirm: 0,
  unmatched: 0,
  unsent: 0,
  failedMails: 0,
  failing: 0,
  strange: 0,
  unpaid: 0,
  unpaidSum: 0,
  proposed: 0,
  released: 0,
  returned: 0,
  left: 840,
};
const pendingOf = (settleable: number, drivers = settleable) =>
  ({ drivers, settleable, payout: settleable * 100_000 }) as Pending;

describe("the next step", () => {
  it.each<[Step | undefined, Partial<Overview>, number]>([
    [undefined, {}, 0],
    ["files", { toConfirm: 1, unmatched: 3 }, 5],
    ["files", { missingFiles: [{ provider: "BOLT", state: "missing" }], unsent: 2 }, 5],
    ["people", { unmatched: 3 }, 5],
    ["settle", { unsent: 2, unpaid: 2, returned: 1 }, 5],
    ["back", { unsent: 2, unpaid: 2, returned: 1 }, 0],
    ["send", { unsent: 2, unpaid: 2 }, 0],
    ["send", { failedMails: 1, unpaid: 2 }, 0],
    ["pay", { unpaid: 2, released: 1 }, 0],
    ["bank", { released: 1 }, 0],
    ["bank", { proposed: 1 }, 0],
  ])("is %s", (step, left, settleable) => {
    expect(nextStep({ ...nothing, ...left }, pendingOf(settleable))).toBe(step);
  });

  it("is not said before what is pending is known", () => {
    expect(nextStep({ ...nothing, unsent: 2 }, undefined)).toBeUndefined();
  });

  it("leads to the week that it is about", () => {
    expect(pathOf("settle", nothing)).toBe("/settlements/pending?period=2026-W45");
  });
});

const member = {
  ...partner,
  permissions: [...partner.permissions, "settlements.read" as const, "imports.read" as const],
};
const start = (overview: Overview, settleable: number) => {
  signedIn();
  return serve({
    "GET /api/session": () => json(member),
    "GET /api/overview": () => json(overview),
    "GET /api/settlements/pending": () => json({ items: [], all: settleable, totals: pendingOf(settleable) }),
    "GET /api/providers": () => json({ providers: [{ code: "BOLT", name: "Bolt", apps: true }] }),
  });
};

describe("the home page", () => {
  it("shows what is left of each step, and the next one", async () => {
    start({ ...nothing, unsent: 3, unpaid: 2, unpaidSum: 184_250, released: 1 }, 57);
    const { user, address } = renderApp("/");
    const next = await screen.findByRole("region", { name: "Następny krok" });
    expect(next).toHaveTextContent("Do rozliczenia: 57");
    const rows = within(screen.getByRole("list", { name: "Praca nad tym tygodniem" })).getAllByRole("link");
    expect(rows.map((row) => row.querySelector("b")?.textContent)).toEqual([
      "Pliki",
      "Nieprzypisani kierowcy",
      "Rozliczenie",
      "Wysyłka do kierowców",
      "Przelewy",
      "W banku",
      "Zwroty z banku",
    ]);
    expect(rows[4]).toHaveTextContent("Do wypłaty: 21 842,50 zł2");
    expect(screen.getByText("Pozostało rozliczeń: 840")).toBeInTheDocument();
    await user.click(within(next).getByRole("button", { name: "Rozlicz kierowców" }));
    expect(address()).toMatch(/^\/settlements\/pending\?period=2026-W45/);
  });

  it("leads to the questions of drivers who wait for an answer", async () => {
    signedIn();
    serve({
      "GET /api/session": () => json({ ...member, partner: { ...member.partner, openQuestions: 3 } }),
      "GET /api/overview": () => json(nothing),
      "GET /api/settlements/pending": () => json({ items: [], all: 0, totals: pendingOf(0) }),
      "GET /api/providers": () => json({ providers: [] }),
    });
    renderApp("/");
    expect(await screen.findByText("Pytania kierowców czekające na odpowiedź: 3")).toHaveAttribute(
      "href",
      "/questions",
    );
  });

  it("leads to connections that do not work", async () => {
    start({ ...nothing, failing: 1 }, 0);
    renderApp("/");
    expect(await screen.findByText("Połączenia wymagające uwagi: 1")).toHaveAttribute("href", "/profile#services");
  });

  it("names the providers whose files are missing", async () => {
    start({ ...nothing, missingFiles: [{ provider: "BOLT", state: "missing" }] }, 0);
    const { user, address } = renderApp("/");
    const next = await screen.findByRole("region", { name: "Następny krok" });
    expect(next).toHaveTextContent("Brakuje: Bolt");
    await user.click(within(next).getByRole("button", { name: "Wczytaj pliki" }));
    expect(address()).toBe("/upload");
  });

  it("says when nothing is left", async () => {
    start(nothing, 0);
    renderApp("/");
    expect(await screen.findByRole("heading", { name: "Ten tydzień jest gotowy" })).toBeInTheDocument();
  });

  it("says what could not be loaded, and tries again", async () => {
    const server = start(nothing, 0);
    server.answers["GET /api/overview"] = () => refusal(500, { code: "internal" });
    const { user } = renderApp("/");
    expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się wczytać pulpitu");
    server.answers["GET /api/overview"] = () => json(nothing);
    await user.click(screen.getByRole("button", { name: "Spróbuj ponownie" }));
    expect(await screen.findByRole("heading", { name: "Ten tydzień jest gotowy" })).toBeInTheDocument();
  });
});
