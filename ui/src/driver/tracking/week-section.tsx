import type { ReactNode } from "react";
import { useTranslation } from "../../i18n/translation";
import { daySpan, weekday } from "../../format/date";
import { useLanguage } from "../../i18n";
import type { Shown } from "./weeks";
import styles from "./tracking.module.css";

interface WeekProps<Entry> {
  shown: Shown<Entry>;
  /** What the week comes to: names and values. */
  sums: readonly (readonly [string, string])[];
  row: (entry: Entry) => ReactNode;
}

/** A week of entries by day, below what it comes to. */
export function WeekSection<Entry extends { id: string }>({ shown: { week, days }, sums, row }: WeekProps<Entry>) {
  const { t } = useTranslation("tracking");
  const language = useLanguage();
  const span = daySpan(week.from, week.to, language);
  return (
    <section className={styles.week} aria-label={t("week", { days: span })}>
      <header>
        <h2>{span}</h2>
        <dl className={styles.sums}>
          {sums.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </header>
      {days.map(({ day, entries }) => (
        <div key={day}>
          <h3>{weekday(day, language)}</h3>
          <ul className={styles.list}>
            {entries.map((entry) => (
              <li key={entry.id}>{row(entry)}</li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
