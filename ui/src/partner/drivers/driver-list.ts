import { useSearchParams } from "react-router";
import type { Sort } from "../../kit/list-table";
import type { DriverColumn } from "./driver-columns";
import type { Counts, DriverFilter, DriverQuery } from "./queries";

/** How many drivers a page can hold. */
export const sizes = [25, 50, 100] as const;
const SIZE = 50;

/** The views of the list: what each asks the server for, and which count stands on it. */
export const views = [
  { key: "all", label: "showAll", count: "all", ask: {} },
  { key: "active", label: "showActive", count: "active", ask: { state: "active" } },
  { key: "inactive", label: "showInactive", count: "inactive", ask: { state: "inactive" } },
  { key: "blocked", label: "showBlocked", count: "blocked", ask: { blocked: true } },
  { key: "iban", label: "noIban", count: "withoutIban", ask: { missing: "iban" } },
  { key: "taxId", label: "noTaxId", count: "withoutTaxId", ask: { missing: "tax_id" } },
  { key: "schema", label: "noSchema", count: "withoutSchema", ask: { missing: "schema" } },
] as const satisfies readonly { key: string; label: string; count: keyof Counts; ask: DriverFilter }[];

type View = (typeof views)[number]["key"];

/** What a list of drivers shows, by its address. */
export function driverQuery(params: URLSearchParams) {
  const wanted = params.get("sort") ?? "name";
  const sort: Sort<DriverColumn> = {
    by: wanted.endsWith("createdAt") ? "createdAt" : "name",
    descending: wanted.startsWith("-"),
  };
  const view = views.find(({ key }) => key === params.get("show")) ?? views[0];
  const income = params.get("income") === "true";
  const query = params.get("q") ?? "";
  const tag = params.get("tag") ?? "";
  const order = `${sort.descending ? "-" : ""}${sort.by === "createdAt" ? "createdAt" : "name"}` as const;
  const chosen: DriverQuery = {
    ...view.ask,
    ...(query.trim() && { q: query.trim().slice(0, 100) }),
    ...(tag && { tag }),
    ...(income && { income }),
    sort: order,
  };
  return { view: view.key, query, tag, income, sort, chosen };
}

/** What the list shows, kept in the address: back, reload and a shared link all bring it again. */
export function useDriverList() {
  const [params, setParams] = useSearchParams();
  const shown = driverQuery(params);
  const page = Math.max(1, Math.trunc(Number(params.get("page")) || 1));
  const size = sizes.find((one) => String(one) === params.get("size")) ?? SIZE;
  // At once, not as a transition: the search field shows what is in the address. Another filter begins at its first page.
  const set = (changes: Record<string, string>, replace = true) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries({ page: "", ...changes }))
          if (value) after.set(name, value);
          else after.delete(name);
        return after;
      },
      { replace, preventScrollReset: true, flushSync: true },
    );
  return {
    ...shown,
    ...{ page, size },
    filter: { ...shown.chosen, page, size } satisfies DriverFilter,
    filtered: shown.query.trim() !== "" || shown.tag !== "" || shown.income || shown.view !== "all",
    adding: params.has("add"),
    setQuery: (q: string) => set({ q }),
    setTag: (chosen: string) => set({ tag: chosen }),
    setIncome: (only: boolean) => set({ income: only ? "true" : "" }),
    setSize: (to: number) => set({ size: to === SIZE ? "" : String(to) }),
    setView: (show: View) => set({ show: show === "all" ? "" : show }),
    setSort: ({ by, descending }: Sort<DriverColumn>) => set({ sort: `${descending ? "-" : ""}${by}` }),
    setPage: (to: number, replace = false) => set({ page: to > 1 ? String(to) : "" }, replace),
    setAdding: (adding: boolean) => set({ add: adding ? "driver" : "", page: page > 1 ? String(page) : "" }, !adding),
    clear: () => set({ q: "", tag: "", income: "", show: "" }),
  };
}
