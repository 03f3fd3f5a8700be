import { ChevronLeft, Trash2 } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate, useParams } from "react-router";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type Action, type Opened, useChange, useDelete, useInvoice, usePreview, useTerms } from "../../invoices/calls";
import { Compare } from "../../invoices/compare";
import { useDraft, valuesOf } from "../../invoices/draft";
import type { FieldName } from "../../invoices/fields";
import { useRefused } from "../../invoices/found";
import { draftOf, sentOf, withRead } from "../../invoices/form";
import { pick } from "../../invoices/picked";
import { Glance } from "../../invoices/picture";
import { useSaving } from "../../invoices/saving";
import { InvoiceState } from "../../invoices/state";
import { useAmounts } from "../../session/amounts";
import { AddButtons } from "./add-buttons";
import { Fields, NewInvoice } from "./new-invoice";
import styles from "./invoices.module.css";

/** How wide a page is drawn for a phone. */
const WIDTH = 1200;

/** One invoice of a driver, or a new one. */
export default function InvoicePage() {
  const { id = "" } = useParams();
  return id === "new" ? <NewInvoice /> : <OneInvoice id={id} />;
}

/** What to do about an invoice first, then what it says and what it brings. */
function OneInvoice({ id }: { id: string }) {
  const { t } = useTranslation("invoices");
  const found = useInvoice(id);
  if (found.isError && !found.data)
    return (
      <ErrorState
        level={1}
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (!found.data) return <div className={styles.page} aria-busy="true" />;
  const invoice = found.data;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Link className={styles.back} aria-label={t("back")} to="/driver/invoices">
          <ChevronLeft aria-hidden size={24} strokeWidth={1.75} />
        </Link>
        <h1>{invoice.number || invoice.fileName}</h1>
      </header>
      <div>
        <InvoiceState of={invoice} asDriver />
      </div>
      <Said invoice={invoice} />
      <Body key={`${invoice.id} ${invoice.fileVersion}`} invoice={invoice} />
    </div>
  );
}

/** What the fleet says, and what can be done about it. */
function Said({ invoice }: { invoice: Opened }) {
  const { t } = useTranslation(["invoices", "faults"]);
  const change = useChange(invoice.id);
  const done = useDoneToast();
  const [unusable, setUnusable] = useState("");
  const better = async (file: File) => {
    setUnusable("");
    const picked = await pick(file);
    if (typeof picked === "string") {
      setUnusable(t(`file_${picked}`));
      return;
    }
    const sent = await change
      .mutateAsync({ version: invoice.version, action: "save", data: {}, file: picked.file })
      .then(
        () => true,
        () => false,
      );
    if (sent) done(t("uploaded"));
  };
  const rejected = invoice.state === "rejected";
  const back = invoice.state === "to_describe" && invoice.waitsFor === "driver";
  return (
    <>
      {rejected && (
        <Notice tone="danger">
          <b>{t(`why.${invoice.rejectReason || "other"}`)}</b> {invoice.feedback}
        </Notice>
      )}
      {!rejected && invoice.feedback && <Notice tone="warning">{t("fleetSays", { text: invoice.feedback })}</Notice>}
      {(rejected || back) && (
        <AddButtons photo={t(rejected ? "betterPhoto" : "photoAgain")} onFile={(file) => void better(file)} />
      )}
      {unusable && <Notice tone="danger">{unusable}</Notice>}
      {change.error && (
        <Notice tone="danger">
          {t("notSent")} {t(`faults:${change.error.code}`, { replace: change.error.params })}
        </Notice>
      )}
    </>
  );
}

function Body({ invoice }: { invoice: Opened }) {
  const terms = useTerms();
  const open = invoice.state === "to_describe" || invoice.state === "rejected" || invoice.state === "uploaded";
  const mine =
    invoice.waitsFor === "driver" || (terms.data?.driversDescribe === true && invoice.uploadedBy === "driver");
  return open && mine ? <Edit invoice={invoice} /> : <Facts invoice={invoice} />;
}

