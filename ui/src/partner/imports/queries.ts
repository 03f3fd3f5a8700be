import { keepPreviousData, useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import { providerName } from "../../i18n/provider-name";
import type { components, paths } from "../../api/schema";
import { transfer } from "../../api/transfer";
import { useWrite } from "../../api/write";
import { save } from "../../browser/save";
import type { Order } from "./order";

const LIST = "/api/imports";
const ONE = "/api/imports/{id}";
const UNMATCHED = "/api/unmatched-drivers";
const PEOPLE = "/api/unmatched-drivers/people";

export type One = Body<typeof ONE>;
export type Import = One["import"];
export type Preview = One["preview"];
export type Part = Preview["parts"][number];
export type Progress = One["progress"];
export type Status = Import["status"];
export type Counts = Preview["counts"];
/** What a person says about weeks that are imported already. */
export type Restated = Import["restated"];
export type Sum = Preview["totals"][number];
export type Key = components["schemas"]["ImportKey"];
export type ImportRow = Body<"/api/imports/{id}/rows">["rows"][number];
export type Identity = Body<typeof UNMATCHED>["identities"][number];
type IdentityState = Identity["state"];
export type Person = Body<typeof PEOPLE>["people"][number];
/** What is written down of a driver made of what files say. */
export type NewDriver = Pick<Person, "firstName" | "lastName" | "email" | "phone">;
export type Outcome = components["schemas"]["ImportOutcome"];
export type Week = Body<"/api/imports/coverage">["providers"][number]["weeks"][number];

/** What is under way: the server knows, so a reload or another window shows it too. */
const OPEN = ["analyzing", "preview", "running", "removing"] as const satisfies Status[];
// What is busy is asked for often at first, since most files take a second or two, and then once a second.
const BUSY_MS = (asked: number) => (asked < 20 ? 200 : 1_000);

export const isBusy = (status: Status) => status === "analyzing" || status === "running" || status === "removing";

/** Everything that another import, or a decision about a driver, makes stale. */
export const TOUCHED = [
  LIST,
  UNMATCHED,
  "/api/transactions",
  "/api/drivers",
  "/api/settlements",
  "/api/overview",
] as const satisfies (keyof paths)[];

/** Every import that waits or works, whoever uploaded it. */
export function useOpenImports() {
  return useQueries({
    queries: OPEN.map((status) => ({
      queryKey: [LIST, "open", status],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        answer(api.GET(LIST, { signal, params: { query: { status, limit: 100 } } })),
    })),
    combine: (answers) => ({
      ids: answers.every(({ data }) => data)
        ? answers.flatMap(({ data }) => data?.imports.map(({ id }) => id) ?? [])
        : undefined,
      error: answers.find(({ error }) => error)?.error ?? undefined,
      refetch: () => Promise.all(answers.map((one) => one.refetch())),
    }),
  });
}

/** One import with its preview; asked for again and again while it is being read or written. */
export function useImport(id: string) {
  return useQuery({
    queryKey: [ONE, id],
    queryFn: ({ signal }) => answer(api.GET(ONE, { signal, params: { path: { id } } })),
    enabled: id !== "",
    refetchInterval: ({ state }) =>
      state.data && isBusy(state.data.import.status) ? BUSY_MS(state.dataUpdateCount) : false,
  });
}

/** Those of the imports that wait for a person, as their cards have read them, and whether others are still being read. */
export function usePreviews(ids: readonly string[]): { ready: One[]; reading: boolean } {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: [ONE, id],
      queryFn: ({ signal }: { signal: AbortSignal }) => answer(api.GET(ONE, { signal, params: { path: { id } } })),
    })),
    combine: (answers) => ({
      ready: answers.flatMap(({ data }) => (data?.import.status === "preview" ? [data] : [])),
      reading: answers.some(({ data }) => data?.import.status === "analyzing"),
    }),
  });
}

export interface LogFilter {
  status: Status | "";
  provider: string;
}

/** The log, newest first, page after page. */
export function useLog({ status, provider }: LogFilter) {
  return useInfiniteQuery({
    queryKey: [LIST, "log", status, provider],
    initialPageParam: "",
    queryFn: ({ signal, pageParam: after }) =>
      answer(
        api.GET(LIST, {
          signal,
          params: { query: { ...(status && { status }), ...(provider && { provider }), ...(after && { after }) } },
        }),
      ),
    getNextPageParam: ({ next }) => next || undefined,
    placeholderData: keepPreviousData,
  });
}

/** The rows that an import brought, in the order of the file; from a few before the row `at` on, or from the first. */
export function useRows(id: string, at: string) {
  return useInfiniteQuery({
    queryKey: ["/api/imports/{id}/rows", id, at],
    initialPageParam: "",
    queryFn: ({ signal, pageParam: after }) => {
      const query = after ? { after } : at ? { at } : {};
      return answer(api.GET("/api/imports/{id}/rows", { signal, params: { path: { id }, query } }));
    },
    getNextPageParam: ({ next }) => next || undefined,
  });
}

