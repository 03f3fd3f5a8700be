import { type Answered, answeredWith } from "../explain/draft-card";
import type { components } from "../api/schema";
import type { Language } from "../i18n/languages";

export type Summary = components["schemas"]["DriverSummary"];

/** What came of asking for a summary. */
export type Loaded = { is: "shown"; summary: Summary } | { is: "invalid" } | { is: "waiting" } | { is: "failed" };

const addressOf = (token: string) => `/api/driver-summaries/${encodeURIComponent(token)}`;

/** Where the statement is, in the language that the page is read in. The browser saves it by itself. */
export const statementOf = (token: string, language: Language) => `${addressOf(token)}/statement?lang=${language}`;

/** Asks for the summary of a link. One that opens nothing is invalid, whatever the reason. */
export async function load(token: string): Promise<Loaded> {
  try {
    const response = await fetch(addressOf(token), { credentials: "omit" });
    if (response.status === 404) return { is: "invalid" };
    if (response.status === 429) return { is: "waiting" };
    if (!response.ok) return { is: "failed" };
    return { is: "shown", summary: (await response.json()) as Summary };
  } catch {
    return { is: "failed" };
  }
}

/** Sends the driver's word about the invoice; false: it did not arrive, or came too late. */
export async function answerDraft(token: string, draftId: string, approve: boolean, reason: string): Promise<Answered> {
  try {
    const body = JSON.stringify({ draftId, approve, ...(!approve && { reason }) });
    const headers = { "Content-Type": "application/json" };
    const sent = await fetch(`${addressOf(token)}/draft`, { method: "POST", credentials: "omit", headers, body });
    return answeredWith(sent.status);
  } catch {
    return "failed";
  }
}

/** Says that a person has the summary before them. Whoever only fetches links to check them never comes so far. */
export function sayOpened(token: string) {
  void fetch(`${addressOf(token)}/opened`, { method: "POST", credentials: "omit" }).catch(() => undefined);
}
