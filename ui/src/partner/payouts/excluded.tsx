import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { useAmounts } from "../../session/amounts";
import { day, daySpan } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import type { Excluded } from "./queries";

/** How many are shown before somebody asks for all. */
const FIRST = 20;

/** Somebody who is paid although the plan left them out. */
export type Accepted = Pick<Excluded, "settlementId" | "reason">;

interface ExcludedListProps {
  excluded: readonly Excluded[];
  onAccept: (one: Accepted) => void;
}

/** Who is not paid, why, how much it is, and where to mend it. */
export function ExcludedList({ excluded, onAccept }: ExcludedListProps) {
  const { t } = useTranslation("payouts");
  const language = useLanguage();
  const { full } = useAmounts();
  const [all, setAll] = useState(false);
  if (excluded.length === 0) return null;
  const sum = excluded.reduce((total, { payout }) => total + payout, 0);
  const shown = all ? excluded : excluded.slice(0, FIRST);
  return (
    <section className="payouts-excluded" aria-labelledby="payouts-excluded">
      <h2 id="payouts-excluded">
        {t("excluded")} <span>{t("excludedOf", { number: count(excluded.length, language), sum: full(sum) })}</span>
      </h2>
      <ul>
        {shown.map((one) => (
          <Line key={one.settlementId} one={one} onAccept={onAccept} />
        ))}
      </ul>
      {shown.length < excluded.length && (
        <Button kind="link" onClick={() => setAll(true)}>
          {t("showAll", { number: excluded.length })}
        </Button>
      )}
    </section>
  );
}

function Line({ one, onAccept }: { one: Excluded; onAccept: (one: Accepted) => void }) {
  const { t } = useTranslation("payouts");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { full } = useAmounts();
  const name = `${one.lastName} ${one.firstName}`.trim() || t("unknownOne");
  const reason = t(`reason_${one.reason}`, {
    batch: one.batch,
    found: one.found,
    day: one.changedAt ? day(one.changedAt, language, timeZone) : "",
  });
  const mends = [
    "no_account",
    "no_tax_id",
    "bailiff",
    "blocked",
    "foreign_account",
    "unwritable",
    "outside_sepa",
  ].includes(one.reason);
  return (
    <li>
      <span className="payouts-who">
        {one.driverId ? <Link to={`/drivers/${one.driverId}`}>{name}</Link> : name}
        {one.number > 0 && (
          <small>
            {t("settlementNo", { number: one.number })}
            {one.firstOn && `, ${daySpan(one.firstOn, one.lastOn, language)}`}
          </small>
        )}
      </span>
      <span className="payouts-reason">{reason}</span>
      <span className="payouts-amount">{one.payout > 0 && full(one.payout)}</span>
      <span className="payouts-mend">
        {["no_invoice", "invoice_refused"].includes(one.reason) && (
          <Link to={`/transactions/summary/${one.driverId}/${one.settlementId}`}>{t("openSettlement")}</Link>
        )}
        {["account_changed", "invoice_refused"].includes(one.reason) && (
          <Button size="small" onClick={() => onAccept(one)}>
            {t("payAnyway")}
          </Button>
        )}
        {one.reason === "in_batch" && <Link to={`/payouts/${one.batch}`}>{t("openBatch", { number: one.batch })}</Link>}
        {mends && (
          <Link to={`/drivers/${one.driverId}`} aria-label={t("mendNamed", { name })}>
            {t("mend")}
          </Link>
        )}
      </span>
    </li>
  );
}
