import { bytesOf } from "./outbox";
import type { Row } from "./database";

const MB = 1024 * 1024;
/** With less left, photos may soon not fit. */
const LEAST_LEFT = 50 * MB;
/** With more waiting, browsers may soon take no more, and a slow line needs long. */
const MOST_WAITING = 40 * MB;

/** What is short on this device, with whole megabytes; undefined: nothing. */
export type Short = { of: "space"; left: number } | { of: "line"; waiting: number };

/** Whether there is room for what is written down next. */
export async function room(waiting: readonly Pick<Row, "photos" | "sizes">[]): Promise<Short | undefined> {
  const said = "storage" in navigator ? await navigator.storage.estimate().catch(() => undefined) : undefined;
  const { quota, usage } = said ?? {};
  const left = quota === undefined ? undefined : Math.max(0, quota - (usage ?? 0));
  if (left !== undefined && left < LEAST_LEFT) return { of: "space", left: Math.floor(left / MB) };
  const bytes = bytesOf(waiting);
  return bytes > MOST_WAITING ? { of: "line", waiting: Math.ceil(bytes / MB) } : undefined;
}
