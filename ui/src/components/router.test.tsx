import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Link, Route, Routes, useLocation, useSearchParams } from "react-router";
import { expect, it, vi } from "vitest";
import { historyOf } from "../browser/history";
import { listOf } from "../testing/render";
import { AppRouter, useLeaving } from "./router";

function Form({ unsaved }: { unsaved: () => boolean }) {
  const leaving = useLeaving(unsaved);
  return (
    <>
      <Link to="/list">list</Link>
      {leaving && (
        <>
          <button type="button" onClick={leaving.leave}>
            leave
          </button>
          <button type="button" onClick={leaving.stay}>
            stay
          </button>
        </>
      )}
    </>
  );
}

function Typed() {
  const [params, setParams] = useSearchParams();
  return (
    <input
      aria-label="search"
      value={params.get("q") ?? ""}
      onChange={({ target }) => setParams({ q: target.value }, { replace: true, flushSync: true })}
    />
  );
}

function Broken(): never {
  throw new Error("broken on purpose");
}

const Here = () => <p data-testid="here">{useLocation().pathname}</p>;

function start(unsaved: () => boolean, ...paths: string[]) {
  const history = historyOf(listOf(...paths));
  const user = userEvent.setup();
  render(
    <AppRouter history={history} basename="/app" crashed={<p>crashed</p>}>
      <Here />
      <Routes>
        <Route path="/form" element={<Form unsaved={unsaved} />} />
        <Route path="/typed" element={<Typed />} />
        <Route path="/broken" element={<Broken />} />
        <Route path="*" element={<Link to="/form">form</Link>} />
      </Routes>
    </AppRouter>,
  );
  const at = () => screen.getByTestId("here").textContent;
  return { history, user, at };
}

it("asks before a link is followed and goes on when the person insists", async () => {
  const { user, at, history } = start(() => true, "/app/form");
  await user.click(screen.getByRole("link", { name: "list" }));
  expect(at()).toBe("/form");
  await user.click(screen.getByRole("button", { name: "stay" }));
  expect(screen.queryByRole("button", { name: "leave" })).not.toBeInTheDocument();
  await user.click(screen.getByRole("link", { name: "list" }));
  await user.click(screen.getByRole("button", { name: "leave" }));
  expect(at()).toBe("/list");
  expect(history.current().entry.path).toBe("/app/list");
});

it("undoes going back while something is unsaved, and repeats it when the person insists", async () => {
  let unsaved = true;
  const { user, at, history } = start(() => unsaved, "/app/before", "/app/list", "/app/form");
  await act(() => {
    history.go(-2);
    return Promise.resolve();
  });
  expect(at()).toBe("/form");
  await user.click(screen.getByRole("button", { name: "stay" }));
  await act(() => {
    history.go(-2);
    return Promise.resolve();
  });
  await user.click(screen.getByRole("button", { name: "leave" }));
  expect(at()).toBe("/before");
  await act(() => {
    history.go(2);
    return Promise.resolve();
  });
  unsaved = false;
  await act(() => {
    history.go(-1);
    return Promise.resolve();
  });
  expect(at()).toBe("/list");
});

it("shows what is typed into the address at once", async () => {
  const { user, history } = start(() => false, "/app/typed");
  await user.type(screen.getByRole("textbox"), "anna");
  expect(screen.getByRole("textbox")).toHaveValue("anna");
  expect(history.current().entry.path).toBe("/app/typed?q=anna");
});

it("returns to where a screen was left, and shows a new one from its top", async () => {
  const scrolled = vi.spyOn(window, "scrollTo").mockReturnValue(Promise.resolve() as never);
  const { user, history } = start(() => false, "/app/list");
  vi.spyOn(window, "scrollY", "get").mockReturnValue(420);
  await user.click(screen.getByRole("link", { name: "form" }));
  expect(scrolled).toHaveBeenLastCalledWith(0, 0);
  await act(() => {
    history.go(-1);
    return Promise.resolve();
  });
  expect(scrolled).toHaveBeenLastCalledWith(0, 420);
});

it("shows that a screen broke until the person goes elsewhere", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { history, at } = start(() => false, "/app/list", "/app/broken");
  expect(screen.getByText("crashed")).toBeInTheDocument();
  await act(() => {
    history.go(-1);
    return Promise.resolve();
  });
  expect(at()).toBe("/list");
});
