import { ChevronRight, CircleCheck, CircleDashed, Handshake, Hourglass, MinusCircle, Wallet } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { StatusTag } from "../../components/status-tag";
import { daySpan, weekday } from "../../format/date";
import { currencySign, money } from "../../format/money";
import { useLanguage } from "../../i18n";
import { type Settled, useOwnSettlements } from "../../explain/queries";
import "./own.css";

/** How many settlements a driver sees at first. */
const FIRST = 9;

/** A driver's payouts: the newest in large, then those before it. */
export default function OwnSettlementsPage() {
  const { t } = useTranslation("explain");
  const { driver } = useSession();
  return (
    <div className="own">
      <h1 className="sr-only">{t("ownTitle")}</h1>
      {driver?.linked ? <Settlements /> : <NotYet chosen={driver?.partnerChosen === true} />}
    </div>
  );
}

function NotYet({ chosen }: { chosen: boolean }) {
  const { t } = useTranslation("explain");
  return chosen ? (
    <FirstUse icon={Hourglass} title={t("notLinkedTitle")} body={t("notLinkedBody")} />
  ) : (
    <FirstUse
      icon={Handshake}
      title={t("noPartnerTitle")}
      body={t("noPartnerBody")}
      action={
        <Link className="own-button own-primary" to="/driver/partners-list">
          {t("choosePartner")}
        </Link>
      }
    />
  );
}

function Settlements() {
  const { t } = useTranslation("explain");
  const [params] = useSearchParams();
  const year = /^\d{4}$/.exec(params.get("year") ?? "")?.[0] ?? "";
  const found = useOwnSettlements(year && `${year}-01-01`, year ? 0 : FIRST);
  if (found.isError && !found.data)
    return (
      <ErrorState
        title={t("ownFailed")}
        undone={t("ownFailedBody")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (!found.data) return <Waiting />;
  const [newest, ...earlier] = found.data.items;
  if (!newest) return <FirstUse icon={Wallet} title={t("noneTitle")} body={t("noneBody")} />;
  return (
    <>
      <Newest settlement={newest} />
      {(earlier.length > 0 || found.data.more || year !== "") && (
        <section aria-labelledby="own-earlier">
          <div className="own-title">
            <h2 id="own-earlier">{t("earlier")}</h2>
            {year ? (
              <Link className="own-year" to="/driver/settlements">
                {t("newestOnly")}
              </Link>
            ) : (
              <Link className="own-year" to={`/driver/settlements?year=${newest.lastOn.slice(0, 4)}`}>
                {t("yearOf", { year: newest.lastOn.slice(0, 4) })}
              </Link>
            )}
          </div>
          <ul className="own-list">
            {earlier.map((one) => (
              <Earlier key={one.id} settlement={one} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

type State = "paid" | "debt" | "small" | "settled";

/** How a driver reads a settlement: four states, whatever the partner's clerks distinguish. */
const stateOf = ({ due, payout, paidOn }: Settled): State =>
  due < 0 ? "debt" : payout === 0 ? "small" : paidOn ? "paid" : "settled";

const stages: Record<State, number> = { paid: 4, debt: 2, small: 2, settled: 2 };

function Newest({ settlement }: { settlement: Settled }) {
  const { t } = useTranslation("explain");
  const language = useLanguage();
  const { currency } = useConfig();
  const state = stateOf(settlement);
  const amount = state === "debt" || state === "small" ? settlement.due : settlement.payout;
  const paid = settlement.paidOn && weekday(settlement.paidOn, language);
  return (
    <section className="own-card" aria-labelledby="own-newest">
      <p className="own-card-head">
        <span id="own-newest">{t(state === "paid" ? "lastPayout" : state === "debt" ? "debt" : "nextPayout")}</span>
        <span>{daySpan(settlement.firstOn, settlement.lastOn, language)}</span>
      </p>
      <p className={state === "debt" ? "own-amount own-debt" : "own-amount"}>
        {money(BigInt(amount), language)}
        <small>{currencySign(currency, language)}</small>
      </p>
      <div aria-hidden className="own-segments">
        {[1, 2, 3, 4].map((stage) => (
          <span key={stage} className={stage <= stages[state] ? "own-segment own-reached" : "own-segment"} />
        ))}
      </div>
      <p className="own-said">{t(`said_${state}`, { day: paid })}</p>
      <Link className="own-button own-primary" to={`/driver/settlements/${settlement.id}`}>
        {t("seeWhy")}
      </Link>
    </section>
  );
}

function Earlier({ settlement }: { settlement: Settled }) {
  const { t } = useTranslation("explain");
  const language = useLanguage();
  const { currency } = useConfig();
  const state = stateOf(settlement);
  const notes = {
    paid: t("transferOn", { day: settlement.paidOn && weekday(settlement.paidOn, language) }),
    debt: settlement.absorbedInto ? t("takenLater") : t("goesOn"),
    small: t("goesOn"),
    settled: t("awaited"),
  };
  const amount = state === "debt" || state === "small" ? settlement.due : settlement.payout;
  return (
    <li>
      <Link to={`/driver/settlements/${settlement.id}`}>
        <span className="own-when">
          <b>{daySpan(settlement.firstOn, settlement.lastOn, language)}</b>
          <span>{notes[state]}</span>
        </span>
        <span className={state === "debt" ? "own-end own-debt" : "own-end"}>
          <b>
            {money(BigInt(amount), language)}
            <span className="sr-only">{currencySign(currency, language)}</span>
          </b>
          {state === "paid" && <StatusTag tone="success" icon={CircleCheck} word={t("state_paid")} />}
          {state === "debt" && <StatusTag tone="danger" icon={MinusCircle} word={t("debt")} />}
          {(state === "settled" || state === "small") && (
            <StatusTag tone="neutral" icon={CircleDashed} word={t("state_settled")} />
          )}
        </span>
        <ChevronRight aria-hidden size={18} strokeWidth={1.75} />
      </Link>
    </li>
  );
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <div className="own-waiting" role="status" aria-label={t("loading")}>
      <span className="bar" />
      <span className="bar" />
      <span className="bar" />
    </div>
  );
}
