import { fitted, goesAsItIs, isTagged, PDF_MAX, shrunk } from "./shrink";
import { MEASURED_SIDE, sharpness } from "./sharpness";

/** What is chosen on a phone: it hands over JPEG instead of its own format where it is asked for that. */
export const ON_PHONES = "image/jpeg,image/png,application/pdf";
/** What an office has. */
export const IN_OFFICES = `${ON_PHONES},image/webp,application/xml,text/xml,.xml`;

/** A file that is ready to be sent. */
export interface Picked {
  file: File;
  /** Of a picture: where it can be seen until it is let go. */
  picture: string;
  /** Of a picture: how sharp it is. */
  sharp: number | undefined;
}

/** Why a file cannot be sent. */
export type Unusable = "tooLarge" | "unreadable";

/** How much of a file is looked through for what a camera wrote. */
const START = 64 * 1024;

/** A file as it is sent: a picture is turned upright, made small enough and measured, on the device. */
export async function pick(file: File): Promise<Picked | Unusable> {
  if (!file.type.startsWith("image/"))
    return file.size > PDF_MAX ? "tooLarge" : { file, picture: "", sharp: undefined };
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => undefined);
  if (!bitmap) return "unreadable";
  try {
    const { width, height } = bitmap;
    const tagged = isTagged(new Uint8Array(await file.slice(0, START).arrayBuffer()));
    const chosen = { type: file.type, size: file.size, width, height, tagged };
    let sent = file;
    if (!goesAsItIs(chosen)) {
      const blob = await shrunk(chosen, (w, h, quality) => encoded(bitmap, w, h, quality));
      if (!blob) return "tooLarge";
      sent = new File([blob], file.name.replace(/\.\w+$/, "") + ".jpg", { type: "image/jpeg" });
    }
    return { file: sent, picture: URL.createObjectURL(sent), sharp: measured(bitmap) };
  } finally {
    bitmap.close();
  }
}

/** Lets go of what is shown of a picture. */
export const letGo = ({ picture }: Picked) => {
  if (picture) URL.revokeObjectURL(picture);
};

function drawn(bitmap: ImageBitmap, width: number, height: number) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser draws nothing");
  context.imageSmoothingQuality = "high";
  context.fillStyle = "white"; // a page with see-through parts is a white one
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  return { canvas, context };
}

function encoded(bitmap: ImageBitmap, width: number, height: number, quality: number): Promise<Blob> {
  const { canvas } = drawn(bitmap, width, height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/jpeg", quality),
  );
}

function measured(bitmap: ImageBitmap): number {
  const { width, height } = fitted(bitmap.width, bitmap.height, MEASURED_SIDE);
  const { data } = drawn(bitmap, width, height).context.getImageData(0, 0, width, height);
  const grey = new Uint8Array(width * height);
  for (let n = 0; n < grey.length; n++)
    grey[n] = ((data[4 * n] ?? 0) * 299 + (data[4 * n + 1] ?? 0) * 587 + (data[4 * n + 2] ?? 0) * 114) / 1000;
  return sharpness(grey, width, height);
}
