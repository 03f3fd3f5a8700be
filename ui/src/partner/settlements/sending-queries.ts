import { useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import type { components } from "../../api/schema";
import { useWrite } from "../../api/write";

const SENDINGS = "/api/summary-sendings";
const SENDING = "/api/summary-sendings/{id}";
const SENT = "/api/summaries";
const SETTLED = "/api/settlements";

export type SendRequest = components["schemas"]["SummarySendRequest"];
export type SentSummary = Body<typeof SENT>["items"][number];

/** Shows what sending would do; nothing is sent. */
export const usePrepare = () => useWrite(SENDINGS, (body: SendRequest) => answer(api.POST(SENDINGS, { body })));

export const useStart = () =>
  useWrite([SENDINGS, SENT, SETTLED], (id: string) =>
    answer(api.POST("/api/summary-sendings/{id}/start", { params: { path: { id } } })),
  );

export const useCancel = () =>
  useWrite([SENDINGS, SETTLED], (id: string) =>
    answer(api.POST("/api/summary-sendings/{id}/cancel", { params: { path: { id } } })),
  );

export const useRetry = () =>
  useWrite([SENT, SENDINGS, SETTLED], (id: string) =>
    answer(api.POST("/api/summaries/{id}/retry", { params: { path: { id } } })),
  );

/** Lets the link of a bill open nothing any more. */
export const useEndLink = () =>
  useWrite(SENT, (id: string) => answer(api.POST("/api/summaries/{id}/end-link", { params: { path: { id } } })));

/** A sending and where its mails stand, asked for while something can still change by itself. */
export function useSending(id: string) {
  return useQuery({
    queryKey: [SENDING, id],
    enabled: id !== "",
    queryFn: ({ signal }) => answer(api.GET(SENDING, { signal, params: { path: { id } } })),
    refetchInterval: ({ state: { data } }) =>
      data && (data.state === "waiting" || data.state === "running" || data.queued > 0) ? 1_000 : false,
  });
}

/** Bills that failed and wait for somebody. */
export function useFailed() {
  return useQuery({
    queryKey: [SENT, "failed"],
    queryFn: ({ signal }) => answer(api.GET(SENT, { signal })),
    select: ({ items }) => items,
    refetchInterval: 30_000,
  });
}

/** One bill that was sent. */
export function useSentSummary(id: string) {
  return useQuery({
    queryKey: ["/api/summaries/{id}", id],
    queryFn: ({ signal }) => answer(api.GET("/api/summaries/{id}", { signal, params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.state === "queued" ? 3_000 : false),
  });
}

/** All bills of a settlement, newest first. */
export function useSentOf(settlement: string | undefined) {
  return useQuery({
    queryKey: [SENT, settlement],
    enabled: settlement !== undefined,
    queryFn: ({ signal }) => answer(api.GET(SENT, { signal, params: { query: { settlement: settlement ?? "" } } })),
    select: ({ items }) => items,
  });
}
