import { X } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useMegabytes } from "./facts";
import { ProgressBar } from "./progress-bar";
import { stopUpload, type Upload, useUpload } from "./uploads";
import styles from "./file-row.module.css";

/** A file on its way to the server, where it will stand once it is there. */
export function UploadRow({ upload }: { upload: Upload }) {
  const { t } = useTranslation(["imports", "faults", "fields"]);
  const megabytes = useMegabytes();
  const { again } = useUpload();
  const { file, done, state, problem } = upload;
  const part = Math.min(done, file.size);
  return (
    <li className={styles.file} aria-label={file.name}>
      <div className={`${styles.line} ${styles.sent}`}>
        <b className={styles.first}>{file.name}</b>
        <span className={styles.last}>
          <Button
            kind="text"
            size="small"
            icon={<X aria-hidden size={16} strokeWidth={1.75} />}
            aria-label={t("stopUpload", { file: file.name })}
            onClick={() => stopUpload(upload.key)}
          />
        </span>
      </div>
      <div className={styles.below}>
        {state === "failed" ? (
          <Notice tone="danger">
            {t("uploadFailed")} {problem && t(`faults:${problem.code}`, { replace: problem.params })}
            {problem?.fields.map(({ name, code, params }) => (
              <p key={name}>
                {t(name as "datesTo")}
                {": "}
                {t(`fields:${code}`, { replace: params ?? {} })}
              </p>
            ))}
            <Button onClick={() => again(upload.key)}>{t("uploadAgain")}</Button>
          </Notice>
        ) : (
          <ProgressBar
            label={t("uploading")}
            done={part}
            total={file.size}
            words={
              state === "waiting"
                ? t("waitingTurn")
                : t("uploadedOf", { done: megabytes(part), total: megabytes(file.size) })
            }
          />
        )}
      </div>
    </li>
  );
}
