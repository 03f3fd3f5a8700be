import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

// Named one by one: without wcag22aa axe leaves out the size of targets.
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * What axe finds on the page. It looks in the page itself, as there are no frames of other origins, and gathers nothing about what
 * is in order.
 */
export async function violationsOf(page: Page, within = "html") {
  const { violations } = await new AxeBuilder({ page })
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
