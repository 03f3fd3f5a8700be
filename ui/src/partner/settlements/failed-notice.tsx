import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { type SentSummary, useFailed, useRetry } from "./sending-queries";

/** The bills that nobody took, each with why and a way to try it again alone. */
export function FailedNotice() {
  const { t } = useTranslation("sending");
  const { data } = useFailed();
  if (!data || data.length === 0) return null;
  return (
    <div className="settlements-notice">
      <Notice tone="warning">
        {t("failedSome", { number: data.length })}
        <ul className="settlements-failed">
          {data.map((one) => (
            <Failed key={one.id} one={one} />
          ))}
        </ul>
      </Notice>
    </div>
  );
}

function Failed({ one }: { one: SentSummary }) {
  const { t } = useTranslation(["sending", "faults"]);
  const retry = useRetry();
  const name = `${one.lastName} ${one.firstName}`;
  return (
    <li>
      <span>
        <Link to={`/drivers/${one.driverId}`}>{name}</Link> {one.address}: {one.reason}
        {retry.isError && <b> {t(`faults:${retry.error.code}`, { replace: retry.error.params })}</b>}
      </span>
      <Button
        size="small"
        loading={retry.isPending}
        aria-label={t("retryOf", { name })}
        onClick={() => retry.mutate(one.id)}
      >
        {t("retry")}
      </Button>
    </li>
  );
}
