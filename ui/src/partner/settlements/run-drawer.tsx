import { Drawer } from "antd";
import { X } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate } from "react-router";
import { Button } from "../../components/button";
import { NARROW, useMedia } from "../../browser/media";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useAmounts } from "../../session/amounts";
import { useSession } from "../../session/session";
import { DryRun, type Start } from "./dry-run";
import { useFocusBack } from "../../kit/focus-back";
import type { Period } from "../../kit/periods";
import { type Run, useStartRun } from "./queries";
import { RunProgress } from "./run-progress";
import { canAgain, RunResult } from "./run-result";
import type { Settling } from "./settling";
import "./run.css";

interface RunDrawerProps {
  settling: Settling;
  periods: readonly Period[];
  /** Shows whom a line is about in the list. */
  onShow: (code: string) => void;
}

/** What settling would do, before anything is written; then how far it is, and what became of everybody. */
export default function RunDrawer({ settling, periods, onShow }: RunDrawerProps) {
  const { t } = useTranslation("settlements");
  useFocusBack();
  const narrow = useMedia(NARROW);
  const run = settling.preview.isPending ? undefined : settling.run.data;
  const problem = settling.preview.error ?? (run ? undefined : settling.run.error);
  const [start, setStart] = useState<Start>({ share: true, partial: false, unfinished: false });
  return (
    <Drawer
      open
      size={narrow ? "100%" : 620}
      closable={false}
      onClose={settling.close}
      className="run-drawer"
      title={<Head run={run} periods={periods} onClose={settling.close} />}
      footer={run && <Foot key={run.id} run={run} start={start} settling={settling} />}
    >
      {problem ? (
        <ErrorState title={t("runFailed")} undone={t("nothingSettled")} problem={problem} onRetry={settling.retry} />
      ) : !run ? (
        <div className="run-wait" aria-busy role="status" aria-label={t("computing")}>
          <span className="bar" />
          <span className="bar" />
          <span className="bar" />
        </div>
      ) : run.state === "preview" ? (
        <DryRun run={run} start={start} onStart={setStart} onShow={onShow} />
      ) : run.state === "running" ? (
        <RunProgress run={run} />
      ) : (
        <RunResult run={run} onShow={onShow} />
      )}
    </Drawer>
  );
}

function Head(props: { run: Run | undefined; periods: readonly Period[]; onClose: () => void }) {
  const { t } = useTranslation(["settlements", "common"]);
  const { run, periods, onClose } = props;
  return (
    <div className="run-head">
      <div>
        <h2>{t(run ? `run_${run.state}` : "run_preview")}</h2>
        <p>{run && <Lead run={run} periods={periods} />}</p>
      </div>
      <Button kind="text" aria-label={t("common:close")} icon={<X size={18} strokeWidth={1.75} />} onClick={onClose} />
    </div>
  );
}

/** Of which period, how many, and that nothing is written yet. */
function Lead({ run, periods }: { run: Run; periods: readonly Period[] }) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  const period = periods.find(({ code }) => code === run.period);
  const days = period ? daySpan(period.firstOn, period.lastOn, language) : run.period;
  const all = run.drivers + run.refused;
  if (run.state === "preview")
    return t("runLead", { days, count: all, settled: run.drivers, refused: run.refused }) + " " + t("nothingWritten");
  return t("runOf", { days, count: all });
}

/** The promise and what can be done: settle exactly this, look anew, or leave. */
function Foot({ run, start, settling }: { run: Run; start: Start; settling: Settling }) {
  const { t } = useTranslation(["settlements", "faults"]);
  const { full } = useAmounts();
  const write = useStartRun(run.id);
  const short = Math.max(0, run.drivers - run.left);
  const fits = run.drivers - short;
  // Whoever presses twice starts it once.
  const starting = useRef(false);
  const pressed = async () => {
    if (starting.current) return;
    starting.current = true;
    try {
      await write.mutateAsync({
        share: start.share,
        ...(short > 0 || run.state === "short" ? { partial: true } : {}),
        ...(run.endsOn ? { unfinished: start.unfinished } : {}),
      });
    } catch {
      starting.current = false; // why is shown below
    }
  };
  if (run.state === "preview")
    return (
      <div className="run-foot">
        {write.error && (
          <Notice tone="danger">
            {t(`faults:${write.error.code}`, { replace: write.error.params })} {t("nothingSettled")}
          </Notice>
        )}
        <p>{t(run.drivers > 0 ? "promise" : "nobody")}</p>
        <div>
          <Button onClick={settling.close}>{t("goBack")}</Button>
          {run.drivers > 0 && (
            <Button
              kind="primary"
              loading={write.isPending}
              disabled={(short > 0 && (!start.partial || fits === 0)) || (run.endsOn !== "" && !start.unfinished)}
              onClick={() => void pressed()}
            >
              {short > 0
                ? t("settleFitting", { number: fits, all: run.drivers })
                : t("settleMany", { number: run.drivers, sum: full(run.payout) })}
            </Button>
          )}
        </div>
      </div>
    );
  if (run.state === "running")
    return (
      <div className="run-foot">
        <p>{t("goesOn")}</p>
        <div>
          <Button onClick={settling.close}>{t("hide")}</Button>
        </div>
      </div>
    );
  const again = canAgain(run);
  const stopped = run.state !== "done";
  return (
    <div className="run-foot">
      <div>
        {run.state === "short" && fits > 0 && (
          <Button kind="primary" loading={write.isPending} onClick={() => void pressed()}>
            {t("settlePartial", { number: fits })}
          </Button>
        )}
        {again && (
          <Button kind={stopped ? "primary" : "default"} onClick={() => settling.ask({ again: run.id })}>
            {t(stopped ? "newDryRun" : "tryAgain")}
          </Button>
        )}
        <Button kind={stopped || run.settled > 0 ? "default" : "primary"} onClick={settling.leave}>
          {t("ready")}
        </Button>
        {run.settled > 0 && <NextSteps run={run} />}
      </div>
    </div>
  );
}

/** What comes after settling: the drivers hear of it, and are paid. */
function NextSteps({ run }: { run: Run }) {
  const { t } = useTranslation("settlements");
  const { may } = useSession();
  const navigate = useNavigate();
  return (
    <>
      {may("settlements.write") && (
        <Button onClick={() => void navigate(`/settlements/settled?period=${run.period}&send=all`)}>
          {t("sendNext", { number: run.settled })}
        </Button>
      )}
      {may("payouts.write") && run.settledPayout > 0 && (
        <Button kind="primary" onClick={() => void navigate(`/payouts/new?period=${run.period}`)}>
          {t("transfersNext")}
        </Button>
      )}
    </>
  );
}
