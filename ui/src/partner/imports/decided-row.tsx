import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { daySpan, moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { ProviderName, useCalled, useKeyText, useMoney } from "./names";
import { type Identity, useTakeBack } from "./queries";

/** Somebody whom files name and about whom was decided, with the way back. */
export function DecidedRow({ identity }: { identity: Identity }) {
  const { t } = useTranslation(["imports", "faults"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { full } = useMoney();
  const keysOf = useKeyText();
  const mayWrite = useSession().may("imports.write");
  const takeBack = useTakeBack();
  const done = useDoneToast();
  const [problem, setProblem] = useState<Problem>();
  const name = useCalled()(identity);
  const back = async () => {
    setProblem(undefined);
    try {
      await takeBack.mutateAsync(identity.id);
      done(t("didTakeBack", { name }));
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
  };
  return (
    <li className="imports-decided">
      <div className="imports-who">
        <b>{name}</b>
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
      {mayWrite && (
        <div className="imports-acts">
          <Button loading={takeBack.isPending} aria-label={t("takeBackNamed", { name })} onClick={() => void back()}>
            {t("takeBack")}
          </Button>
        </div>
      )}
      {problem && (
        <Notice tone="danger">
          {t("takeBackFailed", { name })} {t(`faults:${problem.code}`, { replace: problem.params })}
        </Notice>
      )}
    </li>
  );
}
