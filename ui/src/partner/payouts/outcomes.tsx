import { Checkbox } from "antd";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { useAmounts } from "../../session/amounts";
import { day } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import type { Outcome } from "./queries";

/** How many are shown before somebody asks for all. */
const FIRST = 20;

interface OutcomeListProps {
  kind: "paid" | "returned" | "unclear";
  outcomes: readonly Outcome[];
  taken: (one: Outcome) => boolean;
  onToggle: (one: Outcome) => void;
}

/** What a statement says of some transfers. What is unclear is left to people. */
export function OutcomeList({ kind, outcomes, taken, onToggle }: OutcomeListProps) {
  const { t } = useTranslation("payouts");
  const language = useLanguage();
  const { full } = useAmounts();
  const [all, setAll] = useState(false);
  const shown = all ? outcomes : outcomes.slice(0, FIRST);
  const sum = outcomes.reduce((total, { amount }) => total + amount, 0);
  return (
    <section className="payouts-excluded payouts-outcomes" aria-labelledby={`payouts-${kind}`}>
      <h2 id={`payouts-${kind}`}>
        {t(`outcome_${kind}`)}{" "}
        <span>{t("excludedOf", { number: count(outcomes.length, language), sum: full(sum) })}</span>
      </h2>
      <p className="payouts-aside">{t(`outcomeNote_${kind}`)}</p>
      <ul>
        {shown.map((one) => (
          <Line
            key={`${one.batch}-${one.place}`}
            one={one}
            taken={kind === "unclear" ? undefined : taken(one)}
            onToggle={() => onToggle(one)}
          />
        ))}
      </ul>
      {shown.length < outcomes.length && (
        <Button kind="link" onClick={() => setAll(true)}>
          {t("showAll", { number: outcomes.length })}
        </Button>
      )}
    </section>
  );
}

function Line({ one, taken, onToggle }: { one: Outcome; taken: boolean | undefined; onToggle: () => void }) {
  const { t } = useTranslation("payouts");
  const language = useLanguage();
  const { full } = useAmounts();
  const name = `${one.lastName} ${one.firstName}`;
  const on = one.day && day(`${one.day}T12:00:00Z`, language, "UTC");
  return (
    <li>
      <span className="payouts-pick">
        {taken !== undefined && (
          <Checkbox checked={taken} onChange={onToggle} aria-label={t("outcomeTake", { name, number: one.number })} />
        )}
        <span className="payouts-who">
          <Link to={`/transactions/summary/${one.driverId}/${one.settlementId}`}>{name}</Link>
          <small>{t("settlementNo", { number: one.number })}</small>
        </span>
      </span>
      <span className="payouts-reason">
        {one.outcome === "returned" &&
          (one.reason ? t("cameBack", { on, reason: one.reason }) : t("cameBackBare", { on }))}
        {one.outcome === "paid" && `${on}, ${t(`why_${one.why}`)}`}
        {one.outcome === "unclear" && t(`why_${one.why}`)}
      </span>
      <span className="payouts-amount">{full(one.amount)}</span>
      <span className="payouts-mend">
        <Link to={`/payouts/${one.batch}`}>{t("openBatch", { number: one.batch })}</Link>
      </span>
    </li>
  );
}
