import { expect, type Locator, type Page } from "@playwright/test";
import { sample } from "./samples";

/** As far as anybody would press Tab to come to something. */
const FAR = 150;

/** Does what a person does, and counts it: every press, every field that is filled in, every choice of files. */
export function counted(page: Page, by: "pointer" | "keyboard") {
  let steps = 0;
  const done = async (what: Promise<unknown>) => {
    steps++;
    await what;
    // Whatever was pressed: nothing is wider than the screen.
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  };

  /** Comes to something by keys alone. */
  const reach = async (on: Locator) => {
    await expect(on).toBeVisible();
    await expect(on).toBeEnabled();
    const key = (await on.getAttribute("role")) === "menuitem" ? "ArrowDown" : "Tab";
    for (let tries = 0; tries < FAR; tries++) {
      if (await on.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${on.toString()} cannot be reached by keyboard`);
  };
  const press = async (on: Locator) => {
    await reach(on);
    await page.keyboard.press("Enter");
  };
  const type = async (on: Locator, text: string) => {
    await reach(on);
    await page.keyboard.type(text);
  };
  const choose = async (on: Locator, names: string[]) => {
    const chooser = page.waitForEvent("filechooser");
    await (by === "keyboard" ? press(on) : on.click());
    await (await chooser).setFiles(names.map(sample));
  };
  return {
    press: (on: Locator) => done(by === "keyboard" ? press(on) : on.click()),
    fill: (on: Locator, text: string) => done(by === "keyboard" ? type(on, text) : on.fill(text)),
    files: (on: Locator, names: string[]) => done(choose(on, names)),
    get steps() {
      return steps;
    },
  };
}
