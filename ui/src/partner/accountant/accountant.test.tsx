import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Pack } from "./queries";

const member = {
  ...partner,
  permissions: [...partner.permissions, "settlements.read" as const, "payouts.read" as const],
};

const first: Pack = {
  id: "p1",
  month: "2026-10",
  version: 1,
  state: "ready",
  percent: 0,
  settlements: 120,
  payout: 12_345_600,
  paid: 11_000_000,
  documents: 30,
  changes: [],
};

function stored(packs: Pack[], make = () => new Response(null, { status: 204 })) {
  return serve({
    "GET /api/session": () => json(member),
    "GET /api/accountant-packs": () => json({ packs }),
    "POST /api/accountant-packs/2026-10": make,
  });
}

beforeEach(() => signedIn());

describe("packs for the accountant", () => {
  it("says what to do where there is none, and makes the last month that is over", async () => {
    const packs: Pack[] = [];
    stored(packs, () => {
      packs.push({ ...first, state: "making", percent: 40 });
      return new Response(null, { status: 204 });
    });
    renderApp("/documents/accountant");
    expect(await screen.findByText("Nie ma jeszcze żadnej paczki")).toBeVisible();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Miesiąc" }), "2026-10");
    await userEvent.click(screen.getByRole("button", { name: "Przygotuj paczkę" }));
    expect(await screen.findByText("Przygotowujemy: 40%")).toBeVisible();
  });

  it("shows figures, versions and what is different", async () => {
    const second: Pack = {
      ...first,
      id: "p2",
      version: 2,
      changes: [
        ["settlement", "7", "10000", "9000"],
        ["document", "FV/1", "", "123"],
        ["payment", "8", "500", ""],
      ],
    };
    stored([second, first]);
    renderApp("/documents/accountant");
    const rows = within(await screen.findByRole("list", { name: "Paczka dla księgowości" }));
    expect(await rows.findByText("październik 2026, wersja 2")).toBeVisible();
    expect(rows.getAllByText(/Rozliczenia: 120, do wypłaty 123\s456,00/)).toHaveLength(2);
    await userEvent.click(rows.getByText("Różnice względem poprzedniej wersji: 3"));
    const list = within(rows.getByRole("list", { name: "Różnice: październik 2026, wersja 2" }));
    expect(list.getAllByRole("listitem").map((one) => one.textContent.replaceAll(/\s+/g, " "))).toEqual([
      expect.stringMatching(/^Rozliczenie 7: zmienione, 100,00.* → 90,00/),
      expect.stringMatching(/^Dokument FV\/1: dodane, 1,23/),
      expect.stringMatching(/^Wypłata rozliczenia 8: usunięte, 5,00/),
    ]);
  });

  it("says why a month has no pack", async () => {
    stored([first], () => refusal(409, { code: "packs.month_not_over", params: { day: "2026-12-01" } }));
    renderApp("/documents/accountant");
    await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Miesiąc" }), "2026-10");
    await userEvent.click(screen.getByRole("button", { name: "Przygotuj paczkę" }));
    expect(await screen.findByText(/Ten miesiąc jeszcze trwa/)).toBeVisible();
  });
});
