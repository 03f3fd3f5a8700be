import { vi } from "vitest";
import type { Body } from "../api/client";
import type { components } from "../api/schema";

type Problem = components["schemas"]["Problem"];
type Answer = () => Response | Promise<Response>;

/** What reached the server. */
export interface Seen {
  route: string;
  query: Record<string, string>;
  key: string | null;
  token: string | null;
  body: unknown;
}

export const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });

export const refusal = (status: number, problem: Partial<Problem> & Pick<Problem, "code">) =>
  new Response(JSON.stringify({ type: "about:blank", title: "", status, requestId: "7f3a-91c2", ...problem }), {
    status,
    headers: { "Content-Type": "application/problem+json" },
  });

/** The answer to whoever signed in too long ago for what they want. */
export const stale = () => {
  const answer = refusal(401, { code: "identity.fresh_login_needed" });
  answer.headers.set("WWW-Authenticate", 'Bearer error="insufficient_user_authentication"');
  return answer;
};

export const config: Body<"/api/config"> = {
  instance: "pl",
  currency: "PLN",
  timeZone: "Europe/Warsaw",
  defaultLanguage: "pl",
  languages: ["pl", "en", "de", "uk", "ru"],
  version: "test",
  authUrl: "/auth",
  realm: "saldo",
  clientId: "spa",
};

export const partner: Body<"/api/session"> = {
  user: { id: "anna", name: "Anna Mazurek", email: "anna@example.com" },
  role: "partner",
  permissions: [
    "session.read",
    "tags.read",
    "tags.write",
    "jobs.read",
    "jobs.write",
    "limits.read",
    "terms.read",
    "terms.write",
    "partner.read",
    "partner.write",
  ],
  partner: {
    id: "p1",
    code: "flota",
    name: "Drogowiec Flota",
    color: "#0B5D68",
    logo: "",
    demo: false,
    features: [],
    openQuestions: 0,
    openInvoices: 0,
  },
  driver: null,
};

/** A person of that partner who may import. */
export const importer: Body<"/api/session"> = {
  ...partner,
  permissions: [
    ...partner.permissions,
    "imports.read",
    "imports.write",
    "lookups.read",
    "drivers.read",
    "transactions.read",
  ],
};

/** A driver who has chosen the partner above. */
export const driver: Body<"/api/session"> = {
  ...partner,
  user: { id: "oleh", name: "Oleh Babiak", email: "oleh@example.com" },
  role: "driver",
  permissions: ["session.read", "lookups.read", "account.read", "account.write"],
  driver: {
    account: true,
    partnerChosen: true,
    linked: true,
    functions: [1, 2, 3, 4],
    unreadNotes: 0,
    notes: false,
    firstName: "Oleh",
    lastName: "Babiak",
  },
};

/** A driver who has chosen nobody. */
export const alone: Body<"/api/session"> = {
  ...driver,
  partner: null,
  driver: driver.driver && { ...driver.driver, partnerChosen: false, linked: false, functions: [] },
};

/** A driver who has signed in for the first time. */
export const newAccount: Body<"/api/session"> = {
  ...alone,
  driver: alone.driver && { ...alone.driver, account: false },
};

export const terms: Body<"/api/partners/terms"> = {
  version: "2026-11",
  title: "Regulamin",
  body: "Pierwszy akapit.\n\nDrugi akapit.",
  publishedAt: "2026-11-01T08:00:00Z",
  accepted: true,
  acceptedAt: "2026-11-02T08:00:00Z",
  acceptedBy: "Anna Mazurek",
};

/**
 * Stands where the process ends: it answers fetch as the server would. A test replaces single
 * routes and reads what was sent.
 */
export function serve(routes: Record<string, Answer> = {}) {
  const seen: Seen[] = [];
  const answers: Record<string, Answer> = {
    "GET /api/session": () => json(partner),
    "GET /api/licences": () =>
      json({ limit: 1200, usage: 360, remaining: 840, weeklyUse: 0, weeksLeft: null, note: null }),
    "GET /api/tags": () => json({ tags: [] }),
    "GET /api/jobs": () => json({ jobs: [] }),
    "GET /api/partners/terms": () => json(terms),
    ...routes,
  };
  vi.stubGlobal("fetch", async (request: Request) => {
    const route = `${request.method} ${new URL(request.url).pathname}`;
    const isJson = request.headers.get("Content-Type")?.includes("json");
    const text = await request.text();
    seen.push({
      route,
      query: Object.fromEntries(new URL(request.url).searchParams),
      key: request.headers.get("Idempotency-Key"),
      token: request.headers.get("Authorization"),
      body: text && isJson ? JSON.parse(text) : text || undefined,
    });
    const answer = answers[route];
    return answer ? answer() : refusal(404, { code: "request.not_found" });
  });
  vi.stubGlobal("XMLHttpRequest", Transfers);
  return { seen, answers, sent: (route: string) => seen.filter((call) => call.route === route) };
}

/** Large files go by this older call; the same server answers it. */
class Transfers {
  responseType = "";
  status = 0;
  response: Blob | undefined;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  readonly #headers = new Headers();
  readonly #stop = new AbortController();
  #request = { method: "GET", url: "" };
  #answer?: Response;

  open(method: string, path: string) {
    this.#request = { method, url: new URL(path, location.origin).href };
  }

  setRequestHeader(name: string, value: string) {
    this.#headers.set(name, value);
  }

  getResponseHeader(name: string) {
    return this.#answer?.headers.get(name) ?? null;
  }

  abort() {
    this.#stop.abort();
    this.onabort?.();
  }

  send(body: FormData | null) {
    void this.#send(body);
  }

  async #send(body: FormData | null) {
    const { method, url } = this.#request;
    const said = body && JSON.stringify(Object.fromEntries([...body].map(([name, value]) => [name, named(value)])));
    this.upload.onprogress?.({ loaded: 50, total: 100 });
    if (said) this.#headers.set("Content-Type", "application/json");
    try {
      this.#answer = await fetch(new Request(url, { method, headers: this.#headers, ...(said && { body: said }) }));
    } catch {
      this.onerror?.();
      return;
    }
    if (this.#stop.signal.aborted) return;
    this.status = this.#answer.status;
    this.response = await this.#answer.blob();
    this.onload?.();
  }
}

const named = (value: FormDataEntryValue) => (typeof value === "string" ? value : value.name);
