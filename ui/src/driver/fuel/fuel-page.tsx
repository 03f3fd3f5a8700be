import { Fuel, Hourglass } from "lucide-react";
import { useState } from "react";
import { ColumnChart } from "../../charts/column-chart";
import { Figure, saidOf } from "../../charts/figure";
import { Tables } from "../../charts/tables";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { daySpan } from "../../format/date";
import { dates } from "../../format/formatters";
import { shortMoney } from "../../format/short";
import { type Refuelling, useOwnFuel } from "../../fuel/calls";
import { Cards } from "../../fuel/cards";
import { litres, weeksOf } from "../../fuel/figures";
import { Refuellings } from "../../fuel/refuellings";
import { SpanChoice, useDays, type Weeks } from "../../fuel/span";
import { NextCharge, Totals } from "../../fuel/summary";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { useAmounts } from "../../session/amounts";
import { useSession } from "../../session/session";
import styles from "./fuel-page.module.css";

/** A driver's fuel cards and refuellings; who is not accepted by the fleet yet reads that. */
export default function FuelPage() {
  const { t } = useTranslation("explain");
  return useSession().driver?.linked ? (
    <OwnFuel />
  ) : (
    <FirstUse icon={Hourglass} title={t("notLinkedTitle")} body={t("notLinkedBody")} />
  );
}

function OwnFuel() {
  const { t } = useTranslation("fuel");
  const [weeks, setWeeks] = useState<Weeks>(13);
  const found = useOwnFuel(useDays(weeks));
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
  const { cards, refuellings, next } = found.data;
  if (cards.length === 0 && refuellings.length === 0 && !next && weeks === 13)
    return <FirstUse icon={Fuel} title={t("emptyTitle")} body={t("emptyBody")} />;
  return (
    <Tables>
      <div className={styles.page} aria-busy={found.isPlaceholderData || undefined}>
        <h1 className="sr-only">{t("title")}</h1>
        <NextCharge next={next} />
        {cards.length > 0 && (
          <section aria-labelledby="fuel-cards">
            <h2 id="fuel-cards">{t("cards", { count: cards.length })}</h2>
            <Cards cards={cards} />
          </section>
        )}
        <SpanChoice weeks={weeks} onChange={setWeeks} />
        <Totals of={found.data} />
        <ByWeek refuellings={refuellings} />
        <section className={styles.refuellings} aria-labelledby="fuel-refuellings">
          <h2 id="fuel-refuellings">{t("refuellings")}</h2>
          {refuellings.length > 0 ? (
            <Refuellings refuellings={refuellings} cards={cards} own />
          ) : (
            <p>{t("noRefuellings")}</p>
          )}
        </section>
      </div>
    </Tables>
  );
}

/** What fuel cost in each week; of one week there is nothing to compare. */
function ByWeek({ refuellings }: { refuellings: readonly Refuelling[] }) {
  const { t } = useTranslation(["fuel", "charts"]);
  const language = useLanguage();
  const { full } = useAmounts();
  const weeks = weeksOf(refuellings);
  if (weeks.length < 2) return null;
  const dearest = weeks.reduce((most, one) => (one.gross > most.gross ? one : most));
  const lead = full(dearest.gross);
  const finding = t("dearest", { week: daySpan(dearest.from, dearest.to, language) });
  const title = t("byWeek", { count: weeks.length });
  return (
    <Figure
      title={title}
      lead={lead}
      finding={finding}
      name="saldo-fuel"
      table={{
        columns: [
          { key: "week", title: t("week"), kind: "text" },
          { key: "litres", title: t("totalLitres"), kind: "hundredths" },
          { key: "gross", title: t("totalGross"), kind: "money" },
        ],
        rows: weeks.map((one) => [daySpan(one.from, one.to, language), Math.round(one.millilitres / 10), one.gross]),
      }}
    >
      <ColumnChart
        label={saidOf(lead, finding)}
        list={t("charts:points", { title })}
        parts={[
          { key: "gross", label: t("totalGross"), fill: "solid", values: weeks.map(({ gross }) => Math.max(0, gross)) },
        ]}
        ticks={weeks.map(({ from }) =>
          dates(language, { day: "numeric", month: "numeric", timeZone: "UTC" }).format(new Date(`${from}T12:00:00Z`)),
        )}
        points={weeks.map((one) => ({
          key: one.from,
          to: `/driver/settlements?year=${one.from.slice(0, 4)}`,
          head: daySpan(one.from, one.to, language),
          values: [full(one.gross), t("litres", { litres: litres(one.millilitres, language) })],
        }))}
        written={(value) => shortMoney(value, language)}
      />
    </Figure>
  );
}
