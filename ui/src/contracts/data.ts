import type { Answers } from "./calls";

/** What a field of the wizard holds. */
export type Value = string | number | boolean | readonly string[] | undefined;

interface Tree {
  [name: string]: Value | Tree;
}

/** The value at a path such as personal.registered.city. */
export function valueAt(data: Answers, path: string): Value {
  let at: unknown = data;
  for (const name of path.split(".")) at = (at as Tree | undefined)?.[name];
  return at as Value;
}

/** The data with a value at a path; nothing, false and zero are left out, as the server does. */
export function withValue(data: Answers, path: string, value: Value | Tree): Answers {
  const put = (tree: Tree, [name = "", ...rest]: string[]): Tree => {
    const inner = rest.length > 0 ? put((tree[name] ?? {}) as Tree, rest) : value;
    const empty = inner === undefined || inner === "" || inner === false || inner === 0;
    if (empty && rest.length === 0) return Object.fromEntries(Object.entries(tree).filter(([one]) => one !== name));
    return { ...tree, [name]: inner };
  };
  return put(data as unknown as Tree, path.split(".")) as unknown as Answers;
}

/** The paths that hold something. */
export function filledPaths(data: Answers): string[] {
  const found: string[] = [];
  const walk = (at: unknown, path: string) => {
    if (typeof at === "object" && at !== null && !Array.isArray(at))
      for (const [name, inner] of Object.entries(at)) walk(inner, path ? `${path}.${name}` : name);
    else if (at !== undefined && at !== null && at !== "" && at !== false && at !== 0) found.push(path);
  };
  walk(data, "");
  return found;
}

/** The paths at which two hold different things. */
export function differing(a: Answers, b: Answers): string[] {
  const all = new Set([...filledPaths(a), ...filledPaths(b)]);
  return [...all].filter((path) => JSON.stringify(valueAt(a, path)) !== JSON.stringify(valueAt(b, path)));
}

/** The steps of the wizard that hold data. */
const STEPS = ["personal", "contract", "statements"];

/** The step that a field stands on. */
export const stepOf = (path: string) => Math.max(1, STEPS.indexOf(path.split(".")[0] ?? "") + 1);

/** The kinds of contracts that a country has. */
export const KINDS = {
  pl: ["civil_contract", "b2b", "rent_from_driver", "rent_to_driver", "vehicle_entrusted"],
  de: ["employment", "b2b", "rent_to_driver", "vehicle_entrusted"],
} as const;

/** A kind of contract. */
export type Kind = (typeof KINDS)["pl" | "de"][number];

/** Kinds that exclude each other: somebody works in one way, and a vehicle is whose it is. */
const APART: readonly (readonly Kind[])[] = [
  ["civil_contract", "employment", "b2b"],
  ["rent_from_driver", "rent_to_driver", "vehicle_entrusted"],
];

export const kindsOf = (data: Answers) => (data.contract.kinds ?? []) as Kind[];

/** The chosen kind that excludes another one. */
export const excludedBy = (data: Answers, kind: Kind) =>
  kindsOf(data).find((one) => one !== kind && APART.some((group) => group.includes(one) && group.includes(kind)));

/** Whether somebody is younger than 26 when the contract begins; unknown days exclude nobody. */
export function isUnder26({ personal, contract }: Answers): boolean {
  const { birthDate = "" } = personal;
  const { from = "" } = contract;
  if (!/^\d{4}-/.test(birthDate) || !from) return true;
  return from < `${Number(birthDate.slice(0, 4)) + 26}${birthDate.slice(4)}`;
}

/** What was signed before as the beginning of a new contract: it is made today. */
export const anew = (data: Answers, today: string): Answers => {
  const begun = { ...data, contract: { ...data.contract, date: today, from: today } };
  return withValue(begun, "contract.to", undefined);
};
