import { Input } from "antd";
import { useId, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { useLanguage } from "../../i18n";
import { useInvite } from "./queries";
import styles from "./messages.module.css";

/** Mails people a link by which they come as drivers. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["messages", "faults"]);
  const language = useLanguage();
  const id = useId();
  const invite = useInvite();
  const done = useDoneToast();
  const [typed, setTyped] = useState("");
  const mails = typed.split(/[\s,;]+/).filter(Boolean);
  return (
    <Dialog title={t("invite")} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate(
            { mails, language },
            {
              onSuccess: () => {
                done(t("invited"));
                onClose();
              },
            },
          );
        }}
      >
        <p id={`${id}-lead`}>{t("inviteLead")}</p>
        <div className={styles.field}>
          <label htmlFor={id}>{t("inviteAddresses")}</label>
          <Input.TextArea
            id={id}
            rows={5}
            autoComplete="off"
            aria-describedby={`${id}-lead`}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        {invite.error && (
          <Notice tone="danger">{t(`faults:${invite.error.code}`, { replace: invite.error.params })}</Notice>
        )}
        <div className={styles.acts}>
          <Button onClick={onClose}>{t("back")}</Button>
          <Button kind="primary" type="submit" loading={invite.isPending} disabled={mails.length === 0}>
            {t("inviteSend")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
