import { CircleCheck, Download, Hourglass, Printer, ShieldCheck, Upload } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Problem } from "../api/problem";
import { save } from "../browser/save";
import { Button } from "../components/button";
import { useDoneToast } from "../components/done-toast";
import { Notice } from "../components/notice";
import { StatusTag } from "../components/status-tag";
import { type Contract, type Document, fileOf, useScan } from "./calls";
import styles from "./contracts.module.css";

const SCANS = "application/pdf,image/jpeg,image/png";

/** The documents of a contract: how each stands, its file, and the scan of what is signed by hand. */
export function DocumentList({ contract, mayScan }: { contract: Contract; mayScan: boolean }) {
  return (
    <ul className={styles.files}>
      {contract.documents.map((document) => (
        <li key={document.order}>
          <DocumentFile contract={contract} document={document} mayScan={mayScan} />
        </li>
      ))}
    </ul>
  );
}

function DocumentFile({ contract, document, mayScan }: { contract: Contract; document: Document; mayScan: boolean }) {
  const { t } = useTranslation(["contractWizard", "faults"]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const scan = useScan();
  const done = useDoneToast();
  const { order, title, form, file, sealed, verifyCode } = document;
  const fetch = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const content = await fileOf(contract.contractId, order);
      save(content, `${title}.${content.type === "image/jpeg" ? "jpg" : "pdf"}`);
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    } finally {
      setBusy(false);
    }
  };
  const add = async (input: HTMLInputElement) => {
    const [chosen] = input.files ?? [];
    input.value = ""; // the same file may be chosen again
    if (!chosen) return;
    const sent = { contract, order, file: chosen, key: crypto.randomUUID() };
    const ok = await scan.mutateAsync(sent).then(
      () => true,
      () => false,
    );
    if (ok) done(t("scanAdded"));
  };
  const open = contract.state === "printed" || contract.state === "scan_uploaded";
  const icon = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;
  return (
    <>
      <b>{title}</b>
      <span className={styles.tags}>
        {form === "written" ? (
          <StatusTag
            tone={file === "scan" ? "success" : "warning"}
            icon={file === "scan" ? CircleCheck : Printer}
            word={t(file === "scan" ? "scanned" : "toPrint")}
          />
        ) : (
          <StatusTag
            tone={sealed ? "success" : "neutral"}
            icon={sealed ? ShieldCheck : Hourglass}
            word={t(sealed ? "sealed" : "sealing")}
          />
        )}
      </span>
      <div className={styles.acts}>
        <Button
          icon={<Download {...icon} />}
          loading={busy}
          aria-label={t(file === "print" ? "printOf" : "downloadOf", { name: title })}
          onClick={() => void fetch()}
        >
          {t("download")}
        </Button>
        {form === "simple" && (
          <a className={styles.link} href={`/app/verify/${verifyCode}`} aria-label={t("verifyOf", { name: title })}>
            {t("verify")}
          </a>
        )}
        {form === "written" && open && mayScan && (
          <label className={styles.scan}>
            <Upload {...icon} />
            {t(file === "scan" ? "scanAgain" : "addScan")}
            <span className="sr-only">, {title}</span>
            <input type="file" accept={SCANS} onChange={({ target }) => void add(target)} />
          </label>
        )}
      </div>
      {problem && (
        <Notice tone="danger">
          {t(`faults:${problem.code}`, { replace: problem.params })} {t("downloadFailed")}
        </Notice>
      )}
      {scan.error && <Notice tone="danger">{t(`faults:${scan.error.code}`, { replace: scan.error.params })}</Notice>}
    </>
  );
}
