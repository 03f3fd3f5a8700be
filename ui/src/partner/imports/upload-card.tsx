import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useMegabytes } from "./facts";
import { ProgressBar } from "./progress-bar";
import { stopUpload, type Upload, useUpload } from "./uploads";

/** A file on its way to the server. */
export function UploadCard({ upload }: { upload: Upload }) {
  const { t } = useTranslation(["imports", "faults", "fields"]);
  const megabytes = useMegabytes();
  const { again } = useUpload();
  const { file, done, state, problem } = upload;
  const part = Math.min(done, file.size);
  return (
    <li className="imports-card" aria-label={file.name}>
      <header>
        <h2>{file.name}</h2>
      </header>
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
      <footer>
        <Button aria-label={t("stopUpload", { file: file.name })} onClick={() => stopUpload(upload.key)}>
          {state === "failed" ? t("hide") : t("stop")}
        </Button>
        {state === "failed" && <Button onClick={() => again(upload.key)}>{t("uploadAgain")}</Button>}
      </footer>
    </li>
  );
}
