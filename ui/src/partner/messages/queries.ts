import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import type { components } from "../../api/schema";
import { useWrite } from "../../api/write";
import type { Language } from "../../i18n/languages";

const MESSAGES = "/api/direct-messages";
const PREVIEW = "/api/direct-messages/preview";
const ONE = "/api/direct-messages/{id}";
const RECIPIENTS = "/api/direct-messages/{id}/recipients";

export type MessageRow = Body<typeof MESSAGES>["items"][number];
export type Draft = components["schemas"]["MessageDraft"];
export type Text = components["schemas"]["MessageText"];
export type Preview = components["schemas"]["MessagePreview"];
export type Recipient = Body<typeof RECIPIENTS>["items"][number];

/** Whether its SMS need more parts than the month has left. */
export const overCap = ({ sms }: Preview) => sms !== undefined && sms !== null && sms.parts > sms.left;

/** Whether the partner has SMS on. */
export const useSMS = () =>
  useQuery({
    queryKey: ["/api/sms-settings"],
    queryFn: ({ signal }) => answer(api.GET("/api/sms-settings", { signal })),
  });

/** How many stand on a page. */
export const SIZE = 20;

/** How often something that is under way is asked for. */
const BUSY_MS = 2_000;

const underWay = ({ state }: MessageRow) => state === "commissioned";

/** A page of messages that the partner wrote. */
export const useMessages = (q: string, page: number) =>
  useQuery({
    queryKey: [MESSAGES, q, page],
    queryFn: ({ signal }) =>
      answer(api.GET(MESSAGES, { signal, params: { query: { page, size: SIZE, ...(q && { q }) } } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(underWay) ? BUSY_MS : false),
  });

/** One message with what became of it. */
export const useMessage = (id: string) =>
  useQuery({
    queryKey: [ONE, id],
    queryFn: ({ signal }) => answer(api.GET(ONE, { signal, params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.message && underWay(state.data.message) ? BUSY_MS : false),
  });

/** A page of the drivers of a message; asked for again whenever its counts change. */
export const useRecipients = (id: string, page: number, counted: string) =>
  useQuery({
    queryKey: [RECIPIENTS, id, page, counted],
    queryFn: ({ signal }) => answer(api.GET(RECIPIENTS, { signal, params: { path: { id }, query: { page } } })),
    placeholderData: keepPreviousData,
  });

/** Who would get a draft; nothing is sent. */
export const usePreview = (draft: Draft, ready: boolean) =>
  useQuery({
    queryKey: [PREVIEW, draft],
    queryFn: ({ signal }) => answer(api.POST(PREVIEW, { signal, body: draft })),
    enabled: ready,
    placeholderData: keepPreviousData,
    retry: false,
  });

export const useSend = () => useWrite(MESSAGES, (body: Draft) => answer(api.POST(MESSAGES, { body })));

export const useCancel = () =>
  useWrite(MESSAGES, (id: string) =>
    answer(api.POST("/api/direct-messages/{id}/cancel", { params: { path: { id } } })),
  );

export const useRetry = () =>
  useWrite(MESSAGES, (id: string) => answer(api.POST("/api/direct-messages/{id}/retry", { params: { path: { id } } })));

export const useWithdraw = () =>
  useWrite(MESSAGES, (id: string) => answer(api.PUT("/api/direct-messages/delete/{id}", { params: { path: { id } } })));

export const usePin = () =>
  useWrite(MESSAGES, ({ id, pinned }: { id: string; pinned: boolean }) =>
    answer(api.PUT("/api/direct-messages/pinned/{id}", { params: { path: { id }, query: { pinned } } })),
  );

const TEMPLATES = "/api/message-templates";

export type Template = Body<typeof TEMPLATES>["items"][number];

/** The texts of the program's notes in a language. */
export const useTemplates = (lang: Language) =>
  useQuery({
    queryKey: [TEMPLATES, lang],
    queryFn: ({ signal }) => answer(api.GET(TEMPLATES, { signal, params: { query: { lang } } })),
    placeholderData: keepPreviousData,
  });

export const useSaveTemplate = () =>
  useWrite(TEMPLATES, (body: components["schemas"]["MessageTemplateText"]) => answer(api.PUT(TEMPLATES, { body })));

export const useResetTemplate = () =>
  useWrite(TEMPLATES, ({ kind, language: lang, version }: Template) =>
    answer(api.DELETE(TEMPLATES, { params: { query: { kind, lang, version } } })),
  );

export const useInvite = () =>
  useWrite(MESSAGES, (body: components["schemas"]["DriverInvitation"]) =>
    answer(api.POST("/api/direct-messages/reference-link", { body })),
  );
