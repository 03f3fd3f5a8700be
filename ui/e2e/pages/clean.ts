import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { combined } from "./combined";

// Named one by one: without wcag22aa axe leaves out the size of targets.
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

const AXE = readFileSync(
  createRequire(import.meta.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
  "utf8",
);
const THERE = "0";

/**
 * What axe finds on the page. It looks in the page itself, as there are no frames of other origins, and gathers nothing about what
 * is in order. A page is given axe once: reading it is more work than looking, and the builder would do it twice for each look.
 */
export async function violationsOf(page: Page, within = "html") {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const { violations } = await new AxeBuilder({ page, axeSource: THERE })
    .include(within)
    .options({ runOnly: TAGS, resultTypes: ["violations"] })
    .setLegacyMode()
    .analyze();
  return violations;
}

/** Axe finds nothing on the page, and the page is no wider than the screen. */
export async function clean(page: Page, what: string) {
  const violations = await violationsOf(page);
  expect(
    violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 160)}`)),
    what,
  ).toEqual([]);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wider, `${what} is wider than the screen`).toBe(false);
}

/** The same on phone and desktop, light and dark, each once or in every combination; the page is left as it was. */
export async function cleanInEveryLook(page: Page, what: string) {
  const before = page.viewportSize();
  for (const [colorScheme, width] of combined(["light", "dark"] as const, [390, 1440])) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 2600 }); // what is half under a bar would count as too small to hit
    await clean(page, `${what}, ${colorScheme}, ${width}`);
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}
