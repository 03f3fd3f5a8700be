import { ways } from "../pages/combined";
import { POLAND, wholeMonday } from "../pages/whole-monday";
import { expect, test } from "../saldo";

const MOST = 25;

// Each makes a partner of its own, so the workers share them.
test.describe.configure({ mode: "parallel" });

for (const { width, height, by } of ways(
  { width: 1440, height: 1000, by: "keyboard" as const },
  { width: 390, height: 844, by: "pointer" as const },
))
  test(`a Monday takes at most ${MOST} steps at ${width} px by ${by}`, async ({ page, saldo }) => {
    await page.setViewportSize({ width, height });
    const steps = await wholeMonday(page, saldo, `monday-${width}`, POLAND, by);
    expect(steps, "steps").toBeLessThanOrEqual(MOST);
    test.info().annotations.push({ type: "steps", description: String(steps) });
  });
