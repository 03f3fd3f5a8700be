import { useMutation, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import { type FileAnswer, fileOf } from "../../api/file";
import { useWrite } from "../../api/write";
import { save } from "../../browser/save";

const PACKS = "/api/accountant-packs";

export type Pack = Body<typeof PACKS>["packs"][number];

/** How often it is asked again while a pack is made. */
const AGAIN = 1500;

/** All packs, the newest months first. */
export const usePacks = () =>
  useQuery({
    queryKey: [PACKS],
    queryFn: ({ signal }) => answer(api.GET(PACKS, { signal })),
    select: ({ packs }) => packs,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.packs.some((one) => one.state === "making") ? AGAIN : false),
  });

/** Makes the pack of a month, or gives the one that stands. */
export const useMakePack = () =>
  useWrite(PACKS, (id: string) => answer(api.POST("/api/accountant-packs/{id}", { params: { path: { id } } })));

/** Fetches the file of a pack. */
export const useFetchPack = () =>
  useMutation({
    mutationFn: async (id: string) => {
      const call = api.GET("/api/accountant-packs/{id}", { params: { path: { id } }, parseAs: "blob" }) as FileAnswer;
      const { content, name } = await fileOf(call, "saldo.zip");
      save(content, name);
    },
  });
