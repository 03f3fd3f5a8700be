/** A place on a picture, in parts of its width and height. */
export interface Point {
  x: number;
  y: number;
}

/** The corners of a page on a picture: top left, top right, bottom right, bottom left. */
export type Corners = readonly [Point, Point, Point, Point];

/** The pixels of a picture, four bytes each, row by row. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** How small a page may be on a picture. */
const LEAST_AREA = 0.03;

/** Whether four corners can be those of a page: none lies inside the others, none was pulled over a side, and there is room between. */
export function isPage(corners: Corners): boolean {
  let area = 0;
  for (let n = 0; n < 4; n++) {
    const [a, b, c] = [at(corners, n), at(corners, n + 1), at(corners, n + 2)];
    if ((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) <= 0) return false;
    area += (a.x * b.y - b.x * a.y) / 2;
  }
  return area >= LEAST_AREA;
}

const at = (corners: Corners, n: number): Point => corners[(n % 4) as 0 | 1 | 2 | 3];

/** Where a place of the straight page lies on the picture (the projection of a square on four corners). */
export function placing([p0, p1, p2, p3]: Corners): (u: number, v: number) => Point {
  const [sx, sy] = [p0.x - p1.x + p2.x - p3.x, p0.y - p1.y + p2.y - p3.y];
  const [dx1, dx2, dy1, dy2] = [p1.x - p2.x, p3.x - p2.x, p1.y - p2.y, p3.y - p2.y];
  const whole = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / whole;
  const h = (dx1 * sy - sx * dy1) / whole;
  const [a, b, d, e] = [p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x, p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y];
  return (u, v) => {
    const depth = g * u + h * v + 1;
    return { x: (a * u + b * v + p0.x) / depth, y: (d * u + e * v + p0.y) / depth };
  };
}

/** The size of the straight page: its longer sides as they are on the picture. */
export function sizeOf(corners: Corners, width: number, height: number): { width: number; height: number } {
  const side = (n: number, m: number) => {
    const [a, b] = [at(corners, n), at(corners, m)];
    return Math.hypot((a.x - b.x) * width, (a.y - b.y) * height);
  };
  return {
    width: Math.max(1, Math.round(Math.max(side(0, 1), side(3, 2)))),
    height: Math.max(1, Math.round(Math.max(side(0, 3), side(1, 2)))),
  };
}

/** The page between four corners of a picture as if it had been photographed from straight above. */
export function straightened(from: Pixels, corners: Corners): Pixels {
  const { width, height } = sizeOf(corners, from.width, from.height);
  const place = placing(corners);
  const data = new Uint8ClampedArray(width * height * 4);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const { x, y } = place((column + 0.5) / width, (row + 0.5) / height);
      mix(from, x * from.width - 0.5, y * from.height - 0.5, data, (row * width + column) * 4);
    }
  return { data, width, height };
}

/** The colour between four pixels. */
function mix({ data, width, height }: Pixels, x: number, y: number, into: Uint8ClampedArray, place: number) {
  const [left, top] = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
  const [x0, y0] = [Math.floor(left), Math.floor(top)];
  const [x1, y1] = [Math.min(x0 + 1, width - 1), Math.min(y0 + 1, height - 1)];
  const [wx, wy] = [left - x0, top - y0];
  for (let n = 0; n < 4; n++) {
    const value = (column: number, row: number) => data[(row * width + column) * 4 + n] ?? 0;
    into[place + n] =
      (value(x0, y0) * (1 - wx) + value(x1, y0) * wx) * (1 - wy) + (value(x0, y1) * (1 - wx) + value(x1, y1) * wx) * wy;
  }
}
