import { useState } from "react";
import { Problem } from "../api/problem";
import { useLanguage } from "../i18n";
import { type Action, type Opened, useChange, useNewest } from "./calls";
import { writing } from "./draft";
import { FIELDS } from "./fields";
import { type Draft, sentOf, withRead } from "./form";

/** What is sent beside the fields. */
interface Beside {
  accept?: readonly string[];
  notTheSame?: string;
  reason?: string;
}

/** From where a form was begun: the version, and how much people had done by then. */
const markOf = ({ version, trail }: Opened) => ({ version, events: trail.length });

/** How sending ended: done, refused (the problem says why), or stopped for a look at what was read meanwhile. */
type Ended = "done" | "refused" | "look";

/**
 * Sends the form of an invoice. A file may be read while somebody types: that raises the version as a person's change does, but leaves no
 * line in the trail, and is taken over. What was typed stays, and what is approved is what was on the screen. Where a person was first,
 * nothing is sent, and both are shown.
 */
export function useSaving(invoice: Opened) {
  const language = useLanguage();
  const newest = useNewest(invoice.id);
  const change = useChange(invoice.id);
  const [base, setBase] = useState(() => markOf(invoice));
  if (base.version !== invoice.version && base.events === invoice.trail.length) setBase(markOf(invoice));

  const attempt = (version: number, action: Action, draft: Draft, beside: Beside): Promise<Problem | undefined> =>
    change
      .mutateAsync({ version, action, data: sentOf(draft, language).sent, typed: [...draft.touched], ...beside })
      .then(
        (now) => {
          setBase(markOf(now));
          return undefined;
        },
        (reason: unknown) => {
          if (reason instanceof Problem) return reason;
          throw reason;
        },
      );

  const save = async (action: Action, draft: Draft, beside: Beside = {}): Promise<{ ended: Ended; draft: Draft }> => {
    const refused = await attempt(base.version, action, draft, beside);
    if (!refused) return { ended: "done", draft };
    if (refused.code !== "invoices.changed") return { ended: "refused", draft };
    const now = await newest();
    if (now.trail.length !== base.events) return { ended: "refused", draft };
    setBase(markOf(now));
    const merged = withRead(draft, now.reading.fields, writing(language));
    if (action === "approve" && FIELDS.some((name) => merged.values[name] !== draft.values[name])) {
      change.reset();
      return { ended: "look", draft: merged };
    }
    return { ended: (await attempt(now.version, action, merged, beside)) ? "refused" : "done", draft: merged };
  };

  const problem = change.error ?? undefined;
  return {
    save,
    saving: change.isPending,
    problem,
    /** Whether somebody else saved first. */
    conflict: problem?.code === "invoices.changed" && invoice.version !== base.version,
    /** Goes on from what is saved now. */
    resume: () => {
      setBase(markOf(invoice));
      change.reset();
    },
  };
}
