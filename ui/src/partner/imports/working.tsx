import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useSession } from "../../session/session";
import { ProgressBar, useRest } from "./progress-bar";
import { type Import, type Progress, useRemove } from "./queries";

/** How far a file is that is being read, written or removed. */
export function Working({ of, progress, at }: { of: Import; progress: Progress; at: number }) {
  const { t } = useTranslation(["imports", "faults"]);
  const remove = useRemove();
  const mayWrite = useSession().may("imports.write");
  const { state, done, total } = progress;
  // Nobody can be settled until it is finished, so a removal that gave up must be able to go on.
  const stuck = of.status === "removing" && state === "failed";
  const stage = t(`status_${of.status}`);
  const rest = useRest(done, total, at);
  const rows =
    state === "waiting"
      ? t("waitingTurn")
      : of.status === "running" || of.status === "removing"
        ? t("rowsDone", { done: Math.min(done, total), total })
        : t("rowsRead", { done });
  return (
    <>
      <ProgressBar label={stage} done={done} total={total} words={[rows, rest].filter(Boolean).join(", ")} />
      {stuck && (
        <Notice tone="danger">
          {t("removingStuck")} {remove.error && t(`faults:${remove.error.code}`, { replace: remove.error.params })}
          {mayWrite && (
            <Button loading={remove.isPending} onClick={() => remove.mutate(of.id)}>
              {t("removingGoOn")}
            </Button>
          )}
        </Notice>
      )}
      <p className="imports-quiet">{t(of.status === "removing" ? "removingNote" : "leaveSafely")}</p>
    </>
  );
}
