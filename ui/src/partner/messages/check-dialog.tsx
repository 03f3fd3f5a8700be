import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import type { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import type { Preview } from "./queries";
import { SMSNeeds } from "./sms-needs";
import styles from "./messages.module.css";

interface CheckDialogProps {
  preview: Preview;
  /** Whether it waits a while in which it can be cancelled. */
  many: boolean;
  sending: boolean;
  problem: Problem | null;
  onSend: () => void;
  onClose: () => void;
}

/** Who gets a message, who does not and why, before anything is sent. */
export function CheckDialog({ preview, many, sending, problem, onSend, onClose }: CheckDialogProps) {
  const { t } = useTranslation(["messages", "faults", "sms"]);
  const { recipients, byMail, withoutAccount, withoutAddress, withoutPhone, unwilling, leftOut, sms } = preview;
  return (
    <Dialog title={t("checkTitle")} onClose={onClose}>
      <p>
        {t("reaches", { number: recipients })} {byMail > 0 && t("byMail", { number: byMail })}
      </p>
      {sms && <SMSNeeds sms={sms} />}
      {withoutAccount > 0 && <p>{t("withoutAccount", { number: withoutAccount })}</p>}
      <ul>
        {withoutAddress.count > 0 && (
          <Group words={t("noMail", { number: withoutAddress.count })} of={withoutAddress} />
        )}
        {unwilling.count > 0 && <Group words={t("unwilling", { number: unwilling.count })} of={unwilling} />}
        {withoutPhone.count > 0 && (
          <Group words={t("sms:noNumber", { number: withoutPhone.count })} of={withoutPhone} />
        )}
        {leftOut.map((group) => (
          <Group key={group.code} words={t(`left_${group.code}`, { number: group.count })} of={group} />
        ))}
      </ul>
      {recipients === 0 ? <p>{t("nobody")}</p> : many && <p>{t("window")}</p>}
      {problem && (
        <Notice tone="danger">
          {t(`faults:${problem.code}`, { replace: problem.params })} {t("unsent")}
        </Notice>
      )}
      <div className={styles.acts}>
        <Button onClick={onClose}>{t("back")}</Button>
        {recipients > 0 && (
          <Button kind="primary" loading={sending} onClick={onSend}>
            {t("send", { count: recipients })}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Group({ words, of }: { words: string; of: Preview["withoutAddress"] }) {
  const { t } = useTranslation("messages");
  return (
    <li>
      {words}
      {" ("}
      {of.drivers.map(({ id, firstName, lastName }, at) => (
        <span key={id}>
          {at > 0 && ", "}
          <Link to={`/drivers/${id}`}>
            {firstName} {lastName}
          </Link>
        </span>
      ))}
      {of.count > of.drivers.length && ` ${t("andMore", { number: of.count - of.drivers.length })}`}
      {")"}
    </li>
  );
}
