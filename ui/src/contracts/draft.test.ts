import { expect, it } from "vitest";
import type { Answers, Filled } from "./calls";
import { anew, differing, excludedBy, filledPaths, isUnder26, stepOf, valueAt, withValue } from "./data";
import { beginning, type Kept } from "./draft";

const empty: Answers = { personal: {}, contract: {}, statements: {} };
const of = (city: string): Answers => withValue(empty, "personal.registered.city", city);
const server = (version: number, data: Answers): Filled => ({
  data,
  version,
  step: 1,
  source: "draft",
  documents: [],
  missing: [],
  consent: { id: "consent", text: "", sum: "" },
  declarations: [],
});
const kept = (version: number, data: Answers, unsent = true): Kept => ({ key: "me ", data, step: 3, version, unsent });

it("goes on with what the device has and the server has not", () => {
  const mine = kept(2, of("Lwów"));
  expect(beginning(server(2, of("Kraków")), mine)).toEqual({ use: "kept", kept: mine });
});

it("asks where somebody saved something else meanwhile", () => {
  const mine = kept(2, of("Lwów"));
  expect(beginning(server(3, of("Kraków")), mine)).toEqual({ use: "ask", kept: mine });
  // also when the draft is gone: it was signed or deleted elsewhere
  expect(beginning(server(0, empty), mine)).toEqual({ use: "ask", kept: mine });
});

it("takes what the server has where the device has nothing else", () => {
  expect(beginning(server(3, of("Kraków")), undefined)).toEqual({ use: "server" });
  expect(beginning(server(3, of("Kraków")), kept(2, of("Lwów"), false))).toEqual({ use: "server" });
  expect(beginning(server(3, of("Lwów")), kept(2, of("Lwów")))).toEqual({ use: "server" });
});

it("changes one value and leaves the rest", () => {
  const data = withValue(of("Kraków"), "personal.registered.house", "1");
  expect(filledPaths(data)).toEqual(["personal.registered.city", "personal.registered.house"]);
  expect(differing(data, of("Kraków"))).toEqual(["personal.registered.house"]);
  expect(valueAt(withValue(data, "personal.registered.house", ""), "personal.registered.house")).toBeUndefined();
  expect(stepOf("personal.registered.house")).toBe(1);
  expect(stepOf("statements.nfz")).toBe(3);
});

it("knows what excludes what", () => {
  const data = withValue(empty, "contract.kinds", ["civil_contract"]);
  expect(excludedBy(data, "b2b")).toBe("civil_contract");
  expect(excludedBy(data, "rent_from_driver")).toBeUndefined();
  const young = { ...empty, personal: { birthDate: "2001-03-10" }, contract: { from: "2027-03-09" } };
  expect(isUnder26(young)).toBe(true);
  expect(isUnder26({ ...young, contract: { from: "2027-03-10" } })).toBe(false);
});

it("begins a new contract today, with what was signed before", () => {
  const before = { ...empty, contract: { from: "2025-01-01", to: "2025-12-31", date: "2024-12-30", place: "Radom" } };
  expect(anew(before, "2026-11-18").contract).toEqual({ from: "2026-11-18", date: "2026-11-18", place: "Radom" });
});
