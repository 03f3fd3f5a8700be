import { expect, it, vi } from "vitest";
import { pushingBrowser } from "../testing/push";
import { serve } from "../testing/server";
import { onNote } from "./note";
import { leavePush } from "./push";

const PUSH = "/api/push-subscriptions";

it("ends the notifications of this browser before somebody signs out", async () => {
  const { sent } = serve({ [`DELETE ${PUSH}`]: () => new Response(null, { status: 204 }) });
  const { state } = pushingBrowser("granted", "granted");
  state.registered = "/app/worker.js";
  state.subscribed = true;
  await leavePush();
  expect(state.subscribed).toBe(false);
  // SHA-256 of the address: the address itself is in no log.
  expect(sent(`DELETE ${PUSH}`).map(({ query }) => query.device)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

it("signs out also without notifications and without a connection", async () => {
  const { seen } = serve();
  await leavePush();
  const { state } = pushingBrowser("granted");
  await leavePush();
  expect(seen).toEqual([]);
  state.registered = "/app/worker.js";
  state.subscribed = true;
  await leavePush();
  expect(state.subscribed).toBe(false);
});

it("tells the open page of a note, and of nothing else", () => {
  const { tell } = pushingBrowser("granted");
  const told = vi.fn();
  const stop = onNote(told);
  tell({ type: "other" });
  tell(undefined);
  expect(told).not.toHaveBeenCalled();
  tell({ type: "note" });
  stop();
  tell({ type: "note" });
  expect(told).toHaveBeenCalledOnce();
});
