import { FileText, Hourglass, ReceiptText } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { weekday } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type Invoice, type State, useInvoices, usePreview } from "../../invoices/calls";
import { InvoiceState } from "../../invoices/state";
import { useAmounts } from "../../session/amounts";
import { useSession } from "../../session/session";
import type { FaultCode } from "../../api/problem";
import type { Waiting } from "../../device/outbox";
import { saveCopy } from "../../waiting/copy";
import { giveUp, takeBack, useShown } from "../../waiting/outbox";
import type { InvoiceEntry } from "../../waiting/sender";
import { AddButtons } from "./add-buttons";
import { choose } from "./chosen";
import styles from "./invoices.module.css";

const TABS = ["todo", "waiting", "done"] as const;
type Tab = (typeof TABS)[number];

/** What a driver has to do, what others do, and what is over. */
const tabOf = ({ state, waitsFor }: Pick<Invoice, "state" | "waitsFor">): Tab => {
  const tabs: Record<State, Tab> = {
    uploaded: "waiting",
    to_describe: waitsFor === "driver" ? "todo" : "waiting",
    to_verify: "waiting",
    approved: "done",
    rejected: "todo",
  };
  return tabs[state];
};

/** A driver's invoices; who is not accepted by the fleet yet reads that. */
export default function InvoicesPage() {
  const { t } = useTranslation("explain");
  return useSession().driver?.linked ? (
    <Invoices />
  ) : (
    <FirstUse icon={Hourglass} title={t("notLinkedTitle")} body={t("notLinkedBody")} />
  );
}

/** A photo is one tap away, then what is to do. */
function Invoices() {
  const { t } = useTranslation(["invoices", "accounts"]);
  const navigate = useNavigate();
  const mayWrite = useSession().may("account.write");
  const waiting = useShown().waiting.filter((one): one is Waiting<InvoiceEntry> => one.kind === "invoice");
  const found = useInvoices({});
  const [params] = useSearchParams();
  const items = found.data?.items ?? [];
  const counts = TABS.map(
    (tab) => items.filter((one) => tabOf(one) === tab).length + (tab === "waiting" ? waiting.length : 0),
  );
  const asked = TABS.find((tab) => tab === params.get("tab"));
  const tab = asked ?? (counts[0] ? "todo" : counts[1] ? "waiting" : "done");
  const shown = items.filter((one) => tabOf(one) === tab);
  const none = found.data && items.length === 0 && waiting.length === 0;
  return (
    <div className={styles.page}>
      <h1 className="sr-only">{t("accounts:invoicesTitle")}</h1>
      {mayWrite && (
        <AddButtons
          photo={t("photo")}
          onFile={(file) => {
            choose(file);
            void navigate("/driver/invoices/new");
          }}
        />
      )}
      {none ? (
        <FirstUse icon={ReceiptText} title={t("noneTitle")} body={t("noneBody")} />
      ) : (
        <>
          <nav className={styles.tabs} aria-label={t("tabs")}>
            {TABS.map((one, n) => (
              <Link key={one} replace to={`?tab=${one}`} aria-current={one === tab ? "page" : undefined}>
                {t(`tab_${one}`, { number: counts[n] ?? 0 })}
              </Link>
            ))}
          </nav>
          {found.isError && !found.data ? (
            <ErrorState
              title={t("loadFailed")}
              undone={t("loadFailedBody")}
              problem={found.error}
              onRetry={() => void found.refetch()}
            />
          ) : (
            <ul className={styles.list} aria-busy={!found.data}>
              {tab === "waiting" && waiting.map((one) => <Queued key={one.id} waiting={one} />)}
              {shown.map((one) => (
                <li key={one.id}>
                  <Row invoice={one} />
                </li>
              ))}
            </ul>
          )}
          {found.data && shown.length === 0 && !(tab === "waiting" && waiting.length > 0) && <p>{t(`empty_${tab}`)}</p>}
        </>
      )}
    </div>
  );
}

/** One that could not be sent yet, or was refused when it was. */
function Queued({ waiting }: { waiting: Waiting<InvoiceEntry> }) {
  const { t } = useTranslation(["invoices", "faults"]);
  const { sending } = useShown();
  const { id, entry, refusal, sent } = waiting;
  const line = (said: string, tone: "danger" | "info") => (
    <li>
      <Notice tone={tone}>
        <b>{entry.name}</b>
        <br />
        {said}
        <span className={styles.queuedActions}>
          {refusal && <Link to={`/driver/invoices/new?waiting=${id}`}>{t("correct")}</Link>}
          {refusal && (
            <Button kind="text" onClick={() => void saveCopy(waiting, "saldo", [])}>
              {t("saveFile")}
            </Button>
          )}
          {(refusal ?? !sent) && (
            <Button kind="text" danger onClick={() => void (refusal ? giveUp(id) : takeBack(id))}>
              {t("takeOff")}
            </Button>
          )}
        </span>
      </Notice>
    </li>
  );
  if (!refusal) return line(t(sending ? "queuedSending" : "queued"), "info");
  const why = t(`faults:${refusal.code as FaultCode}`, { replace: refusal.params });
  return line(t("queueRefused", { why }), "danger");
}

function Row({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation("invoices");
  const language = useLanguage();
  const { full } = useAmounts();
  const { issuerName, fileName, gross, issueDate, vatReturn, state } = invoice;
  return (
    <Link className={styles.row} to={`/driver/invoices/${invoice.id}`}>
      <Thumb invoice={invoice} />
      <span className={styles.what}>
        <b>{issuerName || invoice.issuerTaxId || fileName}</b>
        <InvoiceState of={invoice} asDriver />
        {issueDate && <small>{weekday(issueDate, language)}</small>}
        {vatReturn > 0 && state !== "rejected" && (
          <small className={styles.returns}>{t("returns", { amount: full(vatReturn) })}</small>
        )}
      </span>
      <span className={styles.end}>{gross !== 0 && <b>{full(gross)}</b>}</span>
    </Link>
  );
}

function Thumb({ invoice }: { invoice: Invoice }) {
  const src = usePreview(invoice, 1, 160);
  return (
    <span className={styles.thumb}>
      {src ? <img src={src} alt="" /> : <FileText aria-hidden size={22} strokeWidth={1.5} />}
    </span>
  );
}
