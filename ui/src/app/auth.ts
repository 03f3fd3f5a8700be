import { answer, api } from "../api/client";
import { recall, remember } from "../browser/storage";

interface Grant {
  accessToken: string;
  expiresAt: string;
}

// Kept for this browser tab only, so that a reload does not sign a person out.
const KEY = "grant";

let grant: Grant | undefined;

function stored(): Grant | undefined {
  try {
    return (JSON.parse(recall("sessionStorage", KEY) ?? "null") as Grant | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The access token while it is valid. */
export function token(): string | undefined {
  grant ??= stored();
  return grant && Date.parse(grant.expiresAt) > Date.now() ? grant.accessToken : undefined;
}

/** Trades a sign-in code for a token; throws a Problem when the code is refused. */
export async function signIn(code: string): Promise<void> {
  grant = await answer(api.POST("/api/sign-in", { body: { code } }));
  remember("sessionStorage", KEY, JSON.stringify(grant));
}

/** Forgets the token. */
export function signOut(): void {
  grant = undefined;
  remember("sessionStorage", KEY, null);
}
