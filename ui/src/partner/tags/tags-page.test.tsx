import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import { arrange } from "./tag-list";

const tag = (id: string, name: string, createdAt: string) => ({ id, name, createdAt });
const lodz = tag("1", "Łódź", "2026-11-01T09:00:00Z");
const lublin = tag("2", "Lublin", "2026-11-03T09:00:00Z");
const zabki = tag("3", "Ząbki", "2026-11-02T09:00:00Z");

const stored = () => {
  let tags = [lodz, lublin, zabki];
  const server = serve({
    "GET /api/tags": () => json({ tags }),
    "POST /api/tags": () => {
      const { name } = server.sent("POST /api/tags").at(-1)?.body as { name: string };
      const added = tag(`new-${name}`, name, "2026-11-09T09:00:00Z");
      tags = [...tags, added];
      return json(added, 201);
    },
    "DELETE /api/tags/2": () => {
      tags = tags.filter(({ id }) => id !== "2");
      return new Response(null, { status: 204 });
    },
  });
  return server;
};

const names = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("cell")[0]?.textContent);

const ready = () => screen.findByText("Lublin");

beforeEach(signedIn);

describe("the list of tags", () => {
  it("shows names, days and how many there are", async () => {
    stored();
    renderApp("/tags");
    await ready();
    expect(names()).toEqual(["Lublin", "Łódź", "Ząbki"]);
    expect(screen.getByText("1 lis 2026")).toBeInTheDocument();
    expect(screen.getByText("3 etykiety")).toBeInTheDocument();
    expect(screen.getByRole("table", { name: "Lista etykiet" })).toBeInTheDocument();
  });

  it("keeps search and order in the address", async () => {
    stored();
    const { user, address } = renderApp("/tags");
    await ready();
    await user.click(screen.getByRole("button", { name: "Dodano" }));
    expect(address()).toBe("/tags?sort=createdAt");
    expect(names()).toEqual(["Łódź", "Ząbki", "Lublin"]);
    await user.click(screen.getByRole("button", { name: "Dodano" }));
    expect(screen.getByRole("columnheader", { name: "Dodano" })).toHaveAttribute("aria-sort", "descending");
    await user.type(screen.getByRole("textbox", { name: "Szukaj etykiet" }), "ł");
    expect(address()).toBe("/tags?sort=-createdAt&q=%C5%82");
    expect(names()).toEqual(["Łódź"]);
    expect(screen.getByText("1 z 3")).toBeInTheDocument();
  });

  it("focuses the search on a slash and empties it on Escape", async () => {
    stored();
    const { user, address } = renderApp("/tags?q=zzz");
    await screen.findByText("Żadna etykieta nie pasuje do „zzz”");
    expect(screen.getByText("Bez wyszukiwania są 3 etykiety.")).toBeInTheDocument();
    await user.keyboard("/");
    expect(screen.getByRole("textbox", { name: "Szukaj etykiet" })).toHaveFocus();
    await user.keyboard("{Escape}");
    expect(address()).toBe("/tags");
    expect(names()).toHaveLength(3);
  });

  it("leaves the slash alone once shortcuts are switched off", async () => {
    stored();
    localStorage.setItem("saldo.shortcuts", "off");
    const { user } = renderApp("/tags");
    await ready();
    await user.keyboard("/");
    expect(screen.getByRole("textbox", { name: "Szukaj etykiet" })).not.toHaveFocus();
  });

  it("says what tags are for when there are none", async () => {
    serve();
    renderApp("/tags");
    expect(await screen.findByText("Nie ma jeszcze etykiet")).toBeInTheDocument();
    expect(screen.getAllByRole("button", { name: "Dodaj etykietę" })).toHaveLength(1);
  });

  it("says what failed, that nothing was changed, and tries again", async () => {
    const server = stored();
    const works = server.answers["GET /api/tags"] ?? fail;
    server.answers["GET /api/tags"] = () => refusal(500, { code: "internal" });
    const { user } = renderApp("/tags");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Nie udało się wczytać etykiet");
    expect(alert).toHaveTextContent("Coś poszło nie tak po naszej stronie. Nic nie zostało zmienione.");
    expect(screen.getByRole("button", { name: "Kopiuj nr 7f3a-91c2" })).toBeInTheDocument();
    server.answers["GET /api/tags"] = works;
    await user.click(screen.getByRole("button", { name: "Spróbuj ponownie" }));
    expect(await screen.findByText("Ząbki")).toBeInTheDocument();
  });

  it("offers no changes to whoever may only read", async () => {
    const server = stored();
    server.answers["GET /api/session"] = () => json({ ...partner, permissions: ["session.read", "tags.read"] });
    renderApp("/tags?add=tag");
    await ready();
    expect(screen.queryByRole("button", { name: /Usuń|Dodaj/ })).not.toBeInTheDocument();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });
});

