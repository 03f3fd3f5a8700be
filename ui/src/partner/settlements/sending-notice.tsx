import { useEffect } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useSecondsUntil } from "../../kit/seconds-until";
import { useCancel, useSending } from "./sending-queries";
import { useTouched } from "./queries";

/** What becomes of a sending: how long it can be cancelled, how far it is, and what the mail server took. */
export function SendingNotice({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation(["sending", "faults", "common"]);
  const { data, dataUpdatedAt } = useSending(id);
  const cancel = useCancel();
  const touched = useTouched();
  const seconds = useSecondsUntil(data?.state === "waiting" ? data.startsAt : null, data?.now, dataUpdatedAt);
  const settled = data && `${data.state} ${data.sent} ${data.failed}`;
  useEffect(() => {
    if (settled) void touched();
    // oxlint-disable-next-line react/exhaustive-deps -- only when something has changed
  }, [settled]);
  if (!id || !data || data.state === "preview") return null;
  const close = <Button onClick={onClose}>{t("common:close")}</Button>;
  return (
    <div className="settlements-notice">
      {data.state === "waiting" ? (
        <Notice
          tone="info"
          action={
            <Button loading={cancel.isPending} onClick={() => cancel.mutate(id)}>
              {t("cancelAll")}
            </Button>
          }
        >
          {t("waiting", { number: data.recipients, seconds })}
        </Notice>
      ) : data.state === "cancelled" ? (
        <Notice tone="info" action={close}>
          {t("cancelled")}
        </Notice>
      ) : data.state === "running" ? (
        <Notice tone="info">
          {t("running", { done: data.queued + data.sent + data.failed, number: data.recipients })}
        </Notice>
      ) : (
        <Notice tone={data.failed > 0 ? "warning" : "info"} action={close}>
          {t("delivered", { sent: data.sent, queued: data.queued, failed: data.failed })}{" "}
          {data.refused > 0 && t("skipped", { number: data.refused })}
        </Notice>
      )}
      {cancel.isError && (
        <Notice tone="danger">{t(`faults:${cancel.error.code}`, { replace: cancel.error.params })}</Notice>
      )}
    </div>
  );
}
