import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import type { components, paths } from "../../api/schema";
import { useWrite } from "../../api/write";

const LIST = "/api/threads";
const ONE = "/api/threads/{id}";

export type Opened = Body<typeof ONE>;
type Reply = components["schemas"]["QuestionReply"];

export const STATES = ["open", "answered", "closed"] as const;
type State = (typeof STATES)[number];

/** How often questions are looked for while somebody looks at them. */
const MEANWHILE_MS = 30_000;

/** A page of what drivers asked. */
export const useQuestions = (state: State | undefined, q: string, page: number) =>
  useQuery({
    queryKey: [LIST, state, q, page],
    queryFn: ({ signal }) =>
      answer(api.GET(LIST, { signal, params: { query: { page, ...(state && { state }), ...(q && { q }) } } })),
    placeholderData: keepPreviousData,
    refetchInterval: MEANWHILE_MS,
  });

/** One question with everything that was written. */
export const useQuestion = (id: string) =>
  useQuery({
    queryKey: [ONE, id],
    queryFn: ({ signal }) => answer(api.GET(ONE, { signal, params: { path: { id } } })),
    refetchInterval: MEANWHILE_MS,
  });

// The bell counts open questions; a correction is a transaction of a driver's next settlement.
const CHANGED: (keyof paths)[] = [LIST, "/api/session", "/api/transactions", "/api/settlements/pending"];

/** Answers or closes a question. */
export const useReply = (id: string) =>
  useWrite(CHANGED, (body: Reply) => answer(api.POST("/api/threads/{id}/entries", { params: { path: { id } }, body })));
