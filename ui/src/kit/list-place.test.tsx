import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, Link, RouterProvider, useParams } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { setShortcuts } from "../browser/shortcuts";
import { ListPlace, type Place, useListMark, useOpenedList } from "./list-place";

const names = ["Adamski", "Babiak", "Cichy", "Duda"];
const LIST = "/list?q=a&sort=-name&page=2";

function List() {
  return <Link to={`/one/1${useListMark()}`}>open</Link>;
}

let gone = false;
let waiting = false;

function One() {
  const at = Number(useParams().id);
  const list = useOpenedList("/list");
  const beside = (id: number) =>
    names[id] ? { id: String(id), driverId: "", firstName: "Jan", lastName: names[id] } : null;
  const data: Place = { previous: beside(at - 1), next: beside(at + 1), position: gone ? 0 : at + 1, total: 412 };
  return (
    <>
      <h1>{names[at]}</h1>
      <input aria-label="note" />
      {list && (
        <>
          <a href={list.address}>back</a>
          <ListPlace place={{ data, isPlaceholderData: waiting }} pathOf={({ id }) => `/one/${id}`} />
        </>
      )}
    </>
  );
}

function open(path = LIST) {
  const router = createMemoryRouter(
    [
      { path: "/list", element: <List /> },
      { path: "/one/:id", element: <One /> },
    ],
    { initialEntries: [path] },
  );
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { router, user: userEvent.setup() };
}

const title = () => screen.getByRole("heading").textContent;

describe("the place in a list", () => {
  beforeEach(() => {
    setShortcuts(true);
    gone = waiting = false;
  });

  it("leads on by button and key, says where it is, and one step back is the list", async () => {
    const { router, user } = open();
    await user.click(screen.getByText("open"));
    expect(screen.getByText("2 z 412")).toBeInTheDocument();
    const next = screen.getByRole("button", { name: "Następna pozycja: Cichy Jan" });
    expect(next).toHaveAttribute("title", "Następna pozycja: Cichy Jan (j)");
    await user.click(next);
    expect(title()).toBe("Cichy");
    await user.keyboard("j");
    expect(title()).toBe("Duda");
    expect(screen.getByRole("button", { name: "Następna pozycja" })).toHaveAttribute("aria-disabled", "true");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Następna pozycja" }));
    await user.keyboard("jk");
    expect(title()).toBe("Cichy");
    expect(screen.getByText("back")).toHaveAttribute("href", LIST);
    await router.navigate(-1);
    await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe(LIST));
  });

  it("is kept by the address: a reload and a shared link have it too, another screen's link has none", () => {
    open(`/one/2?list=${encodeURIComponent(LIST)}`);
    expect(screen.getByText("3 z 412")).toBeInTheDocument();
    cleanup();
    for (const other of ["", `?list=${encodeURIComponent("https://elsewhere.example/list")}`, "?list=/other"]) {
      open(`/one/2${other}`);
      expect(screen.queryByRole("group")).toBeNull();
      cleanup();
    }
  });

  it("leads on from what is in the list no more", async () => {
    gone = true;
    const { user } = open(`/one/1?list=${encodeURIComponent(LIST)}`);
    expect(screen.getByText("Już nie ma na liście")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Następna pozycja: Cichy Jan" }));
    expect(title()).toBe("Cichy");
  });

  it("leads nowhere while the neighbours are those of the one before, while somebody types, or with keys switched off", async () => {
    waiting = true;
    const { user } = open(`/one/1?list=${encodeURIComponent(LIST)}`);
    await user.click(screen.getByRole("button", { name: "Następna pozycja: Cichy Jan" }));
    await user.keyboard("j");
    expect(title()).toBe("Babiak");
    cleanup();
    waiting = false;
    const again = open(`/one/1?list=${encodeURIComponent(LIST)}`);
    await again.user.type(screen.getByLabelText("note"), "jk");
    expect(title()).toBe("Babiak");
    cleanup();
    setShortcuts(false);
    const off = open(`/one/1?list=${encodeURIComponent(LIST)}`);
    await off.user.keyboard("j");
    expect(title()).toBe("Babiak");
    expect(screen.getByRole("button", { name: "Następna pozycja: Cichy Jan" })).toHaveAttribute(
      "title",
      "Następna pozycja: Cichy Jan",
    );
  });
});
