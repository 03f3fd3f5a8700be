import { Ban, CircleHelp, type LucideIcon, UserRoundCheck, UserRoundPlus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { useUndoToast } from "../../components/undo-toast";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useSession } from "../../session/session";
import { AssignDialog } from "./assign-dialog";
import { CreateDialog } from "./create-dialog";
import { ProviderName, useCalledPerson, useKeyText, useMoney } from "./names";
import { idsOf, type NewDriver, type Person, useAssign, useCreate, useIgnore, useUndoMany } from "./queries";
import styles from "./person-row.module.css";

/** Whether somebody is among the many who are decided about together. */
interface Choice {
  chosen: boolean;
  onChoose: (chosen: boolean) => void;
}

/** Somebody whom files name, with the driver they probably are, and what can be decided about them. */
export function PersonRow({ person, choice }: { person: Person; choice?: Choice | undefined }) {
  const { t } = useTranslation(["imports", "faults"]);
  const language = useLanguage();
  const { full } = useMoney();
  const keysOf = useKeyText();
  const mayWrite = useSession().may("imports.write");
  const { refused, ...decide } = useDecisions(person);
  const name = useCalledPerson()(person);
  return (
    <li className={styles.person}>
      <div className={styles.who}>
        {choice ? (
          <label>
            <input type="checkbox" checked={choice.chosen} onChange={({ target }) => choice.onChoose(target.checked)} />
            <b>{name}</b>
          </label>
        ) : (
          <b>{name}</b>
        )}
        <ul>
          {person.identities.map(({ id, provider, keys }) => (
            <li key={id}>
              <ProviderName code={provider} />
              <small>{keysOf(keys)}</small>
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.what}>
        <b>{full(person.sum)}</b>
        <small>
          {t("rows", { count: person.rows })}
          {person.firstOn && `, ${daySpan(person.firstOn, person.lastOn, language)}`}
        </small>
      </div>
      <Match person={person} />
      {mayWrite && <Acts person={person} name={name} decide={decide} />}
      {refused && (
        <Notice tone="danger">
          {t("decideFailed", { name })} {t(`faults:${refused.code}`, { replace: refused.params })}
        </Notice>
      )}
    </li>
  );
}

/** The driver whom somebody probably is, and what is the same. */
function Match({ person: { match, creatable } }: { person: Person }) {
  const { t } = useTranslation("imports");
  const Icon = match ? UserRoundCheck : creatable ? UserRoundPlus : CircleHelp;
  return (
    <p className={styles.match} data-certain={match?.certain ? true : undefined}>
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <span>
        {match ? (
          <>
            <Link to={`/drivers/${match.driverUUID}`}>{`${match.firstName} ${match.lastName}`.trim()}</Link>
            {": "}
            {match.by.map((by) => t(`same_${by as "name"}`)).join(", ")}
          </>
        ) : (
          t(creatable ? "matchNone" : "matchNoName")
        )}
      </span>
    </p>
  );
}

type Decide = Omit<ReturnType<typeof useDecisions>, "refused">;

function Acts({ person, name, decide }: { person: Person; name: string; decide: Decide }) {
  const { t } = useTranslation("imports");
  const [asking, setAsking] = useState<"assign" | "create">();
  const close = () => setAsking(undefined);
  const { match } = person;
  return (
    <div className={styles.acts}>
      <Button
        kind="text"
        disabled={decide.busy}
        aria-label={t("ignoreNamed", { name })}
        onClick={() => void decide.ignore()}
      >
        {t("ignore")}
      </Button>
      <Button
        kind={match ? "text" : "default"}
        disabled={decide.busy}
        aria-label={t("assignNamed", { name })}
        onClick={() => setAsking("assign")}
      >
        {match ? t("assignOther") : t("assign")}
      </Button>
      <Button
        kind={match ? "text" : "default"}
        disabled={decide.busy}
        aria-label={t("createNamed", { name })}
        onClick={() => setAsking("create")}
      >
        {t("create")}
      </Button>
      {match && (
        <Button
          loading={decide.busy}
          aria-label={t("acceptNamed", { name, driver: `${match.firstName} ${match.lastName}`.trim() })}
          onClick={() => void decide.assign(match.driverUUID)}
        >
          {t("accept")}
        </Button>
      )}
      {asking === "assign" && (
        <AssignDialog
          name={name}
          search={`${person.firstName} ${person.lastName}`.trim()}
          onClose={close}
          onChoose={(driverUUID) => {
            close();
            void decide.assign(driverUUID);
          }}
        />
      )}
      {asking === "create" && <CreateDialog person={person} name={name} onCreate={decide.create} onClose={close} />}
    </div>
  );
}

/** What can be decided about somebody. A decision takes the row from the list, and a toast offers it back. */
function useDecisions(person: Person) {
  const { t } = useTranslation(["imports", "faults"]);
  const assign = useAssign();
  const create = useCreate();
  const ignore = useIgnore();
  const takeBack = useUndoMany();
  const offerUndo = useUndoToast();
  const done = useDoneToast();
  const [refused, setRefused] = useState<Problem>();
  const name = useCalledPerson()(person);
  const ids = idsOf(person);
  const [id = "", ...also] = ids;
  // The row is gone by the time somebody takes the decision back, so a toast says what became of that.
  const back = async () => {
    try {
      const { outcomes } = await takeBack.mutateAsync(ids);
      const left = outcomes.find(({ outcome }) => outcome !== "undone");
      done(left ? `${t("takeBackFailed", { name })} ${t(`outcome_${left.outcome}`)}` : t("didTakeBack", { name }));
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      done(`${t("takeBackFailed", { name })} ${t(`faults:${problem.code}`, { replace: problem.params })}`);
    }
  };
  const decided = (icon: LucideIcon, text: string) => offerUndo({ icon, text, undo: () => void back() });
  const tried = async (act: () => Promise<unknown>, icon: LucideIcon, text: string) => {
    setRefused(undefined);
    try {
      await act();
      decided(icon, text);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      setRefused(problem);
    }
  };
  return {
    refused,
    busy: assign.isPending || create.isPending || ignore.isPending,
    assign: (driverUUID: string) =>
      tried(() => assign.mutateAsync({ id, also, driverUUID }), UserRoundCheck, t("didAssign", { name })),
    ignore: () => tried(() => ignore.mutateAsync({ id, also }), Ban, t("didIgnore", { name })),
    /** Refusals of fields belong to the form, so this one throws. */
    create: async (driver: NewDriver) => {
      setRefused(undefined);
      await create.mutateAsync({ id, also, ...driver });
      decided(UserRoundPlus, t("didCreate", { name: `${driver.firstName} ${driver.lastName}`.trim() }));
    },
  };
}
