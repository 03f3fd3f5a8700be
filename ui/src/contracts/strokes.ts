/** A line of a signature: points in units of the box, which is 600 wide and 300 high however large it is drawn. */
export type Stroke = readonly (readonly [x: number, y: number])[];

export const BOX = { width: 600, height: 300 } as const;
/** How thick a line is, in the units of the box. */
export const INK = 5;

/** A line as an SVG path; a single point is a dot. */
export const pathOf = (stroke: Stroke) =>
  stroke.length === 1
    ? `M${stroke[0]?.join(" ")}h.1`
    : stroke.map((point, n) => `${n === 0 ? "M" : "L"}${point.join(" ")}`).join("");

/** Where a pointer is, in the units of the box. */
export function pointAt(at: { clientX: number; clientY: number }, box: DOMRect): [number, number] {
  const inside = (value: number, most: number) => Math.round(Math.min(most, Math.max(0, value)) * 10) / 10;
  return [
    inside(((at.clientX - box.left) / box.width) * BOX.width, BOX.width),
    inside(((at.clientY - box.top) / box.height) * BOX.height, BOX.height),
  ];
}

/** Whether it is more than a slip of the finger. */
export const isSignature = (strokes: readonly Stroke[]) => strokes.reduce((sum, stroke) => sum + stroke.length, 0) >= 8;

/** The signature as a picture: black on nothing, twice as large as the box. How it was drawn is not in it. */
export async function pictureOf(strokes: readonly Stroke[]): Promise<Blob> {
  const scale = 2;
  const canvas = document.createElement("canvas");
  canvas.width = BOX.width * scale;
  canvas.height = BOX.height * scale;
  const pen = canvas.getContext("2d");
  if (pen) {
    pen.scale(scale, scale);
    pen.lineWidth = INK;
    pen.lineCap = "round";
    pen.lineJoin = "round";
    for (const stroke of strokes) pen.stroke(new Path2D(pathOf(stroke)));
  }
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
  );
}
