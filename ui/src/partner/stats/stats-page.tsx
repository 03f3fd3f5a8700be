import { ChartLine, Printer } from "lucide-react";
import { Link } from "react-router";
import { Tables } from "../../charts/tables";
import { Button } from "../../components/button";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { today } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { useConfig } from "../../session/config";
import { type Fleet, useFleetStats } from "../../stats/calls";
import { begun, lastSunday } from "../../stats/days";
import { settlementsFrom } from "../../stats/links";
import { Active, Cohorts, Moves, Ranking } from "./driver-charts";
import { Equations } from "./equation";
import { Apps, CashShare, Debts, Payouts, Revenue } from "./money-charts";
import { Files, Licence } from "./other-charts";
import { SpanStepper, useSpan } from "./span";
import { weekOf } from "./ticks";
import styles from "./stats.module.css";

/** What the fleet earned in some weeks, with whom, by which apps, and what it was made of. */
export default function StatsPage() {
  const { t } = useTranslation("stats");
  const { timeZone } = useConfig();
  const { span, compare, setSpan, setCompare } = useSpan();
  const found = useFleetStats(span);
  const { data } = found;
  const empty = data?.apps.length === 0 && data.equation.settlements === 0;
  return (
    <Tables>
      <PageHeader
        title={t("title")}
        actions={
          data && (
            <>
              <Link className="button button-default button-middle" to="/reports">
                {t("reports")}
              </Link>
              <Button icon={<Printer aria-hidden size={16} strokeWidth={1.75} />} onClick={() => window.print()}>
                {t("print")}
              </Button>
            </>
          )
        }
      />
      <div className={styles.bar}>
        {data ? (
          <SpanStepper shown={data} last={lastSunday(today(timeZone))} onChange={setSpan} />
        ) : (
          <span className={`bar ${styles.wait}`} />
        )}
        <label className={styles.compare}>
          <input type="checkbox" checked={compare} onChange={({ target }) => setCompare(target.checked)} />
          {t("compare")}
        </label>
      </div>
      {found.isError && !data ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : !data ? (
        <div className={styles.page} role="status" aria-label={t("loading")}>
          <span className="bar" />
          <span className="bar" />
        </div>
      ) : empty ? (
        <FirstUse
          icon={ChartLine}
          title={t("emptyTitle")}
          body={t("emptyBody")}
          action={<Link to="/upload">{t("emptyAction")}</Link>}
        />
      ) : (
        <Charts of={begun(data)} compare={compare} stale={found.isPlaceholderData} />
      )}
    </Tables>
  );
}

function Charts({ of, compare, stale }: { of: Fleet; compare: boolean; stale: boolean }) {
  const language = useLanguage();
  const [first, last] = [of.weeks[0], of.weeks.at(-1)];
  const rows = first && last ? settlementsFrom(first.week, last.week) : "/settlements/settled?show=all";
  return (
    <div className={styles.page} data-stale={stale || undefined}>
      <Equations
        now={of.equation}
        before={compare && of.previousEquation.settlements > 0 ? of.previousEquation : undefined}
        to={rows}
        previous={weekOf(of.previous, language)}
      />
      <Revenue of={of} />
      <Apps of={of} compare={compare} />
      <Active of={of} />
      <Moves of={of} />
      <CashShare of={of} />
      <Payouts of={of} />
      <Debts of={of} />
      <Licence of={of} />
      <Ranking of={of} which="top" />
      <Ranking of={of} which="bottom" />
      <Cohorts of={of} />
      <Files of={of} />
    </div>
  );
}
