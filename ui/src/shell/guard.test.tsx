import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { provider, renderApp, signedIn } from "../testing/render";
import { driver, json, partner, refusal, serve } from "../testing/server";

describe("whoever is not signed in", () => {
  it.each([
    ["/", null],
    ["/tags?q=a", "/tags?q=a"],
  ])("is sent from %s to the identity provider and will come back", async (path, back) => {
    const asked = provider(undefined);
    serve();
    renderApp(path);
    await waitFor(() => expect(asked.map(({ what }) => what)).toEqual(["login"]));
    expect(asked[0]?.options).toMatchObject({ redirectUri: "http://localhost/app/", locale: "pl" });
    expect(sessionStorage.getItem("saldo.return")).toBe(back);
  });

  it("is told when signing in failed, and can try again or register", async () => {
    const asked = provider(undefined);
    serve();
    const { user, address } = renderApp("/tags?q=a", { failed: true, password: undefined });
    expect(await screen.findByRole("alert")).toHaveTextContent("Logowanie się nie powiodło. Sprawdź adres i hasło");
    expect(address()).toBe("/sign-in");
    await user.click(screen.getByRole("button", { name: "Zaloguj się" }));
    expect(sessionStorage.getItem("saldo.return")).toBe("/tags?q=a");
    await user.click(screen.getByRole("button", { name: "Załóż konto kierowcy" }));
    expect(asked.map(({ what }) => what)).toEqual(["login", "register"]);
  });

  it("may still see that a page does not exist", async () => {
    serve();
    const { address } = renderApp("/no/such/page");
    expect(await screen.findByRole("heading", { name: "Nie ma takiej strony" })).toBeInTheDocument();
    expect(address()).toBe("/404");
  });
});

