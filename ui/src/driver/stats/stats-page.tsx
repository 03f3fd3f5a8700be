import { ChartColumn, Hourglass } from "lucide-react";
import { ColumnChart } from "../../charts/column-chart";
import { Figure, saidOf } from "../../charts/figure";
import { Tables } from "../../charts/tables";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { daySpan } from "../../format/date";
import { dates } from "../../format/formatters";
import { change, share } from "../../format/share";
import { shortMoney } from "../../format/short";
import { useLanguage } from "../../i18n";
import type { Language } from "../../i18n/languages";
import { useTranslation } from "../../i18n/translation";
import { useAmounts } from "../../session/amounts";
import { useSession } from "../../session/session";
import { type Own, useDriverStats } from "../../stats/calls";
import { changeOf } from "../../stats/days";
import styles from "./stats.module.css";

/** How many weeks the bars show. */
const WEEKS = 12;

/** Of fewer settled periods an average says nothing. */
const LEAST = 2;

/** What a driver earned; who is not accepted by the fleet yet reads that. */
export default function StatsPage() {
  const { t } = useTranslation("explain");
  return useSession().driver?.linked ? (
    <Statistics />
  ) : (
    <FirstUse icon={Hourglass} title={t("notLinkedTitle")} body={t("notLinkedBody")} />
  );
}

function Statistics() {
  const { t } = useTranslation("stats");
  const found = useDriverStats(WEEKS);
  if (found.isError && !found.data)
    return (
      <ErrorState
        level={1}
        title={t("loadFailed")}
        undone={t("unchanged")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (!found.data) return <div className={styles.page} aria-busy="true" />;
  if (found.data.settledPeriods < LEAST)
    return <FirstUse icon={ChartColumn} title={t("ownEarlyTitle")} body={t("ownEarlyBody")} />;
  return (
    <Tables>
      <div className={styles.page}>
        <h1 className="sr-only">{t("title")}</h1>
        <Last of={found.data} />
        <Weeks of={found.data} />
        <Facts of={found.data} />
      </div>
    </Tables>
  );
}

/** The last payout beside the usual one. */
function Last({ of: { last, average4 } }: { of: Own }) {
  const { t } = useTranslation("stats");
  const language = useLanguage();
  const { plain, sign, full } = useAmounts();
  const moved = changeOf(last, average4);
  return (
    <section className={styles.last} aria-labelledby="stats-last">
      <h2 id="stats-last">{t("ownLast")}</h2>
      <p className={styles.amount}>
        {plain(last)}
        <small>{sign}</small>
      </p>
      <p>
        {t("ownAverage", { amount: full(average4) })}
        {moved !== undefined && moved !== 0 && ` ${t("ownMoved", { change: change(moved, language) })}`}
      </p>
    </section>
  );
}

const tickOf = (from: string, language: Language) =>
  dates(language, { day: "numeric", month: "numeric", timeZone: "UTC" }).format(new Date(`${from}T12:00:00Z`));

/** Payouts of the last weeks, beside the average of the last four. */
function Weeks({ of: { weeks: all, average4 } }: { of: Own }) {
  const { t } = useTranslation(["stats", "charts"]);
  const language = useLanguage();
  const { full } = useAmounts();
  // From the first week on in which anything happened.
  const weeks = all.slice(
    Math.max(
      0,
      all.findIndex(({ revenue, payout }) => revenue !== 0 || payout !== 0),
    ),
  );
  const best = weeks.reduce<Own["weeks"][number] | undefined>(
    (most, one) => (most && most.payout >= one.payout ? most : one),
    undefined,
  );
  if (!best) return null;
  const lead = full(best.payout);
  const finding = t("ownBest", { week: daySpan(best.from, best.to, language) });
  const tracked = weeks.some(({ minutes }) => minutes > 0);
  return (
    <Figure
      title={t("ownWeeks", { count: weeks.length })}
      lead={lead}
      finding={finding}
      name="saldo-payouts"
      table={{
        columns: [
          { key: "week", title: t("week"), kind: "text" },
          { key: "payout", title: t("ownPayout"), kind: "money" },
          { key: "revenue", title: t("revenue"), kind: "money" },
          { key: "fee", title: t("fee"), kind: "money" },
          { key: "cash", title: t("ownCash"), kind: "money" },
          ...(tracked ? [{ key: "hours", title: t("hours"), kind: "hundredths" as const }] : []),
        ],
        rows: weeks.map((one) => [
          daySpan(one.from, one.to, language),
          one.payout,
          one.revenue,
          one.fees,
          one.cash,
          ...(tracked ? [Math.round((one.minutes * 100) / 60)] : []),
        ]),
        links: weeks.map(({ from }) => settlementsIn(from)),
      }}
    >
      <ColumnChart
        label={saidOf(lead, finding)}
        list={t("charts:points", { title: t("ownWeeks", { count: weeks.length }) })}
        parts={[{ key: "payout", label: t("ownPayout"), fill: "solid", values: weeks.map(({ payout }) => payout) }]}
        ticks={weeks.map(({ from }) => tickOf(from, language))}
        points={weeks.map((one) => ({
          key: one.week,
          to: settlementsIn(one.from),
          head: daySpan(one.from, one.to, language),
          values: [full(one.payout), t("ownRevenue", { amount: full(one.revenue) })],
        }))}
        written={(value) => shortMoney(value, language)}
        level={{ value: average4, label: t("average4") }}
      />
    </Figure>
  );
}

const settlementsIn = (day: string) => `/driver/settlements?year=${day.slice(0, 4)}`;

/** A day of the week by its number, Monday first. */
const weekdayOf = (number: number, language: Language) =>
  // The fourth of January 2027 is a Monday.
  dates(language, { weekday: "long", timeZone: "UTC" }).format(new Date(Date.UTC(2027, 0, 3 + number, 12)));

/** What an hour brings, what is cash, what the apps take, which day is best: each only where it is known. */
function Facts({ of: { perHour, cashShare, feeShare, bestWeekday } }: { of: Own }) {
  const { t } = useTranslation("stats");
  const language = useLanguage();
  const { full } = useAmounts();
  const facts = [
    perHour !== null && { label: t("perHour"), value: full(perHour), note: t("perHourNote") },
    cashShare !== null && {
      label: t("cashTitle"),
      value: share(cashShare, language),
      note: t("cardNote", { share: share(10_000 - cashShare, language) }),
    },
    feeShare !== null && { label: t("feeTitle"), value: share(feeShare, language), note: t("feeNote") },
    bestWeekday > 0 && {
      label: t("bestDay"),
      value: weekdayOf(bestWeekday, language),
      note: t("bestDayNote"),
    },
  ].filter((one) => one !== false);
  if (facts.length === 0) return null;
  return (
    <dl className={styles.facts} aria-label={t("facts")}>
      {facts.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          <dd className={styles.note}>{note}</dd>
        </div>
      ))}
    </dl>
  );
}
