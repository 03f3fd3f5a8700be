import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { driver, json, serve } from "../../testing/server";

const report = { id: "r1", code: "my-months", title: "Moje rozliczenia", ask: [] };

function start(items: unknown[]) {
  signedIn();
  return serve({
    "GET /api/session": () => json(driver),
    "GET /api/reports/driver": () => json({ items }),
    "POST /api/reports/driver/my-months": () =>
      json({
        ...{ title: "Moje rozliczenia", from: "", to: "", totals: null, totalsOnce: false, rowsLeftOut: 0 },
        columns: [
          { key: "month", title: "Miesiąc", kind: "text" },
          { key: "payout", title: "Do wypłaty", kind: "money" },
        ],
        rows: [["2026-10", 990_000]],
        computedAt: "2026-11-18T10:00:00Z",
      }),
  });
}

it("a driver opens a report from the list, and sees their own rows", async () => {
  start([report]);
  const { user, address } = renderApp("/driver/report");
  await user.click(await screen.findByRole("link", { name: "Moje rozliczenia" }));
  expect(address()).toBe("/driver/report/my-months");
  expect(await screen.findByRole("row", { name: /październik 2026 9.900,00/ })).toBeInTheDocument();
});

it("a driver without reports reads that there are none", async () => {
  start([]);
  renderApp("/driver/report");
  expect(await screen.findByText("Twoja flota nie udostępnia jeszcze raportów.")).toBeInTheDocument();
});
