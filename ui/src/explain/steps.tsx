import { Check } from "lucide-react";
import { useTranslation } from "../i18n/translation";
import "./steps.css";

/** One stage of the money's way. */
export interface Step {
  name: string;
  state: "done" | "now" | "later";
  /** When it was, or when it is expected. */
  when?: string;
  /** Why it is not further, or what came with it. */
  note?: string;
  /** Of what should not have happened. */
  tone?: "danger";
}

/** How far the money has come. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  const { t } = useTranslation("explain");
  const states = { done: t("stepDone"), now: t("stepNow"), later: t("stepLater") };
  return (
    <ol className="steps">
      {steps.map(({ name, state, when, note, tone }, at) => (
        <li
          key={`${at} ${name}`}
          className={`step step-${state}${tone ? ` step-${tone}` : ""}`}
          {...(state === "now" && { "aria-current": "step" as const })}
        >
          <span aria-hidden className="step-mark">
            {state === "done" && <Check size={12} strokeWidth={3} />}
          </span>
          <span className="step-name">
            {name}
            <span className="sr-only">, {states[state]}</span>
            {note && <span className="step-note">{note}</span>}
          </span>
          {when && <span className="step-when">{when}</span>}
        </li>
      ))}
    </ol>
  );
}
