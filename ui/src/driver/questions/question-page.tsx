import { ChevronLeft, FileSearch } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link, useParams } from "react-router";
import { Button } from "../../components/button";
import { ErrorState } from "../../components/error-state";
import { Message } from "../../components/message";
import { Notice } from "../../components/notice";
import { Entries, QuestionState, useSubject } from "../../explain/thread";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useAmounts } from "../../session/amounts";
import { useAskMore, useClose, useQuestion } from "./queries";
import { WriteForm } from "./write-form";
import styles from "./questions.module.css";

/** One of a driver's questions: what was asked, what was answered, and room for more. */
export default function QuestionPage() {
  const { t } = useTranslation(["questions", "faults"]);
  const language = useLanguage();
  const { id = "" } = useParams();
  const found = useQuestion(id);
  const more = useAskMore(id);
  const close = useClose(id);
  const { full } = useAmounts();
  const subject = useSubject("driver");
  if (found.error && !found.data)
    return found.error.status === 404 ? (
      <Message
        icon={FileSearch}
        title={t("gone")}
        level={1}
        actions={<Link to="/driver/settlements">{t("back")}</Link>}
      >
        <p>{t("goneBody")}</p>
      </Message>
    ) : (
      <ErrorState
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={found.error}
        level={1}
        onRetry={() => void found.refetch()}
      />
    );
  if (!found.data) return <div className={styles.page} aria-busy="true" />;
  const question = found.data;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Link
          className={styles.back}
          aria-label={t("back")}
          to={question.revoked ? "/driver/settlements" : `/driver/settlements/${question.settlementId}`}
        >
          <ChevronLeft aria-hidden size={24} strokeWidth={1.75} />
        </Link>
        <h1>{t("oneTitle")}</h1>
      </header>
      <div className={styles.about}>
        <b>{subject(question)}</b>
        <span>{full(question.amount)}</span>
        <small>{daySpan(question.firstOn, question.lastOn, language)}</small>
        <QuestionState state={question.state} />
      </div>
      {question.revoked && <Notice tone="info">{t("revoked", { amount: full(question.amount) })}</Notice>}
      <Entries written={question.written} me="driver" />
      {close.isError && <Notice tone="danger">{t(`faults:${close.error.code}`)}</Notice>}
      {question.state === "answered" && (
        <Button size="large" loading={close.isPending} onClick={() => close.mutate(undefined)}>
          {t("clear")}
        </Button>
      )}
      <WriteForm about={id} label={t("more")} onSend={more.mutateAsync} />
    </div>
  );
}
