import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useCalledPerson } from "./names";
import { idsOf, type Outcome, type Person, useAcceptMany, useCreateMany, useUndoMany } from "./queries";

/** How many the server takes at once; a person may have several identities. */
const AT_ONCE = 100;

type What = "create" | "assign" | "undo";

interface Result {
  what: What;
  /** Of each person: what became of them. */
  each: readonly { person: Person; outcome: Outcome }[];
}

const DONE = { create: "created", assign: "assigned", undo: "undone" } as const;

/** Decides about many, keeps what became of each until it is put away, and can take it back. */
export function useMany() {
  const create = useCreateMany();
  const accept = useAcceptMany();
  const undo = useUndoMany();
  const [result, setResult] = useState<Result>();
  const [problem, setProblem] = useState<Problem>();
  const once = async (what: What, people: readonly Person[]) => {
    if (what === "create") return (await create.mutateAsync(people)).outcomes;
    if (what === "assign") return (await accept.mutateAsync(people)).outcomes;
    const { outcomes } = await undo.mutateAsync(people.flatMap(idsOf));
    // Of a person whom several identities name, what did not go well is said.
    return people.flatMap((person) => {
      const own = outcomes.filter(({ id }) => idsOf(person).includes(id));
      const said = own.find(({ outcome }) => outcome !== "undone") ?? own[0];
      return said ? [said] : [];
    });
  };
  const run = async (what: What, people: readonly Person[]) => {
    const each: Result["each"][number][] = [];
    setProblem(undefined);
    try {
      for (let from = 0; from < people.length; from += AT_ONCE) {
        const part = people.slice(from, from + AT_ONCE);
        const outcomes = await once(what, part);
        part.forEach((person, index) => {
          const outcome = outcomes[index];
          if (outcome) each.push({ person, outcome });
        });
      }
    } catch (failure) {
      if (!(failure instanceof Problem)) throw failure;
      setProblem(failure);
    }
    // What went before a refusal has happened, and is said.
    if (each.length > 0) setResult({ what, each });
    return each.map(({ person }) => person);
  };
  return {
    run,
    result,
    problem,
    busy: create.isPending || accept.isPending || undo.isPending,
    putAway: () => setResult(undefined),
  };
}

type Many = ReturnType<typeof useMany>;

/** What can be done to those who are chosen. */
export function ManyBar(props: { chosen: readonly Person[]; many: Many; onClear: () => void; onDone: () => void }) {
  const { t } = useTranslation("imports");
  const { chosen, many, onClear, onDone } = props;
  return (
    <div className="imports-bar" role="region" aria-label={t("manyLabel")}>
      <div>
        <b aria-live="polite">{t("manyChosen", { count: chosen.length })}</b>
        <span>{t("manyNote")}</span>
      </div>
      <Button disabled={many.busy} onClick={onClear}>
        {t("manyClear")}
      </Button>
      <Button kind="primary" loading={many.busy} onClick={() => void many.run("create", chosen).then(onDone)}>
        {t("manyCreate", { count: chosen.length })}
      </Button>
    </div>
  );
}

/** What became of each; those who were left to a person come first. */
export function ManyResult({ many }: { many: Many }) {
  const { t } = useTranslation(["imports", "faults"]);
  const nameOf = useCalledPerson();
  const { result, problem } = many;
  const well = result?.each.filter(({ outcome }) => outcome.outcome === DONE[result.what]) ?? [];
  const rest = result?.each.filter(({ outcome }) => outcome.outcome !== DONE[result.what]) ?? [];
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
              {rest.map(({ person, outcome: { id, outcome, driverUUID } }) => (
                <li key={id}>
                  <b>{nameOf(person)}</b>: {t(`outcome_${outcome}`)}{" "}
                  {driverUUID && <Link to={`/drivers/${driverUUID}`}>{t("manyDriver", { name: nameOf(person) })}</Link>}
                </li>
              ))}
            </ul>
          )}
          <div className="imports-result-foot">
            {result.what !== "undo" && well.length > 0 && (
              <Button
                loading={many.busy}
                onClick={() =>
                  void many.run(
                    "undo",
                    well.map(({ person }) => person),
                  )
                }
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
