import { answer, api, type Body } from "../api/client";
import { keepStart, keptStart } from "../device/kept";
import * as auth from "./auth";
import type { Config } from "./config";
import type { KeptSession } from "./session";

/** What a start without a line needs. */
interface Start extends KeptSession {
  config: Config;
}

/** Keeps who is here for a start without a line. */
export async function keepForStart(session: Body<"/api/session">, config: Config): Promise<void> {
  const subject = auth.subject();
  if (subject) await keepStart(session.user.id, { session, subject, config } satisfies Start);
}

/** Who was here last. */
export const lastStart = () => keptStart<Start>();

/** Whether the line is back, and with it whoever was here; nobody: they must sign in. */
export async function comeBack(subject: string): Promise<"here" | "nobody" | "offline"> {
  if (!navigator.onLine) return "offline";
  const config = await answer(api.GET("/api/config"));
  const { failed } = await auth.arrive(config);
  if (failed || !auth.signedIn()) return "nobody";
  if (auth.subject() === subject) return "here";
  location.reload(); // somebody else is signed in
  return "offline";
}
