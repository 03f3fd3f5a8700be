import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { answer, api, type Body } from "../../api/client";
import { Notice } from "../../components/notice";
import { Section } from "../../components/section";
import { useExplained, useLastPeriod } from "../../explain/queries";
import { day, daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useAmounts } from "../../session/amounts";
import { useSession } from "../../session/session";
import styles from "./driver-money.module.css";

const SETTLED = "/api/settlements";
/** A quarter of weekly settlements. */
const SHOWN = 13;

type Settled = Body<typeof SETTLED>["items"][number];

/** What a driver was paid lately, what comes next, and how it went on. */
export function DriverMoney({ id }: { id: string }) {
  const mayRead = useSession().may("settlements.read");
  return mayRead ? <Money id={id} /> : null;
}

function Money({ id }: { id: string }) {
  const { t } = useTranslation(["drivers", "faults"]);
  const settled = useQuery({
    queryKey: [SETTLED, "driver", id],
    queryFn: ({ signal }) =>
      answer(api.GET(SETTLED, { signal, params: { query: { driver: id, page: 1, size: SHOWN } } })),
  });
  const items = settled.data?.items;
  return (
    <Section title={t("money")} lead={t("moneyLead")}>
      <div className={styles.money}>
        <Pending id={id} />
        {settled.error && !items ? (
          <Notice tone="danger">{t(`faults:${settled.error.code}`, { replace: settled.error.params })}</Notice>
        ) : !items ? (
          <span className="bar" style={{ width: 320 }} />
        ) : items.length === 0 ? (
          <p className={styles.none}>{t("moneyNone")}</p>
        ) : (
          <>
            <Trend items={items} />
            <List items={items} />
          </>
        )}
      </div>
    </Section>
  );
}

/** What is pending in the last week that has ended. */
function Pending({ id }: { id: string }) {
  const { t } = useTranslation("drivers");
  const language = useLanguage();
  const { full } = useAmounts();
  const period = useLastPeriod(true).data ?? "";
  const pending = useExplained(id, "", period).data;
  if (!pending) return null;
  const due = pending.figures.due ?? 0;
  return (
    <p className={styles.pending}>
      <span>
        {t("moneyPending")} <small>{daySpan(pending.firstOn, pending.lastOn, language)}</small>
      </span>
      <Link to={`/transactions/summary/${id}?period=${pending.period}`} data-debt={due < 0 || undefined}>
        {full(due)}
      </Link>
    </p>
  );
}

/** Payouts as bars, the oldest first; zero is always the base, and a bar opens its settlement. */
function Trend({ items }: { items: readonly Settled[] }) {
  const { t } = useTranslation("drivers");
  const language = useLanguage();
  const { full } = useAmounts();
  const shown = items.filter(({ state }) => state !== "revoked").reverse();
  const most = Math.max(1, ...shown.map(({ payout }) => payout));
  if (shown.length < 2) return null;
  return (
    <ul className={styles.trend} aria-label={t("moneyTrend")}>
      {shown.map((one) => (
        <li key={one.id}>
          <Link
            to={`/transactions/summary/${one.driverId}/${one.id}`}
            aria-label={`${daySpan(one.firstOn, one.lastOn, language)}: ${full(one.payout)}`}
            title={`${daySpan(one.firstOn, one.lastOn, language)}: ${full(one.payout)}`}
          >
            <span style={{ height: `${Math.round((100 * Math.max(0, one.payout)) / most)}%` }} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function List({ items }: { items: readonly Settled[] }) {
  const { t } = useTranslation(["drivers", "settlements"]);
  const language = useLanguage();
  const { full } = useAmounts();
  const word = ({ state, paidOn }: Settled) =>
    state === "paid"
      ? t("settlements:isPaid", { day: day(`${paidOn}T12:00:00Z`, language, "UTC") })
      : t(state === "revoked" ? "settlements:isRevoked" : "settlements:isSettled");
  return (
    <ul className={styles.list}>
      {items.map((one) => (
        <li key={one.id}>
          <Link to={`/transactions/summary/${one.driverId}/${one.id}`}>
            {daySpan(one.firstOn, one.lastOn, language)}
            <small>{t("settlements:numbered", { number: one.number, name: word(one) })}</small>
          </Link>
          <b data-revoked={one.state === "revoked" || undefined}>{full(one.payout)}</b>
        </li>
      ))}
    </ul>
  );
}
