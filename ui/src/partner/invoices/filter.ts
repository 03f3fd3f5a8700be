import { useSearchParams } from "react-router";
import { type Filter, STATES } from "../../invoices/calls";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The filter that an address holds. */
export function filterOf(params: URLSearchParams): Filter {
  const read = (name: string) => params.get(name) ?? "";
  const state = STATES.find((one) => one === read("state"));
  return {
    ...(state && { state }),
    ...(read("driver") && { driverUUID: read("driver") }),
    ...(DAY.test(read("from")) && { from: read("from") }),
    ...(DAY.test(read("to")) && { to: read("to") }),
    ...(read("q") && { q: read("q").slice(0, 100) }),
    page: Math.max(1, Number(read("page")) || 1),
    desc: true,
  };
}

/** The filter in the address, and how it is changed. */
export function useFilter() {
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params);
    if (name !== "page") next.delete("page");
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { replace: name === "q" });
  };
  const filtered = ["state", "driver", "from", "to", "q"].some((name) => params.has(name));
  return { filter: filterOf(params), filtered, set, clear: () => setParams({}) };
}
