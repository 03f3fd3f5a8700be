import { Ban, Check, Download, Reply, RotateCcw, Trash2 } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "../../api/problem";
import { save } from "../../browser/save";
import { shortcutsOn, useShortcut } from "../../browser/shortcuts";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { History, HistoryLine } from "../../components/history";
import { Notice } from "../../components/notice";
import { useLanguage } from "../../i18n";
import { type Action, type Opened, originalOf, useChange, useDelete, useTerms } from "../../invoices/calls";
import { DetailsFields } from "../../invoices/details-form";
import { useDraft, valuesOf, writing } from "../../invoices/draft";
import { DECISIVE, FIELDS, type FieldName } from "../../invoices/fields";
import { draftOf, isUnsure, sentOf, withRead } from "../../invoices/form";
import { useAmounts } from "../../session/amounts";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { Compare } from "./compare";
import { Findings } from "./findings";
import { FeedbackDialog, RejectDialog } from "./refuse-dialogs";
import { PagesView } from "./pages-view";
import styles from "./invoices.module.css";

const KEYS = { approve: "a", reject: "r" } as const;

/** The picture and the form of an invoice. What is unsure stands first; A approves and goes on, R rejects. */
export function Review({ invoice, onNext }: { invoice: Opened; onNext: () => void }) {
  const { t } = useTranslation(["invoices", "faults"]);
  const language = useLanguage();
  const mayWrite = useSession().may("invoices.decide");
  const done = useDoneToast();
  const change = useChange(invoice.id);
  const seen = valuesOf(invoice, language);
  const { draft, setDraft, write, type } = useDraft(() =>
    withRead(draftOf(seen, invoice.touched), invoice.reading.fields, writing(language)),
  );
  const [version, setVersion] = useState(invoice.version);
  const [at, setAt] = useState<FieldName>();
  const [wrong, setWrong] = useState<readonly FieldName[]>([]);
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<"reject" | "feedback">();
  const { fields } = invoice.reading;
  // It may still be read when it is opened: what nobody has touched is filled later.
  const fill = useEffectEvent(() => setDraft((now) => withRead(now, fields, write)));
  useEffect(() => fill(), [fields]);
  const open = invoice.state !== "approved" && invoice.state !== "rejected";
  const editable = mayWrite && open;
  const toConfirm = invoice.findings.filter(({ severity, code }) => severity === "confirm" && !accepted.has(code));
  const refused = invoice.findings.some(({ severity }) => severity === "refuse");
  const changedFields = FIELDS.filter((name) => draft.values[name] !== seen[name]);
  const unsure = FIELDS.filter((name) => isUnsure(draft, name));

  const act = async (action: Action) => {
    const { sent, wrong: unreadable, missing } = sentOf(draft, language);
    const lacking = action === "approve" ? [...unreadable, ...missing] : unreadable;
    setWrong(lacking);
    if (lacking.length > 0) return;
    const ok = await change
      .mutateAsync({ version, action, data: sent, ...(accepted.size > 0 && { accept: [...accepted] }) })
      .then(
        (now) => {
          setVersion(now.version);
          return true;
        },
        (reason: unknown) => {
          if (!(reason instanceof Problem)) throw reason;
          return false;
        },
      );
    if (!ok) return;
    done(t(action === "approve" ? "approved" : action === "reopen" ? "reopened" : "saved"));
    if (action === "approve") onNext();
  };
  const approve = () => {
    if (!change.isPending) void act("approve");
  };
  useShortcut(KEYS.approve, approve, () => editable);
  useShortcut(
    KEYS.reject,
    () => setAsking("reject"),
    () => editable,
  );

  const problem = change.error ?? undefined;
  const conflict = problem?.code === "invoices.changed" && invoice.version !== version;
  return (
    <div className={styles.review}>
      <PagesView invoice={invoice} draft={draft} at={at} />
      <section className={styles.side} aria-label={t("details")}>
        {invoice.rejectReason && (
          <Notice tone="danger">
            <b>{t(`reason.${invoice.rejectReason}`)}</b> {invoice.feedback}
          </Notice>
        )}
        <Findings
          findings={invoice.findings}
          accepted={accepted}
          editable={editable}
          onAccept={(code, yes) =>
            setAccepted(yes ? new Set([...accepted, code]) : new Set([...accepted].filter((one) => one !== code)))
          }
        />
        {conflict ? (
          <Compare
            mine={draft.values}
            theirs={seen}
            onTheirs={() => {
              setDraft(withRead(draftOf(seen, invoice.touched), fields, write));
              setVersion(invoice.version);
              change.reset();
            }}
            onMine={() => {
              setVersion(invoice.version);
              change.reset();
            }}
          />
        ) : (
          <DetailsFields
            draft={draft}
            wrong={wrong}
            problem={problem}
            readOnly={!editable}
            skipSure={editable && unsure.length > 0}
            onType={type}
            onFocus={setAt}
          />
        )}
        {editable && changedFields.some((name) => DECISIVE.includes(name)) && <Describing invoice={invoice} />}
        {wrong.length > 0 && <Notice tone="danger">{t("checkFields", { count: wrong.length })}</Notice>}
        {problem && !conflict && problem.fields.length === 0 && (
          <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>
        )}
        <Brings invoice={invoice} />
        {mayWrite && !conflict && (
          <div className={`${styles.acts} ${styles.decide}`}>
            {open && (
              <>
                <Button
                  kind="primary"
                  icon={<Check aria-hidden size={16} strokeWidth={1.75} />}
                  loading={change.isPending}
                  disabled={toConfirm.length > 0 || refused}
                  {...(shortcutsOn() && { "aria-keyshortcuts": KEYS.approve })}
                  onClick={approve}
                >
                  {t("approve")}
                </Button>
                <Button
                  icon={<Ban aria-hidden size={16} strokeWidth={1.75} />}
                  {...(shortcutsOn() && { "aria-keyshortcuts": KEYS.reject })}
                  onClick={() => setAsking("reject")}
                >
                  {t("reject")}
                </Button>
                <Button icon={<Reply aria-hidden size={16} strokeWidth={1.75} />} onClick={() => setAsking("feedback")}>
                  {t("write")}
                </Button>
                <Button onClick={() => void act("save")}>{t("save")}</Button>
              </>
            )}
            {invoice.state === "approved" && !invoice.settlementId && (
              <Button icon={<RotateCcw aria-hidden size={16} strokeWidth={1.75} />} onClick={() => void act("reopen")}>
                {t("reopen")}
              </Button>
            )}
            <Original invoice={invoice} />
            {invoice.state !== "approved" && <RemoveButton invoice={invoice} onGone={onNext} />}
          </div>
        )}
        {open && toConfirm.length > 0 && (
          <p className={styles.quiet}>{t("confirmFirst", { count: toConfirm.length })}</p>
        )}
        {editable && shortcutsOn() && <p className={styles.quiet}>{t("keys")}</p>}
        <Trail invoice={invoice} />
      </section>
      {asking === "reject" && <RejectDialog invoice={invoice} onClose={() => setAsking(undefined)} onDone={onNext} />}
      {asking === "feedback" && <FeedbackDialog invoice={invoice} onClose={() => setAsking(undefined)} />}
    </div>
  );
}

