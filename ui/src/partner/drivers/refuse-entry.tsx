import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Field } from "../../components/field";
import styles from "./driver-tracking.module.css";

/** Asks why an entry does not count: the driver is told. */
export function RefuseEntry(props: { onClose: () => void; onRefuse: (reason: string) => void }) {
  const { t } = useTranslation("tracking");
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  return (
    <Dialog title={t("refuseTitle")} onClose={props.onClose}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          setMissing(!reason.trim());
          if (reason.trim()) props.onRefuse(reason.trim());
        }}
      >
        <p>{t("refuseBody")}</p>
        <Field label={t("refuseReason")} required error={missing ? t("required") : undefined}>
          {(control) => (
            <textarea {...control} maxLength={500} value={reason} onChange={({ target }) => setReason(target.value)} />
          )}
        </Field>
        <div className={styles.buttons}>
          <Button kind="primary" type="submit">
            {t("refuse")}
          </Button>
          <Button onClick={props.onClose}>{t("cancel")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
