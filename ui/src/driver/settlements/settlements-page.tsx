import { ChevronRight, CircleCheck, CircleDashed, Handshake, Hourglass, MinusCircle, Wallet } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link, useSearchParams } from "react-router";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { StatusTag } from "../../components/status-tag";
import { daySpan, weekday } from "../../format/date";
import { currencySign, money } from "../../format/money";
import { useLanguage } from "../../i18n";
import { useStepWords } from "../../explain/money-steps";
import { type Settled, useOwnSettlements } from "../../explain/queries";
import { awaited, useNextPayout } from "../../explain/timeline";
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
  const next = useNextPayout();
  if (found.isError && !found.data)
    return (
      <ErrorState
        title={t("ownFailed")}
        undone={t("ownFailedBody")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (!found.data || next.isPending) return <Waiting />;
  const [newest] = found.data.items;
  if (!newest)
    return (
      <>
        <FirstUse icon={Wallet} title={t("noneTitle")} body={t("noneBody")} />
        {next.data && <Coming next={next.data} />}
      </>
    );
  const paidNext = next.data?.settlementId ?? "";
  const earlier = found.data.items.filter(({ id }) => id !== (paidNext === "" ? newest.id : paidNext));
  return (
    <>
      {next.data && paidNext !== "" ? (
        <Next next={next.data} />
      ) : (
        <>
          {next.data && <Coming next={next.data} />}
          <Newest settlement={newest} />
        </>
      )}
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
              <Earlier key={one.id} settlement={one} year={newest.lastOn.slice(0, 4)} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

type NextPayout = NonNullable<ReturnType<typeof useNextPayout>["data"]>;

/** The settlement that is paid next: how much, when, how far it is and what it waits for. */
function Next({ next }: { next: NextPayout }) {
  const { t, why, expected } = useStepWords();
  const language = useLanguage();
  const { currency } = useConfig();
  const step = awaited(next.timeline);
  const batched = step !== undefined && (step.payOn !== "" || step.reason === "in_cash");
  const expectedOn = step && expected(next.timeline, step);
  const { account } = next.timeline;
  const facts = [expectedOn, account && t("toAccount", { end: account })].filter(Boolean);
  return (
    <section className="own-card" aria-labelledby="own-newest">
      <p className="own-card-head">
        <span id="own-newest">{t("nextPayout")}</span>
        <span>{daySpan(next.firstOn, next.lastOn, language)}</span>
      </p>
      <p className="own-amount">
        {money(BigInt(next.amount), language)}
        <small>{currencySign(currency, language)}</small>
      </p>
      {facts.length > 0 && <p>{facts.join(" · ")}</p>}
      <Segments reached={batched ? 3 : 2} />
      <p className="own-said">{step && why(step, true)}</p>
      <Link className="own-button own-primary" to={`/driver/settlements/${next.settlementId}`}>
        {t("seeWhy")}
      </Link>
    </section>
  );
}

/** A period that is not settled yet: no amount, but what it waits for. */
function Coming({ next }: { next: NextPayout }) {
  const { t, why, expected } = useStepWords();
  const language = useLanguage();
  const step = awaited(next.timeline);
  if (!step) return null;
  return (
    <section className="own-card" aria-labelledby="own-coming">
      <p className="own-card-head">
        <span id="own-coming">{t("nextTitle")}</span>
        <span>{daySpan(next.firstOn, next.lastOn, language)}</span>
      </p>
      <p>{[why(step, true), expected(next.timeline, step)].filter(Boolean).join(" · ")}</p>
    </section>
  );
}

function Segments({ reached }: { reached: number }) {
  return (
    <div aria-hidden className="own-segments">
      {[1, 2, 3, 4].map((stage) => (
        <span key={stage} className={stage <= reached ? "own-segment own-reached" : "own-segment"} />
      ))}
    </div>
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
        <span id="own-newest">{t(state === "paid" ? "lastPayout" : state === "debt" ? "ownDebt" : "nextPayout")}</span>
        <span>{daySpan(settlement.firstOn, settlement.lastOn, language)}</span>
      </p>
      <p className={state === "debt" ? "own-amount own-debt" : "own-amount"}>
        {money(BigInt(amount), language)}
        <small>{currencySign(currency, language)}</small>
      </p>
      <Segments reached={stages[state]} />
      <p className="own-said">{t(`said_${state}`, { day: paid })}</p>
      <Link className="own-button own-primary" to={`/driver/settlements/${settlement.id}`}>
        {t("seeWhy")}
      </Link>
    </section>
  );
}

/** One of the list; the year stands there only where it is not that of the newest. */
function Earlier({ settlement, year }: { settlement: Settled; year: string }) {
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
          <b>{daySpan(settlement.firstOn, settlement.lastOn, language, year)}</b>
          <span>{notes[state]}</span>
        </span>
        <span className={state === "debt" ? "own-end own-debt" : "own-end"}>
          <b>
            {money(BigInt(amount), language)}
            <span className="sr-only">{currencySign(currency, language)}</span>
          </b>
          {state === "paid" && <StatusTag tone="success" icon={CircleCheck} word={t("state_paid")} />}
          {state === "debt" && <StatusTag tone="danger" icon={MinusCircle} word={t("ownDebt")} />}
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
