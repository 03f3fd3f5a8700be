import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Locator, type Page } from "@playwright/test";
import type { run } from "axe-core";
import { combined, SOAK } from "./combined";
import { Frame } from "./frame";

// Named one by one: without wcag22aa axe leaves out the size of targets.
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** As high as most pages: what is half under a bar would count as too small to hit. */
const TALL = 2600;

/**
 * What axe finds on the page, as rule and element. A page is given axe once: reading it is as much work as looking at a small page. In
 * lists, the third row and later ones that are built and drawn as one before stay hidden meanwhile, as axe would say the same of
 * them.
 *
 * Without `within` it looks at what a state is about: at the question that is asked and what lies over it, or else at everything but the
 * frame, which is the same around each screen and is seen `whole`. A longer run (SALDO_SOAK) looks at all rows and always at the whole.
 */
export async function violationsOf(page: Page, within = ""): Promise<string[]> {
  const look = () =>
    page.evaluate(
      async ({ within, tags, all }) => {
        const { axe } = window as unknown as { axe?: { run: typeof run } };
        if (!axe) return undefined;
        // What differs between rows that are built alike: texts, numbers, names, addresses.
        const told =
          /^(id|href|for|name|value|title|datetime|src|alt|data-row-key|aria-(label|labelledby|describedby|controls))$/;
        const shape = (one: Element) =>
          [
            one.tagName,
            ...Array.from(one.attributes, ({ name, value }) => `${name}=${told.test(name) ? value !== "" : value}`),
            Array.from(one.childNodes, (child) => child.nodeType === Node.TEXT_NODE && child.textContent !== ""),
          ].join(" ");
        const hidden: HTMLElement[] = [];
        for (const list of all ? [] : document.querySelectorAll("tbody, ul, ol")) {
          const times = new Map<string, number>();
          for (const row of list.children) {
            if (!(row instanceof HTMLElement) || row.style.display) continue;
            const built = [row, ...row.querySelectorAll("*")].map(shape).join("\n");
            const before = times.get(built) ?? 0;
            times.set(built, before + 1);
            if (before >= 2) hidden.push(row);
          }
        }
        const at = window.scrollY;
        for (const row of hidden) row.style.display = "none";
        const seen = (selector: string) =>
          [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
        // The question that was asked last, with what lies over it: lists to choose from stand at the end of the page.
        const question = seen("dialog:modal, [aria-modal=true]").at(-1);
        const over = [...document.body.children].filter(
          (one) => one.id !== "root" && one.checkVisibility() && !(question && one.contains(question)),
        );
        const open = "dialog[open], [role=dialog], [role=menu], [popover]:popover-open";
        const frame = seen(".sidebar, .top-bar, .bottom-bar").filter(
          (part) => !seen(open).some((one) => part.contains(one)),
        );
        const looked =
          within || all
            ? within || "html"
            : question
              ? { include: [question, ...over] }
              : frame.length > 0
                ? { include: ["html"], exclude: frame }
                : "html";
        try {
          // No frames, no media: nothing has to be fetched for the look.
          const options = { runOnly: tags, resultTypes: ["violations" as const], iframes: false, preload: false };
          const { violations } = await axe.run(looked as Parameters<typeof run>[0], options);
          return violations.flatMap((v) => v.nodes.map((node) => `${v.id}: ${node.html.slice(0, 200)}`));
        } finally {
          for (const row of hidden) row.style.display = "";
          if (hidden.length > 0) window.scrollTo(window.scrollX, at);
        }
      },
      { within, tags: TAGS, all: SOAK },
    );
  const found = await look();
  if (found) return found;
  await page.evaluate(AXE);
  return (await look()) ?? ["axe is not on the page"];
}

/** All of the page, with the frame around it. */
export const WHOLE = "html";

/**
 * Axe finds nothing on the page, and the page is no wider than the screen. Within a drawer it looks where what stands behind is half
 * covered; a tall screen has nothing half under a bar.
 */
export async function clean(page: Page, what: string, how: { tall?: boolean; within?: string | undefined } = {}) {
  const size = page.viewportSize();
  if (size && how.tall) await page.setViewportSize({ ...size, height: TALL });
  expect(await violationsOf(page, how.within), what).toEqual([]);
  if (size && how.tall) await page.setViewportSize(size);
  await fits(page, what);
}

/** The page is no wider than the screen. */
export async function fits(page: Page, what: string) {
  const wider = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  await expect.poll(wider, `${what} is wider than the screen`).toBe(false);
}

/** As `clean`, for a screen that `axe.spec.ts` or `accessibility.spec.ts` looks at as well: axe sees it here in a longer run only. */
export async function cleanAgain(page: Page, what: string, how: { tall?: boolean } = {}) {
  await (SOAK ? clean(page, what, how) : fits(page, what));
}

const looks = combined(["light", "dark"] as const, [390, 1440], "all");
let turn = 0;

/**
 * The same on phone and desktop, light and dark: in every combination in a longer run, else in one, the next time in the next. The page
 * is left as wide as it was, and in that theme, as drawing a page anew in another one is as much work as a look. What the look is about is
 * seen in each of them.
 */
export async function cleanInALook(page: Page, what: string, seen?: Locator, within?: string) {
  const before = page.viewportSize();
  const one = turn++ % looks.length;
  for (const [colorScheme, width] of SOAK ? looks : looks.slice(one, one + 1)) {
    await page.emulateMedia({ colorScheme });
    // The application draws itself anew; pages of the server have no style of their own.
    const drawn = () => page.evaluate(() => document.documentElement.style.colorScheme);
    await expect.poll(async () => ["", colorScheme].includes(await drawn())).toBe(true);
    await page.setViewportSize({ width, height: TALL });
    if (seen) await expect(seen, `${what}, ${colorScheme}, ${width}`).toBeVisible();
    await clean(page, `${what}, ${colorScheme}, ${width}`, { within });
  }
  if (before) await page.setViewportSize(before);
}

export const LANGUAGES = ["pl", "uk", "de", "en", "ru"] as const;

/**
 * Screens in every language, theme and width. A longer run loads each in every language and look; a short one sees each once, in German,
 * whose words are the longest, the next in the next look, and goes on from one to the next as a link does. What a language lacks is
 * found by the tests of texts.
 */
export async function cleanInEveryLanguage(page: Page, paths: readonly string[], drawn?: () => Promise<void>) {
  const main = page.locator("main");
  const short = paths.map((path) => [path, ["de", looks[turn++ % looks.length] ?? ["light", 390]]] as const);
  for (const [nth, [path, [language, [colorScheme, width]]]] of (SOAK
    ? combined(paths, combined(LANGUAGES, looks))
    : short
  ).entries()) {
    const what = `${path}, ${language}, ${colorScheme}, ${width} px`;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: TALL });
    const another = new URL(page.url()).pathname !== `/app${path.replace(/\?.*/, "")}`;
    if (nth === 0 || SOAK) await page.goto(`/app${path}${path.includes("?") ? "&" : "?"}lang=${language}`);
    else {
      if (another)
        await main.locator("h1").evaluateAll((old) => old.forEach((one) => one.setAttribute("data-before", "")));
      await new Frame(page).open(`/app${path}`);
    }
    await expect(main.locator("h1:not([data-before])").first(), what).toBeAttached();
    await expect(main.locator("[aria-busy=true]"), what).toHaveCount(0);
    await expect(page.locator("html"), what).toHaveAttribute("lang", language);
    await drawn?.();
    await clean(page, what);
  }
}
