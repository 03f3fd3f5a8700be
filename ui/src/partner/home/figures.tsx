import { Link } from "react-router";
import { Figure, saidOf } from "../../charts/figure";
import { LineChart } from "../../charts/line-chart";
import { daySpan } from "../../format/date";
import { dates } from "../../format/formatters";
import { count } from "../../format/number";
import { change } from "../../format/share";
import { shortCount, shortMoney } from "../../format/short";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { useAmounts } from "../../session/amounts";
import { type FleetWeek, useFleetStats } from "../../stats/calls";
import { begun, changeOf } from "../../stats/days";
import { rowsOf } from "../../stats/links";
import styles from "./home.module.css";

/** Self-billed invoices that nobody knows, if there are any, and the figures. */
export default function Below({ strange = 0 }: { strange: number | undefined }) {
  const { t } = useTranslation("stats");
  return (
    <>
      {strange > 0 && (
        <p className={styles.licence}>
          <Link to="/purchases?show=strange">{t("strange", { number: strange })}</Link>
        </p>
      )}
      <Figures />
    </>
  );
}

/** The last week that is over in four figures, and the revenue of half a year; nothing before there is any. */
function Figures() {
  const { t } = useTranslation("stats");
  const language = useLanguage();
  const { data } = useFleetStats({});
  const last = data?.weeks.findLast(({ revenue, payout }) => revenue !== 0 || payout !== 0);
  if (!data || !last) return null;
  const before = data.weeks[data.weeks.indexOf(last) - 1];
  return (
    <section className={styles.figures} aria-labelledby="home-figures">
      <h2 id="home-figures">
        {t("lastWeek")} <span>{daySpan(last.from, last.to, language)}</span>
      </h2>
      <ul>
        {(["revenue", "payout", "earned", "active"] as const).map((figure) => (
          <Tile key={figure} figure={figure} of={last} before={before} />
        ))}
      </ul>
      <Revenue weeks={begun(data).weeks} />
      <p>
        <Link to="/stats">{t("allStats")}</Link>
      </p>
    </section>
  );
}

interface TileProps {
  figure: "revenue" | "payout" | "earned" | "active";
  of: FleetWeek;
  before: FleetWeek | undefined;
}

/** A short figure; the exact one is in its title, and read aloud. */
function Tile({ figure, of, before }: TileProps) {
  const { t } = useTranslation("stats");
  const language = useLanguage();
  const { full, sign } = useAmounts();
  const name = t(`tile_${figure}`);
  const drivers = figure === "active";
  const exact = drivers ? count(of[figure], language) : full(of[figure]);
  const brief = drivers ? shortCount(of[figure], language) : shortMoney(of[figure], language) + sign;
  // Before a week is settled, nothing can be said of what was paid and earned.
  const open = (figure === "payout" || figure === "earned") && of.payout === 0 && of.earned === 0;
  const moved = before && changeOf(of[figure], before[figure]);
  return (
    <li>
      <Link to={rowsOf(of)} title={exact} aria-label={[name, exact].join(": ")}>
        <span>{name}</span>
        <b>{open ? "–" : brief}</b>
        <small>
          {open
            ? t("tileOpen")
            : moved === undefined
              ? t("tileNew")
              : t("tileMoved", { change: change(moved, language) })}
        </small>
      </Link>
    </li>
  );
}

function Revenue({ weeks }: { weeks: readonly FleetWeek[] }) {
  const { t } = useTranslation(["stats", "charts"]);
  const language = useLanguage();
  const { full } = useAmounts();
  const lead = full(weeks.reduce((sum, { revenue }) => sum + revenue, 0));
  const finding = t("homeFinding", { count: weeks.length });
  const head = (week: FleetWeek) => daySpan(week.from, week.to, language);
  return (
    <Figure
      title={t("revenueTitle")}
      lead={lead}
      finding={finding}
      name="saldo-revenue"
      table={{
        columns: [
          { key: "week", title: t("week"), kind: "text" },
          { key: "revenue", title: t("revenue"), kind: "money" },
        ],
        rows: weeks.map((week) => [head(week), week.revenue]),
        links: weeks.map(rowsOf),
      }}
    >
      <LineChart
        label={saidOf(lead, finding)}
        list={t("charts:points", { title: t("revenueTitle") })}
        lines={[{ key: "now", label: t("thisYear"), look: "accent", values: weeks.map(({ revenue }) => revenue) }]}
        ticks={weeks.map(({ from }) =>
          dates(language, { day: "numeric", month: "numeric", timeZone: "UTC" }).format(new Date(`${from}T12:00:00Z`)),
        )}
        points={weeks.map((week) => ({
          key: week.week,
          to: rowsOf(week),
          head: head(week),
          values: [full(week.revenue)],
        }))}
        written={(value) => shortMoney(value, language)}
      />
    </Figure>
  );
}
