import { ArrowLeft, BadgeCheck, FileText, Merge, PenLine, ReceiptText } from "lucide-react";
import { lazy, Suspense } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useParams } from "react-router";
import { useSession } from "../../session/session";
import { ErrorState } from "../../components/error-state";
import { ListPlace, useOpenedList } from "../../kit/list-place";
import { PageHeader } from "../../components/page-header";
import { StatusTag } from "../../components/status-tag";
import { DriverAccount } from "./driver-account";
import { DriverActions } from "./driver-actions";
import { Remarks } from "./driver-columns";
import { DriverForm } from "./driver-form";
import { DriverHistory } from "./driver-history";
import { DriverIdentities } from "./driver-identities";
import { DriverMerges } from "./driver-merges";
import { DriverMoney } from "./driver-money";
import { DriverTags } from "./driver-tags";
import { driverQuery } from "./driver-list";
import { useDriver, useDriverPlace } from "./queries";
import { SchemaName } from "./schema-name";
import "./drivers.css";

// Its texts are loaded with it.
const DriverContracts = lazy(async () => {
  const [loaded] = await Promise.all([
    import("./driver-contracts"),
    import("../../i18n/contract-list").then((texts) => texts.withContractTexts()),
  ]);
  return loaded;
});

const DriverTracking = lazy(async () => {
  const [loaded] = await Promise.all([
    import("./driver-tracking"),
    import("../../i18n/tracking").then((texts) => texts.withTrackingTexts()),
  ]);
  return loaded;
});

const DriverFuel = lazy(async () => {
  const [loaded] = await Promise.all([
    import("./driver-fuel"),
    import("../../i18n/fuel").then((texts) => texts.withFuelTexts()),
  ]);
  return loaded;
});

export default function DriverPage() {
  const { t } = useTranslation(["drivers", "common", "merge", "profiles", "transactions"]);
  const { id = "" } = useParams();
  const session = useSession();
  const mayWrite = session.may("drivers.write");
  const mayReadTransactions = session.may("transactions.read");
  const driver = useDriver(id);
  const of = driver.data;
  const list = useOpenedList("/drivers");
  const place = useDriverPlace(id, list && driverQuery(list.params).chosen);
  return (
    <>
      <div className="driver-top">
        <nav className="driver-back">
          <Link to={list?.address ?? "/drivers"}>
            <ArrowLeft aria-hidden size={16} strokeWidth={1.75} />
            {t("back")}
          </Link>
          {mayReadTransactions && (
            <Link to={`/transactions/details/${id}`}>
              <ReceiptText aria-hidden size={16} strokeWidth={1.75} />
              {t("transactions:title")}
            </Link>
          )}
          {session.may("documents.decide") && (
            <Link to={`/driver-documents/driver/${id}`}>
              <FileText aria-hidden size={16} strokeWidth={1.75} />
              {t("profiles:completed")}
            </Link>
          )}
          {session.may("contracts.write") && (
            <Link to={`/drivers/${id}/fill-documents`}>
              <PenLine aria-hidden size={16} strokeWidth={1.75} />
              {t("fillDocuments")}
            </Link>
          )}
          {mayWrite && of && (
            <Link to={`/drivers/${id}/merge`}>
              <Merge aria-hidden size={16} strokeWidth={1.75} />
              {t("merge:open")}
            </Link>
          )}
        </nav>
        {list && <ListPlace place={place} pathOf={(one) => `/drivers/${one.id}`} />}
      </div>
      <PageHeader
        title={of ? `${of.lastName} ${of.firstName}` : t("driverTitle")}
        meta={
          of && (
            <span className="driver-badges">
              <Remarks blocked={of.blocked} active={of.active} iban={of.iban !== ""} taxId={of.taxId !== ""} />
              {of.verified && <StatusTag tone="success" icon={BadgeCheck} word={t("profiles:verified")} />}
              <span>
                {t("schema")}: <SchemaName number={of.schemaNumber ?? 0} />
              </span>
            </span>
          )
        }
        actions={of && mayWrite && <DriverActions driver={of} />}
      />
      {of ? (
        <>
          <DriverMoney id={id} />
          <DriverForm key={id} driver={of} mayWrite={mayWrite} />
          <DriverIdentities key={`${id} ids`} driver={of} mayWrite={mayWrite} />
          <DriverTags driver={of} mayWrite={mayWrite} />
          <DriverAccount driver={of} mayWrite={mayWrite} />
          {session.partner?.features.includes("fuel") && (
            <Suspense>
              <DriverFuel key={`${id} fuel`} id={id} mayWrite={mayWrite} />
            </Suspense>
          )}
          {session.may("tracking.decide") && (
            <Suspense>
              <DriverTracking id={id} />
            </Suspense>
          )}
          {session.may("contracts.decide") && (
            <Suspense>
              <DriverContracts id={id} />
            </Suspense>
          )}
          <DriverMerges id={id} mayWrite={mayWrite} />
          <DriverHistory id={id} />
        </>
      ) : driver.isError ? (
        <ErrorState
          title={t("loadOneFailed")}
          undone={t("unchanged")}
          problem={driver.error}
          onRetry={() => void driver.refetch()}
        />
      ) : (
        <div className="driver-wait" role="status" aria-label={t("common:loading")}>
          {[1, 2, 3, 4].map((line) => (
            <span key={line} className="bar" />
          ))}
        </div>
      )}
    </>
  );
}
