import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import type { components, paths } from "../../api/schema";
import { useWrite } from "../../api/write";

export type Row = Body<"/api/driver-profiles">["profiles"][number];
export type Counts = Body<"/api/driver-profiles">["counts"];
export type Profile = Body<"/api/driver-profiles/{id}">;
export type Driver = Body<"/api/drivers/{id}">;
export type Proposal = components["schemas"]["ProposedDriver"];
export type Outcome = components["schemas"]["PersonOutcome"];
export type Filter = NonNullable<paths["/api/driver-profiles"]["get"]["parameters"]["query"]>;
type LinkBody = components["schemas"]["ProfileLink"];

const PATH = "/api/driver-profiles";

/** One page of a tab; the page before stays on screen until it is here. */
export function useProfiles(query: Filter) {
  return useQuery({
    queryKey: [PATH, query],
    queryFn: ({ signal }) => answer(api.GET(PATH, { signal, params: { query } })),
    placeholderData: keepPreviousData,
  });
}

/** One profile beside the drivers it may be. Over it a link is decided, so it is always read anew. */
export function useProfile(id: string) {
  return useQuery({
    queryKey: ["/api/driver-profiles/{id}", id],
    queryFn: ({ signal }) => answer(api.GET("/api/driver-profiles/{id}", { signal, params: { path: { id } } })),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Drivers to choose by hand, as the list of drivers finds them. */
export function useDriverChoices(q: string) {
  return useQuery({
    queryKey: ["/api/drivers", "choices", q],
    queryFn: ({ signal }) => answer(api.GET("/api/drivers", { signal, params: { query: { q, size: 10 } } })),
    select: ({ drivers }) => drivers,
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
}

const oneDriver = (id: string) => ({
  queryKey: ["/api/drivers/{id}", id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    answer(api.GET("/api/drivers/{id}", { signal, params: { path: { id } } })),
});

/** One driver, when a link was begun from their page. */
export const useChosenDriver = (id: string) => useQuery({ ...oneDriver(id), enabled: id !== "" });

/** Reads one driver whole, now. */
export function useReadDriver() {
  const cache = useQueryClient();
  return (id: string) => cache.query(oneDriver(id));
}

export const useLink = (id: string) =>
  useWrite(["/api/driver-profiles", "/api/drivers"], (body: LinkBody) =>
    answer(api.POST("/api/driver-profiles/{id}/link", { params: { path: { id } }, body })),
  );

/** What can be done to many at once, and what takes it back. */
export const undoOf = { link: "unlink", unlink: "link", block: "unblock", unblock: "block" } as const;

export type Bulk = keyof typeof undoOf;

const posts = {
  link: "/api/driver-profiles/link",
  unlink: "/api/driver-profiles/unlink",
  block: "/api/driver-profiles/block",
  unblock: "/api/driver-profiles/unblock",
} as const;

export const useBulk = () =>
  useWrite(["/api/driver-profiles", "/api/drivers"], ({ what, ids }: { what: Bulk; ids: string[] }) =>
    answer(api.POST(posts[what], { body: { ids } })),
  );
