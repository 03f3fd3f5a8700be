import { Ban, type LucideIcon, UserRoundCheck, UserRoundPlus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { useUndoToast } from "../../components/undo-toast";
import { daySpan, moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { AssignDialog } from "./assign-dialog";
import { CreateDialog } from "./create-dialog";
import { ProviderName, useCalled, useKeyText, useMoney } from "./names";
import { type Identity, useAssign, useCreate, useIgnore, useTakeBack } from "./queries";

/** Whether somebody is among the many who are decided about together. */
interface Choice {
  chosen: boolean;
  onChoose: (chosen: boolean) => void;
}

/** Somebody whom files name, and what can be decided about them. */
export function IdentityRow({ identity, choice }: { identity: Identity; choice?: Choice }) {
  const { t } = useTranslation(["imports", "faults"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { full } = useMoney();
  const keysOf = useKeyText();
  const mayWrite = useSession().may("imports.write");
  const { problem, undone, ...decide } = useDecisions(identity);
  const name = useCalled()(identity);
  return (
    <li>
      <div className="imports-who">
        {choice ? (
          <label>
            <input type="checkbox" checked={choice.chosen} onChange={({ target }) => choice.onChoose(target.checked)} />
            <b>{name}</b>
          </label>
        ) : (
          <b>{name}</b>
        )}
        <ProviderName code={identity.provider} />
        <small>{keysOf(identity.keys)}</small>
      </div>
      <div className="imports-what">
        <b>{full(identity.sum)}</b>
        <small>
          {t("rows", { count: identity.rows })}
          {identity.firstOn && `, ${daySpan(identity.firstOn, identity.lastOn, language)}`}
        </small>
      </div>
      {identity.state === "assigned" && (
        <p>
          {t("assignedTo")}{" "}
          <Link to={`/drivers/${identity.driverUUID}`}>
            {`${identity.driverFirstName} ${identity.driverLastName}`.trim()}
          </Link>
        </p>
      )}
      {identity.decidedAt && (
        <p className="imports-quiet">
          {t("decidedBy", { who: identity.decidedBy, when: moment(identity.decidedAt, language, timeZone) })}
        </p>
      )}
      {mayWrite && <Acts identity={identity} name={name} decide={decide} />}
      {problem && (
        <Notice tone="danger">
          {undone} {t(`faults:${problem.code}`, { replace: problem.params })}
        </Notice>
      )}
    </li>
  );
}

type Decide = Omit<ReturnType<typeof useDecisions>, "problem" | "undone">;

function Acts({ identity, name, decide }: { identity: Identity; name: string; decide: Decide }) {
  const { t } = useTranslation("imports");
  const [asking, setAsking] = useState<"assign" | "create">();
  const close = () => setAsking(undefined);
  if (identity.state !== "waiting")
    return (
      <div className="imports-acts">
        <Button loading={decide.busy} aria-label={t("takeBackNamed", { name })} onClick={() => void decide.takeBack()}>
          {t("takeBack")}
        </Button>
      </div>
    );
  return (
    <div className="imports-acts">
      <Button
        kind="text"
        disabled={decide.busy}
        aria-label={t("ignoreNamed", { name })}
        onClick={() => void decide.ignore()}
      >
        {t("ignore")}
      </Button>
      <Button disabled={decide.busy} aria-label={t("createNamed", { name })} onClick={() => setAsking("create")}>
        {t("create")}
      </Button>
      <Button disabled={decide.busy} aria-label={t("assignNamed", { name })} onClick={() => setAsking("assign")}>
        {t("assign")}
      </Button>
      {asking === "assign" && (
        <AssignDialog
          name={name}
          onClose={close}
          onChoose={(driverUUID) => {
            close();
            void decide.assign(driverUUID);
          }}
        />
      )}
      {asking === "create" && <CreateDialog identity={identity} onCreate={decide.create} onClose={close} />}
    </div>
  );
}

/** What can be decided about somebody. A decision takes its row from the list, and a toast offers it back. */
function useDecisions(of: Identity) {
  const { t } = useTranslation("imports");
  const assign = useAssign();
  const create = useCreate();
  const ignore = useIgnore();
  const takeBack = useTakeBack();
  const offerUndo = useUndoToast();
  const done = useDoneToast();
  const [refused, setRefused] = useState<{ problem: Problem; undone: string }>();
  const { id } = of;
  const name = useCalled()(of);
  const succeeded = async (act: () => Promise<unknown>, undone: string) => {
    setRefused(undefined);
    try {
      await act();
      return true;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      setRefused({ problem, undone });
      return false;
    }
  };
  const back = async () => {
    if (await succeeded(() => takeBack.mutateAsync(id), t("takeBackFailed", { name })))
      done(t("didTakeBack", { name }));
  };
  const decided = (icon: LucideIcon, text: string) => offerUndo({ icon, text, undo: () => void back() });
  const failed = t("decideFailed", { name });
  return {
    ...{ problem: refused?.problem, undone: refused?.undone },
    busy: assign.isPending || create.isPending || ignore.isPending || takeBack.isPending,
    assign: async (driverUUID: string) => {
      if (await succeeded(() => assign.mutateAsync({ id, driverUUID }), failed))
        decided(UserRoundCheck, t("didAssign", { name }));
    },
    ignore: async () => {
      if (await succeeded(() => ignore.mutateAsync(id), failed)) decided(Ban, t("didIgnore", { name }));
    },
    /** Refusals of the names belong to the form, so this one throws. */
    create: async (firstName: string, lastName: string) => {
      setRefused(undefined);
      await create.mutateAsync({ id, firstName, lastName });
      decided(UserRoundPlus, t("didCreate", { name: `${firstName} ${lastName}`.trim() }));
    },
    takeBack: back,
  };
}
