import { Link } from "react-router";
import { CohortTable } from "../../charts/cohort-table";
import { ColumnChart } from "../../charts/column-chart";
import { Figure, saidOf } from "../../charts/figure";
import { LineChart } from "../../charts/line-chart";
import { count } from "../../format/number";
import { change, share } from "../../format/share";
import { shortCount } from "../../format/short";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { useAmounts } from "../../session/amounts";
import type { Fleet, Ranked } from "../../stats/calls";
import { shareOf } from "../../stats/days";
import { rowsOf, transactionsOf } from "../../stats/links";
import { monthOf, tickOf, weekOf } from "./ticks";
import styles from "./stats.module.css";

interface Of {
  of: Fleet;
}

/** How many drivers had revenue in each week. */
export function Active({ of: { weeks } }: Of) {
  const { t } = useTranslation(["stats", "charts"]);
  const language = useLanguage();
  const last = weeks.findLast(({ active }) => active > 0);
  if (!last) return null;
  const lead = t("driversOf", { count: last.active });
  const finding = t("activeFinding", { week: weekOf(last, language) });
  return (
    <Figure
      title={t("activeTitle")}
      lead={lead}
      finding={finding}
      name="saldo-active"
      table={{
        columns: [
          { key: "week", title: t("week"), kind: "text" },
          { key: "active", title: t("activeTitle"), kind: "count" },
        ],
        rows: weeks.map((week) => [weekOf(week, language), week.active]),
        links: weeks.map(rowsOf),
      }}
    >
      <LineChart
        label={saidOf(lead, finding)}
        list={t("charts:points", { title: t("activeTitle") })}
        lines={[{ key: "active", label: t("activeShort"), look: "accent", values: weeks.map(({ active }) => active) }]}
        ticks={weeks.map(({ from }) => tickOf(from, language))}
        points={weeks.map((week) => ({
          key: week.week,
          to: rowsOf(week),
          head: weekOf(week, language),
          values: [t("driversOf", { count: week.active })],
        }))}
        written={(value) => shortCount(value, language)}
      />
    </Figure>
  );
}

/** Who began in each week, and who has not driven since. */
export function Moves({ of: { weeks } }: Of) {
  const { t } = useTranslation(["stats", "charts"]);
  const language = useLanguage();
  const fresh = weeks.reduce((sum, one) => sum + one.fresh, 0);
  const gone = weeks.reduce((sum, one) => sum + one.gone, 0);
  if (fresh + gone === 0) return null;
  const lead = count(fresh, language);
  const finding = t("movesFinding", { gone: count(gone, language) });
  return (
    <Figure
      title={t("movesTitle")}
      lead={lead}
      finding={finding}
      name="saldo-new-and-gone"
      table={{
        columns: [
          { key: "week", title: t("week"), kind: "text" },
          { key: "fresh", title: t("fresh"), kind: "count" },
          { key: "gone", title: t("gone"), kind: "count" },
        ],
        rows: weeks.map((week) => [weekOf(week, language), week.fresh, week.gone]),
        links: weeks.map(rowsOf),
      }}
    >
      <ColumnChart
        label={saidOf(lead, finding)}
        list={t("charts:points", { title: t("movesTitle") })}
        parts={[
          { key: "fresh", label: t("fresh"), fill: "solid", values: weeks.map((one) => one.fresh) },
          { key: "gone", label: t("gone"), fill: "cross", values: weeks.map((one) => one.gone), below: true },
        ]}
        ticks={weeks.map(({ from }) => tickOf(from, language))}
        points={weeks.map((week) => ({
          key: week.week,
          to: rowsOf(week),
          head: weekOf(week, language),
          values: [`${t("fresh")} ${count(week.fresh, language)}`, `${t("gone")} ${count(week.gone, language)}`],
        }))}
        written={(value) => shortCount(value, language)}
      />
    </Figure>
  );
}

/** So many weeks later, the share of those who stayed is said in words. */
const SAID_AFTER = 4;

