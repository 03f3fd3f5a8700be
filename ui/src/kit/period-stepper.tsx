import { CalendarDays, ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "../i18n/translation";
import { daySpan } from "../format/date";
import { useLanguage } from "../i18n";
import type { Period } from "./periods";
import styles from "./period-stepper.module.css";

const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

/** The number of the week in a code such as 2026-W45. */
const weekOf = (code: string) => Number(code.slice(6));

interface PeriodStepperProps {
  /** Newest first. */
  periods: readonly Period[] | undefined;
  /** The code of the period; empty: all of them. */
  value: string | undefined;
  /** The first of several periods that are shown together, up to the value. */
  since?: string;
  /** Whether all periods can be chosen. */
  all?: boolean;
  onChange: (code: string) => void;
}

/** One week forward, one back, and a choice of all of them behind the dates. */
export function PeriodStepper({ periods, since = "", value, all = false, onChange }: PeriodStepperProps) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  if (!periods || value === undefined) return <span className={`bar ${styles.wait}`} />;
  const at = periods.findIndex(({ code }) => code === value);
  const chosen = periods[at];
  const first = since ? periods.find(({ code }) => code === since) : chosen;
  const span = since && chosen ? `${since} – ${value}` : "";
  const older = value === "" ? periods[0] : at < 0 ? undefined : periods[at + 1];
  const newer = at > 0 ? periods[at - 1] : undefined;
  const days = ({ firstOn, lastOn }: Period) => daySpan(firstOn, lastOn, language);
  return (
    <div className={styles.stepper} role="group" aria-label={t("period")}>
      <button type="button" aria-label={t("older")} disabled={!older} onClick={() => older && onChange(older.code)}>
        <ChevronLeft {...ICON} />
      </button>
      <span className={styles.choice}>
        <CalendarDays {...ICON} />
        <span aria-hidden>
          {chosen ? (
            <>
              <b>{first ? days({ ...first, lastOn: chosen.lastOn }) : span}</b>{" "}
              {!span && t("week", { number: weekOf(chosen.code) })}
            </>
          ) : (
            <b>{value || t("allPeriods")}</b>
          )}
        </span>
        <select aria-label={t("period")} value={span || value} onChange={({ target }) => onChange(target.value)}>
          {all && <option value="">{t("allPeriods")}</option>}
          {span && <option value={span}>{span}</option>}
          {value !== "" && !chosen && <option value={value}>{value}</option>}
          {periods.map((period) => (
            <option key={period.code} value={period.code}>
              {t("daysOfWeek", { days: days(period), number: weekOf(period.code) })}
            </option>
          ))}
        </select>
      </span>
      <button type="button" aria-label={t("newer")} disabled={!newer} onClick={() => newer && onChange(newer.code)}>
        <ChevronRight {...ICON} />
      </button>
    </div>
  );
}
