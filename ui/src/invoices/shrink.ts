/** The longest side of a picture that is sent: more shows no more of a page. */
const SIDE_MAX = 2400;
/** The largest picture that the server takes. */
export const BYTES_MAX = 1_000_000;
/** The largest PDF that the server takes. */
export const PDF_MAX = 10 * 1024 * 1024;

/** What was chosen, as far as it decides what is sent. */
export interface Chosen {
  type: string;
  size: number;
  width: number;
  height: number;
  /** Whether it says how it was held, where it was made and by what. */
  tagged: boolean;
}

/** Draws the picture in a size and writes it as a JPEG of a quality. */
type Encode = (width: number, height: number, quality: number) => Promise<Blob>;

/** Whether a picture can go as it is: small enough, and with nothing inside that turns it or tells where it was taken. */
export const goesAsItIs = ({ type, size, width, height, tagged }: Chosen): boolean =>
  /^image\/(jpeg|png|webp)$/.test(type) && !tagged && size <= BYTES_MAX && Math.max(width, height) <= SIDE_MAX;

/** The size in which a picture is sent. */
export function fitted(width: number, height: number, side = SIDE_MAX): { width: number; height: number } {
  const by = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * by)), height: Math.max(1, Math.round(height * by)) };
}

const QUALITIES = [0.8, 0.7, 0.6];
const SMALLER = 0.8;
const SIDE_LEAST = 800;

/** A picture as a JPEG that the server takes: as large as fits, then of less quality, then smaller. Undefined: no size was small enough. */
export async function shrunk({ width, height }: Chosen, encode: Encode): Promise<Blob | undefined> {
  for (let side = SIDE_MAX; side >= SIDE_LEAST; side *= SMALLER) {
    const size = fitted(width, height, side);
    for (const quality of QUALITIES) {
      const blob = await encode(size.width, size.height, quality);
      if (blob.size <= BYTES_MAX) return blob;
    }
  }
  return undefined;
}

const EXIF = [0x45, 0x78, 0x69, 0x66, 0x00, 0x00];

/** Whether the start of a file has a block that cameras add: how the camera was held, where and when. */
export function isTagged(start: Uint8Array): boolean {
  for (let at = 0; at <= start.length - EXIF.length; at++)
    if (EXIF.every((byte, n) => start[at + n] === byte)) return true;
  return false;
}
