import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { renderApp, signedIn } from "../testing/render";
import { driver, json, partner, refusal, serve } from "../testing/server";

const token = () => json({ accessToken: "fresh", expiresAt: new Date(Date.now() + 60_000).toISOString() });

describe("whoever is not signed in", () => {
  it("signs in first and then arrives where they wanted to go", async () => {
    const server = serve({ "POST /api/sign-in": token });
    const { user, address } = renderApp("/tags?q=a");
    await user.type(await screen.findByRole("textbox", { name: "Kod logowania" }), " ABCD ");
    expect(address()).toBe("/sign-in");
    await user.click(screen.getByRole("button", { name: "Zaloguj się" }));
    await waitFor(() => expect(address()).toBe("/tags?q=a"));
    expect(server.sent("POST /api/sign-in")[0]).toMatchObject({ body: { code: "ABCD" }, token: null });
    await waitFor(() => expect(server.sent("GET /api/tags")[0]?.token).toBe("Bearer fresh"));
  });

  it("is signed in by the link, whose code leaves the address at once", async () => {
    const server = serve({ "POST /api/sign-in": token });
    const { router, address } = renderApp("/sign-in#code=LINK");
    await waitFor(() => expect(address()).toBe("/tags"));
    expect(router.state.location.hash).toBe("");
    expect(server.sent("POST /api/sign-in").map(({ body }) => body)).toEqual([{ code: "LINK" }]);
  });

  it("is also signed in by a link opened on the sign-in page itself", async () => {
    const server = serve({ "POST /api/sign-in": token });
    const { router, address } = renderApp("/tags?q=x");
    await screen.findByRole("textbox", { name: "Kod logowania" });
    await act(() => router.navigate("/sign-in#code=LINK"));
    await waitFor(() => expect(address()).toBe("/tags?q=x"));
    expect(server.sent("POST /api/sign-in").map(({ body }) => body)).toEqual([{ code: "LINK" }]);
  });

  it("is told why a code was refused and can try another", async () => {
    serve({ "POST /api/sign-in": () => refusal(401, { code: "identity.sign_in_failed" }) });
    const { router } = renderApp("/sign-in#code=OLD");
    expect(await screen.findByRole("alert")).toHaveTextContent("Logowanie się nie powiodło. Kod jest błędny");
    expect(router.state.location.hash).toBe("");
    expect(await screen.findByRole("button", { name: /Zaloguj się/ })).toBeEnabled();
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
    const menu = within(screen.getByRole("navigation", { name: "Menu główne" }));
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
    serve({ "GET /api/settlements/limits": () => json({ limit: 100, usage: 100, remaining: 0 }) });
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

  it("signs out, forgets everything and starts afresh", async () => {
    signedIn();
    const server = serve({ "POST /api/sign-in": token });
    const { user, address } = renderApp("/tags?q=secret");
    await user.click(await screen.findByRole("button", { name: /^Konto: Anna Mazurek/ }));
    await user.click(screen.getByRole("menuitem", { name: "Wyloguj się" }));
    expect(await screen.findByRole("textbox", { name: "Kod logowania" })).toBeInTheDocument();
    expect(sessionStorage.getItem("saldo.grant")).toBeNull();
    expect(screen.queryByText(/Sesja wygasła/)).not.toBeInTheDocument();
    const before = server.sent("GET /api/tags").length;
    await user.type(screen.getByRole("textbox", { name: "Kod logowania" }), "X");
    await user.click(screen.getByRole("button", { name: "Zaloguj się" }));
    await waitFor(() => expect(address()).toBe("/tags"));
    await waitFor(() => expect(server.sent("GET /api/tags").length).toBe(before + 1));
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
    expect(sessionStorage.getItem("saldo.return")).toBe("/tags?q=x");
    vi.useRealTimers();
  });
});

it("lets a new link take over from whoever was signed in", async () => {
  signedIn();
  const other = { ...partner, user: { ...partner.user, id: "ewa", name: "Ewa Nowak" } };
  const server = serve({
    "POST /api/sign-in": token,
    "GET /api/session": () => json(server.seen.at(-1)?.token === "Bearer fresh" ? other : partner),
  });
  const { address } = renderApp("/sign-in#code=LINK");
  expect(await screen.findByRole("button", { name: /^Konto: Ewa Nowak/ })).toBeInTheDocument();
  expect(address()).toBe("/tags");
});
