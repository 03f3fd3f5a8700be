import { useNavigate, useParams, useSearchParams } from "react-router";
import type { Filter, TypeCode } from "./queries";

const STATES = ["settled", "unsettled"] as const;

/** What the list shows and which drawer is open, kept in the address: back, reload and a shared link bring it again. */
export function useTransactionList() {
  const [params, setParams] = useSearchParams();
  const { driverUUID = "", settlementUUID = "" } = useParams();
  const navigate = useNavigate();
  const read = (name: string) => params.get(name) ?? "";
  const set = (values: Record<string, string>, replace: boolean) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values))
          if (value) after.set(name, value);
          else after.delete(name);
        return after;
      },
      { replace, preventScrollReset: true, flushSync: true },
    );
  const filter: Filter = {
    type: read("type") as TypeCode | "",
    provider: read("provider"),
    from: read("from"),
    to: read("to"),
    state: STATES.find((state) => state === read("state")) ?? "",
    q: read("q"),
    settlementUUID,
  };
  return {
    filter,
    filtered: Object.values(filter).some(Boolean),
    adding: params.has("add"),
    editing: read("edit"),
    shownHistory: read("history"),
    narrow: (part: Partial<Filter>) => set(part, true),
    clear: () => void navigate(`/transactions/details/${driverUUID}`, { replace: true }),
    setAdding: (adding: boolean) => set({ add: adding ? "transaction" : "" }, !adding),
    setEditing: (id: string) => set({ edit: id }, !id),
    showHistory: (id: string) => set({ history: id }, !id),
  };
}
