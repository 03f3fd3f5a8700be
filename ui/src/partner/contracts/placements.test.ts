import { describe, expect, it } from "vitest";
import type { Placement } from "./pdf-calls";
import { actOf, added, fitted, lackOf, moved, resized, wrongAt } from "./placements";

const PAGE = { width: 210, height: 297 };
const field: Placement = { name: "driver.name", kind: "text", page: 1, x: 20, y: 30, w: 60, h: 7, size: 10 };

describe("fields on a page", () => {
  it("stay on the page when they are moved or resized", () => {
    expect(moved(field, 1, -1, PAGE)).toMatchObject({ x: 21, y: 29, w: 60, h: 7 });
    expect(moved(field, 1000, 1000, PAGE)).toMatchObject({ x: 150, y: 290 });
    expect(moved(field, -1000, -1000, PAGE)).toMatchObject({ x: 0, y: 0 });
    expect(resized(field, 1000, -1000, PAGE)).toMatchObject({ x: 20, w: 190, h: 2 });
    expect(fitted({ ...field, kind: "signature", name: "driver", w: 1, h: 1 }, PAGE)).toMatchObject({ w: 15, h: 6 });
    expect(fitted({ ...field, x: 20.04, y: 29.96 }, PAGE)).toMatchObject({ x: 20, y: 30 });
  });

  it("go onto a smaller page of another file", () => {
    expect(fitted({ ...field, x: 180, w: 300 }, { width: 100, height: 20 })).toMatchObject({ x: 0, y: 13, w: 100 });
  });

  it("are added where none lies yet", () => {
    const first = added("text", "driver.name", 1, PAGE, []);
    const second = added("text", "driver.pesel", 1, PAGE, [first]);
    expect(second.y).toBeGreaterThanOrEqual(first.y + first.h);
    expect(added("text", "driver.pesel", 2, PAGE, [first]).y).toBe(first.y);
  });

  it("say what is missing before they are saved", () => {
    expect(lackOf([])).toBe("needSignature");
    expect(lackOf([{ ...field, name: "" }])).toBe("needValue");
    expect(lackOf([field, { ...field, kind: "signature", name: "partner" }])).toBeUndefined();
  });

  it("are found by what a refusal names", () => {
    expect([...wrongAt(["placements.3.box", "name", "placements.12.name"])]).toEqual([3, 12]);
  });
});

describe("keys on a field", () => {
  const key = (name: string, more = {}) =>
    actOf({ key: name, shiftKey: false, ctrlKey: false, metaKey: false, ...more });
  it("move, resize, remove and take back", () => {
    expect(key("ArrowLeft")).toEqual({ move: [-1, 0] });
    expect(key("ArrowDown", { shiftKey: true })).toEqual({ resize: [0, 1] });
    expect(key("Delete")).toBe("remove");
    expect(key("z", { ctrlKey: true })).toBe("undo");
    expect(key("Z", { metaKey: true })).toBe("undo");
    expect(key("a")).toBeUndefined();
    expect(key("ArrowLeft", { ctrlKey: true })).toBeUndefined();
  });
});
