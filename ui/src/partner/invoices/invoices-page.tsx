import { CheckCheck, ReceiptText, Upload } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { SearchField } from "../../components/search-field";
import { day, daySpan } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { type Filter, type Invoice, STATES, type Totals, useInvoices } from "../../invoices/calls";
import { InvoiceState } from "../../invoices/state";
import { useListMark } from "../../kit/list-place";
import { type Column, ListTable } from "../../kit/list-table";
import { Pages } from "../../kit/pages";
import { useAmounts } from "../../session/amounts";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { BulkDialog } from "./bulk-dialog";
import { useFilter } from "./filter";
import styles from "./invoices.module.css";

/** The invoices of all drivers, what they sum up to, and the way to what waits for a look. */
export default function InvoicesPage() {
  const { t } = useTranslation(["invoices", "accounts", "documents"]);
  const { filter, filtered, set, clear } = useFilter();
  const found = useInvoices(useDeferredValue(filter));
  const columns = useColumns((driver) => set("driver", driver));
  const mayDecide = useSession().may("invoices.decide");
  const [bulk, setBulk] = useState<readonly Invoice[]>();
  const items = found.data?.items;
  const toVerify = items?.filter(({ state }) => state === "to_verify") ?? [];
  const { page = 1 } = filter;
  const last = (found.data?.totals.count ?? 0) <= page * (found.data?.pageSize ?? 1);
  return (
    <>
      <PageHeader
        title={t("accounts:invoicesTitle")}
        actions={
          mayDecide && (
            <>
              <Link className="button button-default button-middle" to="/purchases">
                {t("documents:purchases")}
              </Link>
              {toVerify.length > 0 && (
                <Button
                  icon={<CheckCheck aria-hidden size={16} strokeWidth={1.75} />}
                  onClick={() => setBulk(toVerify)}
                >
                  {t("approveClean")}
                </Button>
              )}
              <Link className={styles.primary} to="/invoices/upload">
                <Upload aria-hidden size={16} strokeWidth={1.75} />
                {t("addFiles")}
              </Link>
            </>
          )
        }
      />
      <Filters filter={filter} counts={found.data?.counts} set={set} />
      {found.isError && !found.data ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("loadFailedBody")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : found.data?.totals.count === 0 ? (
        filtered ? (
          <NoMatch title={t("noMatchTitle")} body={t("noMatchBody")} clear={t("clearFilters")} onClear={clear} />
        ) : (
          <FirstUse icon={ReceiptText} title={t("fleetNoneTitle")} body={t("fleetNoneBody")} />
        )
      ) : (
        <>
          {found.data && <Sums totals={found.data.totals} />}
          <ListTable
            caption={t("caption")}
            columns={columns}
            rows={items}
            rowKey={({ id }) => id}
            sort={{ by: "uploaded", descending: true }}
            onSort={() => undefined}
            reloading={found.isPlaceholderData}
          />
        </>
      )}
      <Pages page={page} last={last} onPage={(next) => set("page", String(next))} />
      {bulk && <BulkDialog items={bulk} onClose={() => setBulk(undefined)} />}
    </>
  );
}

interface FiltersProps {
  filter: Filter;
  counts: Partial<Record<string, number>> | undefined;
  set: (name: string, value: string) => void;
}

function Filters({ filter, counts, set }: FiltersProps) {
  const { t } = useTranslation("invoices");
  return (
    <form className={styles.filters} aria-label={t("filters")} onSubmit={(event) => event.preventDefault()}>
      <SearchField label={t("search")} value={filter.q ?? ""} onChange={(value) => set("q", value)} />
      <label>
        {t("state")}
        <select value={filter.state ?? ""} onChange={({ target }) => set("state", target.value)}>
          <option value="">{t("all")}</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {t("stateCount", { state: t(`state_${state}`), number: counts?.[state] ?? 0 })}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t("from")}
        <input type="date" value={filter.from ?? ""} onChange={({ target }) => set("from", target.value)} />
      </label>
      <label>
        {t("to")}
        <input type="date" value={filter.to ?? ""} onChange={({ target }) => set("to", target.value)} />
      </label>
      {filter.driverUUID && <Button onClick={() => set("driver", "")}>{t("allDrivers")}</Button>}
    </form>
  );
}

/** What all of the filter are together. */
function Sums({ totals }: { totals: Totals }) {
  const { t } = useTranslation("invoices");
  const language = useLanguage();
  const { full } = useAmounts();
  const sums: [string, string][] = [
    [t("countAll"), count(totals.count, language)],
    [t("field_gross"), full(totals.gross)],
    [t("vatReturn"), full(totals.vatReturn)],
    [t("provision"), full(totals.provision)],
  ];
  return (
    <dl className={styles.totals} aria-label={t("totals")}>
      {sums.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Key = "invoice" | "driver" | "issuer" | "gross" | "vat" | "vatReturn" | "provision" | "uploaded" | "state";

function useColumns(onDriver: (id: string) => void): Column<Invoice, Key>[] {
  const { t } = useTranslation("invoices");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { plain } = useAmounts();
  const mark = useListMark();
  const amount = (value: number) => (value === 0 ? "–" : plain(value));
  return [
    {
      key: "invoice",
      head: t("field_number"),
      skeleton: 130,
      cell: ({ id, number, fileName, issueDate }) => (
        <span className={styles.two}>
          <Link to={`/invoices/${id}${mark}`}>{number || fileName}</Link>
          <small>{issueDate && daySpan(issueDate, issueDate, language)}</small>
        </span>
      ),
    },
    {
      key: "driver",
      head: t("driver"),
      skeleton: 120,
      cell: ({ driverUUID, firstName, lastName }) => (
        <button type="button" className={styles.link} onClick={() => onDriver(driverUUID)}>
          {lastName} {firstName}
        </button>
      ),
    },
    {
      key: "issuer",
      head: t("field_issuerName"),
      skeleton: 140,
      cell: ({ issuerName, issuerTaxId }) => (
        <span className={styles.two}>
          <span>{issuerName || "–"}</span>
          <small>{issuerTaxId}</small>
        </span>
      ),
    },
    {
      key: "gross",
      head: t("field_gross"),
      skeleton: 70,
      kind: "number",
      labelled: true,
      cell: ({ gross }) => amount(gross),
    },
    {
      key: "vatReturn",
      head: t("vatReturn"),
      skeleton: 70,
      kind: "number",
      labelled: true,
      cell: ({ vatReturn }) => amount(vatReturn),
    },
    {
      key: "provision",
      head: t("provision"),
      skeleton: 60,
      kind: "number",
      labelled: true,
      cell: ({ provision }) => amount(provision),
    },
    {
      key: "uploaded",
      head: t("uploadedOn"),
      skeleton: 80,
      labelled: true,
      cell: ({ uploadedAt }) => day(uploadedAt, language, timeZone),
    },
    { key: "state", head: t("state"), skeleton: 90, cell: (row) => <InvoiceState of={row} /> },
  ];
}
