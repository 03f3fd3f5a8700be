import { describe, expect, it } from "vitest";
import { alone, driver, newAccount, partner } from "../testing/server";
import { detourOf, homeOf, menuOf, partnerSide } from "./routes";
import type { Session } from "../session/session";
import { startsOf } from "./start";

type SessionBody = Omit<Session, "may" | "offline">;
const session = (body: SessionBody): Session => ({
  ...body,
  offline: false,
  may: (held) => body.permissions.includes(held),
});
const of = (functions: number[], unreadNotes = 0): SessionBody => ({
  ...driver,
  driver: driver.driver && { ...driver.driver, functions, unreadNotes },
});

describe("where a driver wants to start", () => {
  it.each([
    [[1, 2, 3, 4], 1, "/driver/board"],
    [[], 3, "/driver/board"],
    [[1, 2, 3, 4], 0, "/driver/settlements"],
    [[3], 0, "/driver/settlements"],
    [[2, 3], 0, "/driver/settlements"],
    [[2], 0, "/driver/invoices"],
    [[1, 2, 4], 0, "/driver/invoices"],
    [[1, 4], 0, "/driver/partner-profile"],
    [[4], 0, "/driver/partner-profile"],
    [[], 0, "/driver/partner-profile"],
  ])("with functions %j and %d unread notes is %s", (functions, notes, path) => {
    expect(startsOf(of(functions, notes))[0]).toBe(path);
  });
});

describe("where a person starts", () => {
  it("is the first screen of a partner's menu", async () => {
    await partnerSide();
    expect(homeOf(session(partner))).toBe("/tags");
  });

  it("is a screen that exists, as near to the rule as there is one", () => {
    expect(homeOf(session(of([1, 2, 3, 4], 2)))).toBe("/driver/settlements");
    expect(homeOf(session(of([])))).toBe("/driver/partner-profile");
    expect(homeOf(session(alone))).toBe("/driver/partners-list");
  });

  it("is a screen of the short menu for drivers whose partner has it", () => {
    const full = of([1, 2, 3, 4]);
    const short = session({ ...full, partner: full.partner && { ...full.partner, features: ["logistics_menu"] } });
    expect(menuOf(short).map(({ path }) => path)).toEqual([
      "/driver/settlements",
      "/time-tracker",
      "/driver/profile",
      "/driver/driver-documents",
    ]);
    expect(homeOf(short)).toBe("/driver/settlements");
    const without = of([2]);
    expect(homeOf(session({ ...without, partner: short.partner }))).toBe("/time-tracker");
  });

  it("has fuel in the menu of linked drivers whose partner has the feature, and not in the short one", () => {
    const full = of([1, 2, 3, 4]);
    const has = (features: ("fuel" | "logistics_menu")[], linked = true) =>
      menuOf(
        session({
          ...full,
          partner: full.partner && { ...full.partner, features },
          driver: full.driver && { ...full.driver, linked },
        }),
      ).some(({ path }) => path === "/fuel");
    expect(has(["fuel"])).toBe(true);
    expect(has([])).toBe(false);
    expect(has(["fuel"], false)).toBe(false);
    expect(has(["fuel", "logistics_menu"])).toBe(false);
  });

  it("is nowhere for whoever may see nothing", () => {
    expect(homeOf(session({ ...partner, permissions: [] }))).toBe("/forbidden");
    expect(homeOf(session({ ...driver, permissions: ["session.read"] }))).toBe("/forbidden");
  });

  it("is the profile for a driver who has none, from everywhere, and never again", () => {
    expect(detourOf(session(newAccount), "/driver/partner-profile")).toBe("/add-driver-account");
    expect(detourOf(session(newAccount), "/")).toBe("/add-driver-account");
    expect(detourOf(session(newAccount), "/add-driver-account")).toBeUndefined();
    expect(detourOf(session(driver), "/add-driver-account")).toBe("/");
    expect(detourOf(session(driver), "/driver/profile")).toBeUndefined();
    expect(detourOf(session(partner), "/tags")).toBeUndefined();
  });
});
