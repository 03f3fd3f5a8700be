import { CircleSlash } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { useScreenName } from "../../components/screen-name";
import { Left } from "./left";
import { PartsNav } from "./parts-nav";
import { PurchaseForm } from "./purchase-form";
import { usePackages } from "./queries";
import styles from "./licences.module.css";

/** Buying settlements: a package, how many of it, who the invoice is for, and the way to the payment. */
export default function PurchasePage() {
  const { t } = useTranslation(["licences", "common"]);
  const offer = usePackages();
  useScreenName(t("buy"));
  return (
    <>
      <PageHeader title={t("buy")} meta={<PartsNav />} />
      <Left />
      {offer.isError && !offer.data ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("notOrdered")}
          problem={offer.error}
          onRetry={() => void offer.refetch()}
        />
      ) : !offer.data ? (
        <div className={styles.wait} role="status" aria-label={t("common:loading")}>
          {[1, 2, 3].map((line) => (
            <span key={line} className="bar" />
          ))}
        </div>
      ) : offer.data.closed || offer.data.packages.length === 0 ? (
        <FirstUse icon={CircleSlash} title={t("closedTitle")} body={t("closed")} />
      ) : (
        <PurchaseForm offer={offer.data} />
      )}
    </>
  );
}
