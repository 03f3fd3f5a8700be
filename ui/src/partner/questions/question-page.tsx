import { useTranslation } from "../../i18n/translation";
import { Link, useParams } from "react-router";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { MarkedRow } from "../../explain/asking";
import { Chain } from "../../explain/chain";
import { useExplained } from "../../explain/queries";
import { Entries, type Question, QuestionState, useSubject } from "../../explain/thread";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useAmounts } from "../../session/amounts";
import { useSession } from "../../session/session";
import { AnswerForm } from "./answer-form";
import { useQuestion } from "./queries";
import styles from "./questions.module.css";

/** One question: what was written, and beside it the figure that it is about, opened down to its rows. */
export default function QuestionPage() {
  const { t } = useTranslation("questions");
  const language = useLanguage();
  const { id = "" } = useParams();
  const found = useQuestion(id);
  const mayWrite = useSession().may("settlements.write");
  const { full } = useAmounts();
  const subject = useSubject("partner");
  if (found.isError && !found.data)
    return (
      <ErrorState
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (!found.data) return <PageHeader title={t("oneTitle")} />;
  const question = found.data;
  const days = daySpan(question.firstOn, question.lastOn, language);
  return (
    <>
      <PageHeader
        title={`${question.firstName} ${question.lastName}`}
        meta={<QuestionState state={question.state} />}
        actions={
          <Link to={`/transactions/summary/${question.driverId}/${question.settlementId}`}>
            {t("aboutSettlement", { number: question.number, days })}
          </Link>
        }
      />
      <div className={styles.one}>
        <section className={styles.talk}>
          <p className={styles.subject}>
            <b>{subject(question)}</b>
            <b>{full(question.amount)}</b>
          </p>
          {question.revoked && <Notice tone="info">{t("revoked", { amount: full(question.amount) })}</Notice>}
          <Entries written={question.written} me="partner" />
          {mayWrite && <AnswerForm key={question.id} question={question} />}
        </section>
        {!question.revoked && <Beside question={question} />}
      </div>
    </>
  );
}

/** The line that is asked about, opened; the row is marked. About a whole settlement all of its lines. */
function Beside({ question }: { question: Question }) {
  const { t } = useTranslation("questions");
  const found = useExplained("", question.settlementId, "");
  const { figure, provider, rowId } = question;
  return (
    <section className={styles.figure}>
      <h2>{t("figure")}</h2>
      {found.isError && !found.data && <Notice tone="danger">{t("figureFailed")}</Notice>}
      {found.data && (
        <MarkedRow value={rowId}>
          <Chain
            key={`${question.id} ${found.data.settled?.id}`}
            settlement={found.data}
            audience="partner"
            {...(figure && {
              only: (line) => line.name === figure && (!provider || line.provider === provider),
            })}
          />
        </MarkedRow>
      )}
    </section>
  );
}
