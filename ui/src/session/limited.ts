import { Problem } from "../api/problem";

/** Waits that long and no longer. */
export function limited<Value>(work: Promise<Value>, ms: number): Promise<Value> {
  return new Promise((done, failed) => {
    const timer = setTimeout(() => failed(new Problem("network.timeout")), ms);
    void work.then(done, failed).finally(() => clearTimeout(timer));
  });
}
