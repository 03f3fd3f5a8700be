import { ColumnChart } from "../../charts/column-chart";
import { Figure, saidOf } from "../../charts/figure";
import { LineChart } from "../../charts/line-chart";
import { FILLS } from "../../charts/patterns";
import { RowChart } from "../../charts/row-chart";
import type { Table } from "../../charts/values";
import { useProviderNames } from "../../explain/queries";
import { count } from "../../format/number";
import { change, share } from "../../format/share";
import { shortCount, shortMoney } from "../../format/short";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { useAmounts } from "../../session/amounts";
import type { Fleet } from "../../stats/calls";
import { changeOf, shareOf } from "../../stats/days";
import { DEBTS, rowsOf, settlementsOf } from "../../stats/links";
import { tickOf, weekOf } from "./ticks";

interface Of {
  of: Fleet;
}

/** Revenue by week, beside the same weeks a year ago. */
export function Revenue({ of }: Of) {
  const { t } = useTranslation(["stats", "charts"]);
  const language = useLanguage();
  const { full } = useAmounts();
  const { weeks } = of;
  const sum = weeks.reduce((all, { revenue }) => all + revenue, 0);
  const before = weeks.reduce((all, { lastYear }) => all + lastYear, 0);
  const moved = changeOf(sum, before);
  const lead = full(sum);
  const finding =
    moved === undefined
      ? t("revenueNoYear", { count: weeks.length })
      : t("revenueFinding", { count: weeks.length, change: change(moved, language) });
  const compared = before !== 0;
  const table: Table = {
    columns: [
      { key: "week", title: t("week"), kind: "text" },
      { key: "revenue", title: t("revenue"), kind: "money" },
      { key: "lastYear", title: t("lastYear"), kind: "money" },
      { key: "payout", title: t("payouts"), kind: "money" },
      { key: "earned", title: t("earned"), kind: "money" },
    ],
    rows: weeks.map((week) => [weekOf(week, language), week.revenue, week.lastYear, week.payout, week.earned]),
    links: weeks.map(rowsOf),
  };
  return (
    <Figure title={t("revenueTitle")} lead={lead} finding={finding} table={table} name="saldo-revenue" wide>
      <LineChart
        label={saidOf(lead, finding)}
        list={t("charts:points", { title: t("revenueTitle") })}
        lines={[
          { key: "now", label: t("thisYear"), look: "accent", values: weeks.map(({ revenue }) => revenue) },
          ...(compared
            ? [
                {
                  key: "past",
                  label: t("lastYear"),
                  look: "past" as const,
                  values: weeks.map(({ lastYear }) => lastYear),
                },
              ]
            : []),
        ]}
        ticks={weeks.map(({ from }) => tickOf(from, language))}
        points={weeks.map((week) => ({
          key: week.week,
          to: rowsOf(week),
          head: weekOf(week, language),
          values: [full(week.revenue), ...(compared ? [`${t("lastYear")} ${full(week.lastYear)}`] : [])],
        }))}
        written={(value) => shortMoney(value, language)}
      />
    </Figure>
  );
}

/** More apps than this are one part. */
const PARTS = FILLS.length;

/** Revenue of each week in parts, one for each app. */
export function Apps({ of, compare }: Of & { compare: boolean }) {
  const { t } = useTranslation(["stats", "charts"]);
  const language = useLanguage();
  const { full } = useAmounts();
  const nameOf = useProviderNames();
  const apps = of.apps.filter(({ revenue }) => revenue > 0);
  const [first] = apps;
  if (!first) return null;
  const all = of.apps.reduce((sum, { revenue }) => sum + revenue, 0);
  const named = apps.length > PARTS ? apps.slice(0, PARTS - 1) : apps;
  const rest = apps.slice(named.length);
  const parts = [
    ...named.map((app) => ({ key: app.provider, label: nameOf(app.provider), of: [app] })),
    ...(rest.length > 0 ? [{ key: "rest", label: t("otherApps"), of: rest }] : []),
  ].map((part, nth) => ({
    ...part,
    fill: FILLS[nth] ?? "light",
    values: of.weeks.map((_, nth) => part.of.reduce((sum, { weeks }) => sum + Math.max(0, weeks[nth] ?? 0), 0)),
  }));
  const lead = share(shareOf(first.revenue, all) ?? 0, language);
  const finding = t("appsFinding", { app: nameOf(first.provider), apps: apps.length });
  const table: Table = {
    columns: [
      { key: "app", title: t("app"), kind: "text" },
      { key: "revenue", title: t("revenue"), kind: "money" },
      { key: "share", title: t("share"), kind: "share" },
      ...(compare
        ? ([
            { key: "previous", title: t("previous"), kind: "money" },
            { key: "change", title: t("change"), kind: "change" },
          ] as const)
        : []),
      { key: "rows", title: t("rows"), kind: "count" },
    ],
    rows: of.apps.map(({ provider, revenue, previous, rows }) => [
      nameOf(provider),
      revenue,
      shareOf(revenue, all) ?? null,
      ...(compare ? [previous, changeOf(revenue, previous) ?? null] : []),
      rows,
    ]),
    links: of.apps.map(({ provider }) => `/log?provider=${provider}`),
  };
  return (
    <Figure title={t("appsTitle")} lead={lead} finding={finding} table={table} name="saldo-apps" wide>
      <ColumnChart
        label={saidOf(lead, finding)}
        list={t("charts:points", { title: t("appsTitle") })}
        parts={parts}
        ticks={of.weeks.map(({ from }) => tickOf(from, language))}
        points={of.weeks.map((week, nth) => ({
          key: week.week,
          to: rowsOf(week),
          head: weekOf(week, language),
          values: parts.map(({ label, values }) => `${label} ${full(values[nth] ?? 0)}`),
        }))}
        written={(value) => shortMoney(value, language)}
      />
    </Figure>
  );
}

