import { Skeleton } from "antd";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { Dialog } from "../../components/dialog";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { type SendRequest, useSending, useStart } from "./sending-queries";

/** So many are sent at once; more wait a while in which they can be cancelled. */
const AT_ONCE = 50;

interface SendingDialogProps {
  request: SendRequest;
  id: string;
  onRequest: (request: SendRequest) => void;
  onStarted: (id: string) => void;
  onClose: () => void;
}

/** Who gets a bill, who does not and why, before anything is sent. */
export function SendingDialog({ request, id, onRequest, onStarted, onClose }: SendingDialogProps) {
  const { t } = useTranslation(["sending", "faults"]);
  const sending = useSending(id);
  const start = useStart();
  const shown = sending.data;
  const begin = async () => {
    try {
      await start.mutateAsync(id);
    } catch (reason) {
      if (reason instanceof Problem) return; // it stands in the dialog
      throw reason;
    }
    onStarted(id);
  };
  const sent = shown?.refusals.find(({ code }) => code === "sent");
  return (
    <Dialog title={t("title")} onClose={onClose}>
      {sending.isError ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={sending.error}
          onRetry={() => void sending.refetch()}
        />
      ) : !shown ? (
        <Skeleton active={false} paragraph={{ rows: 4 }} />
      ) : (
        <form
          className="settlements-question"
          onSubmit={(event) => {
            event.preventDefault();
            void begin();
          }}
        >
          <p>
            {t("reaches", {
              all: shown.recipients + shown.refused,
              recipients: shown.recipients,
              refused: shown.refused,
            })}
          </p>
          {shown.refusals.length > 0 && (
            <ul>
              {shown.refusals.map(({ code, count, drivers }) => (
                <li key={code}>
                  {t(`refused_${code}`, { number: count })}
                  {" ("}
                  {drivers.map((driver, at) => (
                    <span key={driver.id}>
                      {at > 0 && ", "}
                      <Link to={`/drivers/${driver.id}`}>
                        {driver.lastName} {driver.firstName}
                      </Link>
                    </span>
                  ))}
                  {count > drivers.length && ` ${t("andMore", { number: count - drivers.length })}`}
                  {")"}
                </li>
              ))}
            </ul>
          )}
          {(sent !== undefined || request.again === true) && (
            <label className="settlements-again">
              <input
                type="checkbox"
                checked={request.again === true}
                onChange={({ target }) => onRequest({ ...request, again: target.checked })}
              />
              {t("again")}
            </label>
          )}
          <p>
            {shown.recipients === 0 ? t("nobody") : t("mailNote")}
            {shown.recipients > 0 && (!request.ids || shown.recipients > AT_ONCE) && ` ${t("window")}`}
          </p>
          {start.isError && (
            <Notice tone="danger">{t(`faults:${start.error.code}`, { replace: start.error.params })}</Notice>
          )}
          <div>
            <Button onClick={onClose}>{t("back")}</Button>
            {shown.recipients > 0 && (
              <Button kind="primary" type="submit" loading={start.isPending}>
                {t("sendNow", { number: shown.recipients })}
              </Button>
            )}
          </div>
        </form>
      )}
    </Dialog>
  );
}
