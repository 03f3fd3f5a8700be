import type { components } from "./schema";

type Body = components["schemas"]["Problem"];

/** What can go wrong without any answer of the server. */
type LocalFault = "network.unreachable" | "network.timeout";

/** Every fault a person can meet. Each has a text in all five languages, or the build fails. */
export type FaultCode = Body["code"] | LocalFault;

type FieldProblem = NonNullable<Body["fields"]>[number];

/** Why a field was refused. */
export type FieldCode = FieldProblem["code"];

/** A refused or failed call. Nothing else is ever thrown by a call of the API. */
export class Problem extends Error {
  readonly status: number;
  readonly code: FaultCode;
  readonly requestId: string;
  readonly params: Record<string, string>;
  readonly fields: readonly FieldProblem[];

  constructor(code: FaultCode, known: Partial<Omit<Body, "code">> = {}) {
    super(code);
    this.name = "Problem";
    this.status = known.status ?? 0;
    this.code = code;
    this.requestId = known.requestId ?? "";
    this.params = known.params ?? {};
    this.fields = known.fields ?? [];
  }
}

/** The problem that an answer states; an answer that states none (a proxy's page) is an internal one. */
export function problemOf(response: Response, body: unknown): Problem {
  const requestId = response.headers.get("X-Request-Id") ?? "";
  if (typeof body === "object" && body !== null && "code" in body && typeof body.code === "string") {
    const stated = body as Body;
    return new Problem(stated.code, { ...stated, status: response.status, requestId: stated.requestId || requestId });
  }
  return new Problem("internal", { status: response.status, requestId });
}

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: Problem;
  }
}