export function useProviders() {
  return useQuery({
    queryKey: ["/api/providers"],
    queryFn: ({ signal }) => answer(api.GET("/api/providers", { signal })),
    select: ({ providers }) => providers.map((one) => ({ ...one, name: providerName(one) })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useCities(name: string) {
  return useQuery({
    queryKey: ["/api/suggestions/cities", name],
    queryFn: ({ signal }) => answer(api.GET("/api/suggestions/cities", { signal, params: { query: { name } } })),
    select: ({ cities }) => cities,
    enabled: name.length > 1,
    placeholderData: keepPreviousData,
  });
}

export const useConfirm = () =>
  useWrite(
    [...TOUCHED],
    ({ id, ...body }: { id: string; reading: number; bookedAs: "" | "money" | "detail"; restated: Restated }) =>
      answer(api.POST("/api/imports/{id}/confirm", { params: { path: { id } }, body })),
  );

/** Reads a file once more by another order; it stays the same import. */
export const useReadWith = () =>
  useWrite(LIST, ({ id, order }: { id: string; order: Order }) =>
    answer(api.POST("/api/imports/{id}/read-again", { params: { path: { id } }, body: order })),
  );

export const useCancel = () =>
  useWrite(LIST, (id: string) => answer(api.POST("/api/imports/{id}/cancel", { params: { path: { id } } })));

export const useRemove = () =>
  useWrite([...TOUCHED], (id: string) => answer(api.DELETE(ONE, { params: { path: { id } } })));

/** Unmatched drivers in one state, newest first. */
export function useUnmatchedDrivers(state: IdentityState) {
  return useInfiniteQuery({
    queryKey: [UNMATCHED, state],
    initialPageParam: "",
    queryFn: ({ signal, pageParam: after }) =>
      answer(api.GET(UNMATCHED, { signal, params: { query: { state, ...(after && { after }) } } })),
    getNextPageParam: ({ next }) => next || undefined,
    placeholderData: keepPreviousData,
  });
}

/** The people who wait for a decision, newest first: one for each, of however many files and providers. */
export function usePeople() {
  return useInfiniteQuery({
    queryKey: [PEOPLE],
    initialPageParam: "",
    queryFn: ({ signal, pageParam: after }) =>
      answer(api.GET(PEOPLE, { signal, params: { query: { ...(after && { after }) } } })),
    getNextPageParam: ({ next }) => next || undefined,
  });
}

/** What a person is known by in files. */
export const idsOf = ({ identities }: Person) => identities.map(({ id }) => id);

/** How many people of files nobody has decided about. */
export function useWaiting() {
  return useQuery({
    queryKey: [UNMATCHED, "count"],
    queryFn: ({ signal }) => answer(api.GET(UNMATCHED, { signal, params: { query: { state: "waiting", limit: 1 } } })),
    select: ({ people }) => people,
  });
}

/** The identities of one person: the first, and the others. */
interface Whole {
  id: string;
  also: string[];
}

export const useAssign = () =>
  useWrite([...TOUCHED], ({ id, ...body }: Whole & { driverUUID: string }) =>
    answer(api.POST("/api/unmatched-drivers/{id}/assign", { params: { path: { id } }, body })),
  );

export const useCreate = () =>
  useWrite([...TOUCHED], ({ id, ...body }: Whole & NewDriver) =>
    answer(api.POST("/api/unmatched-drivers/{id}/create", { params: { path: { id } }, body })),
  );

export const useIgnore = () =>
  useWrite([...TOUCHED], ({ id, ...body }: Whole) =>
    answer(api.POST("/api/unmatched-drivers/{id}/ignore", { params: { path: { id } }, body })),
  );

export const useTakeBack = () =>
  useWrite([...TOUCHED], (id: string) =>
    answer(api.POST("/api/unmatched-drivers/{id}/undo", { params: { path: { id } } })),
  );

export const useCreateMany = () =>
  useWrite([...TOUCHED], (people: readonly Person[]) =>
    answer(
      api.POST("/api/unmatched-drivers/create", {
        body: {
          people: people.map((person) => ({
            ids: idsOf(person),
            firstName: person.firstName,
            lastName: person.lastName,
          })),
        },
      }),
    ),
  );

/** Gives everybody to the driver whom they match. */
export const useAcceptMany = () =>
  useWrite([...TOUCHED], (people: readonly Person[]) =>
    answer(
      api.POST("/api/unmatched-drivers/assign", {
        body: {
          people: people.flatMap((person) =>
            person.match ? [{ ids: idsOf(person), driverUUID: person.match.driverUUID }] : [],
          ),
        },
      }),
    ),
  );

export const useUndoMany = () =>
  useWrite([...TOUCHED], (ids: string[]) => answer(api.POST("/api/unmatched-drivers/undo", { body: { ids } })));

export function useCoverage() {
  return useQuery({
    queryKey: ["/api/imports/coverage"],
    queryFn: ({ signal }) => answer(api.GET("/api/imports/coverage", { signal })),
    select: ({ providers }) => providers,
  });
}

const addressOf = (id: string, what: "file" | "refused") => `${LIST}/${encodeURIComponent(id)}/${what}`;

export const templateFile = () => fetched(`${LIST}/template`, "saldo-template.csv");
export const refusedFile = (id: string, language: string) =>
  fetched(`${addressOf(id, "refused")}?lang=${language}`, "refused.csv");

/** Hands the original to the person. */
export const originalFile = ({ id, fileName }: Import) => fetched(addressOf(id, "file"), fileName);

async function fetched(path: string, name: string) {
  save(await (await transfer({ method: "GET", path })).blob(), name);
}

/** What was said when an import was uploaded. */
export const orderOf = (of: Import): Order => ({
  provider: of.chosenProvider,
  city: of.city,
  datesFrom: of.datesFrom,
  datesTo: of.datesTo,
  bonusFrom: of.bonusFrom,
  bonusTo: of.bonusTo,
  allowDuplicates: of.allowDuplicates,
  mergeByName: of.mergeByName,
});
