import { expect, it } from "vitest";
import { BYTES_MAX, type Chosen, fitted, goesAsItIs, isTagged, shrunk } from "./shrink";
import { sharpness, SHARP_FROM } from "./sharpness";

const photo: Chosen = { type: "image/jpeg", size: 400_000, width: 1800, height: 2400, tagged: false };

it("leaves a small picture as it is, and nothing else", () => {
  expect(goesAsItIs(photo)).toBe(true);
  expect(goesAsItIs({ ...photo, type: "image/png" })).toBe(true);
  expect(goesAsItIs({ ...photo, size: BYTES_MAX + 1 })).toBe(false);
  expect(goesAsItIs({ ...photo, height: 2401 })).toBe(false);
  expect(goesAsItIs({ ...photo, tagged: true })).toBe(false); // turned by the camera, or with the place where it was taken
  expect(goesAsItIs({ ...photo, type: "image/heic" })).toBe(false);
});

it("keeps the sides in proportion and never enlarges", () => {
  expect(fitted(4000, 3000)).toEqual({ width: 2400, height: 1800 });
  expect(fitted(600, 800)).toEqual({ width: 600, height: 800 });
  expect(fitted(60_000, 1)).toEqual({ width: 2400, height: 1 });
});

/** A camera whose pictures are as large as their pixels and quality say. */
const camera = (bytesAPixel: number) => {
  const tried: string[] = [];
  const encode = (width: number, height: number, quality: number) => {
    tried.push(`${width} × ${height}, ${quality}`);
    return Promise.resolve({ size: Math.round(width * height * bytesAPixel * quality) } as Blob);
  };
  return { tried, encode };
};

it("lowers the quality before the size, and ends under the limit", async () => {
  const { tried, encode } = camera(0.26);
  const blob = await shrunk({ ...photo, width: 4000, height: 3000 }, encode);
  expect(tried).toEqual(["2400 × 1800, 0.8"]);
  expect(blob?.size).toBeLessThanOrEqual(BYTES_MAX);

  const dense = camera(0.5);
  expect((await shrunk({ ...photo, width: 4000, height: 3000 }, dense.encode))?.size).toBeLessThanOrEqual(BYTES_MAX);
  expect(dense.tried.at(3)).toBe("1920 × 1440, 0.8");

  expect(await shrunk({ ...photo, width: 4000, height: 3000 }, camera(50).encode)).toBeUndefined();
});

it("finds what a camera wrote into a picture", () => {
  expect(isTagged(new Uint8Array([0xff, 0xd8, 0xff, 0xe1, 0, 9, 0x45, 0x78, 0x69, 0x66, 0, 0, 1]))).toBe(true);
  expect(isTagged(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0x45, 0x78, 0x69]))).toBe(false);
});

it("tells sharp letters from blurred ones, in any light", () => {
  const [width, height] = [200, 200];
  const page = (light: number, edge: number) =>
    Uint8Array.from({ length: width * height }, (_, n) => {
      const away = Math.abs(((n % width) % 24) - 12); // strokes that fade out over some pixels
      return Math.round(light * Math.min(1, away / edge));
    });
  expect(sharpness(page(230, 2), width, height)).toBeGreaterThan(SHARP_FROM);
  expect(sharpness(page(90, 2), width, height)).toBeGreaterThan(SHARP_FROM);
  expect(sharpness(page(230, 12), width, height)).toBeLessThan(SHARP_FROM);
  expect(sharpness(new Uint8Array(width * height), width, height)).toBe(0);
});
