import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import { fileOf } from "../../api/file";
import type { paths } from "../../api/schema";
import { useWrite } from "../../api/write";
import type { ExportFormat } from "../../components/export-menu";
import type { Language } from "../../i18n/languages";

const LICENCE = "/api/licences";
const PACKAGES = "/api/licences/packages";
const QUOTE = "/api/licences/orders/quote";
const ORDERS = "/api/licences/orders";
const ORDER = "/api/licences/orders/{id}";

export type Offer = Body<typeof PACKAGES>;
export type Package = Offer["packages"][number];
export type Buyer = Offer["buyer"];

export type Order = Body<typeof ORDER>;
export type OrderState = Order["state"];
export type Bought = Body<typeof ORDERS>["items"][number];
export type Totals = Pick<Body<typeof ORDERS>, "total" | "units" | "net" | "vat" | "gross" | "refunded">;
export type Invoice = Order["documents"][number];
export type Filter = Pick<NonNullable<paths[typeof ORDERS]["get"]["parameters"]["query"]>, "from" | "to" | "state">;

/** How many settlements are left and how long they last. */
export const useLicence = () =>
  useQuery({ queryKey: [LICENCE], queryFn: ({ signal }) => answer(api.GET(LICENCE, { signal })), staleTime: 0 });

/** What can be bought, and who bought last. */
export const usePackages = () =>
  useQuery({ queryKey: [PACKAGES], queryFn: ({ signal }) => answer(api.GET(PACKAGES, { signal })), staleTime: 0 });

/** What so many pieces cost a buyer of a country. The price before stays on screen until this one is here. */
export const useQuote = (code: string, quantity: number | undefined, country: string) =>
  useQuery({
    queryKey: [QUOTE, code, quantity, country],
    enabled: code !== "" && quantity !== undefined,
    queryFn: ({ signal }) =>
      answer(api.POST(QUOTE, { signal, body: { package: code, quantity: quantity ?? 1, country } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

interface Wanted {
  package: string;
  quantity: number;
  buyer: Buyer;
  expectsGross: number;
  language: Language;
}

/** Orders. It is paid by the next call. */
export const useOrder = () => useWrite([PACKAGES, QUOTE], (body: Wanted) => answer(api.POST(ORDERS, { body })));

/** What paying touches: the order, the lists of orders, and what is left. */
const TOUCHED: (keyof paths)[] = [LICENCE, "/api/overview"];

interface Way {
  id: string;
  /** Empty: the usual one. */
  provider: string;
}

const way = ({ id, provider }: Way) => ({ params: { path: { id } }, body: provider ? { provider } : {} });

export const usePay = () =>
  useWrite(TOUCHED, (order: Way) => answer(api.POST("/api/licences/orders/{id}/pay", way(order))));

export const useRetry = () =>
  useWrite(TOUCHED, (order: Way) => answer(api.POST("/api/licences/orders/{id}/retry", way(order))));

export const useCancel = () =>
  useWrite(TOUCHED, (id: string) => answer(api.POST("/api/licences/orders/{id}/cancel", way({ id, provider: "" }))));

const SOON_MS = 2_000;
const LATER_MS = 10_000;
const SLOWER_MS = 500;

/** How long until an order is looked at again: soon at first, then less and less often. Undefined: nothing will change by itself. */
export function nextLook(order: Order | undefined, looks: number): number | undefined {
  if (!order || order.state === "draft" || order.state === "refunded") return undefined;
  if (order.state === "success" && (order.documents.length > 0 || order.gross === 0)) return undefined;
  // Money may still come for what has failed.
  if (order.state !== "started" && order.state !== "success") return LATER_MS;
  return Math.min(LATER_MS, SOON_MS + looks * SLOWER_MS);
}

/** One order, looked at again while its payment is on its way. */
export const useOrderOf = (id: string) =>
  useQuery({
    queryKey: [ORDER, id],
    queryFn: ({ signal }) => answer(api.GET(ORDER, { signal, params: { path: { id } } })),
    refetchInterval: ({ state }) => nextLook(state.data, state.dataUpdateCount) ?? false,
    staleTime: 0,
  });

/** How many stand on a page. */
const SIZE = 50;

/** A page of orders, the newest first, with the sums of the filter. */
export function useHistory(filter: Filter, page: number) {
  const { data, ...rest } = useQuery({
    queryKey: [ORDERS, filter, page],
    queryFn: ({ signal }) => answer(api.GET(ORDERS, { signal, params: { query: { ...filter, page, size: SIZE } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return { ...rest, data, last: (data?.total ?? 0) <= page * SIZE };
}

/** All orders of a filter as a file. */
export const exported = (filter: Filter, format: ExportFormat, lang: Language) =>
  fileOf(
    api.GET("/api/licences/orders/export", {
      params: { query: { ...filter, format, lang } },
      parseAs: "blob",
    }),
    `saldo.${format}`,
  );

/** An invoice as a file. */
export function invoiceFile({ id, number }: Invoice, kind: "pdf" | "xml") {
  const asked = { params: { path: { id } }, parseAs: "blob" } as const;
  const call =
    kind === "pdf"
      ? api.GET("/api/licences/documents/{id}/pdf", asked)
      : api.GET("/api/licences/documents/{id}/xml", asked);
  return fileOf(call, `${number.replaceAll("/", "-")}.${kind}`);
}
