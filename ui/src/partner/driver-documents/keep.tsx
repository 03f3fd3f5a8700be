import { Archive } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { type Shown, useKeep } from "../../driver-documents/calls";
import { day } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useConfig } from "../../session/config";
import styles from "./documents.module.css";

const REASON_MAX = 200;

/** When a document is erased, and why it is kept all the same: a fine is open, an insurance asks. */
export function Keeping({ of }: { of: Shown }) {
  const { t } = useTranslation("driverDocuments");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const [asking, setAsking] = useState(false);
  const on = of.eraseAt ? day(of.eraseAt, language, timeZone) : "";
  const kept = of.keptFor !== "";
  return (
    <section className={styles.keep} aria-label={t("keeping")}>
      <h2>{t("keeping")}</h2>
      <p>{kept ? t("keptFor", { reason: of.keptFor }) : on ? t("erasedOn", { date: on }) : t("erasedAfterLeaving")}</p>
      <div className={styles.acts}>
        <Button icon={<Archive aria-hidden size={16} strokeWidth={1.75} />} onClick={() => setAsking(true)}>
          {t(kept ? "keepNoLonger" : "keep")}
        </Button>
      </div>
      {asking && <KeepDialog document={of} on={on} onClose={() => setAsking(false)} />}
    </section>
  );
}

/** Asks for the reason, or whether a document that was kept may be erased. */
function KeepDialog({ document, on, onClose }: { document: Shown; on: string; onClose: () => void }) {
  const { t } = useTranslation(["driverDocuments", "common", "faults"]);
  const done = useDoneToast();
  const keep = useKeep(document.id);
  const [reason, setReason] = useState("");
  const kept = document.keptFor !== "";
  const [opened] = useState(() => Date.now());
  const due = document.eraseAt !== null && Date.parse(document.eraseAt) <= opened;
  const send = () =>
    void keep.mutateAsync({ version: document.version, text: kept ? "" : reason.trim() }).then(
      () => {
        done(t(kept ? "keptNoLonger" : "kept"));
        onClose();
      },
      () => undefined,
    );
  return (
    <Dialog title={t(kept ? "keepNoLongerTitle" : "keepTitle")} onClose={onClose}>
      <form
        className={styles.dialog}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {kept ? (
          <p>{due ? t("erasedSoon") : on ? t("erasedOn", { date: on }) : t("erasedAfterLeaving")}</p>
        ) : (
          <Field label={t("keepWhy")} hint={t("keepHint")} required>
            {(control) => (
              <input
                {...control}
                maxLength={REASON_MAX}
                value={reason}
                onChange={({ target }) => setReason(target.value)}
              />
            )}
          </Field>
        )}
        {keep.error && <Notice tone="danger">{t(`faults:${keep.error.code}`, { replace: keep.error.params })}</Notice>}
        <div className={styles.acts}>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button
            kind="primary"
            type="submit"
            danger={kept && due}
            loading={keep.isPending}
            disabled={!kept && reason.trim() === ""}
          >
            {t(kept ? "keepNoLonger" : "keep")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
