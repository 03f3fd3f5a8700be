import { describe, expect, it } from "vitest";
import { contrast } from "../components/colour";
import { brandSet, type Mode, palette, PETROL, variables } from "../components/palette";
import { makeTheme } from "./theme";

const step = (n: number) => (n * 17).toString(16).padStart(2, "0");
const colours = Array.from({ length: 4096 }, (_, n) => `#${step(n >> 8)}${step((n >> 4) & 15)}${step(n & 15)}`);

function pairs(brand: string, mode: Mode): [string, string][] {
  const p = palette[mode];
  const b = brandSet(brand, mode);
  const grounds = [p.surface, p.page, p.sunken, p.raised, b.bg, b.bgStrong];
  return [
    ...[b.fill, b.fillHover, b.fillActive].map((ground): [string, string] => [b.on, ground]),
    ...grounds.flatMap((ground): [string, string][] => [
      [b.text, ground],
      [p.text, ground],
      [p.text2, ground],
      [p.text3, ground],
    ]),
  ];
}

describe.each<Mode>(["light", "dark"])("in %s mode", (mode) => {
  it("keeps every text of every partner colour readable", () => {
    let lowest = { ratio: 21, brand: "", text: "", ground: "" };
    for (const brand of colours)
      for (const [text, ground] of pairs(brand, mode)) {
        const ratio = contrast(text, ground);
        if (ratio < lowest.ratio) lowest = { ratio, brand, text, ground };
      }
    expect(lowest.ratio, JSON.stringify(lowest)).toBeGreaterThanOrEqual(4.5);
  });

  it("keeps status words readable on their own tint and on every ground", () => {
    const p = palette[mode];
    for (const status of ["success", "warning", "danger", "info"] as const)
      for (const ground of [p[`${status}Bg`], p.surface, p.page, p.sunken, p.raised])
        expect(contrast(p[status], ground)).toBeGreaterThanOrEqual(4.5);
  });

  it("sets the same colours for stylesheets and for Ant Design", () => {
    expect(variables(PETROL, mode)).toMatchObject({
      "--surface": palette[mode].surface,
      "--brand-text": brandSet(PETROL, mode).text,
      "--button-line": palette[mode].buttonLine,
    });
    expect(makeTheme(PETROL, mode, { phone: false, still: false }).components?.Button?.colorPrimary).toBe(
      brandSet(PETROL, mode).fill,
    );
  });
});

it("measures contrast as WCAG does", () => {
  expect(contrast("#000000", "#FFFFFF")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#FFFFFF")).toBeCloseTo(4.48, 2);
});
