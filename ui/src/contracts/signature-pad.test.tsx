import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { I18nextProvider } from "react-i18next";
import { beforeAll, expect, it, vi } from "vitest";
import { i18n, show } from "../i18n";
import { withWizardTexts } from "../i18n/contract-wizard";
import { SignaturePad } from "./signature-pad";
import { isSignature, pathOf, pointAt, type Stroke } from "./strokes";

beforeAll(async () => {
  await show("pl");
  await withWizardTexts();
});

let drawn: readonly Stroke[] = [];
function Drawn() {
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const change = (next: readonly Stroke[]) => {
    drawn = next;
    setStrokes(next);
  };
  return (
    <I18nextProvider i18n={i18n}>
      <SignaturePad strokes={strokes} onChange={change} />
    </I18nextProvider>
  );
}

/** The box as large as the screen makes it. */
const sized = (width: number) =>
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, width, width / 2));

function line(box: HTMLElement, points: [number, number][]) {
  const [[x, y] = [0, 0], ...rest] = points;
  fireEvent.pointerDown(box, { pointerId: 1, clientX: x, clientY: y });
  for (const [clientX, clientY] of rest) fireEvent.pointerMove(box, { pointerId: 1, clientX, clientY });
  fireEvent.pointerUp(box, { pointerId: 1 });
}

it("keeps lines as points of the box, whatever its size is", () => {
  sized(300);
  render(<Drawn />);
  const box = screen.getByRole("img", { name: "Pole podpisu, puste" });
  line(box, [
    [30, 30],
    [150, 75],
  ]);
  expect(drawn).toEqual([
    [
      [60, 60],
      [300, 150],
    ],
  ]);
  const before = box.innerHTML;
  // the phone is turned: the same line stands in a larger box, and the next one is of the same measure
  sized(600);
  fireEvent(window, new Event("resize"));
  expect(box.innerHTML).toBe(before);
  line(box, [
    [300, 150],
    [600, 300],
  ]);
  expect(drawn[1]).toEqual([
    [300, 150],
    [600, 300],
  ]);
  expect(screen.getByRole("img", { name: "Pole podpisu, narysowane" })).toBe(box);
});

it("is cleared, and ends a line that the system takes over", () => {
  sized(600);
  render(<Drawn />);
  const box = screen.getByRole("img");
  fireEvent.pointerDown(box, { pointerId: 1, clientX: 1, clientY: 1 });
  fireEvent.pointerMove(box, { pointerId: 1, clientX: 9, clientY: 9 });
  fireEvent.pointerCancel(box, { pointerId: 1 });
  fireEvent.pointerMove(box, { pointerId: 1, clientX: 99, clientY: 99 });
  expect(drawn).toHaveLength(1);
  expect(drawn[0]).toHaveLength(2);
  fireEvent.click(screen.getByRole("button", { name: "Wyczyść" }));
  expect(drawn).toEqual([]);
  expect(screen.getByRole("button", { name: "Wyczyść" })).toBeDisabled();
});

it("stays within the box, and a dot is no signature", () => {
  expect(pointAt({ clientX: -5, clientY: 900 }, new DOMRect(0, 0, 600, 300))).toEqual([0, 300]);
  expect(pathOf([[1, 2]])).toBe("M1 2h.1");
  expect(isSignature([[[1, 2]]])).toBe(false);
  expect(isSignature([Array.from({ length: 20 }, (_, n) => [n, n] as const)])).toBe(true);
});
