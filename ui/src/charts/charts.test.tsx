import { fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeAll, describe, expect, it } from "vitest";
import { onSaved } from "../browser/save";
import { withStatsTexts } from "../i18n/stats";
import { extentOf, spread, verticalOf } from "./axes";
import { ColumnChart } from "./column-chart";
import { Figure } from "./figure";
import { LineChart } from "./line-chart";
import { linesOf } from "./picture";
import { Strip } from "./strip";
import { Tables } from "./tables";
import { csvOf, textOf, type Table } from "./values";

beforeAll(() => withStatsTexts());

const table: Table = {
  columns: [
    { key: "week", title: "Tydzień", kind: "text" },
    { key: "revenue", title: "Przychód", kind: "money" },
    { key: "share", title: "Udział", kind: "share" },
    { key: "drivers", title: "Kierowcy", kind: "count" },
  ],
  rows: [
    ["2–8 lis", 123_456_789, 1_250, 1_264],
    ["=HYPERLINK(1)", -5, null, 0],
    ['a;"b"', 0, -400, 3],
  ],
  links: ["/settlements/settled?period=2026-W45"],
};

describe("exact numbers", () => {
  it("stand on screen as people read them", () => {
    expect(textOf(-60_410, "money", "pl")).toBe("−604,10");
    expect(textOf(1_250, "share", "pl")).toBe("12,5%");
    expect(textOf(null, "money", "pl")).toBe("–");
    expect(textOf("2026-11-08", "day", "pl")).toBe("8 lis 2026");
  });

  it.each([
    ["pl", "1234567,89", "-0,05"],
    ["en", "1234567.89", "-0.05"],
  ] as const)("go into a file as programs read them, %s", async (language, first, second) => {
    const text = await csvOf(table, language).text();
    const bytes = new Uint8Array(await csvOf(table, language).arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(text.replace("\uFEFF", "").split("\r\n")).toEqual([
      "Tydzień;Przychód;Udział (%);Kierowcy",
      `2–8 lis;${first};${language === "pl" ? "12,50" : "12.50"};1264`,
      `'=HYPERLINK(1);${second};;0`,
      `"a;""b""";${language === "pl" ? "0,00" : "0.00"};${language === "pl" ? "-4,00" : "-4.00"};3`,
      "",
    ]);
  });
});

describe("an axis", () => {
  it("always has zero", () => {
    expect(extentOf([400, 420])).toEqual([0, 420]);
    expect(extentOf([-20, null, -5])).toEqual([-20, 0]);
    expect(extentOf([])).toEqual([0, 1]);
    const { ticks, y } = verticalOf([160_000_000, 210_000_000], 10, 200);
    expect(ticks[0]).toBe(0);
    expect(y(0)).toBe(200);
    expect(y(210_000_000)).toBeGreaterThanOrEqual(10);
  });

  it("counts in whole numbers", () => {
    expect(verticalOf([1, 2], 0, 100).ticks.every(Number.isInteger)).toBe(true);
  });

  it("keeps labels off each other, in their order", () => {
    expect(spread([50, 50], 16, 0, 100)).toEqual([50, 66]);
    expect(spread([99, 98], 16, 0, 100)).toEqual([100, 84]);
    expect(spread([10, 80], 16, 0, 100)).toEqual([10, 80]);
  });
});

it("breaks a title into lines", () => {
  expect(linesOf("one two three four", 70, 9)).toEqual(["one two", "three", "four"]);
});

const points = [
  { key: "a", to: "/a", head: "2–8 lis", values: ["1 234,00 zł"] },
  { key: "b", to: "/b", head: "9–15 lis", values: ["2 345,00 zł"] },
  { key: "c", to: "/c", head: "16–22 lis", values: ["brak"] },
];

const line = (
  <LineChart
    label="1 234,00 zł przychodu"
    list="Wartości"
    lines={[
      { key: "now", label: "teraz", look: "accent", values: [123_400, 234_500, null] },
      { key: "past", label: "rok temu", look: "past", values: [null, 100_000, null] },
    ]}
    ticks={["2.11", "9.11", "16.11"]}
    points={points}
    written={(value) => String(value)}
  />
);

const chart = (
  <Figure title="Przychód" lead="1 234,00 zł" finding="z 3 tygodni" table={table} name="saldo-revenue">
    {line}
  </Figure>
);

const show = (what: React.ReactNode) =>
  render(
    <MemoryRouter>
      <Tables>{what}</Tables>
    </MemoryRouter>,
  );

describe("a chart", () => {
  it("says its number as a picture, and each value is a link", () => {
    show(chart);
    expect(screen.getByRole("figure", { name: "Przychód" })).toHaveTextContent("1 234,00 zł z 3 tygodni");
    expect(screen.getByRole("img", { name: "1 234,00 zł przychodu" })).toBeInTheDocument();
    const links = within(screen.getByRole("list", { name: "Wartości" })).getAllByRole("link");
    expect(links.map((one) => [one.getAttribute("href"), one.getAttribute("aria-label")])).toEqual([
      ["/a", "2–8 lis: 1 234,00 zł"],
      ["/b", "9–15 lis: 2 345,00 zł"],
      ["/c", "16–22 lis: brak"],
    ]);
  });

  it("keeps within its picture where values can be pointed at", () => {
    show(chart);
    for (const { style } of screen.getAllByRole("listitem")) {
      const [left, width] = [parseFloat(style.left), parseFloat(style.width)];
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(100.001);
    }
  });

  it("takes one place in the order of Tab, and arrows go on from there", () => {
    show(chart);
    const links = within(screen.getByRole("list", { name: "Wartości" })).getAllByRole("link");
    expect(links.map((one) => one.tabIndex)).toEqual([-1, -1, 0]);
    links[2]?.focus();
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowLeft" });
    expect(links[1]).toHaveFocus();
    expect(links.map((one) => one.tabIndex)).toEqual([-1, 0, -1]);
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "Home" });
    expect(links[0]).toHaveFocus();
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowLeft" });
    expect(links[0]).toHaveFocus();
  });

  it("is a table with T, and a chart again", () => {
    show(chart);
    fireEvent.keyDown(document.body, { key: "t" });
    expect(screen.queryByRole("img")).not.toBeInTheDocument();
    const rows = within(screen.getByRole("table", { name: "Przychód" })).getAllByRole("row");
    expect(rows[1]).toHaveTextContent("2–8 lis1 234 567,8912,5%1 264");
    expect(within(screen.getByRole("table")).getByRole("link")).toHaveAttribute(
      "href",
      "/settlements/settled?period=2026-W45",
    );
    fireEvent.keyDown(document.body, { key: "t" });
    expect(screen.getByRole("img")).toBeInTheDocument();
  });

  it("is a table by its own button, and T means it alone while the focus is in it", () => {
    show(
      <>
        {chart}
        <Figure title="Inny" finding="" table={table} name="other">
          {line}
        </Figure>
      </>,
    );
    const own = screen.getByRole("button", { name: "Tabela: Przychód" });
    fireEvent.click(own);
    expect(own).toHaveAttribute("aria-pressed", "true");
    expect(screen.getAllByRole("img")).toHaveLength(1);
    own.focus();
    fireEvent.keyDown(own, { key: "t" });
    expect(screen.getAllByRole("img")).toHaveLength(2);
  });

  it("goes out as a picture and as a table", () => {
    show(chart);
    const names: string[] = [];
    const stop = onSaved((name) => names.push(name));
    const menu = () => fireEvent.click(screen.getByRole("button", { name: "Pobierz: Przychód" }));
    menu();
    fireEvent.click(screen.getByRole("menuitem", { name: "Tabela (CSV)" }));
    expect(names).toEqual(["saldo-revenue.csv"]);
    stop();
    menu();
    expect(screen.getAllByRole("menuitem")).toHaveLength(3);
  });
});

