import { useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import type { paths } from "../../api/schema";
import { useWrite } from "../../api/write";
import type { Language } from "../../i18n/languages";

const BOARD = "/api/direct-messages/board";

export type Note = Body<typeof BOARD>["notes"][number];

/** What stands on the driver's board; older notes than an instant, where one is given. */
export const useBoard = (lang: Language, before = "") =>
  useQuery({
    queryKey: [BOARD, lang, before],
    queryFn: ({ signal }) => answer(api.GET(BOARD, { signal, params: { query: { lang, ...(before && { before }) } } })),
  });

// The bell counts what is unread.
const SEEN: (keyof paths)[] = [BOARD, "/api/session"];

export const useRead = () =>
  useWrite(SEEN, (id: string) => answer(api.PUT("/api/direct-messages/{id}", { params: { path: { id } } })));

export const useReadAll = () => useWrite(SEEN, () => answer(api.PUT("/api/direct-messages/board/read")));

export const useConfirm = () =>
  useWrite(SEEN, (id: string) => answer(api.POST("/api/direct-messages/{id}/confirm", { params: { path: { id } } })));

export const useRemove = () =>
  useWrite(SEEN, (id: string) => answer(api.PUT("/api/direct-messages/delete/{id}", { params: { path: { id } } })));

export const useRestore = () =>
  useWrite(SEEN, (id: string) => answer(api.PUT("/api/direct-messages/restore/{id}", { params: { path: { id } } })));

export const usePin = () =>
  useWrite(SEEN, ({ id, pinned }: { id: string; pinned: boolean }) =>
    answer(api.PUT("/api/direct-messages/pinned/{id}", { params: { path: { id }, query: { pinned } } })),
  );
