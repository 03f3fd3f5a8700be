import { CloudUpload, FileDown } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useSession } from "../../session/session";
import { DropArea } from "../../components/drop-area";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { ConfirmAll } from "./confirm-all";
import { ImportCard } from "./import-card";
import { ImportsHead } from "./imports-head";
import { nothingSaid } from "./order";
import { OrderFields } from "./order-fields";
import { isPlain } from "./preview-card";
import { templateFile, usePreviews, useOpenImports } from "./queries";
import { UploadCard } from "./upload-card";
import { useUploads, useUpload } from "./uploads";
import { isUndated, WhichDays } from "./which-days";
import "./mappings.css";

/** The workbench: files come in, are looked at, and are confirmed or discarded. */
export default function UploadPage() {
  const { t } = useTranslation("imports");
  const mayWrite = useSession().may("imports.write");
  const open = useOpenImports();
  const { uploads, kept } = useUploads();
  // Ids grow with time, so the newest stands first.
  const ids = [...new Set([...kept, ...(open.ids ?? [])])].sort().reverse();
  const { ready, reading } = usePreviews(ids);
  const plain = ready.filter(({ preview }) => isPlain(preview)).length;
  const sending = uploads.some(({ state }) => state !== "failed");
  // Asked once for all files: not before the last of them has been read.
  const undated = sending || reading ? [] : ready.filter(({ preview }) => isUndated(preview));
  useLeaveQuestion(sending);
  const none = uploads.length === 0 && ids.length === 0;
  return (
    <>
      <ImportsHead toConfirm={ready.length} actions={<TemplateButton />} />
      {mayWrite && <Intake />}
      {mayWrite && undated.length > 0 && <WhichDays files={undated.map((one) => one.import)} />}
      {open.error && !open.ids ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={open.error}
          onRetry={() => void open.refetch()}
        />
      ) : none && open.ids ? (
        <FirstUse icon={CloudUpload} title={t("emptyTitle")} body={t("emptyBody")} />
      ) : (
        <ul className="imports-cards">
          {uploads.map((upload) => (
            <UploadCard key={upload.key} upload={upload} />
          ))}
          {ids.map((id) => (
            <ImportCard key={id} id={id} alone={plain <= 1} />
          ))}
        </ul>
      )}
      {mayWrite && plain > 1 && <ConfirmAll ready={ready} />}
    </>
  );
}

/** The drop area, and what holds for the files that come next. */
function Intake() {
  const { t } = useTranslation("imports");
  const [order, setOrder] = useState(nothingSaid);
  const upload = useUpload();
  return (
    <>
      <DropArea
        title={t("dropTitle")}
        choose={t("choose")}
        note={t("dropNote")}
        accept=".csv,.txt,.tsv,.xlsx,.zip"
        multiple
        onFiles={(files) => upload.add(files, order)}
      />
      <details className="imports-details imports-intake">
        <summary>{t("settings")}</summary>
        <OrderFields order={order} onChange={setOrder} />
      </details>
      <p className="imports-remembered">
        <Link to="/upload/mappings">{t("mapsTitle")}</Link>
      </p>
    </>
  );
}

function TemplateButton() {
  const { t } = useTranslation(["imports", "faults"]);
  const [problem, setProblem] = useState<Problem>();
  const download = async () => {
    setProblem(undefined);
    try {
      await templateFile();
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
  };
  return (
    <>
      {problem && (
        <Notice tone="danger">
          {t("templateFailed")} {t(`faults:${problem.code}`, { replace: problem.params })}
        </Notice>
      )}
      <Button icon={<FileDown aria-hidden size={16} strokeWidth={1.75} />} onClick={() => void download()}>
        {t("template")}
      </Button>
    </>
  );
}

// What is on the server goes on without the window; what is on its way there does not.
function useLeaveQuestion(sending: boolean) {
  useEffect(() => {
    if (!sending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [sending]);
}