describe("adding a tag", () => {
  const open = async () => {
    const app = renderApp("/tags");
    await ready();
    await app.user.click(screen.getByRole("button", { name: "Dodaj etykietę" }));
    const drawer = await screen.findByRole("dialog");
    return { ...app, drawer, name: within(drawer).getByRole("textbox", { name: "Nazwa" }) };
  };
  const submit = (drawer: HTMLElement) => within(drawer).getByRole("button", { name: "Dodaj etykietę" });

  it("sends the name once, closes and shows it", async () => {
    const server = stored();
    const { user, drawer, name, address } = await open();
    expect(address()).toBe("/tags?add=tag");
    await user.type(name, "  Kraków ");
    await user.click(submit(drawer));
    expect(await screen.findByText("Kraków")).toBeInTheDocument();
    await waitFor(() => expect(address()).toBe("/tags"));
    expect(server.sent("POST /api/tags").map(({ body }) => body)).toEqual([{ name: "Kraków" }]);
    expect(server.sent("POST /api/tags")[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("keeps what was typed and says why the server refused", async () => {
    const server = stored();
    const { user, drawer, name } = await open();
    server.answers["POST /api/tags"] = () =>
      refusal(409, { code: "tags.name_taken", fields: [{ name: "name", code: "too_long", params: { max: "50" } }] });
    await user.type(name, "Łódź");
    await user.click(submit(drawer));
    expect(
      await within(drawer).findByText(/Etykieta o tej nazwie już istnieje\. Etykieta nie została dodana\./),
    ).toBeVisible();
    expect(await within(drawer).findByText("Maksymalna liczba znaków: 50")).toBeInTheDocument();
    expect(name).toHaveValue("Łódź");
  });

  it("asks before it throws away what was typed", async () => {
    stored();
    const { user, drawer, name, address } = await open();
    await user.type(name, "Kra");
    await user.click(within(drawer).getByRole("button", { name: "Anuluj" }));
    expect(await screen.findByText("Odrzucić wpisane dane?")).toBeInTheDocument();
    expect(address()).toBe("/tags?add=tag");
    await user.click(screen.getByRole("button", { name: "Odrzuć" }));
    await waitFor(() => expect(address()).toBe("/tags"));
  });

  it("keeps what was typed over the end of a session", async () => {
    const server = stored();
    const { user, drawer, name, address } = await open();
    server.answers["POST /api/tags"] = () => refusal(401, { code: "access.unauthenticated" });
    await user.type(name, "Kraków");
    await user.click(submit(drawer));
    expect(await screen.findByText(/Sesja wygasła/)).toBeInTheDocument();
    expect(address()).toBe("/sign-in");
    await user.click(screen.getByRole("button", { name: "Zaloguj się" }));
    expect(sessionStorage.getItem("saldo.return")).toBe("/tags?add=tag");
    cleanup(); // the page is left for the provider's, and loaded anew
    signedIn();
    renderApp("/tags?add=tag");
    const again = await screen.findByRole("textbox", { name: "Nazwa" });
    await waitFor(() => expect(again).toHaveValue("Kraków"));
  });
});

describe("deleting a tag", () => {
  it("hands the focus to the next row and can be undone", async () => {
    const server = stored();
    const { user } = renderApp("/tags");
    await ready();
    await user.click(screen.getByRole("button", { name: "Usuń etykietę „Lublin”" }));
    expect(await screen.findByText("Usunięto etykietę „Lublin”")).toBeInTheDocument();
    await waitFor(() => expect(names()).toEqual(["Łódź", "Ząbki"]));
    await waitFor(() => expect(screen.getByRole("button", { name: "Usuń etykietę „Łódź”" })).toHaveFocus());
    await user.click(screen.getByRole("button", { name: "Cofnij" }));
    await waitFor(() => expect(names()).toEqual(["Lublin", "Łódź", "Ząbki"]));
    expect(server.sent("POST /api/tags")[0]?.body).toEqual({ name: "Lublin" });
    const keys = server.seen.filter(({ key }) => key).map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
  });

  it("stays on screen as a failure, with its reason", async () => {
    const server = stored();
    server.answers["DELETE /api/tags/2"] = () => refusal(404, { code: "tags.not_found" });
    const { user } = renderApp("/tags");
    await ready();
    await user.click(screen.getByRole("button", { name: "Usuń etykietę „Lublin”" }));
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Etykieta „Lublin” nie została usunięta. Tej etykiety już nie ma.");
  });
});

describe("the order of tags", () => {
  it("follows the language, not the code of the letter", () => {
    const sorted = arrange([zabki, lodz, lublin], "", { by: "name", descending: true }, "pl");
    expect(sorted.map(({ name }) => name)).toEqual(["Ząbki", "Łódź", "Lublin"]);
  });
});

function fail(): never {
  throw new Error("no answer is set");
}
