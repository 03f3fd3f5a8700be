import { save } from "../browser/save";
import { photoOf, type Waiting } from "../device/outbox";
import type { Entry } from "./sender";

const ENDINGS: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "application/pdf": "pdf",
};

/** Hands over what the server does not take: what it says as a text, and each photo or file of it. */
export async function saveCopy(
  { id, owner, photos }: Waiting<Entry>,
  name: string,
  lines: readonly string[],
): Promise<void> {
  const part = `${name}-${id.slice(0, 8)}`;
  if (lines.length > 0) save(new Blob([`${lines.join("\n")}\n`], { type: "text/plain;charset=utf-8" }), `${part}.txt`);
  for (const side of photos) {
    const photo = await photoOf(owner, id, side);
    if (photo) save(photo, `${part}-${side}.${ENDINGS[photo.type] ?? "bin"}`);
  }
}
