import { Ban, Check, Download, Reply, RotateCcw, Trash2 } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { save } from "../../browser/save";
import { shortcutsOn, useShortcut } from "../../browser/shortcuts";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { History, HistoryLine } from "../../components/history";
import { Notice } from "../../components/notice";
import { useLanguage } from "../../i18n";
import { type Action, type Opened, originalOf, useDelete, useTerms } from "../../invoices/calls";
import { Compare } from "../../invoices/compare";
import { DetailsFields } from "../../invoices/details-form";
import { useDraft, valuesOf, writing } from "../../invoices/draft";
import { DECISIVE, FIELDS, type FieldName } from "../../invoices/fields";
import { useFound } from "../../invoices/found";
import { type Draft, draftOf, isUnsure, sentOf, type Values, withRead } from "../../invoices/form";
import { useSaving } from "../../invoices/saving";
import { useAmounts } from "../../session/amounts";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { Findings } from "./findings";
import { FeedbackDialog, RejectDialog } from "./refuse-dialogs";
import { PagesView } from "./pages-view";
import { type Twin, TwinDialog } from "./twin-dialog";
import styles from "./invoices.module.css";

const KEYS = { approve: "a", reject: "r" } as const;
const DONE = { approve: "approved", reopen: "reopened", save: "saved", submit: "saved" } as const;

/** What is found about what the form says now. */
function useTypedFindings(invoice: Opened, draft: Draft, seen: Values) {
  const language = useLanguage();
  const { sent, wrong } = sentOf(draft, language);
  const same = JSON.stringify(sent) === JSON.stringify(sentOf(draftOf(seen), language).sent);
  return useFound(invoice, wrong.length > 0 || same ? undefined : sent) ?? invoice.findings;
}

/** The picture and the form of an invoice. What is unsure stands first; A approves and goes on, R rejects. */
export function Review({ invoice, onNext }: { invoice: Opened; onNext: () => void }) {
  const { t } = useTranslation(["invoices", "faults"]);
  const language = useLanguage();
  const mayWrite = useSession().may("invoices.decide");
  const done = useDoneToast();
  const { save: send, saving, problem, conflict, resume } = useSaving(invoice);
  const seen = valuesOf(invoice, language);
  const { draft, setDraft, write, type } = useDraft(() =>
    withRead(draftOf(seen, invoice.touched), invoice.reading.fields, writing(language)),
  );
  const [at, setAt] = useState<FieldName>();
  const [wrong, setWrong] = useState<readonly FieldName[]>([]);
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<"reject" | "feedback">();
  const [twin, setTwin] = useState<Twin>();
  const [look, setLook] = useState(false);
  const { fields } = invoice.reading;
  // It may still be read when it is opened: what nobody has touched is filled later.
  const fill = useEffectEvent(() => setDraft((now) => withRead(now, fields, write)));
  useEffect(() => fill(), [fields]);
  const open = invoice.state !== "approved" && invoice.state !== "rejected";
  const editable = mayWrite && open;
  const findings = useTypedFindings(invoice, draft, seen);
  const toConfirm = findings.filter(({ severity, code }) => severity === "confirm" && !accepted.has(code));
  const refused = findings.some(({ severity }) => severity === "refuse");
  const changedFields = FIELDS.filter((name) => draft.values[name] !== seen[name]);
  const unsure = FIELDS.filter((name) => isUnsure(draft, name));

  const act = async (action: Action, beside: { notTheSame?: string; reason?: string } = {}) => {
    const { wrong: unreadable, missing } = sentOf(draft, language);
    const lacking = action === "approve" ? [...unreadable, ...missing] : unreadable;
    setWrong(lacking);
    setLook(false);
    if (lacking.length > 0) return false;
    const { ended, draft: now } = await send(action, draft, {
      ...beside,
      ...(accepted.size > 0 && { accept: [...accepted] }),
    });
    if (now !== draft) setDraft(now);
    setLook(ended === "look");
    if (ended !== "done") return false;
    done(t(beside.notTheSame ? "notSameDone" : DONE[action]));
    if (action === "approve") onNext();
    return true;
  };
  const approve = () => {
    if (!saving) void act("approve");
  };
  useShortcut(KEYS.approve, approve, () => editable);
  useShortcut(
    KEYS.reject,
    () => setAsking("reject"),
    () => editable,
  );

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
          findings={findings}
          accepted={accepted}
          editable={editable}
          onCompare={(code, id) => setTwin({ id, canDiffer: editable && code === "AMOUNT_DATE_DUPLICATE" })}
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
              resume();
            }}
            onMine={resume}
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
        {look && <Notice tone="info">{t("readMeanwhile")}</Notice>}
        {problem && !conflict && problem.fields.length === 0 && (
          <Notice
            tone="danger"
            {...(problem.code === "invoices.same_amount" && {
              action: (
                <Button onClick={() => setTwin({ id: String(problem.params.other), canDiffer: editable })}>
                  {t("compare")}
                </Button>
              ),
            })}
          >
            {t(`faults:${problem.code}`, { replace: problem.params })}
          </Notice>
        )}
        <Brings invoice={invoice} />
        {mayWrite && !conflict && (
          <div className={`${styles.acts} ${styles.decide}`}>
            {open && (
              <>
                <Button
                  kind="primary"
                  icon={<Check aria-hidden size={16} strokeWidth={1.75} />}
                  loading={saving}
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
      {twin && (
        <TwinDialog
          invoice={invoice}
          twin={twin}
          problem={problem}
          saving={saving}
          onDiffers={(reason) =>
            void act("save", { notTheSame: twin.id, reason }).then((ok) => ok && setTwin(undefined))
          }
          onClose={() => setTwin(undefined)}
        />
      )}
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
