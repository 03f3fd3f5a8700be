import { describe, expect, it } from "vitest";
import { change, share } from "./share";
import { short, shortCount, shortMoney } from "./short";

const SPACE = "\u00a0";

describe("a short number", () => {
  it.each([
    ["pl", 0n, "0"],
    ["pl", 999n, "999"],
    ["pl", 1_000n, "1 k"],
    ["pl", 1_049n, "1 k"],
    ["pl", 1_050n, "1,1 k"],
    ["pl", 12_345n, "12,3 k"],
    ["de", 12_345n, "12,3 k"],
    ["en", 12_345n, "12.3 k"],
    ["uk", 12_345n, "12,3 k"],
    ["ru", 12_345n, "12,3 k"],
    ["pl", 999_949n, "999,9 k"],
    ["pl", 999_950n, "1 M"],
    ["pl", -999_950n, "−1 M"],
    ["pl", -1_050n, "−1,1 k"],
    ["pl", 2_000_000_000n, "2 G"],
    ["pl", 2_000_000_000_000n, "2 T"],
    ["pl", 3_000_000_000_000_000n, "3 P"],
    ["pl", 9_223_372_036_854_775_807n, "9,2 E"],
    ["pl", 999_950_000_000_000_000n, "1 E"],
    ["en", 1_234_500_000_000_000_000_000n, "1,234.5 E"],
  ] as const)("writes %s %s as %s", (language, value, text) => {
    expect(short(value, language)).toBe(text.replace(" ", SPACE));
  });

  it.each([
    [0, "0"],
    [5, "0,1"],
    [4, "0"],
    [-4, "0"],
    [84_250, "842,5"],
    [99_994, "999,9"],
    [99_995, "1 k"],
    [1_234_567, "12,3 k"],
    [-104_955, "−1 k"],
    [-105_000, "−1,1 k"],
    [Number.MAX_SAFE_INTEGER, "90,1 T"],
  ])("writes %s minor units as %s", (minor, text) => {
    expect(shortMoney(minor, "pl")).toBe(text.replace(" ", SPACE));
  });

  it("rounds every value to what is nearest", () => {
    for (let value = 0; value < 1_100_000; value += 7_919) {
      const [digits = "", unit] = short(BigInt(value), "en").split(SPACE);
      const factor = unit === "k" ? 1_000 : unit === "M" ? 1_000_000 : 1;
      expect(Math.abs(Number(digits) * factor - value)).toBeLessThanOrEqual(factor / 20);
    }
  });

  it("is a count where it is one", () => {
    expect(shortCount(1_264, "pl")).toBe(`1,3${SPACE}k`);
  });
});

describe("a share", () => {
  it.each([
    ["pl", 1_250, "12,5%"],
    ["pl", 1_254, "12,5%"],
    ["pl", 1_255, "12,6%"],
    ["pl", -1_255, "−12,6%"],
    ["pl", -4, "0%"],
    ["de", 10_000, "100 %"],
    ["en", 3_333, "33.3%"],
  ] as const)("writes %s %s as %s", (language, basisPoints, text) => {
    expect(share(basisPoints, language)).toBe(text.replace(" ", SPACE));
  });

  it("says whether it grew", () => {
    expect(change(620, "pl")).toBe("+6,2%");
    expect(change(-620, "pl")).toBe("−6,2%");
    expect(change(0, "pl")).toBe("0%");
  });
});
