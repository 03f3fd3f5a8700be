import { ChevronLeft, FileDown, FileSearch, Link2Off, MessageCircleQuestionMark, Printer } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link, useParams } from "react-router";
import { Problem } from "../../api/problem";
import { useConfig } from "../../session/config";
import { ErrorState } from "../../components/error-state";
import { Message } from "../../components/message";
import { Notice } from "../../components/notice";
import { day, daySpan } from "../../format/date";
import { currencySign } from "../../format/money";
import { useLanguage } from "../../i18n";
import { Asking } from "../../explain/asking";
import { Chain } from "../../explain/chain";
import { formats, useDownload } from "../../explain/documents";
import { answeredWith, type Draft, DraftCard } from "../../explain/draft-card";
import { useOwnSteps } from "../../explain/money-steps";
import { type Explained, type Settled, useAnswerDraft, useEndLinks, useOwnSettlement } from "../../explain/queries";
import { Steps } from "../../explain/steps";
import { type Timeline, useOwnTimeline } from "../../explain/timeline";
import { useWords } from "../../explain/words";
import { AskPush } from "./ask-push";
import "../../explain/draft-card.css";
import "./own.css";

/** One of a driver's settlements: how much, where the money is, and why this much. */
export default function OwnSettlementPage() {
  const { t } = useTranslation(["explain", "common"]);
  const { id = "" } = useParams();
  const found = useOwnSettlement(id);
  const settled = found.data?.settled;
  return (
    <div className="own">
      {found.data && settled ? (
        <Own settlement={{ ...found.data, settled }} />
      ) : found.error?.status === 404 ? (
        <Message
          icon={FileSearch}
          title={t("gone")}
          level={1}
          actions={
            <Link className="own-button" to="/driver/settlements">
              {t("back")}
            </Link>
          }
        >
          <p>{t("goneBody")}</p>
        </Message>
      ) : found.error ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("ownFailedBody")}
          problem={found.error}
          level={1}
          onRetry={() => void found.refetch()}
        />
      ) : (
        <div className="own-waiting" role="status" aria-label={t("common:loading")}>
          <span className="bar" />
          <span className="bar" />
          <span className="bar" />
        </div>
      )}
    </div>
  );
}

function Own({ settlement }: { settlement: Explained & { settled: Settled } }) {
  const { t, amount, language } = useWords(settlement);
  const { currency } = useConfig();
  const timeline = useOwnTimeline(settlement.settled.id);
  const { due = 0, payout = 0 } = settlement.figures;
  const debt = due < 0;
  const { download, problem, busy } = useDownload();
  const end = timeline.data?.account;
  const asking = `/driver/settlements/${settlement.settled.id}/ask`;
  return (
    <>
      <header className="own-head">
        <Link className="own-icon" aria-label={t("back")} to="/driver/settlements">
          <ChevronLeft aria-hidden size={24} strokeWidth={1.75} />
        </Link>
        <h1>{daySpan(settlement.firstOn, settlement.lastOn, language)}</h1>
        <button type="button" className="own-icon" aria-label={t("print")} onClick={() => print()}>
          <Printer aria-hidden size={22} strokeWidth={1.75} />
        </button>
      </header>
      <div>
        <p className="own-label">{debt ? t("debt") : t("toPay")}</p>
        <p className={debt ? "own-amount own-debt" : "own-amount"}>
          {amount(debt ? due : payout)}
          <small>{currencySign(currency, language)}</small>
        </p>
        <p className="own-label">
          {debt ? t("said_debt") : payout === 0 ? t("said_small") : end ? t("toAccount", { end }) : t("whereSent")}
        </p>
      </div>
      {payout > 0 && timeline.data && (
        <div className="own-card own-steps">
          <OwnSteps timeline={timeline.data} />
        </div>
      )}
      {payout > 0 && timeline.isError && !timeline.data && <Notice tone="danger">{t("timelineFailed")}</Notice>}
      <div className="own-acts">
        <button
          type="button"
          className="own-button own-download"
          disabled={busy !== undefined}
          onClick={() => void download("ownStatement", settlement.settled.id)}
        >
          <FileDown aria-hidden size={20} strokeWidth={1.75} />
          {t("downloadPdf")}
        </button>
        <Link className="own-button own-ask" aria-label={t("wrong")} to={asking}>
          <MessageCircleQuestionMark aria-hidden size={20} strokeWidth={1.75} />
          {t("ask")}
        </Link>
      </div>
      {problem && <Notice tone="danger">{t("downloadFailed")}</Notice>}
      <AskPush />
      {settlement.draft && <OwnDraft draft={settlement.draft} settlement={settlement} />}
      <h2>{t("why")}</h2>
      <Asking value={asking}>
        <Chain settlement={settlement} audience="driver" />
      </Asking>
      {settlement.documents.map((one) => (
        <div key={one.id} className="own-card own-document">
          <p>
            {t(`document_${one.kind}`)} <b>{one.number}</b>
            <br />
            {t("issuedOn", { day: daySpan(one.issuedOn, one.issuedOn, language) })} · {amount(one.gross)}
          </p>
          <div>
            {(["ownPdf", "ownXml"] as const)
              .filter((kind) => kind === "ownPdf" || one.hasFile)
              .map((kind) => (
                <button
                  key={kind}
                  type="button"
                  className="own-button"
                  disabled={busy !== undefined}
                  aria-label={t("downloadOf", { number: one.number, format: formats[kind] })}
                  onClick={() => void download(kind, one.id)}
                >
                  <FileDown aria-hidden size={20} strokeWidth={1.75} />
                  {formats[kind]}
                </button>
              ))}
          </div>
        </div>
      ))}
      {settlement.linkUntil && <MailedLink id={settlement.settled.id} until={settlement.linkUntil} />}
    </>
  );
}

function OwnSteps({ timeline }: { timeline: Timeline }) {
  return <Steps steps={useOwnSteps(timeline)} />;
}

function OwnDraft({ draft, settlement }: { draft: Draft; settlement: Explained & { settled: Settled } }) {
  const { t, amount, language } = useWords(settlement);
  const { mutateAsync } = useAnswerDraft(settlement.settled.id);
  const send = async (approve: boolean, reason: string) => {
    try {
      await mutateAsync({ draftId: draft.id, approve, ...(!approve && { reason }) });
      return "saved";
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      return answeredWith(problem.status);
    }
  };
  return (
    <DraftCard
      draft={draft}
      language={language}
      t={(key, values) => t(key as "draftTitle", { replace: values ?? {} })}
      amount={amount}
      onAnswer={send}
      card="own-card"
      button="own-button"
      primary="own-button own-primary"
    />
  );
}

/** Whoever has the mail sees the settlement: the driver can put an end to it. */
function MailedLink({ id, until }: { id: string; until: string }) {
  const { t } = useTranslation("explain");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const end = useEndLinks();
  return (
    <div className="own-card own-link">
      <p>{t("linkUntil", { day: day(until, language, timeZone) })}</p>
      <button type="button" className="own-button" disabled={end.isPending} onClick={() => end.mutate(id)}>
        <Link2Off aria-hidden size={20} strokeWidth={1.75} />
        {t("endLink")}
      </button>
      {end.isError && <Notice tone="danger">{t("endFailed")}</Notice>}
    </div>
  );
}
