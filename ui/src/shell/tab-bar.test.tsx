import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { describe, expect, it, vi } from "vitest";
import { TabBar, TabList } from "./tab-bar";
import { close, latest, type Tabs, visit } from "./tabs";

const tab = (path: string, search = "") => ({ path, search });
const opened = (...paths: string[]) =>
  paths.reduce<Tabs>((tabs, path) => visit(tabs, tab(path)), { open: [], recent: [] });

describe("opened screens", () => {
  it("stand in the order they were opened, each once", () => {
    const tabs = opened("/a", "/b", "/c", "/a");
    expect(tabs.open.map(({ path }) => path)).toEqual(["/a", "/b", "/c"]);
    expect(latest(tabs)?.path).toBe("/a");
  });

  it("go back to the one used before when one is closed", () => {
    const left = close(opened("/a", "/b", "/c", "/a"), "/a");
    expect(latest(left)?.path).toBe("/c");
    expect(latest(close(left, "/c"))?.path).toBe("/b");
    expect(latest(close(close(left, "/c"), "/b"))).toBeUndefined();
  });

  it("stay one tab while somebody goes through a list", () => {
    const before = opened("/list", "/one/1", "/c", "/one/1");
    const tabs = visit(visit(before, tab("/one/2"), "/one/1"), tab("/one/3"), "/one/2");
    expect(tabs.open.map(({ path }) => path)).toEqual(["/list", "/one/3", "/c"]);
    expect(visit(tabs, tab("/c"), "/one/3").open.map(({ path }) => path)).toEqual(["/list", "/c"]);
    expect(latest(close(tabs, "/one/3"))?.path).toBe("/c");
  });

  it("are at most ten: whoever opens another loses the one used longest ago", () => {
    const paths = Array.from({ length: 10 }, (_, n) => `/${n}`);
    const tabs = opened(...paths, "/0", "/more");
    expect(tabs.open.map(({ path }) => path)).toEqual([...paths.filter((path) => path !== "/1"), "/more"]);
    expect(latest(tabs)?.path).toBe("/more");
  });

  it("keep the filters they were left with", () => {
    const tabs = visit(visit(opened("/a"), tab("/a", "?q=x")), tab("/b"));
    expect(tabs.open).toEqual([tab("/a", "?q=x"), tab("/b")]);
  });
});

function show(paths = ["/a", "/b", "/c"], current = "/b") {
  const onClose = vi.fn<(path: string) => void>();
  const props = {
    tabs: paths.map((path) => tab(path, path === "/a" ? "?q=1" : "")),
    current,
    titleOf: ({ path }: { path: string }) => `Screen ${path.slice(1)}`,
    onClose,
  };
  return { props, onClose, user: userEvent.setup() };
}

describe("the tab bar", () => {
  it("says which screen is shown and leads to the others with their filters", () => {
    const { props } = show();
    render(<TabBar {...props} />, { wrapper: MemoryRouter });
    expect(screen.getByRole("link", { current: "page" })).toHaveTextContent("Screen b");
    expect(screen.getByRole("link", { name: "Screen a" })).toHaveAttribute("href", "/a?q=1");
  });

  it("is one stop for Tab, and arrow keys go along it", async () => {
    const { props, user } = show();
    render(<TabBar {...props} />, { wrapper: MemoryRouter });
    await user.tab();
    expect(screen.getByRole("link", { name: "Screen b" })).toHaveFocus();
    await user.keyboard("{ArrowRight}{ArrowRight}");
    expect(screen.getByRole("link", { name: "Screen a" })).toHaveFocus();
    await user.keyboard("{ArrowLeft}");
    expect(screen.getByRole("link", { name: "Screen c" })).toHaveFocus();
    await user.keyboard("{Home}");
    expect(screen.getByRole("link", { name: "Screen a" })).toHaveFocus();
  });

  it("closes with Delete and with the mouse", async () => {
    const { props, onClose, user } = show();
    render(<TabBar {...props} />, { wrapper: MemoryRouter });
    await user.tab();
    await user.keyboard("{Delete}");
    expect(onClose).toHaveBeenLastCalledWith("/b");
    await user.click(screen.getByRole("button", { name: "Zamknij: Screen c" }));
    expect(onClose).toHaveBeenLastCalledWith("/c");
  });

  it("does not close the only screen", async () => {
    const { props, onClose, user } = show(["/a"], "/a");
    render(<TabBar {...props} />, { wrapper: MemoryRouter });
    expect(screen.queryByRole("button")).not.toBeInTheDocument();
    await user.tab();
    await user.keyboard("{Delete}");
    expect(onClose).not.toHaveBeenCalled();
  });

  it("is a list behind one button on a phone", async () => {
    const { props, onClose, user } = show();
    render(<TabList {...props} shows="current" />, { wrapper: MemoryRouter });
    await user.click(screen.getByRole("button", { name: "Screen b, 3 otwarte ekrany" }));
    const list = screen.getByRole("dialog", { name: "Otwarte ekrany" });
    expect(within(list).getAllByRole("link")).toHaveLength(3);
    await user.click(within(list).getByRole("button", { name: "Zamknij: Screen a" }));
    expect(onClose).toHaveBeenCalledWith("/a");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: /Screen b/ })).toHaveFocus();
  });
});
