import type { components } from "../../api/schema";

export type Verified = components["schemas"]["VerifiedDocument"];

/** What came of asking for a document. */
export type Loaded = { is: "shown"; document: Verified } | { is: "unknown" | "wait" | "failed" };

/** Asks what may be known of a document. A code that is none looks like one that nothing has. */
export async function load(code: string): Promise<Loaded> {
  try {
    const response = await fetch(`/api/verify/${encodeURIComponent(code)}`, { credentials: "omit" });
    if (response.ok) return { is: "shown", document: (await response.json()) as Verified };
    if (response.status === 429) return { is: "wait" };
    return { is: response.status < 500 ? "unknown" : "failed" };
  } catch {
    return { is: "failed" };
  }
}

/** What a file is beside those that were given out as a document. */
export type Finding = "equal" | "unsealed" | "older" | "foreign";

/** SHA-256 of a file, as hexadecimal digits. It is computed here: nothing of the file leaves the device. */
export async function sumOf(file: Blob): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Compares a sum with those of the files that were given out; the last of them is the newest. */
export function compare(sum: string, files: Verified["files"]): Finding {
  const at = files.findIndex((one) => sum !== "" && [one.sum, one.sealedSum].includes(sum));
  const found = files[at];
  if (!found) return "foreign";
  if (at < files.length - 1) return "older";
  return found.sealedSum !== "" && found.sealedSum !== sum ? "unsealed" : "equal";
}
