import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import type { Explained } from "./queries";
import { wayOf } from "./sums";

type Shown = Pick<Explained, "figures" | "apps" | "explanations"> & { name: string };

const shown = JSON.parse(
  readFileSync(resolve("../internal/settlements/engine/testdata/shown.json"), "utf8"),
) as Shown[];

/** What a figure is worth; one that is zero is not named. */
function valueOf({ figures, apps }: Shown, figure: string, provider: string | undefined): unknown {
  if (!provider) return figures[figure] ?? 0;
  return Object.entries(apps.find((app) => app.provider === provider) ?? {}).find(([name]) => name === figure)?.[1];
}

it.each(shown.map((one) => [one.name, one] as const))("every explanation ends in its figure: %s", (_, one) => {
  expect(one.explanations.length).toBeGreaterThan(5);
  for (const explanation of one.explanations)
    if (explanation.formula !== "days") {
      expect(wayOf(explanation).value, explanation.figure).toBe(BigInt(explanation.value));
      expect(explanation.value).toBe(valueOf(one, explanation.figure, explanation.provider));
    }
});
