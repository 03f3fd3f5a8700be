import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { useSession } from "../../session/session";
import { Notice } from "../../components/notice";
import { Facts } from "./facts";
import { Failure } from "./failure";
import { ImportStatus, newOf, useMoney } from "./names";
import { PreviewCard } from "./preview-card";
import { ProgressBar, useRest } from "./progress-bar";
import { type Import, isBusy, type Progress, TOUCHED, useCancel, useImport, useRemove } from "./queries";
import { RemoveButton } from "./remove-dialog";
import { putAway } from "./uploads";

/** One uploaded file, wherever it stands. */
export function ImportCard({ id, alone }: { id: string; alone: boolean }) {
  const { t } = useTranslation(["imports", "common"]);
  const found = useImport(id);
  const one = found.data;
  useNews(one?.import.status);
  if (!one)
    // One that is not there any more, or is somebody else's, has no place here.
    return found.isError ? null : (
      <li className="imports-card" aria-busy aria-label={t("common:loading")}>
        <span className="bar" style={{ width: 240 }} />
        <span className="bar" style={{ width: 400 }} />
      </li>
    );
  const { status, fileName } = one.import;
  return (
    <li className="imports-card" aria-label={fileName}>
      <header>
        <h2>{fileName}</h2>
        <ImportStatus status={status} />
      </header>
      {status === "preview" ? (
        <PreviewCard of={one.import} preview={one.preview} alone={alone} />
      ) : isBusy(status) ? (
        <Working key={status} of={one.import} progress={one.progress} at={found.dataUpdatedAt} />
      ) : status === "success" || status === "removed" || status === "cancelled" ? (
        <Result of={one.import} />
      ) : (
        <Failure of={one.import} />
      )}
    </li>
  );
}

/** What a job did in the background is news for other lists too. */
function useNews(status: Import["status"] | undefined) {
  const cache = useQueryClient();
  const tell = useEffectEvent(() => {
    if (status && !isBusy(status))
      void cache.invalidateQueries({
        predicate: ({ queryKey }) =>
          String(queryKey[0]) !== "/api/imports/{id}" && TOUCHED.some((path) => String(queryKey[0]).startsWith(path)),
      });
  });
  useEffect(() => tell(), [status]);
}

/** A file that is being read or written. */
export function Working({ of, progress, at }: { of: Import; progress: Progress; at: number }) {
  const { t } = useTranslation(["imports", "faults"]);
  const cancel = useCancel();
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
      <Facts of={of} />
      <ProgressBar label={stage} done={done} total={total} words={[rows, rest].filter(Boolean).join(", ")} />
      {cancel.isError && (
        <Notice tone="danger">
          {t("discardFailed", { file: of.fileName })} {t(`faults:${cancel.error.code}`)}
        </Notice>
      )}
      {stuck && (
        <Notice tone="danger">
          {t("removingStuck")} {remove.error && t(`faults:${remove.error.code}`, { replace: remove.error.params })}
        </Notice>
      )}
      <footer>
        <p>{t(of.status === "removing" ? "removingNote" : "leaveSafely")}</p>
        {stuck && mayWrite && (
          <Button loading={remove.isPending} onClick={() => remove.mutate(of.id)}>
            {t("removingGoOn")}
          </Button>
        )}
        {of.status !== "removing" && (
          <Button
            loading={cancel.isPending}
            aria-label={t("stopNamed", { file: of.fileName })}
            // asking for the file again may take this card away before the answer comes
            onClick={() =>
              void cancel.mutateAsync(of.id).then(
                () => putAway(of.id),
                () => undefined,
              )
            }
          >
            {t("stop")}
          </Button>
        )}
      </footer>
    </>
  );
}

/** What confirming brought, and the way on. */
function Result({ of }: { of: Import }) {
  const { t } = useTranslation("imports");
  const { full } = useMoney();
  const { count, sum } = newOf(of.totals);
  const { unassigned, replaced } = of.counts.transactions;
  const stands = of.status === "success";
  return (
    <>
      <Facts of={of} />
      {stands && (
        <p className="imports-done" role="status">
          <b>{of.bookedAs === "detail" ? t("doneDetail") : t("done", { count, sum: full(sum) })}</b>
          {replaced > 0 && ` ${t("count_replaced")}: ${replaced}.`}
          {unassigned > 0 && (
            <>
              {" "}
              {t("doneWaiting", { count: unassigned })} <Link to="/upload/drivers">{t("toUnmatched")}</Link>
            </>
          )}
        </p>
      )}
      <footer>
        <Link to={`/log/${of.id}`}>{t("openImport")}</Link>
        {stands && <RemoveButton of={of} />}
        <Button aria-label={t("hideNamed", { file: of.fileName })} onClick={() => putAway(of.id)}>
          {t("hide")}
        </Button>
      </footer>
    </>
  );
}