describe("whoever is signed in", () => {
  it("starts at the first screen of their menu", async () => {
    signedIn();
    serve();
    const { address } = renderApp("/");
    await waitFor(() => expect(address()).toBe("/tags"));
    await waitFor(() => expect(document.title).toBe("Etykiety · Saldo"));
    const menu = within(await screen.findByRole("navigation", { name: "Menu główne" }));
    expect(menu.getByRole("link", { name: "Etykiety", current: "page" })).toBeInTheDocument();
  });

  it.each(["/", "/tags"])("is refused %s without the permission", async (path) => {
    signedIn();
    const server = serve({ "GET /api/session": () => json({ ...driver, permissions: ["session.read"] }) });
    const { address } = renderApp(path);
    expect(await screen.findByRole("heading", { name: "Brak dostępu" })).toBeInTheDocument();
    expect(address()).toBe("/forbidden");
    expect(screen.getByRole("button", { name: "Wstecz" })).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Strona główna" })).toBeInTheDocument();
    expect(server.seen.map(({ route }) => route)).toEqual(["GET /api/session"]);
  });

  it("is greeted once with what is left, which also stays in the header", async () => {
    signedIn();
    serve();
    renderApp("/");
    expect(await screen.findByText("W licencji pozostało 840 rozliczeń.")).toBeInTheDocument();
    expect(screen.getAllByText(/Dzień dobry, Anna Mazurek/)).toHaveLength(1);
    expect(screen.getByText("840", { selector: "b" })).toBeInTheDocument();
  });

  it("is warned when nothing is left", async () => {
    signedIn();
    serve({
      "GET /api/licences": () =>
        json({ limit: 100, usage: 100, remaining: 0, weeklyUse: 0, weeksLeft: null, note: null }),
    });
    renderApp("/tags");
    expect(await screen.findByText(/W licencji nie ma już rozliczeń/)).toBeInTheDocument();
  });

  it("sees why the session could not be loaded, and tries again", async () => {
    signedIn();
    const server = serve({ "GET /api/session": () => refusal(500, { code: "internal" }) });
    const { user } = renderApp("/tags");
    expect(await screen.findByRole("alert")).toHaveTextContent("Nie udało się wczytać sesji");
    server.answers["GET /api/session"] = () => json(partner);
    await user.click(screen.getByRole("button", { name: "Spróbuj ponownie" }));
    expect(await screen.findByRole("heading", { name: "Etykiety" })).toBeInTheDocument();
  });

  it("signs out through the provider and forgets everything", async () => {
    const asked = signedIn();
    serve();
    const { user } = renderApp("/tags?q=secret");
    await user.click(await screen.findByRole("button", { name: /^Konto: Anna Mazurek/ }));
    await user.click(screen.getByRole("menuitem", { name: "Wyloguj się" }));
    await waitFor(() => expect(asked.map(({ what }) => what)).toEqual(["logout"]));
    expect(screen.queryByRole("heading", { name: "Etykiety" })).not.toBeInTheDocument();
    expect(screen.queryByText(/Sesja wygasła/)).not.toBeInTheDocument();
    expect(sessionStorage.getItem("saldo.return")).toBeNull();
  });

  it("leaves when somebody signs out in another tab, and nothing of them stays on screen", async () => {
    const asked = signedIn();
    serve();
    const { address } = renderApp("/tags");
    await screen.findByRole("heading", { name: "Etykiety" });
    await screen.findByText(/Dzień dobry, Anna Mazurek/);
    act(() => {
      window.dispatchEvent(new StorageEvent("storage", { key: "saldo.ended", newValue: "left 1" }));
    });
    expect(await screen.findByText("Wylogowano w innej karcie.")).toBeInTheDocument();
    expect(address()).toBe("/sign-in");
    expect(screen.queryByText(/Anna Mazurek/)).not.toBeInTheDocument();
    expect(asked).toEqual([]);
  });

  it("asks when another tab learns that the session has ended, and leaves if it has", async () => {
    signedIn();
    let ended = false;
    const server = serve({
      "GET /api/session": () => (ended ? refusal(401, { code: "access.unauthenticated" }) : json(partner)),
    });
    renderApp("/tags");
    await screen.findByRole("heading", { name: "Etykiety" });
    const hear = (newValue: string) =>
      act(() => {
        window.dispatchEvent(new StorageEvent("storage", { key: "saldo.ended", newValue }));
      });
    const asked = () => server.seen.filter(({ route }) => route === "GET /api/session").length;
    hear("expired 1"); // this tab has signed in anew
    await waitFor(() => expect(asked()).toBe(2));
    expect(screen.getByRole("heading", { name: "Etykiety" })).toBeInTheDocument();
    ended = true;
    hear("expired 2");
    expect(await screen.findByText(/Sesja wygasła/)).toBeInTheDocument();
  });

  it("is asked for when they come back to the tab, and leaves when the session ended on another device", async () => {
    signedIn();
    let ended = false;
    serve({
      "GET /api/session": () => (ended ? refusal(401, { code: "access.unauthenticated" }) : json(partner)),
    });
    renderApp("/tags");
    await screen.findByRole("heading", { name: "Etykiety" });
    ended = true;
    act(() => {
      document.dispatchEvent(new Event("visibilitychange"));
    });
    expect(await screen.findByText(/Sesja wygasła/)).toBeInTheDocument();
  });

  it("changes the password at the provider, comes back and is told how it ended", async () => {
    const asked = signedIn();
    serve();
    const { user } = renderApp("/tags?q=x", { failed: false, password: "success" });
    expect(await screen.findByText("Hasło zostało zmienione.")).toBeInTheDocument();
    await user.click(await screen.findByRole("button", { name: /^Konto: Anna Mazurek/ }));
    await user.click(screen.getByRole("menuitem", { name: "Zmień hasło" }));
    expect(asked).toMatchObject([{ what: "login", options: { action: "UPDATE_PASSWORD" } }]);
    expect(sessionStorage.getItem("saldo.return")).toBe("/tags?q=x");
  });

  it("is shown out when they are neither a partner's person nor a driver", async () => {
    const asked = signedIn();
    serve({ "GET /api/session": () => refusal(403, { code: "identity.stranger" }) });
    const { user, address } = renderApp("/tags");
    expect(await screen.findByText(/nie należy do żadnej floty/)).toBeInTheDocument();
    expect(address()).toBe("/forbidden");
    await user.click(screen.getByRole("button", { name: "Wyloguj się" }));
    expect(asked.map(({ what }) => what)).toEqual(["logout"]);
  });

  it("is asked to sign in again when any call finds the session ended", async () => {
    signedIn();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const server = serve();
    const { address } = renderApp("/tags?q=x");
    await screen.findByRole("heading", { name: "Etykiety" });
    server.answers["GET /api/jobs"] = () => refusal(401, { code: "access.unauthenticated" });
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    expect(await screen.findByText(/Sesja wygasła/)).toBeInTheDocument();
    expect(address()).toBe("/sign-in");
    vi.useRealTimers();
    act(() => screen.getByRole("button", { name: "Zaloguj się" }).click());
    expect(sessionStorage.getItem("saldo.return")).toBe("/tags?q=x");
  });
});
