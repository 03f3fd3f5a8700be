import { useWaiting } from "./waiting";

/** Sends what waits on this device, whichever screen is open. */
export function Queued() {
  useWaiting();
  return null;
}
