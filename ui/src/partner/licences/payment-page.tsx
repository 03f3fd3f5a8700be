import { useEffect, useEffectEvent } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { useParams } from "react-router";
import { useTranslation } from "../../i18n/translation";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { useScreenName } from "../../components/screen-name";
import { OrderSummary } from "./order-summary";
import { Outcome } from "./outcome";
import { PartsNav } from "./parts-nav";
import { useOrderOf } from "./queries";
import styles from "./licences.module.css";

/** What became of a payment: what the server knows, whatever the address that led here says. */
export default function PaymentPage() {
  const { t } = useTranslation(["licences", "common"]);
  const { id = "" } = useParams();
  const order = useOrderOf(id);
  useScreenName(order.data?.number);
  useMoreUnits(order.data?.state);
  return (
    <>
      <PageHeader title={t("payment")} meta={<PartsNav />} />
      {order.data ? (
        <div className={styles.payment}>
          <Outcome order={order.data} />
          <OrderSummary order={order.data} />
        </div>
      ) : order.isError ? (
        <ErrorState
          title={t("paymentFailed")}
          undone={t("paymentSame")}
          problem={order.error}
          onRetry={() => void order.refetch()}
        />
      ) : (
        <div className={styles.wait} role="status" aria-label={t("common:loading")}>
          <span className="bar" />
          <span className="bar" />
        </div>
      )}
    </>
  );
}

/** Once the order is paid, everything that says how many settlements are left is read again. */
function useMoreUnits(state: string | undefined) {
  const cache = useQueryClient();
  const refresh = useEffectEvent(() =>
    cache.invalidateQueries({
      predicate: ({ queryKey }) => ["/api/licences", "/api/overview"].includes(String(queryKey[0])),
    }),
  );
  useEffect(() => {
    if (state === "success") void refresh();
  }, [state]);
}
