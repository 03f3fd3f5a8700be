import { useEffect, useState } from "react";
import { useSession } from "../../session/session";
import { recall, remember } from "../../browser/storage";

/** The columns that can be shown or hidden, in the order in which they stand, with what each is called. */
export const choices = {
  email: "email",
  phone: "phone",
  account: "account",
  taxId: "taxId",
  schema: "schema",
  contractNumber: "contractNumber",
  tags: "tags",
  identities: "providers",
  summaryLanguage: "summaryLanguage",
  settlementFrequency: "settlementFrequency",
  settledOn: "settledOn",
  state: "state",
  createdAt: "createdAt",
} as const;

export type Choice = keyof typeof choices;

const USUAL: readonly Choice[] = ["schema", "tags", "identities", "state", "createdAt"];

const isChoice = (name: unknown): name is Choice => typeof name === "string" && name in choices;

function stored(key: string): readonly Choice[] {
  try {
    const known: unknown = JSON.parse(recall("localStorage", key) ?? "null");
    return Array.isArray(known) ? known.filter(isChoice) : USUAL;
  } catch {
    return USUAL;
  }
}

/** The columns that a person wants to see, remembered on this device. */
export function useShownColumns() {
  const key = `columns.${useSession().user.id}.drivers`;
  const [shown, setShown] = useState(() => stored(key));
  useEffect(() => remember("localStorage", key, JSON.stringify(shown)), [key, shown]);
  return {
    shown,
    toggle: (name: Choice) =>
      setShown((before) => (before.includes(name) ? before.filter((other) => other !== name) : [...before, name])),
    reset: () => setShown(USUAL),
  };
}
