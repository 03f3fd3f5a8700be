import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Field } from "../../components/field";
import { waitingOf } from "../../browser/storage";
import { useKnownSession, useSession } from "../../session/session";
import { useCounted } from "../../waiting/counted";
import { sendNow, useShown } from "../../waiting/outbox";
import styles from "./tracking.module.css";

/** Asks whoever signs out what becomes of what is written down here and not sent. */
export default function Leave({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("tracking");
  const counted = useCounted();
  const session = useSession();
  const { signOut } = useKnownSession();
  const { waiting, read, sending } = useShown();
  const [typed, setTyped] = useState("");
  const left = read ? waiting.length : waitingOf(session.user.id);
  return (
    <Dialog title={t("leaveTitle")} onClose={onClose}>
      {read && left > 0 && <p>{t("leaveBody", { list: counted(waiting) })}</p>}
      <div className={styles.actions}>
        {!session.offline && navigator.onLine && left > 0 && (
          <Button kind="primary" size="large" block loading={sending} onClick={sendNow}>
            {t("leaveSend")}
          </Button>
        )}
        <Button kind={left > 0 ? "default" : "primary"} size="large" block onClick={() => signOut(true)}>
          {t("leaveKeep")}
        </Button>
        <p>{t("leaveKept")}</p>
        <Field label={t("leaveType", { number: left })}>
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <Button danger size="large" block disabled={typed.trim() !== String(left)} onClick={() => signOut(false)}>
          {t("leaveDiscard")}
        </Button>
      </div>
    </Dialog>
  );
}
