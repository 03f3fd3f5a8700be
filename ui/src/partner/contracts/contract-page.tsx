import { ArrowLeft, Ban, Download, Eye, FileUp, PenLine, ShieldCheck, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate } from "react-router";
import { Problem } from "../../api/problem";
import { save } from "../../browser/save";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { useScreenName } from "../../components/screen-name";
import { StatusTag } from "../../components/status-tag";
import { daySpan, moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useConfig } from "../../session/config";
import { type Contract, type ContractDocument, fileOf, useContractsOf, useScan } from "./calls";
import { CloseDialog, ConfirmDialog, DeleteDialog } from "./contract-dialogs";
import { Evidence } from "./evidence";
import { FilePages } from "./file-pages";
import { ContractState } from "./state";
import styles from "./contracts.module.css";

type Asking = "sign" | "end" | "withdraw" | "delete";

/** One contract with its documents and how it was signed; without one, the newest of the driver. */
export default function ContractPage({ driver, id }: { driver: string; id: string }) {
  const { t } = useTranslation(["contractList", "documents"]);
  const found = useContractsOf(driver);
  const all = found.data ?? [];
  const of = id ? all.find(({ contractId }) => contractId === id) : all[0];
  useScreenName(of?.driverName);
  const back = (
    <nav className={styles.back}>
      <Link to="/contracts">
        <ArrowLeft aria-hidden size={16} strokeWidth={1.75} />
        {t("documents:contracts")}
      </Link>
      <Link to={`/drivers/${driver}`}>{t("toDriver")}</Link>
    </nav>
  );
  if (found.isError && !found.data)
    return (
      <>
        {back}
        <ErrorState
          level={1}
          title={t("loadFailed")}
          undone={t("loadFailedBody")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      </>
    );
  return (
    <>
      {back}
      {of ? (
        <One key={of.contractId} of={of} others={all.filter((one) => one !== of)} />
      ) : (
        <>
          <PageHeader title={t("oneTitle")} />
          {found.data && <p className={styles.lone}>{t("driverHasNone")}</p>}
        </>
      )}
    </>
  );
}

function One({ of, others }: { of: Contract; others: readonly Contract[] }) {
  const { t } = useTranslation(["contractList", "faults"]);
  const language = useLanguage();
  const navigate = useNavigate();
  const { timeZone } = useConfig();
  const [asking, setAsking] = useState<Asking>();
  const at = (instant: string | null | undefined) => (instant ? moment(instant, language, timeZone) : "–");
  const waiting = of.state === "signed_by_driver" || of.state === "scan_uploaded";
  const unsigned = !of.countersignedAt && !of.endedAt;
  const facts: [string, string][] = [
    [t("number"), of.number || "–"],
    [t("kinds"), of.kinds.map((kind) => t(`kind_${kind as "employment"}`)).join(", ")],
    [t("term"), of.to ? daySpan(of.from, of.to, language) : t("since", { day: daySpan(of.from, of.from, language) })],
    [t("signed"), at(of.signedAt)],
    [t("countersigned"), at(of.countersignedAt)],
    ...(of.endedAt ? ([[t("closedAt"), at(of.endedAt)]] as [string, string][]) : []),
    ...(of.endedWhy && of.state !== "replaced" ? ([[t("reason"), of.endedWhy]] as [string, string][]) : []),
  ];
  return (
    <>
      <PageHeader
        title={of.driverName}
        meta={<ContractState of={of.state} />}
        actions={
          <>
            {of.state === "active" && <Button onClick={() => setAsking("end")}>{t("end")}</Button>}
            {!of.endedAt && (
              <Button icon={<Ban aria-hidden size={16} strokeWidth={1.75} />} onClick={() => setAsking("withdraw")}>
                {t("withdraw")}
              </Button>
            )}
            {unsigned && (
              <Button
                danger
                icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
                onClick={() => setAsking("delete")}
              >
                {t("delete")}
              </Button>
            )}
            {waiting && (
              <Button
                kind="primary"
                icon={<PenLine aria-hidden size={16} strokeWidth={1.75} />}
                onClick={() => setAsking("sign")}
              >
                {t(of.state === "scan_uploaded" ? "confirmOriginal" : "countersignOne")}
              </Button>
            )}
          </>
        }
      />
      <div className={styles.body}>
        {of.state === "printed" && <Notice tone="info">{t("printedNote")}</Notice>}
        {of.state === "scan_uploaded" && <Notice tone="info">{t("scanNote")}</Notice>}
        <dl className={styles.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <section aria-label={t("documents")}>
          <h2 className={styles.heading}>{t("documents")}</h2>
          <ul className={styles.documents}>
            {of.documents.map((document) => (
              <DocumentEntry key={document.order} of={of} document={document} />
            ))}
          </ul>
        </section>
        <Evidence id={of.contractId} />
        {others.length > 0 && (
          <section aria-label={t("otherContracts")}>
            <h2 className={styles.heading}>{t("otherContracts")}</h2>
            <ul className={styles.names}>
              {others.map((one) => (
                <li key={one.contractId}>
                  <Link to={`/contracts/${one.driverUUID}/${one.contractId}`}>
                    {one.number || daySpan(one.from, one.from, language)}
                  </Link>{" "}
                  <ContractState of={one.state} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {asking === "sign" && <ConfirmDialog of={of} onClose={() => setAsking(undefined)} />}
      {(asking === "end" || asking === "withdraw") && (
        <CloseDialog how={asking} of={of} onClose={() => setAsking(undefined)} />
      )}
      {asking === "delete" && (
        <DeleteDialog of={of} onClose={() => setAsking(undefined)} onDone={() => void navigate("/contracts")} />
      )}
    </>
  );
}

/** A document: what its newest file is, its pages, and the scan of one that is signed by hand. */
function DocumentEntry({ of, document }: { of: Contract; document: ContractDocument }) {
  const { t } = useTranslation(["contractList", "faults"]);
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const scan = useScan();
  const done = useDoneToast();
  const input = useRef<HTMLInputElement>(null);
  const { order, title, pages, form, file, sealed, stamp, verifyCode } = document;
  const refused = problem ?? scan.error;
  const download = () => {
    setProblem(undefined);
    fileOf(of.contractId, order).then(
      (content) =>
        save(content, `${title.replace(/[^\p{L}\p{N}]+/gu, "_")}.${content.type === "image/jpeg" ? "jpg" : "pdf"}`),
      (reason: unknown) => {
        if (!(reason instanceof Problem)) throw reason;
        setProblem(reason);
      },
    );
  };
  const mayScan = form === "written" && (of.state === "printed" || of.state === "scan_uploaded");
  return (
    <li>
      <div className={styles.documentHead}>
        <span className={styles.two}>
          <b>{title}</b>
          <small>
            {t("pageCount", { count: pages })} · {t(`file_${file}`)}
          </small>
        </span>
        {sealed && (
          <StatusTag tone="success" icon={ShieldCheck} word={t(stamp === "done" ? "sealedStamped" : "sealed")} />
        )}
        {file === "signed" && !sealed && <small className={styles.quiet}>{t("notSealedYet")}</small>}
      </div>
      <div className={styles.acts}>
        <Button
          icon={<Eye aria-hidden size={16} strokeWidth={1.75} />}
          aria-expanded={open}
          aria-label={t(open ? "hideOf" : "showOf", { title })}
          onClick={() => setOpen(!open)}
        >
          {t(open ? "hide" : "show")}
        </Button>
        <Button
          icon={<Download aria-hidden size={16} strokeWidth={1.75} />}
          aria-label={t("downloadOf", { title })}
          onClick={download}
        >
          {t("download")}
        </Button>
        {mayScan && (
          <>
            <Button
              icon={<FileUp aria-hidden size={16} strokeWidth={1.75} />}
              loading={scan.isPending}
              onClick={() => input.current?.click()}
            >
              {t(file === "scan" ? "scanAgain" : "addScan")}
            </Button>
            <input
              ref={input}
              type="file"
              hidden
              accept=".pdf,.jpg,.jpeg,.png"
              aria-label={t("scanOf", { title })}
              onChange={({ target }) => {
                const chosen = target.files?.[0];
                if (chosen)
                  scan.mutate(
                    { id: of.contractId, order, version: of.version, file: chosen, key: crypto.randomUUID() },
                    { onSuccess: () => done(t("scanAdded")) },
                  );
                target.value = "";
              }}
            />
          </>
        )}
        {verifyCode && file === "signed" && (
          <a href={`/app/verify/${verifyCode}`} target="_blank" rel="noreferrer">
            {t("verify")}
          </a>
        )}
      </div>
      {refused && <Notice tone="danger">{t(`faults:${refused.code}`, { replace: refused.params })}</Notice>}
      {open && <FilePages contract={of.contractId} document={document} />}
    </li>
  );
}
