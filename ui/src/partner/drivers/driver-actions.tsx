import { CircleCheck, CircleOff, Lock, LockOpen, MailCheck, PenLine, Send } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate } from "react-router";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { StatusTag } from "../../components/status-tag";
import { useSession } from "../../session/session";
import { type Act, type Driver, useAct } from "./queries";

const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

const said = {
  block: "eventBlock",
  unblock: "eventUnblock",
  activate: "eventActivate",
  deactivate: "eventDeactivate",
  activation: "activationSent",
} as const satisfies Record<Act, string>;

/** What can be done to a driver with one press; blocking says first what it means. */
export function DriverActions({ driver }: { driver: Driver }) {
  const { t } = useTranslation(["drivers", "common", "faults", "messages"]);
  const act = useAct(driver.id);
  const navigate = useNavigate();
  const mayMessage = useSession().may("messages.write");
  const done = useDoneToast();
  const [asking, setAsking] = useState(false);
  const press = (what: Act) =>
    act.mutate(what, {
      onSuccess: () => {
        setAsking(false);
        done(t(said[what]));
      },
    });
  const busy = (what: Act) => act.isPending && act.variables === what;
  const failed = act.error && (
    <Notice tone="danger">
      {t(`faults:${act.error.code}`, { replace: act.error.params })} {t("actionFailed")}
    </Notice>
  );
  return (
    <div className="driver-actions">
      {mayMessage && !driver.blocked && driver.active && (
        <Button icon={<PenLine {...ICON} />} onClick={() => void navigate(`/send?driver=${driver.id}`)}>
          {t("messages:write")}
        </Button>
      )}
      {driver.activationSent ? (
        <StatusTag tone="outline" icon={MailCheck} word={t("activationSent")} />
      ) : (
        driver.email &&
        !driver.linked && (
          <Button icon={<Send {...ICON} />} loading={busy("activation")} onClick={() => press("activation")}>
            {t("sendActivation")}
          </Button>
        )
      )}
      {driver.active ? (
        <Button icon={<CircleOff {...ICON} />} loading={busy("deactivate")} onClick={() => press("deactivate")}>
          {t("deactivate")}
        </Button>
      ) : (
        <Button icon={<CircleCheck {...ICON} />} loading={busy("activate")} onClick={() => press("activate")}>
          {t("activate")}
        </Button>
      )}
      {driver.blocked ? (
        <Button icon={<LockOpen {...ICON} />} loading={busy("unblock")} onClick={() => press("unblock")}>
          {t("unblock")}
        </Button>
      ) : (
        <Button danger icon={<Lock {...ICON} />} onClick={() => setAsking(true)}>
          {t("block")}
        </Button>
      )}
      {!asking && failed}
      {asking && (
        <Dialog
          title={t("blockTitle", { name: `${driver.firstName} ${driver.lastName}` })}
          onClose={() => setAsking(false)}
        >
          <div className="driver-question">
            <p>{t("blockBody")}</p>
            {failed}
            <div>
              <Button onClick={() => setAsking(false)}>{t("common:cancel")}</Button>
              <Button danger kind="primary" loading={busy("block")} onClick={() => press("block")}>
                {t("block")}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </div>
  );
}
