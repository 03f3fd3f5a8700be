import {
  Ban,
  Check,
  CircleCheck,
  CircleDashed,
  CirclePlus,
  FileDown,
  FileSearch,
  MinusCircle,
  Printer,
} from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { ErrorState } from "../../components/error-state";
import { Message } from "../../components/message";
import { Notice } from "../../components/notice";
import { ListPlace, useOpenedList } from "../../kit/list-place";
import { settledQuery } from "../../kit/settled-query";
import { useScreenName } from "../../components/screen-name";
import { StatusTag } from "../../components/status-tag";
import { day, daySpan } from "../../format/date";
import { currencySign } from "../../format/money";
import { Aside } from "./aside";
import { Chain } from "../../explain/chain";
import { useDownload } from "../../explain/documents";
import { type Explained, useExplained, useLastPeriod } from "../../explain/queries";
import { useWords, weekOf } from "../../explain/words";
import { useSettlementPlace } from "./queries";
import "./explain.css";

/** A driver's period, and the way to those beside it in the list that it was opened from. */
export default function ExplainPage() {
  const { settlementUUID = "" } = useParams();
  const list = useOpenedList("/settlements/settled", "/settlements/paid");
  const place = useSettlementPlace(
    settlementUUID,
    list &&
      settledQuery(list.path === "/settlements/paid" ? "paid" : "settled", (name) => list.params.get(name) ?? "")
        .chosen,
  );
  return (
    <div className="explain-page">
      {list && settlementUUID && (
        <div className="explain-place">
          <ListPlace place={place} pathOf={(one) => `/transactions/summary/${one.driverId}/${one.id}`} />
        </div>
      )}
      <Period />
    </div>
  );
}

/** A driver's period, settled or pending, with everything behind its amount. */
function Period() {
  const { t } = useTranslation("explain");
  const { driverUUID = "", settlementUUID = "" } = useParams();
  const [params] = useSearchParams();
  const asked = params.get("period") ?? "";
  const last = useLastPeriod(!settlementUUID && !asked);
  const period = asked || (last.data ?? "");
  const found = useExplained(driverUUID, settlementUUID, period);
  const problem = found.error ?? last.error;
  useScreenName(found.data && `${found.data.lastName} ${found.data.firstName}`);
  if (found.data) return <ExplainedView key={found.data.settled?.id ?? found.data.period} settlement={found.data} />;
  if (problem?.status === 404)
    return (
      <Message
        icon={FileSearch}
        title={t("notFoundTitle")}
        level={1}
        actions={<Link to={`/transactions/details/${driverUUID}`}>{t("seeRows")}</Link>}
      >
        <p>{t("notFoundBody")}</p>
      </Message>
    );
  if (problem)
    return (
      <ErrorState
        title={t("loadFailed")}
        undone={t("unchanged")}
        problem={problem}
        level={1}
        onRetry={() => void (last.error ? last.refetch() : found.refetch())}
      />
    );
  return <Waiting />;
}

function ExplainedView({ settlement }: { settlement: Explained }) {
  const { t } = useTranslation("explain");
  return (
    <article className="explain">
      <Head settlement={settlement} />
      <div className="explain-columns">
        <section className="explain-main" aria-labelledby="explain-chain">
          <Notes settlement={settlement} />
          <div className="explain-title">
            <h2 id="explain-chain">{t("title")}</h2>
            {settlement.explanations.length > 0 && <p>{t("chainLead")}</p>}
          </div>
          <Chain settlement={settlement} audience="partner" />
        </section>
        <Aside settlement={settlement} />
      </div>
    </article>
  );
}

