import { today } from "../format/date";
import { useTranslation } from "../i18n/translation";
import { useConfig } from "../session/config";
import type { Days } from "./calls";
import { daysLater } from "./figures";
import styles from "./fuel.module.css";

/** How many weeks can be looked at. */
const WEEKS = [4, 13, 26] as const;
export type Weeks = (typeof WEEKS)[number];

/** The last weeks up to today, where the business is. */
export function useDays(weeks: Weeks): Days {
  const { timeZone } = useConfig();
  const to = today(timeZone);
  return { from: daysLater(to, 1 - 7 * weeks), to };
}

/** Chooses how many weeks are shown. */
export function SpanChoice({ weeks, onChange }: { weeks: Weeks; onChange: (weeks: Weeks) => void }) {
  const { t } = useTranslation("fuel");
  return (
    <div className={styles.span} role="group" aria-label={t("span")}>
      {WEEKS.map((one) => (
        <button key={one} type="button" aria-pressed={one === weeks} onClick={() => onChange(one)}>
          {t("spanWeeks", { count: one })}
        </button>
      ))}
    </div>
  );
}
