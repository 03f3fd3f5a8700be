// Colour arithmetic: sRGB, OKLCH, WCAG contrast.
export const INK = "#12171D";
export const WHITE = "#FFFFFF";

type Triple = [number, number, number];

const linear = (channel: number) => {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
};

const gamma = (c: number) =>
  Math.round(255 * Math.min(1, Math.max(0, c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055)));

const channels = (hex: string): Triple => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

const toHex = (rgb: Triple) =>
  `#${rgb
    .map((channel) => Math.round(channel).toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase()}`;

const luminance = (hex: string) => {
  const [r, g, b] = channels(hex);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
};

/** WCAG 2 contrast ratio of two #RRGGBB colours, from 1 to 21. */
export const contrast = (a: string, b: string) => {
  const x = luminance(a);
  const y = luminance(b);
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};

/** A share of one colour laid over another. */
export const mix = (top: string, under: string, share: number) => {
  const p = channels(top);
  const q = channels(under);
  const at = (i: 0 | 1 | 2) => p[i] * share + q[i] * (1 - share);
  return toHex([at(0), at(1), at(2)]);
};

/** Lightness, chroma and hue in OKLCH. */
export function toLch(hex: string): Triple {
  const [r, g, b] = channels(hex).map(linear) as Triple;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, Math.hypot(x, y), Math.atan2(y, x)];
}

function fromLch(lightness: number, chroma: number, hue: number): string {
  // Chroma falls only where sRGB ends, so that the hue stays the partner's.
  for (let left = chroma; ; left -= 0.004) {
    const c = Math.max(left, 0);
    const x = c * Math.cos(hue);
    const y = c * Math.sin(hue);
    const l = (lightness + 0.3963377774 * x + 0.2158037573 * y) ** 3;
    const m = (lightness - 0.1055613458 * x - 0.0638541728 * y) ** 3;
    const s = (lightness - 0.0894841775 * x - 1.291485548 * y) ** 3;
    const rgb: Triple = [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
    if (left <= 0 || rgb.every((n) => n >= -0.0005 && n <= 1.0005)) return toHex(rgb.map(gamma) as Triple);
  }
}

/** The same hue and chroma, lightness moved in one direction until it reads on every background. */
export function readable(colour: string, on: readonly string[], target: number, direction: 1 | -1): string {
  const [start, chroma, hue] = toLch(colour);
  for (let lightness = start; lightness >= 0 && lightness <= 1; lightness += direction * 0.004) {
    const candidate = fromLch(lightness, chroma, hue);
    if (on.every((background) => contrast(candidate, background) >= target)) return candidate;
  }
  return direction < 0 ? "#000000" : WHITE;
}

/** The same hue and chroma, a step lighter or darker. */
export function shift(colour: string, step: number): string {
  const [lightness, chroma, hue] = toLch(colour);
  return fromLch(Math.min(0.98, Math.max(0.05, lightness + step)), chroma, hue);
}
