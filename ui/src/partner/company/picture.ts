/** What a logo may come as. A drawing that can hold scripts is not among it. */
export const ACCEPTED = ["image/png", "image/jpeg", "image/webp"];

const MAX_BYTES = 1_000_000;
const MAX_SIDE = 512;

/**
 * A picture that the server takes: what is too large or of another kind is drawn anew, smaller, on this device.
 * Nothing when it is no picture.
 */
export async function fitting(file: File): Promise<Blob | undefined> {
  if (!ACCEPTED.includes(file.type)) return undefined;
  if (file.type !== "image/webp" && file.size <= MAX_BYTES) return file;
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob((blob) => done(blob ?? undefined), "image/png"));
  } catch {
    return undefined;
  }
}
