import { currentToken, sessionEnded } from "./client";
import { Problem, problemOf } from "./problem";

interface Transfer {
  method: "GET" | "POST" | "PUT";
  path: string;
  body?: FormData;
  /** Makes a repeat of an upload harmless. */
  key?: string;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/**
 * Sends or fetches a large file: it may take as long as the line needs, and tells how far it is. Calls of the typed
 * client give up after half a minute and know no progress.
 */
export async function transfer({ method, path, body, key, onProgress, signal }: Transfer): Promise<Response> {
  const token = await currentToken();
  const response = await new Promise<Response>((arrived, failed) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.responseType = "blob";
    if (token) request.setRequestHeader("Authorization", `Bearer ${token}`);
    if (key) request.setRequestHeader("Idempotency-Key", key);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total);
    request.onload = () => arrived(answered(request));
    request.onerror = () => failed(new Problem("network.unreachable"));
    request.onabort = () => failed(new DOMException("", "AbortError"));
    signal?.addEventListener("abort", () => request.abort());
    request.send(body ?? null);
  });
  // A sign-in that is only too old for one action has not ended.
  const stale = response.headers.get("WWW-Authenticate")?.includes("insufficient_user_authentication");
  if (response.status === 401 && !stale) sessionEnded();
  if (!response.ok) throw problemOf(response, await response.json().catch(() => undefined));
  return response;
}

function answered(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ["Content-Type", "Content-Disposition", "X-Request-Id", "WWW-Authenticate"]) {
    const value = request.getResponseHeader(name);
    if (value) headers.set(name, value);
  }
  return new Response(request.response as Blob, { status: request.status, headers });
}
