import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import { fileOf } from "../../api/file";
import { providerName } from "../../i18n/provider-name";
import type { components, paths } from "../../api/schema";
import { useWrite } from "../../api/write";
import { useSession } from "../../session/session";
import type { ExportFormat } from "../../components/export-menu";
import type { Language } from "../../i18n/languages";

export type DriverRow = Body<"/api/drivers">["drivers"][number];
export type Driver = Body<"/api/drivers/{id}">;
export type Counts = Body<"/api/drivers">["counts"];
export type Identity = components["schemas"]["DriverIdentity"];

/** What a partner may write down of a driver. */
export type DriverData = Required<components["schemas"]["DriverData"]>;

export type DriverFilter = NonNullable<paths["/api/drivers"]["get"]["parameters"]["query"]>;

/** Who is wanted and in which order, on however many pages. */
export type DriverQuery = Omit<DriverFilter, "page" | "size">;

const PATH = "/api/drivers";

/** One page of the list; the page before stays on screen until it is here. */
export function useDrivers(query: DriverFilter) {
  return useQuery({
    queryKey: [PATH, query],
    queryFn: ({ signal }) => answer(api.GET(PATH, { signal, params: { query } })),
    placeholderData: keepPreviousData,
  });
}

export function useDriver(id: string) {
  return useQuery({
    queryKey: ["/api/drivers/{id}", id],
    queryFn: ({ signal }) => answer(api.GET("/api/drivers/{id}", { signal, params: { path: { id } } })),
  });
}

/** Where a driver stands in a list; nothing is asked without one. */
export function useDriverPlace(id: string, query: DriverQuery | undefined) {
  return useQuery({
    queryKey: ["/api/drivers/{id}/place", id, query],
    enabled: query !== undefined,
    queryFn: ({ signal }) =>
      answer(api.GET("/api/drivers/{id}/place", { signal, params: { path: { id }, query: query ?? {} } })),
    placeholderData: keepPreviousData,
  });
}

export function useDriverHistory(id: string) {
  return useQuery({
    queryKey: ["/api/drivers/{id}/history", id],
    queryFn: ({ signal }) => answer(api.GET("/api/drivers/{id}/history", { signal, params: { path: { id } } })),
    select: ({ events }) => events,
  });
}

/** The schemas that a driver can have; the default comes first. */
export function useSchemaChoices() {
  const mayRead = useSession().may("schemas.read");
  return useQuery({
    queryKey: ["/api/settlement-schemas"],
    enabled: mayRead,
    queryFn: ({ signal }) => answer(api.GET("/api/settlement-schemas", { signal })),
    select: ({ schemas }) => schemas.map(({ schemaNumber, name, isDefault }) => ({ schemaNumber, name, isDefault })),
  });
}

export function useProviders() {
  return useQuery({
    queryKey: ["/api/providers"],
    queryFn: ({ signal }) => answer(api.GET("/api/providers", { signal })),
    select: ({ providers }) => providers.map((one) => ({ value: one.code, label: providerName(one) })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

// A schema counts its drivers: who writes a driver makes that stale too.
const BOTH = [PATH, "/api/settlement-schemas"] as const satisfies (keyof paths)[];

export const useAddDriver = () => useWrite([...BOTH], (body: DriverData) => answer(api.POST(PATH, { body })));

export const useSaveDriver = (id: string) =>
  useWrite([...BOTH], (body: DriverData & { version: number }) =>
    answer(api.PUT("/api/drivers/{id}", { params: { path: { id } }, body })),
  );

export const useSetIdentities = (id: string) =>
  useWrite(PATH, (body: { version: number; identities: Identity[] }) =>
    answer(api.PUT("/api/drivers/{id}/identities", { params: { path: { id } }, body })),
  );

export const useTagDriver = (id: string) =>
  useWrite(PATH, (tags: string[]) =>
    answer(api.PUT("/api/drivers/{id}/tags", { params: { path: { id } }, body: { tags } })),
  );

/** One tag for many drivers, given or taken. */
export interface TagChange {
  drivers: readonly string[];
  tag: string;
  give: boolean;
}

export const useTagDrivers = () =>
  useWrite(PATH, ({ drivers, tag, give }: TagChange) =>
    answer(
      api.POST("/api/drivers/tags", {
        body: { driverIds: [...drivers], add: give ? [tag] : [], remove: give ? [] : [tag] },
      }),
    ),
  );

/** All drivers of the filter as a file, with the name that the server gives it. */
export const exportDrivers = (query: DriverQuery, format: ExportFormat, lang: Language) =>
  fileOf(
    api.GET("/api/drivers/export", { params: { query: { ...query, format, lang } }, parseAs: "blob" }),
    `drivers.${format}`,
  );

/** What can be done to a driver with one press. */
export type Act = "block" | "unblock" | "activate" | "deactivate" | "activation";

const posts = {
  block: "/api/drivers/{id}/block",
  unblock: "/api/drivers/{id}/unblock",
  activate: "/api/drivers/{id}/activate",
  deactivate: "/api/drivers/{id}/deactivate",
  activation: "/api/drivers/{id}/activation",
} as const;

export const useAct = (id: string) =>
  useWrite(PATH, (act: Act) => answer(api.POST(posts[act], { params: { path: { id } } })));

/** How a driver stands to an account of their own. */
export function useBond(id: string) {
  return useQuery({
    queryKey: ["/api/drivers/{id}/account", id],
    queryFn: ({ signal }) => answer(api.GET("/api/drivers/{id}/account", { signal, params: { path: { id } } })),
  });
}

export const useVerify = (id: string) =>
  useWrite(PATH, (verified: boolean) =>
    answer(
      api.POST(verified ? "/api/drivers/{id}/verify" : "/api/drivers/{id}/unverify", { params: { path: { id } } }),
    ),
  );

/** Takes the account from a driver. What became of it is told in words, so that a refusal is no silence. */
export const useUnlink = (id: string) =>
  useWrite([PATH, "/api/driver-profiles"], async () => {
    const { outcomes } = await answer(api.POST("/api/driver-profiles/unlink", { body: { ids: [id] } }));
    return outcomes[0]?.outcome;
  });
