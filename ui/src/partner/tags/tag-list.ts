import { useSearchParams } from "react-router";
import type { Sort } from "../../kit/list-table";
import type { Language } from "../../i18n/languages";
import type { Tag } from "./queries";
import type { TagColumn } from "./tag-columns";

const fold = (text: string, language: Language) => text.toLocaleLowerCase(language);

/** The tags that hold a text, in order. Names sort as the language does: Ł after L. */
export function arrange(tags: readonly Tag[], query: string, sort: Sort<TagColumn>, language: Language): Tag[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const wanted = fold(query.trim(), language);
  const direction = sort.descending ? -1 : 1;
  return tags
    .filter((tag) => fold(tag.name, language).includes(wanted))
    .sort((a, b) => {
      const byDate = sort.by === "createdAt" ? a.createdAt.localeCompare(b.createdAt) : 0;
      return direction * (byDate || compare(a.name, b.name));
    });
}

/** What the list shows, kept in the address: back, reload and a shared link all bring it again. */
export function useTagList() {
  const [params, setParams] = useSearchParams();
  const wanted = params.get("sort") ?? "name";
  const sort: Sort<TagColumn> = {
    by: wanted.endsWith("createdAt") ? "createdAt" : "name",
    descending: wanted.startsWith("-"),
  };
  // At once, not as a transition: the search field shows what is in the address, and a fast typist would lose letters.
  const set = (name: string, value: string, replace: boolean) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (value) after.set(name, value);
        else after.delete(name);
        return after;
      },
      { replace, preventScrollReset: true, flushSync: true },
    );
  return {
    query: params.get("q") ?? "",
    sort,
    adding: params.has("add"),
    setQuery: (query: string) => set("q", query, true),
    setSort: ({ by, descending }: Sort<TagColumn>) => set("sort", `${descending ? "-" : ""}${by}`, true),
    setAdding: (adding: boolean) => set("add", adding ? "tag" : "", !adding),
  };
}
