import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Problem } from "../../api/problem";
import { save } from "../../browser/save";
import { Button } from "../../components/button";
import { type Invoice, invoiceFile } from "./queries";
import styles from "./licences.module.css";

/** The invoices of an order as files to take. */
export function Invoices({ documents }: { documents: readonly Invoice[] }) {
  return (
    <ul className={styles.invoices}>
      {documents.map((one) => (
        <One key={one.id} one={one} />
      ))}
    </ul>
  );
}

function One({ one }: { one: Invoice }) {
  const { t } = useTranslation(["licences", "faults"]);
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState<"pdf" | "xml">();
  const take = async (kind: "pdf" | "xml") => {
    setBusy(kind);
    setProblem(undefined);
    try {
      const { content, name } = await invoiceFile(one, kind);
      save(content, name);
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    } finally {
      setBusy(undefined);
    }
  };
  const button = (kind: "pdf" | "xml", label: string) => (
    <Button
      size="small"
      icon={<Download aria-hidden size={16} strokeWidth={1.75} />}
      loading={busy === kind}
      aria-label={label}
      onClick={() => void take(kind)}
    >
      {kind.toUpperCase()}
    </Button>
  );
  const { number } = one;
  return (
    <li>
      <span>{t(one.kind === "invoice" ? "invoiceOf" : "correctionOf", { number })}</span>
      {button("pdf", t("downloadPDF", { number }))}
      {one.hasXml && button("xml", t("downloadXML", { number }))}
      {problem && (
        <span role="alert" className={styles.wrong}>
          {t(`faults:${problem.code}`, { replace: problem.params })}
        </span>
      )}
    </li>
  );
}
