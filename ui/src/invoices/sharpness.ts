/** The longest side at which sharpness is measured. */
export const MEASURED_SIDE = 1600;
/**
 * Below this, letters run together. Measured in Chromium, whose scaling keeps edges steep: good photos of invoices 1.7 to 2.3, bad ones
 * 0.9 to 1.5.
 */
export const SHARP_FROM = 1.3;

/** The value below which a share of the counted ones lies. */
function percentile(counts: Uint32Array, share: number): number {
  const total = counts.reduce((sum, one) => sum + one, 0);
  let left = share * total;
  for (let value = 0; value < counts.length; value++) {
    left -= counts[value] ?? 0;
    if (left <= 0) return value;
  }
  return counts.length - 1;
}

/**
 * How sharp the letters of a page are: the steepest edges (99.3rd percentile of the Sobel gradient) over the brightness of the page
 * (90th percentile). The pixels are grey, row by row.
 */
export function sharpness(grey: Uint8Array | Uint8ClampedArray, width: number, height: number): number {
  const edges = new Uint32Array(1443); // the steepest edge there is, of 0 beside 255
  const lights = new Uint32Array(256);
  const at = (x: number, y: number) => grey[y * width + x] ?? 0;
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const left = at(x - 1, y - 1) + 2 * at(x - 1, y) + at(x - 1, y + 1);
      const right = at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1);
      const above = at(x - 1, y - 1) + 2 * at(x, y - 1) + at(x + 1, y - 1);
      const below = at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1);
      const edge = Math.round(Math.hypot(right - left, below - above));
      edges[edge] = (edges[edge] ?? 0) + 1;
      const light = at(x, y);
      lights[light] = (lights[light] ?? 0) + 1;
    }
  return percentile(edges, 0.993) / Math.max(1, percentile(lights, 0.9));
}
