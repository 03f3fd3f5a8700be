import { Bell } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { recall, remember } from "../../browser/storage";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { pushSupported, usePush } from "../../session/push";
import styles from "./ask-push.module.css";

const ANSWERED = "push.answered";

/** Asks once, on a settlement that the driver has opened, whether to tell of the next ones. */
export function AskPush() {
  const { t } = useTranslation("accounts");
  const { state, busy, failure, turnOn } = usePush();
  const [answered, setAnswered] = useState(() => recall("localStorage", ANSWERED) !== null);
  const [done, setDone] = useState(false);
  const answer = () => {
    remember("localStorage", ANSWERED, "yes");
    setAnswered(true);
  };
  if (done) return <Notice tone="info">{t("pushOn")}</Notice>;
  if (failure === "blocked") return <Notice tone="warning">{t("pushBlocked")}</Notice>;
  if (state === "install" && !answered)
    return (
      <Notice tone="info" action={<Button onClick={answer}>{t("pushNotNow")}</Button>}>
        {t("pushInstall")}
      </Notice>
    );
  if (answered || state !== "off" || !pushSupported() || (Notification.permission !== "default" && !busy && !failure))
    return null;
  return (
    <section className={styles.card} aria-label={t("pushAsk")}>
      <Bell aria-hidden size={22} strokeWidth={1.75} />
      <div>
        <h2>{t("pushAsk")}</h2>
        <p>{t("pushLead")}</p>
      </div>
      {failure && <Notice tone="danger">{t(failure === "late" ? "pushLate" : "pushFailed")}</Notice>}
      <div className={styles.acts}>
        <Button
          size="large"
          loading={busy}
          onClick={() => {
            void turnOn().then((on) => {
              if (!on) return;
              answer();
              setDone(true);
            });
          }}
        >
          {t("pushTurnOn")}
        </Button>
        <Button kind="text" size="large" disabled={busy} onClick={answer}>
          {t("pushNotNow")}
        </Button>
      </div>
    </section>
  );
}
