import { useState } from "react";
import { useTranslation } from "../../i18n/translation";

interface ProgressBarProps {
  label: string;
  done: number;
  /** 0: nobody knows. */
  total: number;
  /** How far it is, in words. */
  words: string;
}

/** How far something is; as a bar where the whole is known, and always in words. */
export function ProgressBar({ label, done, total, words }: ProgressBarProps) {
  return (
    <div className="imports-progress">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuetext={words}
        {...(total > 0 && { "aria-valuemin": 0, "aria-valuemax": total, "aria-valuenow": Math.min(done, total) })}
        data-unknown={total === 0 || undefined}
      >
        <span {...(total > 0 && { style: { width: `${(100 * Math.min(done, total)) / total}%` } })} />
      </div>
      <span>{words}</span>
    </div>
  );
}

/** How long the rest takes at the pace since this was first seen; empty: too early to say. `at` is when `done` was true. */
export function useRest(done: number, total: number, at: number): string {
  const { t } = useTranslation("imports");
  const [start, setStart] = useState({ done, at });
  if (done < start.done) setStart({ done, at }); // another stage began
  if (total === 0 || done <= start.done || at <= start.at || done >= total) return "";
  const seconds = Math.ceil(((at - start.at) / 1000) * ((total - done) / (done - start.done)));
  return seconds < 90 ? t("secondsLeft", { number: seconds }) : t("minutesLeft", { number: Math.ceil(seconds / 60) });
}