/** Drivers who began in the same month: how many of them still drive, week after week. */
export function Cohorts({ of: { cohorts } }: Of) {
  const { t } = useTranslation(["stats", "charts"]);
  const language = useLanguage();
  const known = cohorts.flatMap(({ drivers, active }) => {
    const stayed = active[SAID_AFTER];
    return stayed === undefined ? [] : [{ drivers, stayed }];
  });
  const all = known.reduce((sum, { drivers }) => sum + drivers, 0);
  const stayed = known.reduce((sum, one) => sum + one.stayed, 0);
  if (cohorts.length === 0) return null;
  const weeks = Math.max(0, ...cohorts.map(({ active }) => active.length));
  return (
    <Figure
      title={t("cohortsTitle")}
      lead={all > 0 ? share(Math.round((stayed * 10_000) / all), language) : undefined}
      finding={all > 0 ? t("cohortsFinding", { count: SAID_AFTER }) : t("cohortsEarly", { count: SAID_AFTER })}
      name="saldo-cohorts"
      wide
      tabular
      table={{
        columns: [
          { key: "month", title: t("month"), kind: "text" },
          { key: "drivers", title: t("drivers"), kind: "count" },
          ...Array.from({ length: weeks }, (_, after) => ({
            key: String(after),
            title: t("afterWeeks", { number: after }),
            kind: "count" as const,
          })),
        ],
        rows: cohorts.map((one) => [
          monthOf(one.month, language),
          one.drivers,
          ...Array.from({ length: weeks }, (_, after) => one.active[after] ?? null),
        ]),
      }}
    >
      <CohortTable
        caption={t("cohortsTitle")}
        heads={{ cohort: t("month"), size: t("drivers"), week: (after) => t("afterWeeks", { number: after }) }}
        partOf={(drivers, of) => t("cohortCell", { drivers: count(drivers, language), all: count(of, language) })}
        cohorts={cohorts.map((one) => ({
          key: one.month,
          label: monthOf(one.month, language),
          to: "/drivers?sort=-createdAt",
          size: one.drivers,
          weeks: one.active.map((drivers) => ({ drivers, share: shareOf(drivers, one.drivers) ?? 0 })),
        }))}
      />
    </Figure>
  );
}

/** Ten drivers with their revenue, and how it changed. */
export function Ranking({ of, which }: Of & { which: "top" | "bottom" }) {
  const { t } = useTranslation(["stats", "charts"]);
  const language = useLanguage();
  const { full, plain, sign } = useAmounts();
  const ranked = of[which];
  if (ranked.length === 0) return null;
  const sum = ranked.reduce((all, { revenue }) => all + revenue, 0);
  const all = of.apps.reduce((whole, { revenue }) => whole + revenue, 0);
  const title = t(which === "top" ? "topTitle" : "bottomTitle");
  const named = ({ firstName, lastName }: Ranked) => `${lastName} ${firstName}`;
  return (
    <Figure
      title={title}
      lead={full(sum)}
      finding={t("rankFinding", {
        count: ranked.length,
        share: share(all > 0 ? Math.round((sum * 10_000) / all) : 0, language),
      })}
      name={`saldo-${which}`}
      tabular
      table={{
        columns: [
          { key: "driver", title: t("driver"), kind: "text" },
          { key: "revenue", title: t("revenue"), kind: "money" },
          { key: "previous", title: t("previous"), kind: "money" },
          { key: "change", title: t("change"), kind: "change" },
        ],
        rows: ranked.map((one) => [named(one), one.revenue, one.previous, one.change]),
      }}
    >
      <table className={styles.ranking}>
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t("driver")}</th>
            <th scope="col">{t("revenueIn", { currency: sign.trim() })}</th>
            <th scope="col">{t("change")}</th>
          </tr>
        </thead>
        <tbody>
          {ranked.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <Link to={transactionsOf(one.id, of)}>{named(one)}</Link>
              </th>
              <td>{plain(one.revenue)}</td>
              <td>{one.change === null ? t("isNew") : change(one.change, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Figure>
  );
}
