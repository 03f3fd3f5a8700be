import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useAmounts } from "../../session/amounts";
import { RunProgress } from "./run-progress";
import type { Settling } from "./settling";

/** A run that works, or has ended, while nobody looked. */
export default function HiddenRun({ settling }: { settling: Settling }) {
  const { t } = useTranslation("settlements");
  const { full } = useAmounts();
  const run = settling.run.data;
  if (!run) return null;
  return (
    <div className="settlements-notice">
      <Notice
        tone={run.state === "changed" || run.state === "short" ? "danger" : "info"}
        action={<Button onClick={settling.show}>{t("showRun")}</Button>}
      >
        {run.state === "running" ? (
          <RunProgress run={run} />
        ) : run.state === "done" ? (
          `${t("outcome_settled", { number: run.settled })}: ${full(run.settledPayout)}`
        ) : (
          t(`run_${run.state}`)
        )}
      </Notice>
    </div>
  );
}
