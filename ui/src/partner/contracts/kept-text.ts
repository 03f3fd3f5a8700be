import { useEffect } from "react";
import { recall, remember } from "../../browser/storage";
import type { Template } from "./calls";

const nameOf = (id: string) => `draft.contract-text.${id}`;

/** What was written and not saved in this tab. */
export function keptText(id: string): Template | undefined {
  const text = recall("sessionStorage", nameOf(id));
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as Template;
  } catch {
    return undefined;
  }
}

/** Keeps what is written until it is saved or thrown away: neither reloading nor the end of a session costs any of it. */
export function useKeep(id: string, text: Template | undefined) {
  const kept = text ? JSON.stringify(text) : null;
  useEffect(() => remember("sessionStorage", nameOf(id), kept), [id, kept]);
}
