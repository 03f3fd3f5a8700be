import { useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { DropArea } from "../../components/drop-area";
import { Notice } from "../../components/notice";
import { type ContractPDF, useUploadPDF } from "./pdf-calls";
import styles from "./contracts.module.css";

/** Where a partner's PDF is chosen. A repeat of an upload after a lost line is the same upload. */
export function PDFUpload({ onDone }: { onDone: (file: ContractPDF) => void }) {
  const { t } = useTranslation(["contractTexts", "faults"]);
  const upload = useUploadPDF();
  const [percent, setPercent] = useState(0);
  const tried = useRef<{ file: File; key: string }>(undefined);
  const send = (file: File) => {
    const same = tried.current;
    const again =
      same &&
      same.file.name === file.name &&
      same.file.size === file.size &&
      upload.error?.code === "network.unreachable";
    const key = again ? same.key : crypto.randomUUID();
    tried.current = { file, key };
    setPercent(0);
    upload.mutate({ file, key, onProgress: setPercent }, { onSuccess: onDone });
  };
  return (
    <div className={styles.dialog}>
      {upload.error && (
        <Notice tone="danger">{t(`faults:${upload.error.code}`, { replace: upload.error.params })}</Notice>
      )}
      <DropArea
        title={t("dropPDF")}
        choose={t("choosePDF")}
        note={t("pdfRules")}
        accept=".pdf,application/pdf"
        onFiles={([file]) => {
          if (file && !upload.isPending) send(file);
        }}
      />
      <p role="status" className={styles.quiet}>
        {upload.isPending && (percent < 100 ? t("uploading", { percent }) : t("preparing"))}
      </p>
    </div>
  );
}
