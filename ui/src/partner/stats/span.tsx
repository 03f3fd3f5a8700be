import { CalendarDays, ChevronLeft, ChevronRight } from "lucide-react";
import { useSearchParams } from "react-router";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import type { Fleet, Span } from "../../stats/calls";
import { later, weeksIn } from "../../stats/days";
import styles from "./stats.module.css";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const LENGTHS = [1, 4, 13, 26, 52] as const;
const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

/** What the statistics are about, kept in the address. */
export function useSpan() {
  const [params, setParams] = useSearchParams();
  const [from, to] = [params.get("from") ?? "", params.get("to") ?? ""];
  const span: Span = DAY.test(from) && DAY.test(to) ? { from, to } : {};
  const set = (values: Record<string, string>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values))
          if (value) after.set(name, value);
          else after.delete(name);
        return after;
      },
      { preventScrollReset: true },
    );
  return {
    span,
    compare: params.get("compare") !== "off",
    setSpan: (days: { from: string; to: string }) => set(days),
    setCompare: (on: boolean) => set({ compare: on ? "" : "off" }),
  };
}

interface SpanStepperProps {
  shown: Pick<Fleet, "from" | "to" | "previous">;
  /** The last week that is over ends on this day. */
  last: string;
  onChange: (days: { from: string; to: string }) => void;
}

/** As many weeks back, as many forward, and how many they are. */
export function SpanStepper({ shown: { from, to, previous }, last, onChange }: SpanStepperProps) {
  const { t } = useTranslation("stats");
  const language = useLanguage();
  const weeks = weeksIn(from, to);
  const end = later(to, 7 * weeks) > last ? last : later(to, 7 * weeks);
  const lengths = LENGTHS.some((one) => one === weeks) ? LENGTHS : [...LENGTHS, weeks].sort((a, b) => a - b);
  const back = (count: number, day: string) => ({ from: later(day, 1 - 7 * count), to: day });
  return (
    <div className={styles.stepper} role="group" aria-label={t("span")}>
      <button type="button" aria-label={t("older")} onClick={() => onChange(previous)}>
        <ChevronLeft {...ICON} />
      </button>
      <span className={styles.choice}>
        <CalendarDays {...ICON} />
        <b>{daySpan(from, to, language)}</b>
        <select
          aria-label={t("length")}
          value={weeks}
          onChange={({ target }) => onChange(back(Number(target.value), to))}
        >
          {lengths.map((length) => (
            <option key={length} value={length}>
              {t("weeks", { count: length })}
            </option>
          ))}
        </select>
      </span>
      <button type="button" aria-label={t("newer")} disabled={to >= last} onClick={() => onChange(back(weeks, end))}>
        <ChevronRight {...ICON} />
      </button>
    </div>
  );
}
