import { useQuery } from "@tanstack/react-query";
import { answer, api } from "../../api/client";
import type { components, paths } from "../../api/schema";
import { useWrite } from "../../api/write";

const OWN = "/api/driver-accounts/questions";
const ONE = "/api/driver-accounts/questions/{id}";

/** What the driver asked about a settlement. */
export const useQuestionsAbout = (settlement: string) =>
  useQuery({
    queryKey: [OWN, settlement],
    queryFn: ({ signal }) => answer(api.GET(OWN, { signal, params: { query: { settlement } } })),
    select: ({ items }) => items,
  });

/** How often an answer is looked for while the driver waits with the question open. */
const WAITING_MS = 30_000;

/** One of the driver's questions with everything that was written. */
export const useQuestion = (id: string) =>
  useQuery({
    queryKey: [ONE, id],
    queryFn: ({ signal }) => answer(api.GET(ONE, { signal, params: { path: { id } } })),
    refetchInterval: WAITING_MS,
  });

const QUESTIONS: (keyof paths)[] = [OWN];

/** Asks about a settlement, a line of it or a row. */
export const useAsk = (settlement: string) =>
  useWrite(QUESTIONS, (body: components["schemas"]["DriverQuestion"]) =>
    answer(api.POST("/api/driver-accounts/settlements/{id}/questions", { params: { path: { id: settlement } }, body })),
  );

export const useAskMore = (id: string) =>
  useWrite(QUESTIONS, (text: string) =>
    answer(api.POST("/api/driver-accounts/questions/{id}/entries", { params: { path: { id } }, body: { text } })),
  );

export const useClose = (id: string) =>
  useWrite(QUESTIONS, () =>
    answer(api.POST("/api/driver-accounts/questions/{id}/close", { params: { path: { id } } })),
  );
