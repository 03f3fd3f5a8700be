import { useSearchParams } from "react-router";
import type { Sort } from "../../kit/list-table";
import type { Language } from "../../i18n/languages";
import type { Schema } from "./queries";
import type { SchemaColumn } from "./schema-columns";

/** The schemas in order. Names sort as the language does, and decide where the rest is equal. */
export function arrange(schemas: readonly Schema[], sort: Sort<SchemaColumn>, language: Language): Schema[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const direction = sort.descending ? -1 : 1;
  return [...schemas].sort((a, b) => {
    const by =
      sort.by === "drivers"
        ? a.drivers - b.drivers
        : sort.by === "updatedAt"
          ? a.updatedAt.localeCompare(b.updatedAt)
          : 0;
    return direction * (by || compare(a.name, b.name));
  });
}

const SORTS = ["name", "drivers", "updatedAt"] as const;

/** What the page shows, kept in the address: the order, and the schema that is open. */
export function useSchemaList() {
  const [params, setParams] = useSearchParams();
  const wanted = params.get("sort") ?? "name";
  const by = SORTS.find((column) => wanted.endsWith(column)) ?? "name";
  const set = (name: string, value: string, replace: boolean) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (value) after.set(name, value);
        else after.delete(name);
        return after;
      },
      { replace },
    );
  const open = params.get("schema");
  return {
    sort: { by, descending: wanted.startsWith("-") } satisfies Sort<SchemaColumn>,
    setSort: ({ by, descending }: Sort<SchemaColumn>) => set("sort", `${descending ? "-" : ""}${by}`, true),
    /** The number of the open schema, "new", or nothing. */
    open: open === null || open === "new" ? open : Number(open),
    setOpen: (which: number | "new" | null) => set("schema", which === null ? "" : String(which), false),
  };
}