/** Says before saving that whoever corrects money has described the invoice, where that decides about the provision. */
function Describing({ invoice }: { invoice: Opened }) {
  const { t } = useTranslation("invoices");
  const terms = useTerms();
  if (terms.data?.charge !== "when_described" || invoice.describedBy === "partner") return null;
  return <Notice tone="info">{t("youDescribe")}</Notice>;
}

function Brings({ invoice }: { invoice: Opened }) {
  const { t } = useTranslation("invoices");
  const { full } = useAmounts();
  if (invoice.vatReturn === 0 && invoice.provision === 0) return null;
  return (
    <dl className={styles.brings}>
      <div>
        <dt>{t("vatReturn")}</dt>
        <dd>{full(invoice.vatReturn)}</dd>
      </div>
      <div>
        <dt>{t("provision")}</dt>
        <dd>{full(invoice.provision)}</dd>
      </div>
    </dl>
  );
}

function Original({ invoice }: { invoice: Opened }) {
  const { t } = useTranslation("invoices");
  return (
    <Button
      kind="text"
      icon={<Download aria-hidden size={16} strokeWidth={1.75} />}
      onClick={() => void originalOf(invoice.id).then((content) => save(content, invoice.fileName))}
    >
      {t("original")}
    </Button>
  );
}

function RemoveButton({ invoice, onGone }: { invoice: Opened; onGone: () => void }) {
  const { t } = useTranslation(["invoices", "faults"]);
  const remove = useDelete();
  const [sure, setSure] = useState(false);
  return (
    <>
      <Button
        kind="text"
        danger
        icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
        loading={remove.isPending}
        onClick={() => {
          if (sure) remove.mutate(invoice.id, { onSuccess: onGone });
          else setSure(true);
        }}
      >
        {t(sure ? "removeSure" : "remove")}
      </Button>
      {remove.error && (
        <Notice tone="danger">{t(`faults:${remove.error.code}`, { replace: remove.error.params })}</Notice>
      )}
    </>
  );
}

/** What the trail of an invoice knows. */
const DID = ["upload", "replace", "save", "submit", "approve", "reopen", "reject", "feedback", "delete"] as const;

function Trail({ invoice }: { invoice: Opened }) {
  const { t } = useTranslation("invoices");
  const { timeZone } = useConfig();
  return (
    <details className={styles.trail}>
      <summary>{t("trail")}</summary>
      <History>
        {invoice.trail.map(({ at, name, action, reason }) => (
          <HistoryLine
            key={`${at} ${action}`}
            what={t(`did_${DID.find((one) => `invoices.${one}` === action) ?? "save"}`)}
            who={name}
            at={at}
            timeZone={timeZone}
          >
            {reason && <span>{reason}</span>}
          </HistoryLine>
        ))}
      </History>
    </details>
  );
}
