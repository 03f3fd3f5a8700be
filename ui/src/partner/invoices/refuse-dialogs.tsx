import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Field, Tick } from "../../components/field";
import { Notice } from "../../components/notice";
import { type Opened, type Reason, REASONS, useFeedback, useReject } from "../../invoices/calls";
import styles from "./invoices.module.css";

interface Props {
  invoice: Opened;
  onClose: () => void;
}

const TEXT_MAX = 1000;

/** Refuses an invoice: a reason of the list, which the driver reads in their language, and words of one's own. */
export function RejectDialog({ invoice, onClose, onDone }: Props & { onDone: () => void }) {
  const { t } = useTranslation(["invoices", "common", "faults"]);
  const done = useDoneToast();
  const reject = useReject(invoice.id);
  const [reason, setReason] = useState<Reason>("unreadable");
  const [text, setText] = useState("");
  return (
    <Dialog title={t("rejectTitle")} onClose={onClose}>
      <form
        className={styles.dialog}
        onSubmit={(event) => {
          event.preventDefault();
          reject.mutate(
            { reason, text: text.trim() },
            {
              onSuccess: () => {
                done(t("rejected"));
                onClose();
                onDone();
              },
            },
          );
        }}
      >
        <fieldset className={styles.reasons}>
          <legend>{t("reason")}</legend>
          {REASONS.map((one) => (
            <label key={one}>
              <input type="radio" name="reason" checked={reason === one} onChange={() => setReason(one)} />
              {t(`reason.${one}`)}
            </label>
          ))}
        </fieldset>
        <Field label={t("toDriver")} required={reason === "other"}>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={TEXT_MAX}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        {reject.error && (
          <Notice tone="danger">{t(`faults:${reject.error.code}`, { replace: reject.error.params })}</Notice>
        )}
        <div className={styles.acts}>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button
            kind="primary"
            danger
            type="submit"
            loading={reject.isPending}
            disabled={reason === "other" && text.trim() === ""}
          >
            {t("reject")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Writes to the driver about an invoice, and may send it back to be described again. */
export function FeedbackDialog({ invoice, onClose }: Props) {
  const { t } = useTranslation(["invoices", "common", "faults"]);
  const done = useDoneToast();
  const feedback = useFeedback(invoice.id);
  const [text, setText] = useState("");
  const [sendBack, setSendBack] = useState(invoice.state === "to_verify");
  return (
    <Dialog title={t("writeTitle")} onClose={onClose}>
      <form
        className={styles.dialog}
        onSubmit={(event) => {
          event.preventDefault();
          feedback.mutate(
            { text: text.trim(), sendBack },
            {
              onSuccess: () => {
                done(t(sendBack ? "sentBack" : "written"));
                onClose();
              },
            },
          );
        }}
      >
        <Field label={t("toDriver")} required>
          {(control) => (
            <textarea
              {...control}
              rows={4}
              maxLength={TEXT_MAX}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        <Tick checked={sendBack} onChange={setSendBack}>
          {t("sendBack")}
        </Tick>
        {feedback.error && (
          <Notice tone="danger">{t(`faults:${feedback.error.code}`, { replace: feedback.error.params })}</Notice>
        )}
        <div className={styles.acts}>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" type="submit" loading={feedback.isPending} disabled={text.trim() === ""}>
            {t("sendToDriver")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
