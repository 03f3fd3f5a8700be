/** What of a mark's look a picture must carry with it: its stylesheet stays here. */
const LOOKS = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "paint-order",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
] as const;

const SVG = "http://www.w3.org/2000/svg";
const PAD = 16;
const TITLE_LINE = 24;
const LINE = 20;

/** Breaks a text into lines that are narrower than a width, by a letter's usual width. */
export function linesOf(text: string, width: number, letter: number): string[] {
  const most = Math.max(8, Math.floor(width / letter));
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

interface Drawn {
  source: string;
  width: number;
  height: number;
}

/** A chart as a picture of its own, with its title and finding above it, in the colours on screen. */
function drawn(chart: SVGSVGElement, title: string, finding: string): Drawn {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const shown = [chart, ...chart.querySelectorAll("*")];
  for (const [nth, one] of [copy, ...copy.querySelectorAll("*")].entries()) {
    const look = getComputedStyle(shown[nth] ?? chart);
    for (const name of LOOKS) one.setAttribute(name, look.getPropertyValue(name).replaceAll('"', "'"));
    one.removeAttribute("class");
    one.removeAttribute("style");
  }
  const { width, height } = chart.viewBox.baseVal;
  const colours = getComputedStyle(document.documentElement);
  const ink = (name: string) => colours.getPropertyValue(name).trim();
  const above = [
    ...linesOf(title, width, 9).map((text) => ({ text, size: 16, weight: 620, line: TITLE_LINE, ink: ink("--text") })),
    ...linesOf(finding, width, 6.8).map((text) => ({ text, size: 13, weight: 400, line: LINE, ink: ink("--text2") })),
  ];
  const head = above.reduce((sum, { line }) => sum + line, PAD);
  const outer = document.createElementNS(SVG, "svg");
  const size = { width: width + 2 * PAD, height: head + height + 2 * PAD };
  outer.setAttribute("xmlns", SVG);
  outer.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  outer.setAttribute("width", String(size.width));
  outer.setAttribute("height", String(size.height));
  outer.setAttribute("font-family", "Inter, system-ui, sans-serif");
  const page = document.createElementNS(SVG, "rect");
  page.setAttribute("width", "100%");
  page.setAttribute("height", "100%");
  page.setAttribute("fill", ink("--surface"));
  outer.append(page);
  let y = PAD;
  for (const { text, size: letters, weight, line, ink: fill } of above) {
    y += line;
    const element = document.createElementNS(SVG, "text");
    element.setAttribute("x", String(PAD));
    element.setAttribute("y", String(y - 6));
    element.setAttribute("font-size", String(letters));
    element.setAttribute("font-weight", String(weight));
    element.setAttribute("fill", fill);
    element.textContent = text;
    outer.append(element);
  }
  copy.setAttribute("x", String(PAD));
  copy.setAttribute("y", String(head + PAD));
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  outer.append(copy);
  return { source: new XMLSerializer().serializeToString(outer), ...size };
}

const TYPE = "image/svg+xml;charset=utf-8";

/** The chart as SVG, which can be enlarged. */
export const svgOf = (chart: SVGSVGElement, title: string, finding: string) =>
  new Blob([drawn(chart, title, finding).source], { type: TYPE });

/** The chart as PNG, at twice its size, for a slide or a mail. */
export async function pngOf(chart: SVGSVGElement, title: string, finding: string): Promise<Blob> {
  const { source, width, height } = drawn(chart, title, finding);
  const address = URL.createObjectURL(new Blob([source], { type: TYPE }));
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width * 2;
    canvas.height = height * 2;
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolved, rejected) =>
      canvas.toBlob((blob) => (blob ? resolved(blob) : rejected(new Error("the picture could not be made")))),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
