import { ChevronLeft } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link, Navigate, useNavigate, useParams, useSearchParams } from "react-router";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { useOwnSettlement } from "../../explain/queries";
import { QuestionState, useSubject } from "../../explain/thread";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useAmounts } from "../../session/amounts";
import { useAsk, useQuestionsAbout } from "./queries";
import { WriteForm } from "./write-form";
import styles from "./questions.module.css";

/** A driver asks about a settlement, a line of it or a row. What was asked before goes on where it is. */
export default function AskPage() {
  const { t } = useTranslation("questions");
  const language = useLanguage();
  const { id = "" } = useParams();
  const [params] = useSearchParams();
  const about = {
    figure: params.get("figure") ?? "",
    provider: params.get("provider") ?? "",
    rowId: params.get("row") ?? "",
  };
  const settlement = useOwnSettlement(id);
  const before = useQuestionsAbout(id);
  const ask = useAsk(id);
  const navigate = useNavigate();
  const done = useDoneToast();
  const { full } = useAmounts();
  const subject = useSubject("driver");
  const failed = settlement.error ?? before.error;
  if (failed)
    return (
      <ErrorState
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={failed}
        level={1}
        onRetry={() => void Promise.all([settlement.refetch(), before.refetch()])}
      />
    );
  if (!settlement.data || !before.data) return <div className={styles.page} aria-busy="true" />;
  const same = before.data.find(
    (one) => one.figure === about.figure && one.provider === about.provider && one.rowId === about.rowId,
  );
  if (same && !ask.isPending && !ask.isSuccess) return <Navigate replace to={`/driver/questions/${same.id}`} />;
  const { lines, rows, figures, firstOn, lastOn } = settlement.data;
  const row = rows.find((one) => one.id === about.rowId);
  const line = lines.find((one) => one.name === about.figure && (one.provider ?? "") === about.provider);
  const { due = 0, payout = 0 } = figures;
  const amount = row?.amount ?? line?.amount ?? (due < 0 ? due : payout);
  const send = async (text: string) => {
    const asked = await ask.mutateAsync({ ...about, text });
    done(t("asked"));
    void navigate(`/driver/questions/${asked.id}`, { replace: true });
  };
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Link className={styles.back} aria-label={t("back")} to={`/driver/settlements/${id}`}>
          <ChevronLeft aria-hidden size={24} strokeWidth={1.75} />
        </Link>
        <h1>{t("askTitle")}</h1>
      </header>
      <div className={styles.about}>
        <b>{subject({ ...about, rowType: row?.type ?? "", rowOn: row?.occurredOn ?? "" })}</b>
        <span>{full(amount)}</span>
        <small>{daySpan(firstOn, lastOn, language)}</small>
      </div>
      <WriteForm
        about={`${id} ${about.figure} ${about.provider} ${about.rowId}`}
        label={t("askLabel")}
        hint={t("askHelp")}
        onSend={send}
      />
      {before.data.length > 0 && (
        <section className={styles.earlier}>
          <h2>{t("earlier")}</h2>
          <ul>
            {before.data.map((one) => (
              <li key={one.id}>
                <Link to={`/driver/questions/${one.id}`}>{subject(one)}</Link>
                <QuestionState state={one.state} />
                <p>{one.lastText}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
