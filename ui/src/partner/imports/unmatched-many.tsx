import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { Notice } from "../../components/notice";
import { type Outcome, useCreateMany, useUndoMany } from "./queries";

/** How many the server takes at once. */
const AT_ONCE = 500;

/** Ids with the names they had when they were chosen. */
export type Chosen = ReadonlyMap<string, string>;

interface Result {
  what: "create" | "undo";
  outcomes: readonly Outcome[];
  names: Chosen;
}

/** Decides about many, keeps what became of each until it is put away, and can take it back. */
export function useMany() {
  const create = useCreateMany();
  const undo = useUndoMany();
  const [result, setResult] = useState<Result>();
  const [problem, setProblem] = useState<Problem>();
  const run = async (what: Result["what"], names: Chosen) => {
    const ids = [...names.keys()];
    const outcomes: Outcome[] = [];
    setProblem(undefined);
    try {
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const part = ids.slice(from, from + AT_ONCE);
        outcomes.push(...(await (what === "create" ? create : undo).mutateAsync(part)).outcomes);
      }
    } catch (failure) {
      if (!(failure instanceof Problem)) throw failure;
      setProblem(failure);
    }
    // What went before a refusal has happened, and is said.
    if (outcomes.length > 0) setResult({ what, outcomes, names });
    return outcomes.map(({ id }) => id);
  };
  return { run, result, problem, busy: create.isPending || undo.isPending, putAway: () => setResult(undefined) };
}

type Many = ReturnType<typeof useMany>;

/** What can be done to those who are chosen. */
export function ManyBar(props: { chosen: Chosen; many: Many; onClear: () => void; onDone: (ids: string[]) => void }) {
  const { t } = useTranslation("imports");
  const { chosen, many, onClear, onDone } = props;
  return (
    <div className="imports-bar" role="region" aria-label={t("manyLabel")}>
      <div>
        <b aria-live="polite">{t("manyChosen", { count: chosen.size })}</b>
        <span>{t("manyNote")}</span>
      </div>
      <Button disabled={many.busy} onClick={onClear}>
        {t("manyClear")}
      </Button>
      <Button
        kind="primary"
        loading={many.busy}
        onClick={() => void many.run("create", chosen).then((ids) => onDone(ids))}
      >
        {t("manyCreate", { count: chosen.size })}
      </Button>
    </div>
  );
}

const DONE = { create: "created", undo: "undone" } as const;

/** What became of each; those who were left to a person come first. */
export function ManyResult({ many }: { many: Many }) {
  const { t } = useTranslation(["imports", "faults"]);
  const { result, problem } = many;
  const well = result?.outcomes.filter(({ outcome }) => outcome === DONE[result.what]) ?? [];
  const rest = result?.outcomes.filter(({ outcome }) => outcome !== DONE[result.what]) ?? [];
  const named = (id: string) => result?.names.get(id) ?? id;
  return (
    <div className="imports-result">
      {problem && (
        <Notice tone="danger">
          {t(`faults:${problem.code}`, { replace: problem.params })} {t("manyStopped")}
        </Notice>
      )}
      {result && (
        <Notice tone={rest.length > 0 ? "warning" : "info"}>
          <p role="status">
            <b>{t(`manyDone_${result.what}`, { done: well.length, rest: rest.length })}</b>
          </p>
          {rest.length > 0 && (
            <ul>
              {rest.map(({ id, outcome, driverUUID }) => (
                <li key={id}>
                  <b>{named(id)}</b>: {t(`outcome_${outcome}`)}{" "}
                  {driverUUID && <Link to={`/drivers/${driverUUID}`}>{t("manyDriver", { name: named(id) })}</Link>}
                </li>
              ))}
            </ul>
          )}
          <div className="imports-result-foot">
            {result.what === "create" && well.length > 0 && (
              <Button
                loading={many.busy}
                onClick={() => void many.run("undo", new Map(well.map(({ id }) => [id, named(id)])))}
              >
                {t("manyUndo", { number: well.length })}
              </Button>
            )}
            <Button onClick={many.putAway}>{t("hide")}</Button>
          </div>
        </Notice>
      )}
    </div>
  );
}
