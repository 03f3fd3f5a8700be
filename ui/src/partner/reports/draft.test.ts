import { describe, expect, it } from "vitest";
import { aboutSubject, codeOf, definitionOf, draftOf, partOf } from "./draft";
import type { Subject } from "./queries";

const definition = {
  subject: "settlements",
  title: { pl: "Wypłaty wg etykiety", en: "Payouts by tag" },
  measures: ["count", "revenue", "share:payout", "change:revenue"],
  by: ["tag"],
  filter: [
    { field: "state", is: ["settled", "paid"] },
    { field: "tag", is: ["$tag"] },
  ],
  ask: [
    { name: "from", kind: "day" },
    { name: "to", kind: "day" },
    { name: "tag", kind: "tag", many: true, title: { pl: "Etykiety" } },
  ],
  sort: ["-revenue"],
  limit: 5000,
  total: true,
  columns: { revenue: { title: { pl: "Obrót" } } },
};

describe("a definition", () => {
  it("is the same after the form has read it", () => {
    expect(definitionOf(draftOf(definition), true)).toEqual(definition);
  });

  it("says only what it needs", () => {
    const draft = draftOf({ subject: "drivers", title: { pl: "Lista" }, measures: ["count"] });
    expect(definitionOf(draft, false)).toEqual({ subject: "drivers", title: { pl: "Lista" }, measures: ["count"] });
  });

  it("survives what is no definition", () => {
    const draft = draftOf({ subject: 3, measures: "count", by: [1, "tag"], filter: [null], title: ["x"] });
    expect(draft).toMatchObject({ subject: "", measures: [], by: ["tag"], title: {} });
  });

  it("keeps of another subject what that one has too", () => {
    const term = (key: string) => ({ key, title: key, kind: "money" as const });
    const subject: Subject = {
      ...{ key: "transactions", title: "", dated: true, drivers: true },
      measures: [term("amount"), term("count")],
      dimensions: [term("app"), term("tag")],
    };
    const next = aboutSubject(draftOf(definition), subject);
    expect(definitionOf(next, true)).toEqual({
      subject: "transactions",
      title: definition.title,
      measures: ["count"],
      by: ["tag"],
      filter: [{ field: "tag", is: ["$tag"] }],
      ask: definition.ask,
      limit: 5000,
      total: true,
    });
    expect(aboutSubject({ ...draftOf(definition), measures: ["revenue"] }, subject).measures).toEqual(["amount"]);
  });
});

it.each([
  ["measures[2]", "measures"],
  ["definition.by[0]", "by"],
  ["ask[1].kind", "filter"],
  ["filter[0].is[1]", "filter"],
  ["title.pl", "title"],
  ["", undefined],
] as const)("%s belongs to %s", (place, part) => {
  expect(partOf(place)).toBe(part);
});

it.each([
  ["Wypłaty wg etykiety", "wyplaty-wg-etykiety"],
  ["Łódź – 2026!", "lodz-2026"],
  ["Виплати", ""],
])("the address of %s is %s", (title, code) => {
  expect(codeOf(title)).toBe(code);
});
