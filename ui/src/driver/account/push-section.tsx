import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { usePush } from "../../session/push";

/** Whether this device shows notifications. */
export function PushSection() {
  const { t } = useTranslation("accounts");
  const { state, busy, failure, turnOn, turnOff } = usePush();
  if (!state) return null;
  const said = {
    unsupported: t("pushUnsupported"),
    install: t("pushInstall"),
    blocked: t("pushBlocked"),
    off: t("pushLead"),
    on: t("pushOn"),
  };
  return (
    <section className="account-close">
      <h2>{t("pushTitle")}</h2>
      <p>{said[state]}</p>
      {failure && failure !== "blocked" && (
        <Notice tone="danger">{t(failure === "late" ? "pushLate" : "pushFailed")}</Notice>
      )}
      {state === "off" && (
        <Button size="large" loading={busy} onClick={() => void turnOn()}>
          {t("pushTurnOn")}
        </Button>
      )}
      {state === "on" && (
        <Button size="large" loading={busy} onClick={() => void turnOff()}>
          {t("pushTurnOff")}
        </Button>
      )}
    </section>
  );
}