it("differs by pattern, not only by colour", () => {
  const { container } = show(
    <ColumnChart
      label="Przychód"
      list="Wartości"
      parts={[
        { key: "UBER", label: "Uber", fill: "solid", values: [5, 0, 3] },
        { key: "BOLT", label: "Bolt", fill: "stripes", values: [2, 1, 0] },
        { key: "gone", label: "Odeszli", fill: "cross", values: [1, 0, 0], below: true },
      ]}
      ticks={["1", "2", "3"]}
      points={points}
      written={String}
    />,
  );
  const fills = [...container.querySelectorAll("svg > g > rect")].map((one) => one.getAttribute("fill"));
  expect(fills.filter((fill) => fill?.includes("stripes"))).toHaveLength(3);
  expect(fills.filter((fill) => fill?.includes("cross"))).toHaveLength(2);
  expect(screen.getByText("Bolt")).toBeInTheDocument();
});

it("shows gaps in files by shape, and leads to each", () => {
  show(
    <Strip
      label="11 z 12 plików"
      list="Pliki"
      ticks={["2.11", "9.11"]}
      names={[
        { cover: "complete", label: "jest" },
        { cover: "missing", label: "brak" },
      ]}
      rows={[
        {
          key: "UBER",
          label: "Uber",
          cells: [
            { key: "1", cover: "complete", to: "/log/1", head: "Uber, 2–8 lis", said: "jest" },
            { key: "2", cover: "missing", to: "/upload/coverage", head: "Uber, 9–15 lis", said: "brak" },
          ],
        },
      ]}
    />,
  );
  expect(screen.getByRole("link", { name: "Uber, 9–15 lis: brak" })).toHaveAttribute("href", "/upload/coverage");
});
