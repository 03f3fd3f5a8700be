import { expect, it } from "vitest";
import { type Corners, isPage, type Pixels, placing, sizeOf, straightened } from "./straighten";

const slanted: Corners = [
  { x: 0.2, y: 0.1 },
  { x: 0.9, y: 0.2 },
  { x: 0.8, y: 0.9 },
  { x: 0.1, y: 0.7 },
];

it("places the corners of the page on those of the picture, and straight lines on straight lines", () => {
  const place = placing(slanted);
  const at: [number, number][] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  for (const [n, [u, v]] of at.entries()) {
    expect(place(u, v).x).toBeCloseTo(slanted[n as 0].x);
    expect(place(u, v).y).toBeCloseTo(slanted[n as 0].y);
  }
  const [a, b, c] = [place(0, 0), place(0.5, 0.5), place(1, 1)];
  expect((b.x - a.x) * (c.y - a.y)).toBeCloseTo((b.y - a.y) * (c.x - a.x));
});

it("takes only four corners of a page", () => {
  expect(isPage(slanted)).toBe(true);
  const [a, b, c, d] = slanted;
  expect(isPage([b, a, c, d])).toBe(false); // crossed
  expect(isPage([a, b, { x: 0.3, y: 0.3 }, d])).toBe(false); // bent inwards
  expect(isPage([a, { x: 0.25, y: 0.1 }, { x: 0.25, y: 0.15 }, { x: 0.2, y: 0.15 }])).toBe(false); // too small
});

it("gives the page between the corners in the size it had", () => {
  // a picture whose pixels say where they are: 100 wide, 50 high
  const picture: Pixels = { width: 100, height: 50, data: new Uint8ClampedArray(100 * 50 * 4) };
  for (let n = 0; n < 100 * 50; n++) picture.data.set([n % 100, Math.floor(n / 100), 0, 255], n * 4);
  const middle: Corners = [
    { x: 0.1, y: 0.2 },
    { x: 0.5, y: 0.2 },
    { x: 0.5, y: 0.8 },
    { x: 0.1, y: 0.8 },
  ];
  expect(sizeOf(middle, 100, 50)).toEqual({ width: 40, height: 30 });
  const page = straightened(picture, middle);
  expect([page.width, page.height]).toEqual([40, 30]);
  expect([...page.data.slice(0, 4)]).toEqual([10, 10, 0, 255]);
  expect([...page.data.slice(-4)]).toEqual([49, 39, 0, 255]);
});
