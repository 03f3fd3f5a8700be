import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Field, Tick } from "../../components/field";
import { FreshFirst } from "../../components/fresh-first";
import { Notice } from "../../components/notice";
import { type Contract, useCheck, useClose, useCountersign, useDelete } from "./calls";
import styles from "./contracts.module.css";

const REASON_MOST = 500;

/** Signs one contract, after what that changes was shown; the original of a scan must have been seen. */
export function ConfirmDialog({ of, onClose }: { of: Contract; onClose: () => void }) {
  const { t } = useTranslation("contractList");
  const scanned = of.state === "scan_uploaded";
  return (
    <Dialog title={t(scanned ? "confirmOriginalTitle" : "countersignOneTitle")} onClose={onClose}>
      <FreshFirst back={`/contracts/${of.driverUUID}/${of.contractId}`}>
        <Confirm of={of} scanned={scanned} onClose={onClose} />
      </FreshFirst>
    </Dialog>
  );
}

function Confirm({ of, scanned, onClose }: { of: Contract; scanned: boolean; onClose: () => void }) {
  const { t } = useTranslation(["contractList", "faults", "common"]);
  const [seen, setSeen] = useState(!scanned);
  const check = useCheck([of.contractId]);
  const sign = useCountersign();
  const done = useDoneToast();
  const one = check.data?.[0];
  const refused = check.error?.code ?? one?.refused;
  return (
    <div className={styles.dialog}>
      {scanned && (
        <Tick checked={seen} onChange={setSeen}>
          {t("originalSeen")}
        </Tick>
      )}
      {one?.accountChanges && (
        <Notice tone="warning">
          {t("accountFromTo", {
            name: of.driverName,
            before: one.accountBefore || t("noAccountYet"),
            after: one.account,
          })}
        </Notice>
      )}
      {refused && <Notice tone="danger">{t(`faults:${refused as "contracts.state"}`)}</Notice>}
      {sign.error && <Notice tone="danger">{t(`faults:${sign.error.code}`, { replace: sign.error.params })}</Notice>}
      <p className={styles.quiet}>{t("countersignMeans")}</p>
      <div className={styles.acts}>
        <Button onClick={onClose}>{t("common:cancel")}</Button>
        <Button
          kind="primary"
          disabled={!seen || one?.refused !== ""}
          loading={sign.isPending || check.isFetching}
          onClick={() =>
            sign.mutate(of, {
              onSuccess: ({ number }) => {
                done(t("signedAs", { number }));
                onClose();
              },
            })
          }
        >
          {t(scanned ? "confirmOriginal" : "countersignOne")}
        </Button>
      </div>
    </div>
  );
}

/** Ends an active contract, or takes a signed one back: both only with a reason, which stays with it. */
export function CloseDialog({ how, of, onClose }: { how: "end" | "withdraw"; of: Contract; onClose: () => void }) {
  const { t } = useTranslation(["contractList", "faults", "common"]);
  const [reason, setReason] = useState("");
  const close = useClose(how);
  const done = useDoneToast();
  return (
    <Dialog title={t(how === "end" ? "endTitle" : "withdrawTitle")} onClose={onClose}>
      <form
        className={styles.dialog}
        onSubmit={(event) => {
          event.preventDefault();
          close.mutate(
            { id: of.contractId, reason: reason.trim(), version: of.version },
            {
              onSuccess: () => {
                done(t(how === "end" ? "ended" : "withdrawn"));
                onClose();
              },
            },
          );
        }}
      >
        <p>{t(how === "end" ? "endBody" : "withdrawBody")}</p>
        <Field label={t("reason")} required>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={REASON_MOST}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
        {close.error && (
          <Notice tone="danger">{t(`faults:${close.error.code}`, { replace: close.error.params })}</Notice>
        )}
        <div className={styles.acts}>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" danger type="submit" disabled={reason.trim() === ""} loading={close.isPending}>
            {t(how === "end" ? "end" : "withdraw")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Erases a contract that holds for nobody yet. */
export function DeleteDialog(props: { of: Contract; onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation(["contractList", "faults", "common"]);
  const remove = useDelete();
  const done = useDoneToast();
  return (
    <Dialog title={t("deleteTitle")} onClose={props.onClose}>
      <div className={styles.dialog}>
        <p>{t("deleteBody")}</p>
        {remove.error && (
          <Notice tone="danger">{t(`faults:${remove.error.code}`, { replace: remove.error.params })}</Notice>
        )}
        <div className={styles.acts}>
          <Button onClick={props.onClose}>{t("common:cancel")}</Button>
          <Button
            kind="primary"
            danger
            loading={remove.isPending}
            onClick={() =>
              remove.mutate(props.of.contractId, {
                onSuccess: () => {
                  done(t("deleted"));
                  props.onDone();
                },
              })
            }
          >
            {t("delete")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
