import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { json, refusal, serve } from "../testing/server";
import { answer, api, authenticate } from "./client";
import { Problem, problemOf } from "./problem";

const add = () => answer(api.POST("/api/tags", { body: { name: "A" } }));
const caught = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (reason: unknown) => reason as Problem,
  );

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 });
});
afterEach(() => {
  vi.useRealTimers();
  authenticate(
    () => Promise.resolve(undefined),
    () => undefined,
  );
});

describe("a write", () => {
  it("keeps one key over its own repetitions and takes a new one for the next action", async () => {
    let failures = 2;
    const server = serve({
      "POST /api/tags": () =>
        failures-- > 0 ? refusal(503, { code: "overload.busy" }) : json({ id: "1", name: "A", createdAt: "" }, 201),
    });
    await add();
    await add();
    const keys = server.sent("POST /api/tags").map(({ key }) => key);
    expect(keys).toHaveLength(4);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
    expect(server.sent("POST /api/tags").every(({ body }) => JSON.stringify(body) === '{"name":"A"}')).toBe(true);
  });

  it("keeps its key while nobody knows whether it was done, until what is asked for changes", async () => {
    const keys: (string | null)[] = [];
    let reachable = false;
    vi.stubGlobal("fetch", (request: Request) => {
      keys.push(request.headers.get("Idempotency-Key"));
      return reachable
        ? Promise.resolve(json({ id: "1", name: "A", createdAt: "" }, 201))
        : Promise.reject(new TypeError("Failed to fetch"));
    });
    await caught(add());
    await caught(answer(api.POST("/api/tags", { body: { name: "B" } })));
    reachable = true;
    await add();
    await add();
    expect(new Set([...keys.slice(0, 3), keys[6]]).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
    expect(keys[7]).not.toBe(keys[6]);
  });

  it("is not repeated when the server has judged it", async () => {
    const server = serve({ "POST /api/tags": () => refusal(409, { code: "tags.name_taken" }) });
    expect(await caught(add())).toMatchObject({ code: "tags.name_taken", status: 409, requestId: "7f3a-91c2" });
    expect(server.sent("POST /api/tags")).toHaveLength(1);
  });

  it("becomes a problem of its own when the server cannot be reached", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    const problem = await caught(add());
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({ code: "network.unreachable", status: 0, requestId: "", fields: [] });
  });
});

describe("a read", () => {
  it("carries the token and no key", async () => {
    authenticate(
      () => Promise.resolve("secret"),
      () => undefined,
    );
    const server = serve();
    await answer(api.GET("/api/tags"));
    expect(server.seen[0]).toMatchObject({ token: "Bearer secret", key: null });
  });

  it("reports the end of a session, but not that a fresh sign-in is asked for", async () => {
    const expired = vi.fn();
    authenticate(() => Promise.resolve("old"), expired);
    const asksForMore = refusal(401, { code: "access.unauthenticated" });
    asksForMore.headers.set("WWW-Authenticate", 'Bearer error="insufficient_user_authentication"');
    serve({
      "GET /api/tags": () => refusal(401, { code: "access.unauthenticated" }),
      "GET /api/jobs": () => asksForMore,
    });
    await caught(answer(api.GET("/api/jobs")));
    expect(expired).not.toHaveBeenCalled();
    await caught(answer(api.GET("/api/tags")));
    expect(expired).toHaveBeenCalledOnce();
  });
});

describe("a problem", () => {
  const stated = { type: "about:blank", title: "", status: 422, requestId: "r1", code: "request.invalid" };

  it("is read as the server states it", () => {
    const fields = [{ name: "name", code: "too_long", params: { max: "50" } }];
    const problem = problemOf(new Response("", { status: 422 }), { ...stated, params: { a: "b" }, fields });
    expect(problem).toMatchObject({
      status: 422,
      code: "request.invalid",
      requestId: "r1",
      params: { a: "b" },
      fields,
    });
  });

  it("has empty params and fields where none are stated", () => {
    expect(problemOf(new Response("", { status: 422 }), stated)).toMatchObject({ params: {}, fields: [] });
  });

  it("is internal where a proxy answered, with the number from the header", () => {
    const response = new Response("<html>", { status: 502, headers: { "X-Request-Id": "r2" } });
    expect(problemOf(response, "<html>")).toMatchObject({ status: 502, code: "internal", requestId: "r2" });
  });
});
