import { expect, it } from "vitest";
import { FIELDS } from "./fields";
import { draftOf, hintOf, isUnsure, type Read, sentOf, withRead, withTyped } from "./form";

const place = { page: 1, box: [0.1, 0.1, 0.2, 0.12], source: "ocr" };
const read = (value: string, confidence: number): Read => ({ value, confidence, ...place });
const plain = (_: string, value: string) => value;

it("takes what was read, the unsure first, and keeps what is too unsure as a hint", () => {
  const draft = withRead(
    draftOf(),
    {
      number: read("FV 1/2026", 0.7),
      issueDate: read("2026-11-02", 0.99),
      issuerTaxId: read("5260001246", 0.95),
      gross: read("12300", 0.65),
      net: read("10000", 0.4),
      unknown: read("?", 1),
    },
    plain,
  );
  expect(draft.values).toMatchObject({ number: "FV 1/2026", gross: "12300", net: "" });
  expect(hintOf(draft, "net")).toBe("10000");
  expect(hintOf(draft, "gross")).toBe("");
  expect(draft.order.slice(0, 4)).toEqual(["gross", "number", "issueDate", "issuerTaxId"]);
  expect(FIELDS.filter((name) => isUnsure(draft, name))).toEqual(["number", "gross"]);
});

it("never overwrites what was typed, also what was emptied, and moves no field under a thumb", () => {
  const typed = withTyped(withTyped(draftOf(), "gross", "99,00"), "number", "");
  const draft = withRead(
    typed,
    { gross: read("12300", 1), number: read("FV 1", 1), saleDate: read("2026-11-02", 1) },
    plain,
  );
  expect(draft.values).toMatchObject({ gross: "99,00", number: "", saleDate: "2026-11-02" });
  expect(draft.order).toEqual(FIELDS);
  // and a second, later reading neither
  expect(withRead(draft, { gross: read("55500", 1) }, plain).values.gross).toBe("99,00");
});

it("fills in no amount beside one that a person typed: they belong together", () => {
  const typed = withTyped(draftOf(), "gross", "99,00");
  const draft = withRead(typed, { net: read("10000", 1), vatReduced: read("42", 1), number: read("FV 1", 1) }, plain);
  expect(draft.values).toMatchObject({ gross: "99,00", net: "", vatReduced: "", number: "FV 1" });
});

it("puts first what must be filled in and is empty", () => {
  const draft = withRead(draftOf(), { number: read("FV 1", 0.95), net: read("10000", 0.7) }, plain);
  expect(draft.order.slice(0, 5)).toEqual(["issueDate", "issuerTaxId", "gross", "net", "number"]);
  expect(isUnsure(draft, "gross")).toBe(true);
  expect(isUnsure(draft, "registration")).toBe(false);
});

it("is sure of a field that a person has looked at", () => {
  const draft = withRead(draftOf(), { gross: read("12300", 0.7) }, plain);
  expect(isUnsure(withTyped(draft, "gross", draft.values.gross), "gross")).toBe(false);
});

it("sends minor units and names what is not an amount and what is missing", () => {
  const draft = draftOf({
    number: " FV 1 ",
    gross: "1 234,5",
    net: "12,345",
    mileage: "120 500",
    issueDate: "2026-11-02",
  });
  const { sent, wrong, missing } = sentOf(draft, "pl");
  expect(sent).toMatchObject({ number: "FV 1", gross: 123450, mileage: 120500, vatReduced: 0 });
  expect(wrong).toEqual(["net"]);
  expect(missing).toEqual(["issuerTaxId"]);
});