/** The form while it is the driver's turn. What is read meanwhile fills what nobody has touched. */
function Edit({ invoice }: { invoice: Opened }) {
  const { t } = useTranslation(["invoices", "faults"]);
  const language = useLanguage();
  const navigate = useNavigate();
  const done = useDoneToast();
  const { save: send, saving, problem, conflict, resume } = useSaving(invoice);
  const src = usePreview(invoice, 1, WIDTH);
  const { draft, setDraft, write, type } = useDraft(() => draftOf(valuesOf(invoice, language), invoice.touched));
  const { fields } = invoice.reading;
  const fill = useEffectEvent(() => setDraft((now) => withRead(now, fields, write)));
  useEffect(() => fill(), [fields]);
  const { refused, onTyping } = useRefused(draft, invoice);
  const [at, setAt] = useState<FieldName>();
  const [wrong, setWrong] = useState<readonly FieldName[]>([]);
  const refusals = Object.keys(refused);
  const toCorrect = new Set([...wrong, ...refusals]).size;
  const save = async (action: Action) => {
    const { wrong: unreadable, missing } = sentOf(draft, language);
    const lacking = action === "submit" ? [...unreadable, ...missing] : unreadable;
    setWrong(lacking);
    if (lacking.length > 0 || (action === "submit" && refusals.length > 0)) return;
    const { ended, draft: now } = await send(action, draft);
    if (now !== draft) setDraft(now);
    if (ended !== "done") return;
    done(t(action === "submit" ? "sent" : "saved"));
    void navigate("/driver/invoices", { replace: true });
  };
  if (conflict)
    return (
      <Compare
        mine={draft.values}
        theirs={valuesOf(invoice, language)}
        onTheirs={() => {
          setDraft(withRead(draftOf(valuesOf(invoice, language), invoice.touched), fields, write));
          resume();
        }}
        onMine={resume}
      />
    );
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving) void save("submit");
      }}
    >
      <Glance src={src} alt={t("pictureOf")} box={at && draft.read[at]?.box} />
      <Fields
        draft={draft}
        wrong={wrong}
        problem={problem}
        refused={refused}
        onType={type}
        onFocus={(name) => {
          onTyping(name);
          if (name) setAt(name);
        }}
      />
      {problem && problem.fields.length === 0 && (
        <Notice tone="danger">
          {t("notSent")} {t(`faults:${problem.code}`, { replace: problem.params })}
        </Notice>
      )}
      {toCorrect > 0 && <Notice tone="danger">{t("checkFields", { count: toCorrect })}</Notice>}
      <div className={styles.send}>
        <Button kind="primary" type="submit" size="large" block loading={saving}>
          {t("send")}
        </Button>
      </div>
      <Button size="large" block onClick={() => void save("save")}>
        {t("saveForLater")}
      </Button>
      <Remove invoice={invoice} />
    </form>
  );
}

/** What happens to an invoice while it is others' turn. */
const SAID: Record<string, "fleetReads" | "fleetDescribes" | "fleetLooks"> = {
  uploaded: "fleetReads",
  to_describe: "fleetDescribes",
  to_verify: "fleetLooks",
};

/** What it says and what it brings. */
function Facts({ invoice }: { invoice: Opened }) {
  const { t } = useTranslation("invoices");
  const language = useLanguage();
  const { full } = useAmounts();
  const src = usePreview(invoice, 1, WIDTH);
  const { issuerName, issuerTaxId, issueDate, gross, vatStandard, vatReduced, vatReturn, provision } = invoice;
  const facts: [string, string][] = [
    [t("field_issuerName"), issuerName || issuerTaxId],
    [t("field_issueDate"), issueDate && daySpan(issueDate, issueDate, language)],
    [t("field_gross"), gross === 0 ? "" : full(gross)],
    [t("vat"), vatStandard + vatReduced === 0 ? "" : full(vatStandard + vatReduced)],
    [t("comesBack"), vatReturn === 0 ? "" : full(vatReturn)],
    [t("provisionIn"), provision === 0 ? "" : full(provision)],
    [t("field_category"), invoice.category && t(`cost.${invoice.category}`)],
  ];
  const waits = invoice.state in SAID;
  return (
    <>
      {waits && <p>{t(SAID[invoice.state] ?? "fleetLooks")}</p>}
      <Glance src={src} alt={t("pictureOf")} box={undefined} />
      <dl className={styles.facts}>
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {invoice.settlementId && (
        <Link to={`/driver/settlements/${invoice.settlementId}`}>
          {t("inSettlement", { number: invoice.settlementNumber })}
        </Link>
      )}
      {waits && <Remove invoice={invoice} />}
    </>
  );
}

/** Takes an invoice away, after a question; what the fleet has described or sent stays. */
function Remove({ invoice }: { invoice: Opened }) {
  const { t } = useTranslation(["invoices", "common", "faults"]);
  const navigate = useNavigate();
  const remove = useDelete();
  const [asking, setAsking] = useState(false);
  if (invoice.uploadedBy === "partner" || invoice.describedBy === "partner") return null;
  const act = async () => {
    const gone = await remove.mutateAsync(invoice.id).then(
      () => true,
      () => false,
    );
    if (gone) void navigate("/driver/invoices", { replace: true });
  };
  return (
    <>
      <Button
        kind="text"
        danger
        icon={<Trash2 aria-hidden size={18} strokeWidth={1.75} />}
        onClick={() => setAsking(true)}
      >
        {t("remove")}
      </Button>
      {asking && (
        <Dialog title={t("removeTitle")} onClose={() => setAsking(false)}>
          <div className={styles.form}>
            <p>{t("removeBody")}</p>
            {remove.error && (
              <Notice tone="danger">{t(`faults:${remove.error.code}`, { replace: remove.error.params })}</Notice>
            )}
            <Button kind="primary" danger size="large" loading={remove.isPending} onClick={() => void act()}>
              {t("remove")}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
