import type { Locator } from "@playwright/test";

interface Tone {
  /** From 0 to 255. */
  mean: number;
  /** How much it varies within the mark: a pattern does, a plain fill does not. */
  spread: number;
}

/** How marks look to somebody who sees no colours: read from a picture of the screen in grey. */
export async function tonesOf(marks: Locator): Promise<Tone[]> {
  const page = marks.page();
  await page.addStyleTag({ content: "html { filter: grayscale(1) !important; }" });
  const tones: Tone[] = [];
  for (const mark of await marks.all()) {
    const picture = (await mark.screenshot()).toString("base64");
    tones.push(
      await page.evaluate(async (data) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        canvas.width = image.width;
        canvas.height = image.height;
        const context = canvas.getContext("2d");
        if (!context) throw new Error("no canvas");
        context.drawImage(image, 0, 0);
        const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
        const greys = Array.from({ length: pixels.length / 4 }, (_, nth) => pixels[nth * 4] ?? 0);
        const mean = greys.reduce((sum, one) => sum + one, 0) / greys.length;
        const spread = Math.sqrt(greys.reduce((sum, one) => sum + (one - mean) ** 2, 0) / greys.length);
        return { mean, spread };
      }, picture),
    );
  }
  return tones;
}

/** Whether two marks can be told from each other without colour. */
export const differ = (one: Tone, other: Tone) =>
  Math.abs(one.mean - other.mean) > 15 || Math.abs(one.spread - other.spread) > 15;