function Head({ settlement }: { settlement: Explained }) {
  const { t, amount, language } = useWords(settlement);
  const navigate = useNavigate();
  const sign = currencySign(useConfig().currency, language);
  const mayWrite = useSession().may("settlements.write");
  const { settled, firstName, lastName, firstOn, lastOn, period, driverId } = settlement;
  const state = settled?.state ?? "pending";
  const opened = useOpenedList("/settlements/settled", "/settlements/paid", "/settlements/pending");
  const list = `/settlements/${state === "revoked" ? "settled" : state}`;
  const payout = settlement.figures.payout ?? 0;
  const { download, problem, busy } = useDownload();
  return (
    <header className="explain-head">
      <nav aria-label={t("path")}>
        <ol>
          <li>
            <Link to={opened?.address ?? (settled ? list : `${list}?period=${period}`)}>
              {t(`state_${state === "revoked" ? "settled" : state}`)}
            </Link>
          </li>
          <li>{daySpan(firstOn, lastOn, language)}</li>
        </ol>
      </nav>
      <h1>
        {lastName} {firstName}
      </h1>
      <States settlement={settlement} />
      {settled && <span className="explain-number">{t("number", { number: settled.number })}</span>}
      <div className="explain-actions">
        <Button icon={<Printer aria-hidden size={16} strokeWidth={1.75} />} onClick={() => print()}>
          {t("print")}
        </Button>
        {settled && (
          <Button
            icon={<FileDown aria-hidden size={16} strokeWidth={1.75} />}
            loading={busy === "statement"}
            onClick={() => void download("statement", settled.id)}
          >
            {t("pdf")}
          </Button>
        )}
        {settled ? (
          <Button onClick={() => void navigate(`/settlements/settled?period=${period}`)}>{t("toSettled")}</Button>
        ) : (
          mayWrite &&
          settlement.refusal === "" && (
            <Button
              kind="primary"
              onClick={() => void navigate(`/settlements/pending?period=${period}&settle=${driverId}`)}
            >
              {t("settle", { amount: amount(payout) + sign })}
            </Button>
          )
        )}
      </div>
      {problem && <Notice tone="danger">{t("downloadFailed")}</Notice>}
    </header>
  );
}

function States({ settlement }: { settlement: Explained }) {
  const { t } = useTranslation("explain");
  const { settled, supplementary, figures } = settlement;
  return (
    <span className="explain-states">
      {!settled && <StatusTag tone="outline" icon={CircleDashed} word={t("state_pending")} />}
      {settled?.state === "settled" &&
        (settled.absorbedInto ? (
          <StatusTag tone="neutral" icon={Check} word={t("state_absorbed")} />
        ) : (
          <StatusTag tone="neutral" icon={Check} word={t("state_settled")} />
        ))}
      {settled?.state === "paid" && <StatusTag tone="success" icon={CircleCheck} word={t("state_paid")} />}
      {settled?.state === "revoked" && <StatusTag tone="outline" icon={Ban} word={t("state_revoked")} />}
      {supplementary && <StatusTag tone="neutral" icon={CirclePlus} word={t("supplementary")} />}
      {(figures.due ?? 0) < 0 && <StatusTag tone="danger" icon={MinusCircle} word={t("debt")} />}
    </span>
  );
}

/** What must be known before the lines are read. */
function Notes({ settlement }: { settlement: Explained }) {
  const { t, language } = useWords(settlement);
  const { timeZone } = useConfig();
  const { settled, absorbed, refusal } = settlement;
  return (
    <>
      {settled?.state === "revoked" && (
        <Notice tone="warning">
          {t("revokedNote", { day: settled.revokedAt ? day(settled.revokedAt, language, timeZone) : "–" })}
          {settled.revokeReason && ` ${t("revokedBecause", { reason: settled.revokeReason })}`}
        </Notice>
      )}
      {settled?.absorbedInto && (
        <Notice
          tone="info"
          action={<Link to={`/transactions/summary/${settlement.driverId}/${settled.absorbedInto}`}>{t("seeIt")}</Link>}
        >
          {t("absorbedNote", weekOf(settled.absorbedPeriod))}
        </Notice>
      )}
      {absorbed.length > 0 && (
        <Notice tone="info">
          {t("absorbs", { periods: absorbed.map((period) => t("week", weekOf(period))).join(", ") })}
        </Notice>
      )}
      {refusal === "blocked" && <Notice tone="warning">{t("blockedNote")}</Notice>}
      {refusal === "nothing_to_settle" && <Notice tone="info">{t("nothingToSettle")}</Notice>}
    </>
  );
}

const LINES = [1, 2, 3, 4, 5, 6, 7, 8];

function Waiting() {
  const { t } = useTranslation();
  return (
    <div className="explain" role="status" aria-label={t("loading")}>
      <div className="explain-head">
        <span className="bar explain-wait-title" />
      </div>
      <div className="explain-columns">
        <div className="explain-main explain-wait">
          {LINES.map((line) => (
            <span key={line} className="bar" />
          ))}
        </div>
        <div className="explain-aside explain-wait">
          {LINES.slice(4).map((line) => (
            <span key={line} className="bar" />
          ))}
        </div>
      </div>
    </div>
  );
}
