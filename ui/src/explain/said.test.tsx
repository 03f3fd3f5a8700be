import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render } from "@testing-library/react";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { MemoryRouter } from "react-router";
import { beforeAll, expect, it } from "vitest";
import { withDriverTexts } from "../i18n";
import { ConfigProvider } from "../session/config";
import { config } from "../testing/server";
import { Chain } from "./chain";
import { explanationOf } from "./figures";
import type { Explained } from "./queries";

type Shown = Pick<Explained, "figures" | "apps" | "explanations" | "lines" | "rules"> & { name: string };

const shown = JSON.parse(
  readFileSync(resolve("../internal/settlements/engine/testdata/shown.json"), "utf8"),
) as Shown[];

/** The worked cases and some invented ones; all of them in a longer run. */
const looked = shown.slice(0, Number(process.env.SALDO_SOAK ?? 1) > 1 ? shown.length : 14);

beforeAll(() => withDriverTexts());

/** The settlement on the driver's screen, every line opened as far as it goes. */
function opened(one: Shown): HTMLElement {
  const settlement = { ...one, rows: [], settled: null, schemaName: "S" } as unknown as Explained;
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  const { container } = render(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <ConfigProvider value={config}>
          <Chain settlement={settlement} audience="driver" />
        </ConfigProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
  for (;;) {
    const closed = container.querySelectorAll<HTMLElement>("button[aria-expanded=false]");
    if (closed.length === 0) return container;
    act(() => closed.forEach((button) => button.click()));
  }
}

const textOf = (element: Element) => element.textContent.replace(/\s+/g, " ").trim();

/** What stands in a list more than once. */
const repeated = (all: string[]) => [...new Set(all.filter((one, at) => all.indexOf(one) !== at))];

/** A name with its amount, or a sentence. */
function pairOf(element: Element): string {
  const number = textOf(element.querySelector("b") ?? element);
  return `${textOf(element).replace(number, "").trim()} ${number.replace(/^[+−]/, "")}`;
}

const SAID = ".figure-formula, .figure-reason, .figure-rules, .formula-box, .opening-row";

it.each(looked.map((one) => [one.name, one] as const))("says a thing once and shows the rate: %s", (_, one) => {
  const screen = opened(one);
  saysOnce(screen, one);
  showsRates(screen, one);
});

function saysOnce(screen: HTMLElement, one: Shown) {
  expect(screen.querySelectorAll(".chain-line").length).toBe(one.lines.length);
  const bodies = [...screen.querySelectorAll(".chain-body, .opening-body")];
  expect(bodies.length).toBeGreaterThan(3);
  for (const body of bodies) {
    // What an explanation says itself, the figures inside it by their name alone.
    const own = [...body.querySelectorAll(SAID)].filter(
      (one) => one.parentElement?.closest(".chain-body, .opening-body") === body,
    );
    const title = body.previousElementSibling;
    const said = [...own, ...(title?.matches(".opening-row") ? [title] : [])].map(pairOf);
    expect(repeated(said), textOf(title ?? body)).toEqual([]);
  }
}

const AS_SHARE = /^−?[\d .,]+ × (\d[\d,]* %|\d[\d,]*\/\d[\d,]*( × \d[\d,]* %)?)$/;

function showsRates(screen: HTMLElement, one: Shown) {
  one.lines.forEach(({ terms, name }, at) => {
    const line = screen.querySelectorAll(".chain-line")[at];
    const numbers = [...(line?.querySelectorAll(".formula-box b") ?? [])].map(textOf);
    const shares = terms
      .flatMap(({ figure, provider }) => explanationOf(one, figure, provider)?.parts ?? [])
      .filter(({ of }) => of !== 1);
    expect(numbers.filter((number) => AS_SHARE.test(number)).length, name).toBeGreaterThanOrEqual(shares.length);
  });
}

it("has lines that are shares", () => {
  const parts = looked.flatMap(({ explanations }) => explanations.flatMap((one) => one.parts));
  expect(parts.filter(({ of }) => of !== 1).length).toBeGreaterThan(50);
});
