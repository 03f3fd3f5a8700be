import { CloudUpload, FileDown } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { DropArea } from "../../components/drop-area";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { PeriodStepper } from "../../kit/period-stepper";
import { useSession } from "../../session/session";
import { ConfirmBar } from "./confirm-bar";
import { FileHeads, FileRow, FileTotals } from "./file-row";
import { ImportsHead } from "./imports-head";
import { nothingSaid } from "./order";
import { OrderFields } from "./order-fields";
import { isPlain } from "./preview-details";
import { templateFile, useOpenImports, usePreviews } from "./queries";
import { isUndated, Undated, useReadForWeek } from "./undated";
import { UploadRow } from "./upload-row";
import { placed, useUpload, useUploads } from "./uploads";
import { useWeek, type Week } from "./week";
import { isWeek } from "./weeks";
import styles from "./file-row.module.css";
import "./mappings.css";

/** How long a stepped week must stand before files are read again by it. */
const SETTLED_MS = 500;

/** The workbench: files come in, are looked at, and are confirmed or discarded. */
export default function UploadPage() {
  const { t } = useTranslation(["imports", "faults"]);
  const mayWrite = useSession().may("imports.write");
  const open = useOpenImports();
  const { uploads } = useUploads();
  const files = placed(open.ids ?? []);
  const { ready, reading } = usePreviews(files.filter((place) => !uploads.some(({ key }) => key === place)));
  const sending = uploads.some(({ state }) => state !== "failed");
  const { weeks, week, choose } = useWeek();
  const days = useReadForWeek();
  // Asked once for all files: not before the last of them has been read.
  const undated = sending || reading ? [] : ready.filter(({ preview }) => isUndated(preview)).map((one) => one.import);
  // Whoever steps to another week means the files that took the week before, too.
  const follow = useEffectEvent(() => {
    const taken = ready
      .map((one) => one.import)
      .filter((of) => of.periodSource === "picker" && isWeek(of.datesFrom, of.datesTo));
    if (week && taken.length > 0) void days.read(taken, week);
  });
  const [stepped, setStepped] = useState(0);
  useEffect(() => {
    if (stepped === 0) return;
    const timer = setTimeout(() => follow(), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [stepped]);
  useLeaveQuestion(sending);
  return (
    <>
      <ImportsHead toConfirm={ready.length} actions={<TemplateButton />} />
      {mayWrite && (
        <Intake week={week}>
          <PeriodStepper
            periods={weeks}
            value={week?.code}
            onChange={(code) => {
              choose(code);
              setStepped((before) => before + 1);
            }}
          />
          <span>{t("weekNote")}</span>
        </Intake>
      )}
      {mayWrite && week && undated.length > 0 && (
        <Undated files={undated} week={week} busy={days.busy} onRead={() => void days.read(undated, week)} />
      )}
      {days.problem && (
        <Notice tone="danger">
          {t("readAgainFailed")} {t(`faults:${days.problem.code}`, { replace: days.problem.params })}
        </Notice>
      )}
      {open.error && !open.ids ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={open.error}
          onRetry={() => void open.refetch()}
        />
      ) : files.length === 0 && open.ids ? (
        <FirstUse icon={CloudUpload} title={t("emptyTitle")} body={t("emptyBody")} />
      ) : (
        <>
          <FileHeads />
          <ul className={styles.files}>
            {files.map((place) => {
              const upload = uploads.find(({ key }) => key === place);
              return upload ? <UploadRow key={place} upload={upload} /> : <FileRow key={place} id={place} />;
            })}
          </ul>
          {ready.length > 1 && <FileTotals ready={ready} />}
        </>
      )}
      {mayWrite && ready.some(isPlain) && <ConfirmBar ready={ready} />}
    </>
  );
}

/** The drop area, and what holds for the files that come next. */
function Intake({ week, children }: { week: Week | undefined; children: ReactNode }) {
  const { t } = useTranslation("imports");
  const [order, setOrder] = useState(nothingSaid);
  const upload = useUpload();
  const dated = order.datesFrom || order.datesTo;
  return (
    <>
      <DropArea
        title={t("dropTitle")}
        choose={t("choose")}
        note={t("dropNote")}
        accept=".csv,.txt,.tsv,.xlsx,.zip"
        multiple
        onFiles={(files) =>
          upload.add(files, {
            ...order,
            ...(week && !dated && { datesFrom: week.firstOn, datesTo: week.lastOn }),
          })
        }
      />
      <div className={styles.week}>{children}</div>
      <div className={styles.more}>
        <details className="imports-details imports-intake">
          <summary>{t("settings")}</summary>
          <OrderFields order={order} onChange={setOrder} />
        </details>
        <Link to="/upload/mappings">{t("mapsTitle")}</Link>
      </div>
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
