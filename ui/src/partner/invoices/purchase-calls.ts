import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import { type FileAnswer, fileOf } from "../../api/file";
import { useWrite } from "../../api/write";
import { save } from "../../browser/save";

const PURCHASES = "/api/purchases";

export type PurchasePage = Body<typeof PURCHASES>;
export type Purchase = PurchasePage["items"][number];

/** How many a page has. */
export const PAGE = 50;

interface Asked {
  show: string;
  q: string;
  page: number;
}

/** A page of invoices from KSeF. They are fetched by the server: whoever comes back sees what is new. */
export const usePurchases = (asked: Asked) =>
  useQuery({
    queryKey: [PURCHASES, asked],
    queryFn: ({ signal }) => answer(api.GET(PURCHASES, { signal, params: { query: asked } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export interface Decision {
  id: string;
  invoice?: string;
  known?: boolean;
}

/** Says which invoice of a driver one backs, that it backs none, or that it is right. */
export const useDecide = () =>
  useWrite([PURCHASES, "/api/overview"], ({ id, ...query }: Decision) =>
    answer(api.POST("/api/purchases/{id}", { params: { path: { id }, query } })),
  );

/** Fetches the XML of one. */
export const useFile = () =>
  useMutation({
    mutationFn: async (id: string) => {
      const call = api.GET("/api/purchases/{id}", { params: { path: { id } }, parseAs: "blob" }) as FileAnswer;
      const { content, name } = await fileOf(call, `${id}.xml`);
      save(content, name);
    },
  });
