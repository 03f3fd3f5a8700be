import createClient, { type Middleware } from "openapi-fetch";
import { Problem, problemOf } from "./problem";
import type { paths } from "./schema";

const TIMEOUT_MS = 30_000;
const PAUSES_MS = [300, 900];
const BUSY = new Set([502, 503, 504]);

let accessToken: () => Promise<string | undefined> = () => Promise.resolve(undefined);
let onExpired: () => void = () => undefined;

/** Tells the client whose calls these are, and whom to tell when the server no longer knows them. */
export function authenticate(token: () => Promise<string | undefined>, expired: () => void) {
  accessToken = token;
  onExpired = expired;
}

/** The token that a call outside the typed client carries. */
export const currentToken = () => accessToken();

/** To be told when such a call is answered that nobody knows the person any more. */
export const sessionEnded = () => onExpired();

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function attempt(request: Request): Promise<Response | Problem> {
  try {
    return await fetch(request.clone(), { signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]) });
  } catch (reason) {
    if (request.signal.aborted) throw reason;
    const late = reason instanceof DOMException && reason.name === "TimeoutError";
    return new Problem(late ? "network.timeout" : "network.unreachable");
  }
}

// Writes whose outcome never arrived, by what they asked for. Asking for the same again repeats
// them under their old key, so a second press of a button cannot do the thing twice.
const undecided = new Map<string, string>();

async function send(request: Request): Promise<Response> {
  if (request.method === "GET") return repeat(request);
  const asked = [request.method, request.url, await request.clone().text()].join("\n");
  const key = undecided.get(asked) ?? crypto.randomUUID();
  undecided.set(asked, key);
  request.headers.set("Idempotency-Key", key);
  const response = await repeat(request);
  if (response.status < 500) undecided.delete(asked);
  return response;
}

// Repeating a write is safe: every attempt of one action carries the same Idempotency-Key.
async function repeat(request: Request): Promise<Response> {
  for (const ms of PAUSES_MS) {
    const outcome = await attempt(request);
    if (outcome instanceof Response && !BUSY.has(outcome.status)) return outcome;
    if (outcome instanceof Problem && outcome.code === "network.timeout") throw outcome;
    await pause(ms);
  }
  const outcome = await attempt(request);
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

const headers: Middleware = {
  async onRequest({ request }) {
    const token = await accessToken();
    if (token) request.headers.set("Authorization", `Bearer ${token}`);
    return request;
  },
  onResponse({ response }) {
    // A sign-in that is only too old for one action has not ended.
    const stale = response.headers.get("WWW-Authenticate")?.includes("insufficient_user_authentication");
    if (response.status === 401 && !stale) onExpired();
  },
};

/** The typed client: a wrong path, method, field or type does not compile. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: send });
api.use(headers);

/** The data of an answer; throws a Problem when there is none. */
export async function answer<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw problemOf(response, error);
  return data as T;
}

type Json<T> = T extends { content: { "application/json": infer Content } } ? Content : never;

/** What GET of a path answers. */
export type Body<Path extends keyof paths> = paths[Path] extends { get: { responses: { 200: infer Answer } } }
  ? Json<Answer>
  : never;
