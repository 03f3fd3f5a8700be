import { CircleAlert, CircleCheck, CircleDashed, CircleMinus, RefreshCw, Ticket } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Notice } from "../../components/notice";
import { useAmounts } from "../../session/amounts";
import { Line, Lines } from "./dry-run";
import { MoreUnits } from "./more-units";
import type { Run, RunDriver } from "./queries";

const NAMED = 8;

const icons = {
  "": { icon: CircleDashed, look: "" },
  settled: { icon: CircleCheck, look: "run-good" },
  refused: { icon: CircleMinus, look: "run-bad" },
  changed: { icon: RefreshCw, look: "run-warning" },
  limit: { icon: Ticket, look: "run-warning" },
  failed: { icon: CircleAlert, look: "run-bad" },
} as const;

/** Whether somebody is left whom another try might settle. */
export const canAgain = (run: Run) =>
  run.outcomes.some(({ outcome, reason }) => outcome !== "settled" && outcome !== "refused" && reason === "");

/** What became of everybody: done, refused because, changed, not attempted; it adds up to all of them. */
export function RunResult({ run, onShow }: { run: Run; onShow: (code: string) => void }) {
  const { t } = useTranslation("settlements");
  const { full } = useAmounts();
  const changed = run.notSettled.filter(({ outcome }) => outcome === "changed");
  return (
    <>
      {run.state === "changed" && <Notice tone="danger">{t("changedNothing")}</Notice>}
      {run.state === "short" && (
        <Notice tone="danger" action={<MoreUnits />}>
          {t("shortNothing", { number: run.missing })}
        </Notice>
      )}
      <Lines title={t("result")}>
        {run.outcomes.map(({ outcome, reason, count, due }) => {
          const { icon: Icon, look } = icons[outcome];
          const who = run.notSettled.filter(
            (one) => one.outcome === outcome && (reason === "" || one.refusal === reason),
          );
          return (
            <Line
              key={outcome + reason}
              icon={<Icon aria-hidden size={16} strokeWidth={1.75} className={look} />}
              what={t(outcome ? `outcome_${outcome}` : "notAttempted", { number: count })}
              end={full(outcome === "settled" ? run.settledPayout : due)}
            >
              {outcome !== "settled" && outcome !== "changed" && (
                <>
                  {reason && `${t(`check_${reason}`)}. `}
                  <People who={who} all={count} />{" "}
                  {reason && (
                    <button type="button" className="run-link" onClick={() => onShow(reason)}>
                      {t("showThem", { number: count })}
                    </button>
                  )}
                </>
              )}
            </Line>
          );
        })}
      </Lines>
      {changed.length > 0 && (
        <Lines title={t("whatChanged")}>
          {changed.map((one) => (
            <li key={one.id} className="run-line">
              <div>
                <p>
                  {one.lastName} {one.firstName}
                </p>
              </div>
              <div className="run-line-end">
                {one.gone
                  ? t("gone", { sum: full(one.due) })
                  : one.blocked
                    ? t("becameBlocked", { sum: full(one.due) })
                    : t("becomes", { before: full(one.due), now: full(one.dueNow) })}
              </div>
            </li>
          ))}
        </Lines>
      )}
      {run.state === "done" && run.settled > 0 && (
        <p className="run-note">{t(run.share ? "sharedNow" : "notShared")}</p>
      )}
    </>
  );
}

/** The first names, and how many more there are. */
function People({ who, all }: { who: readonly RunDriver[]; all: number }) {
  const { t } = useTranslation("settlements");
  const names = who
    .slice(0, NAMED)
    .map(({ firstName, lastName }) => `${lastName} ${firstName}`)
    .join(", ");
  const more = all - Math.min(NAMED, who.length);
  if (names === "") return null;
  return more > 0 ? t("andOthers", { names, number: more }) : `${names}.`;
}
