import { ArrowRight, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useId } from "react";
import { Link } from "react-router";
import { daySpan } from "../../format/date";
import { Documents } from "./documents-part";
import type { Figure } from "../../explain/figures";
import { useMoneySteps } from "../../explain/money-steps";
import type { Compared, Explained } from "../../explain/queries";
import { Steps } from "../../explain/steps";
import { type Timeline, useTimeline } from "../../explain/timeline";
import { useWords } from "../../explain/words";

/** What stands beside the chain: where the money is, what to check, transfers, and what differs from before. */
export function Aside({ settlement }: { settlement: Explained }) {
  const words = useWords(settlement);
  const { t, language } = words;
  const { last, revoked, settled, warnings } = settlement;
  return (
    <aside className="explain-aside">
      <Part title={t("where")}>
        <MoneyWay settlement={settlement} />
      </Part>
      {warnings.length > 0 && (
        <Part title={t("toCheck")}>
          <Warnings settlement={settlement} />
        </Part>
      )}
      <Part title={t("transfers")}>
        <Transfers settlement={settlement} />
      </Part>
      {settled && !settled.absorbedInto && (
        <Part title={t("documents")}>
          <Documents settlement={{ ...settlement, settled }} />
        </Part>
      )}
      {last && (
        <Part title={t("against", { period: daySpan(last.firstOn, last.lastOn, language) })}>
          <Differences settlement={settlement} with={last} />
        </Part>
      )}
      {revoked && (
        <Part title={t("againstRevoked", { number: revoked.number })}>
          {revoked.revokeReason && (
            <p className="explain-quiet">{t("revokedBecause", { reason: revoked.revokeReason })}</p>
          )}
          <Differences settlement={settlement} with={revoked} />
        </Part>
      )}
    </aside>
  );
}

/** How far the money has come, and why it is not further. */
function MoneyWay({ settlement }: { settlement: Explained }) {
  const { t } = useWords(settlement);
  const { data, error } = useTimeline(settlement.settled?.id ?? "", settlement.driverId, settlement.period);
  if (error && !data) return <p className="explain-quiet">{t("timelineFailed")}</p>;
  return data ? <MoneySteps timeline={data} /> : <span className="bar" />;
}

function MoneySteps({ timeline }: { timeline: Timeline }) {
  return <Steps steps={useMoneySteps(timeline)} />;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Warnings({ settlement }: { settlement: Explained }) {
  const { t, amount } = useWords(settlement);
  const driver = settlement.driverId;
  return (
    <ul className="explain-warnings">
      {settlement.warnings.map(({ code, count, amount: of }) => (
        <li key={code}>
          <TriangleAlert aria-hidden size={16} strokeWidth={1.75} />
          <span>
            {t(`warning_${code}`, { count, amount: amount(of) })}{" "}
            {code === "unknown_rows" ? (
              <Link
                to={`/transactions/details/${driver}?type=UNKNOWN&from=${settlement.firstOn}&to=${settlement.lastOn}`}
              >
                {t("seeRows")}
              </Link>
            ) : (
              code !== "differs" && <Link to={`/drivers/${driver}`}>{t("seeDriver")}</Link>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Transfers({ settlement }: { settlement: Explained }) {
  const { t, amount } = useWords(settlement);
  if (settlement.transfers.length === 0) return <p className="explain-quiet">{t("noTransfers")}</p>;
  return (
    <dl className="explain-pairs">
      {settlement.transfers.map(({ purpose, amount: of, vat, nameVat }) => (
        <div key={purpose}>
          <dt>
            {t(`purpose_${purpose}`)}
            {vat !== 0 && <small>{t(nameVat ? "vatNamed" : "vatInside", { amount: amount(vat) })}</small>}
          </dt>
          <dd>{amount(of)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The figures that people compare, in the order of the chain. */
const compared: Figure[] = [
  "previousPeriod",
  "income",
  "bonus",
  "tips",
  "cashDeducted",
  "fee",
  "payoutBase",
  "taxAfterOptimisation",
  "settlementCost",
  "additionalSettlementCost",
  "rateCost",
  "contractCost",
  "fuelCost",
  "fuelRefund",
  "costs",
  "credits",
  "due",
  "payout",
  "nextPeriodTransfer",
];

function Differences({ settlement, with: other }: { settlement: Explained; with: Compared }) {
  const { t, amount, figure } = useWords(settlement);
  const changed = compared.flatMap((name) => {
    const before = other.figures[name] ?? 0;
    const now = settlement.figures[name] ?? 0;
    return before === now ? [] : [{ name, before, now }];
  });
  if (changed.length === 0) return <p className="explain-quiet">{t("noDifference")}</p>;
  return (
    <dl className="explain-pairs explain-changes">
      {changed.map(({ name, before, now }) => (
        <div key={name}>
          <dt>{figure(name)}</dt>
          <dd>
            <span className="sr-only">{t("before")} </span>
            {amount(before)}
            <ArrowRight aria-hidden size={13} strokeWidth={2} />
            <span className="sr-only">{t("now")} </span>
            <b>{amount(now)}</b>
          </dd>
        </div>
      ))}
    </dl>
  );
}
