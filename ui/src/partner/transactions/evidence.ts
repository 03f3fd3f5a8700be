/** What evidence may come as. */
export const ACCEPTED = ["application/pdf", "image/png", "image/jpeg", "image/webp"];

const MAX_BYTES = 1_000_000;
const MAX_SIDE = 2000;

/**
 * The file as the server takes it: a picture that is too large or of another kind is drawn anew, smaller, on this
 * device. What cannot be drawn is sent as it is; the server says why it refuses it.
 */
export async function fitting(file: File): Promise<Blob> {
  const picture = file.type.startsWith("image/");
  if (!picture || (file.type !== "image/webp" && file.size <= MAX_BYTES)) return file;
  try {
    const drawn = await createImageBitmap(file);
    const scale = Math.min(1, MAX_SIDE / Math.max(drawn.width, drawn.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(drawn.width * scale));
    canvas.height = Math.max(1, Math.round(drawn.height * scale));
    canvas.getContext("2d")?.drawImage(drawn, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob((blob) => done(blob ?? file), "image/jpeg", 0.8));
  } catch {
    return file;
  }
}