/** How much of the revenue drivers had in cash. */
export function CashShare({ of: { weeks } }: Of) {
  const { t } = useTranslation(["stats", "charts"]);
  const language = useLanguage();
  const known = weeks.flatMap(({ cashShare }) => (cashShare === null ? [] : [cashShare]));
  const last = known.at(-1);
  if (last === undefined) return null;
  const lead = share(last, language);
  const average = Math.round(known.reduce((sum, one) => sum + one, 0) / known.length);
  const finding = t("cashFinding", { average: share(average, language) });
  return (
    <Figure
      title={t("cashTitle")}
      lead={lead}
      finding={finding}
      name="saldo-cash"
      table={{
        columns: [
          { key: "week", title: t("week"), kind: "text" },
          { key: "cash", title: t("cashTitle"), kind: "share" },
        ],
        rows: weeks.map((week) => [weekOf(week, language), week.cashShare]),
        links: weeks.map(rowsOf),
      }}
    >
      <LineChart
        label={saidOf(lead, finding)}
        list={t("charts:points", { title: t("cashTitle") })}
        lines={[{ key: "cash", label: t("cashShort"), look: "accent", values: weeks.map((one) => one.cashShare) }]}
        ticks={weeks.map(({ from }) => tickOf(from, language))}
        points={weeks.map((week) => ({
          key: week.week,
          to: rowsOf(week),
          head: weekOf(week, language),
          values: [week.cashShare === null ? t("noRevenue") : share(week.cashShare, language)],
        }))}
        written={(value) => share(value, language)}
      />
    </Figure>
  );
}

/** How many drivers were paid how much. */
export function Payouts({ of: { payoutBands: bands, payoutWeek } }: Of) {
  const { t } = useTranslation(["stats", "charts"]);
  const language = useLanguage();
  const { sign, full } = useAmounts();
  const all = bands.reduce((sum, { drivers }) => sum + drivers, 0);
  if (all === 0) return null;
  const whole = (minor: number) => count(Math.round(minor / 100), language);
  const named = ({ from, to }: (typeof bands)[number]) =>
    to === 1
      ? t("bandNothing")
      : to === 0
        ? t("bandAbove", { from: whole(from) + sign })
        : t("band", { from: whole(from), to: whole(to) + sign });
  const largest = bands.reduce((most, one) => (one.drivers > most.drivers ? one : most));
  const lead = named(largest);
  const finding = t("bandsFinding", { count: largest.drivers, all: count(all, language) });
  const to = `${settlementsOf(payoutWeek)}&sort=-payout`;
  return (
    <Figure
      title={t("bandsTitle", { week: Number(payoutWeek.slice(-2)) })}
      lead={lead}
      finding={finding}
      name="saldo-payouts"
      table={{
        columns: [
          { key: "band", title: t("payouts"), kind: "text" },
          { key: "drivers", title: t("drivers"), kind: "count" },
          { key: "share", title: t("share"), kind: "share" },
        ],
        rows: bands.map((band) => [named(band), band.drivers, shareOf(band.drivers, all) ?? null]),
        links: bands.map(() => to),
      }}
    >
      <RowChart
        label={saidOf(lead, finding)}
        list={t("charts:points", { title: t("bandsTitle", { week: Number(payoutWeek.slice(-2)) }) })}
        rows={bands.map((band) => ({
          key: `${band.from} ${band.to}`,
          label: named(band),
          value: band.drivers,
          text: shortCount(band.drivers, language),
          to,
          said: [
            t("driversOf", { count: band.drivers }),
            t("bandRange", { from: full(band.from), to: full(band.to) }),
          ].slice(0, band.to <= 1 ? 1 : 2),
          strong: band === largest,
        }))}
      />
    </Figure>
  );
}

/** What drivers owe, by how long they have. */
export function Debts({ of: { debts } }: Of) {
  const { t } = useTranslation(["stats", "charts"]);
  const language = useLanguage();
  const { full } = useAmounts();
  const owed = debts.reduce((sum, { amount }) => sum + amount, 0);
  const drivers = debts.reduce((sum, one) => sum + one.drivers, 0);
  const named = ({ from, to }: (typeof debts)[number]) =>
    to === 0
      ? t("weeksAbove", { count: from })
      : from === 0
        ? t("weeksUnder", { count: to })
        : from + 1 === to
          ? t("weeks", { count: from })
          : t("weeksBand", { from, count: to - 1 });
  const oldest = debts.findLast(({ amount }) => amount > 0);
  const lead = full(owed);
  const finding = drivers === 0 ? t("debtsNone") : t("debtsFinding", { count: drivers });
  return (
    <Figure
      title={t("debtsTitle")}
      lead={lead}
      finding={finding}
      name="saldo-debts"
      table={{
        columns: [
          { key: "age", title: t("age"), kind: "text" },
          { key: "drivers", title: t("drivers"), kind: "count" },
          { key: "amount", title: t("owed"), kind: "money" },
        ],
        rows: debts.map((debt) => [named(debt), debt.drivers, debt.amount]),
        links: debts.map(() => DEBTS),
      }}
    >
      {drivers > 0 && (
        <RowChart
          label={saidOf(lead, finding)}
          list={t("charts:points", { title: t("debtsTitle") })}
          rows={debts.map((debt) => ({
            key: String(debt.from),
            label: named(debt),
            value: debt.amount,
            text: shortMoney(debt.amount, language),
            to: DEBTS,
            said: [full(debt.amount), t("driversOf", { count: debt.drivers })],
            strong: debt === oldest,
          }))}
        />
      )}
    </Figure>
  );
}
