import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { show } from "../i18n";
import { renderApp, signedIn } from "../testing/render";
import { json, partner, serve } from "../testing/server";

beforeEach(signedIn);

it("remembers opened screens per person and drops those no longer allowed", async () => {
  localStorage.setItem("saldo.tabs.anna", JSON.stringify({ open: [{ path: "/gone", search: "" }], recent: ["/gone"] }));
  serve();
  renderApp("/tags?q=x");
  await screen.findByRole("heading", { name: "Etykiety" });
  await waitFor(() =>
    expect(JSON.parse(localStorage.getItem("saldo.tabs.anna") ?? "")).toEqual({
      open: [{ path: "/tags", search: "?q=x" }],
      recent: ["/tags"],
    }),
  );
});

it("changes language everywhere at once and remembers it", async () => {
  serve();
  const { user } = renderApp("/tags");
  await user.click(await screen.findByRole("button", { name: /^Konto/ }));
  await user.click(screen.getByRole("menuitemradio", { name: "Українська" }));
  expect(await screen.findByRole("heading", { name: "Мітки" })).toBeInTheDocument();
  expect(document.documentElement.lang).toBe("uk");
  expect(localStorage.getItem("saldo.language")).toBe("uk");
  await show("pl");
});

it("shows the language selector of the top bar to partners who have it only", async () => {
  const server = serve();
  const { user } = renderApp("/tags");
  await screen.findByRole("heading", { name: "Etykiety" });
  expect(screen.queryByRole("button", { name: "Język: Polski" })).not.toBeInTheDocument();
  server.answers["GET /api/session"] = () =>
    json({ ...partner, partner: { ...partner.partner, features: ["language_selector"] } });
  await user.click(screen.getByRole("button", { name: /^Konto/ }));
  await user.click(screen.getByRole("menuitem", { name: "Wyloguj się" }));
  signedIn();
  renderApp("/tags");
  expect(await screen.findByRole("button", { name: "Język: Polski" })).toBeInTheDocument();
});

it("keeps the chosen mode and follows the arrow keys in its menu", async () => {
  serve();
  const { user } = renderApp("/tags");
  await user.click(await screen.findByRole("button", { name: /^Konto/ }));
  expect(screen.getByRole("menuitemradio", { name: "Polski" })).toHaveFocus();
  await user.keyboard("{ArrowUp}");
  expect(screen.getByRole("menuitem", { name: "Wyloguj się" })).toHaveFocus();
  await user.click(screen.getByRole("menuitemradio", { name: "Ciemny" }));
  expect(document.documentElement.style.colorScheme).toBe("dark");
  expect(document.documentElement.style.getPropertyValue("--page")).toBe("#0D1013");
  expect(localStorage.getItem("saldo.mode")).toBe("dark");
  expect(screen.queryByRole("menu")).not.toBeInTheDocument();
});
