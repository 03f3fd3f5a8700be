import { useTranslation } from "../../i18n/translation";
import { useNavigate, useParams } from "react-router";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { useScreenName } from "../../components/screen-name";
import { useInvoice, useInvoices } from "../../invoices/calls";
import { InvoiceState } from "../../invoices/state";
import { ListPlace, useOpenedList } from "../../kit/list-place";
import { Review } from "./review";
import { filterOf } from "./filter";

/** One invoice to review: its picture beside its form, and the way to the next of the list. */
export default function ReviewPage() {
  const { t } = useTranslation("invoices");
  const { id = "" } = useParams();
  const navigate = useNavigate();
  const found = useInvoice(id);
  const list = useOpenedList("/invoices");
  const beside = useInvoices(list ? filterOf(list.params) : { state: "to_verify" });
  const items = beside.data?.items ?? [];
  const at = items.findIndex((one) => one.id === id);
  const neighbour = (step: number) => {
    const one = at < 0 ? undefined : items[at + step];
    return one ? { id: one.id, driverId: one.driverUUID, firstName: one.firstName, lastName: one.lastName } : null;
  };
  const place = {
    data: beside.data && {
      position: at + 1,
      total: beside.data.totals.count,
      previous: neighbour(-1),
      next: neighbour(1),
    },
    isPlaceholderData: false,
  };
  useScreenName(found.data && (found.data.number || found.data.fileName));
  if (found.isError && !found.data)
    return (
      <ErrorState
        level={1}
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (!found.data) return <PageHeader title={t("oneTitle")} />;
  const invoice = found.data;
  const mark = list ? `?list=${encodeURIComponent(list.address)}` : "";
  // Those that still wait for a look come next; at the end it is the list again.
  const onNext = () => {
    const next = items.find(
      (one, n) => n > at && one.id !== id && one.state !== "approved" && one.state !== "rejected",
    );
    void navigate(next ? `/invoices/${next.id}${mark}` : (list?.address ?? "/invoices"), { replace: true });
  };
  return (
    <>
      <PageHeader
        title={invoice.number || invoice.fileName}
        meta={
          <>
            <InvoiceState of={invoice} /> {invoice.lastName} {invoice.firstName}
          </>
        }
        actions={<ListPlace place={place} pathOf={({ id: other }) => `/invoices/${other}`} />}
      />
      <Review key={`${invoice.id} ${invoice.fileVersion}`} invoice={invoice} onNext={onNext} />
    </>
  );
}
