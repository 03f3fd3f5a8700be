import { useSearchParams } from "react-router";

/** How many rows a page of a list holds. */
export const SIZE = 50;

/** Reads and writes what a list shows in the address: back, reload and a shared link all bring it again. */
export function useAddress() {
  const [params, setParams] = useSearchParams();
  // At once, not as a transition: fields show what is in the address. Another filter begins at its first page.
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
    set,
    read: (name: string) => params.get(name) ?? "",
    page: Math.max(1, Math.trunc(Number(params.get("page")) || 1)),
  };
}
