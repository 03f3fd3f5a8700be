import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";

const found = {
  drivers: [{ id: "d1", firstName: "Jan", lastName: "Żółkiewski", blocked: false }],
  settlements: [
    {
      id: "s1",
      number: 41,
      driverId: "d1",
      firstName: "Jan",
      lastName: "Żółkiewski",
      firstOn: "2026-11-02",
      lastOn: "2026-11-08",
      state: "settled",
      payout: 160_940,
    },
  ],
  files: [{ id: "f1", fileName: "bolt-45.csv", provider: "BOLT", uploadedAt: "2026-11-09T08:00:00Z" }],
};

const start = () => {
  signedIn();
  return serve({
    "GET /api/session": () => json({ ...partner, permissions: [...partner.permissions, "drivers.read"] }),
    "GET /api/search": () => json(found),
  });
};

it("finds drivers, settlements and files, and opens the first with Enter", async () => {
  const server = start();
  const { user, address } = renderApp("/profile");
  await user.click(await screen.findByRole("button", { name: "Szukaj" }));
  const dialog = screen.getByRole("dialog", { name: "Szukaj" });
  const field = within(dialog).getByRole("textbox");
  expect(field).toHaveAttribute("autofocus");
  await user.click(field);
  expect(server.sent("GET /api/search")).toHaveLength(0);
  await user.paste("zolk");
  const files = await within(dialog).findByRole("region", { name: "Pliki" });
  expect(server.sent("GET /api/search").at(-1)?.query).toEqual({ q: "zolk" });
  expect(within(files).getByRole("link")).toHaveAttribute("href", "/log/f1");
  expect(within(dialog).getByRole("region", { name: "Rozliczenia" })).toHaveTextContent(
    "nr 41, 2–8 lis 20261 609,40 zł",
  );
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(within(dialog).getByRole("link", { name: /nr 41/ })).toHaveFocus();
  await user.click(field);
  await user.keyboard("{Enter}");
  expect(address()).toBe("/drivers/d1");
  expect(screen.queryByRole("dialog", { name: "Szukaj" })).not.toBeInTheDocument();
});

it("opens with the slash key where no list has a search of its own, and gives the focus back", async () => {
  start();
  const { user } = renderApp("/profile");
  const button = await screen.findByRole("button", { name: "Szukaj" });
  await user.keyboard("/");
  const dialog = await screen.findByRole("dialog", { name: "Szukaj" });
  await user.click(within(dialog).getByRole("button", { name: "Zamknij" }));
  expect(button).toHaveFocus();
});

it("says when nothing was found and when the search failed", async () => {
  const server = start();
  server.answers["GET /api/search"] = () => json({ drivers: [], settlements: [], files: [] });
  const { user } = renderApp("/profile");
  await user.click(await screen.findByRole("button", { name: "Szukaj" }));
  await user.click(screen.getByRole("textbox"));
  await user.paste("nikt");
  expect(await screen.findByText("Nic nie znaleziono dla „nikt”.")).toBeInTheDocument();
  server.answers["GET /api/search"] = () => refusal(500, { code: "internal" });
  await user.paste("!");
  expect(await screen.findByText("Nie udało się wyszukać.")).toBeInTheDocument();
});
