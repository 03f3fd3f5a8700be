import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { Dialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import type { Tab } from "./profile-list";
import { type Bulk, type Outcome, undoOf, useBulk } from "./queries";

const done = { link: "linked", unlink: "unlinked", block: "blocked", unblock: "unblocked" } as const;

/** What was asked for, and what became of everybody; names are of when they were chosen. */
interface Result {
  what: Bulk;
  outcomes: readonly Outcome[];
  names: ReadonlyMap<string, string>;
}

/** Does one thing to many and keeps what became of them until it is put away. */
export function useMany() {
  const bulk = useBulk();
  const [result, setResult] = useState<Result>();
  const [problem, setProblem] = useState<Problem>();
  const run = async (what: Bulk, names: ReadonlyMap<string, string>) => {
    try {
      const { outcomes } = await bulk.mutateAsync({ what, ids: [...names.keys()] });
      setProblem(undefined);
      setResult({ what, outcomes, names });
      return true;
    } catch (failure) {
      if (!(failure instanceof Problem)) throw failure;
      setProblem(failure);
      return false;
    }
  };
  return { run, result, problem, busy: bulk.isPending, putAway: () => setResult(undefined) };
}

type Many = ReturnType<typeof useMany>;

/** What can be done to those who are chosen. */
const offers: Record<Tab, readonly Bulk[]> = { email: ["block", "link"], new: ["block", "link"], blocked: ["unblock"] };

export function BulkBar(props: { tab: Tab; chosen: ReadonlyMap<string, string>; many: Many; onClear: () => void }) {
  const { t } = useTranslation(["profiles", "common"]);
  const { tab, chosen, many, onClear } = props;
  const [asking, setAsking] = useState(false);
  const run = async (what: Bulk) => {
    if (await many.run(what, chosen)) onClear();
    setAsking(false);
  };
  const count = chosen.size;
  return (
    <div className="profiles-bar" role="region" aria-label={t("barLabel")}>
      <strong aria-live="polite">{t("selected", { count })}</strong>
      <span className="profiles-quiet">{tab === "blocked" ? t("unblockNote") : t("linkNote")}</span>
      <Button onClick={onClear}>{t("clearSelection")}</Button>
      {offers[tab].map((what) => (
        <Button
          key={what}
          {...(what === "block" ? { danger: true } : { kind: "primary" as const })}
          loading={many.busy && !asking}
          onClick={() => (what === "block" ? setAsking(true) : void run(what))}
        >
          {t(`many_${what}`, { number: count })}
        </Button>
      ))}
      {asking && (
        <Dialog title={t("blockTitle", { count })} onClose={() => setAsking(false)}>
          <div className="profiles-question">
            <p>{t("blockBody")}</p>
            <div>
              <Button onClick={() => setAsking(false)}>{t("common:cancel")}</Button>
              <Button danger kind="primary" loading={many.busy} onClick={() => void run("block")}>
                {t("many_block", { number: count })}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </div>
  );
}

/** What became of everybody: it stays until it is put away, can be taken back, and the rest tried again. */
export function Outcomes({ many, onDecide }: { many: Many; onDecide: (profile: string) => void }) {
  const { t } = useTranslation(["profiles", "common", "faults"]);
  const { result, problem } = many;
  const failed = problem && (
    <Notice tone="danger">
      {t(`faults:${problem.code}`, { replace: problem.params })} {t("unchanged")}
    </Notice>
  );
  if (!result) return failed ? <div className="profiles-result">{failed}</div> : null;
  const { what, outcomes, names } = result;
  const well = outcomes.filter(({ outcome }) => outcome === done[what]);
  const rest = outcomes.filter(({ outcome }) => outcome !== done[what]);
  const named = (of: readonly Outcome[]) => new Map(of.map(({ id }) => [id, names.get(id) ?? id]));
  return (
    <section className="profiles-result" aria-label={t("resultLabel")}>
      {failed}
      <Notice tone={rest.length > 0 ? "warning" : "info"}>
        <p>
          <strong>{t(`result_${what}`, { done: well.length, rest: rest.length })}</strong>
        </p>
        <ul>
          {[...rest, ...well].map(({ id, outcome, profileId, driverId }) => (
            <li key={id}>
              <b>{names.get(id) ?? id}</b>: {t(`outcome_${outcome}`)}{" "}
              {outcome !== done[what] && what === "link" && profileId && outcome !== "already_linked" && (
                <Button kind="link" size="small" onClick={() => onDecide(profileId)}>
                  {t("decide", { name: names.get(id) ?? "" })}
                </Button>
              )}
              {outcome !== done[what] && !profileId && driverId && (
                <Link to={`/drivers/${driverId}`}>{t("openDriver", { name: names.get(id) ?? "" })}</Link>
              )}
            </li>
          ))}
        </ul>
        <div className="profiles-result-foot">
          {well.length > 0 && (
            <Button loading={many.busy} onClick={() => void many.run(undoOf[what], named(well))}>
              {t("undoMany", { number: well.length })}
            </Button>
          )}
          {rest.length > 0 && (
            <Button loading={many.busy} onClick={() => void many.run(what, named(rest))}>
              {t("tryAgain", { number: rest.length })}
            </Button>
          )}
          <Button onClick={many.putAway}>{t("putAway")}</Button>
        </div>
      </Notice>
    </section>
  );
}
