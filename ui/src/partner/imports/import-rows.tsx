import { Ban, Building2, Check, CircleDashed, Replace } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { ErrorState } from "../../components/error-state";
import { type Column, ListTable } from "../../kit/list-table";
import { Notice } from "../../components/notice";
import { StatusTag } from "../../components/status-tag";
import { daySpan } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useMoney } from "./names";
import { type ImportRow, useRows } from "./queries";

/** Every row that an import brought, page after page, in the order of the file; the row that the address names is marked. */
export function ImportRows({ id }: { id: string }) {
  const { t } = useTranslation("imports");
  const [address, setAddress] = useSearchParams();
  const at = address.get("row") ?? "";
  const found = useRows(id, at);
  const columns = useRowColumns();
  const rows = found.data?.pages.flatMap((page) => page.rows);
  const fromStart = () => setAddress({}, { replace: true, preventScrollReset: true });
  return (
    <section className="imports-rows" aria-label={t("rowsTitle")}>
      <h2>{t("rowsTitle")}</h2>
      {at && rows && !rows.some((row) => row.id === at) && <Notice tone="info">{t("rowGone")}</Notice>}
      {found.data?.pages[0]?.before && (
        <p>
          <Button onClick={fromStart}>{t("rowsFromStart")}</Button>
        </p>
      )}
      {found.isError && !rows ? (
        <ErrorState
          title={t("oneFailed")}
          undone={t("unchanged")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : rows?.length === 0 ? (
        <p className="imports-quiet">{t("rowsNone")}</p>
      ) : (
        <ListTable
          caption={t("rowsCaption")}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          sort={{ by: "line", descending: false }}
          onSort={() => undefined}
          reloading={found.isRefetching && !found.isFetchingNextPage}
          current={at}
        />
      )}
      {found.hasNextPage && (
        <div className="imports-more">
          <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {t("more")}
          </Button>
        </div>
      )}
    </section>
  );
}

const looks = {
  unassigned: { tone: "warning", icon: CircleDashed },
  ignored: { tone: "neutral", icon: Ban },
  fleet: { tone: "neutral", icon: Building2 },
  replaced: { tone: "neutral", icon: Replace },
} as const;

function useRowColumns(): Column<ImportRow, "line" | "who" | "day" | "type" | "amount">[] {
  const { t } = useTranslation(["imports", "transactions"]);
  const language = useLanguage();
  const { plain, sign } = useMoney();
  return [
    {
      key: "line",
      head: t("line"),
      skeleton: 90,
      cell: ({ sourceRow, sourceColumn }) => (
        <span className="imports-two">
          <span>{count(sourceRow, language)}</span>
          <small>{sourceColumn}</small>
        </span>
      ),
    },
    {
      key: "who",
      head: t("rowWho"),
      skeleton: 140,
      cell: (row) => {
        const name = `${row.lastName} ${row.firstName}`.trim();
        return (
          <span className="imports-two">
            {row.driverUUID ? (
              <Link to={`/transactions/details/${row.driverUUID}`}>{name}</Link>
            ) : (
              <span>{name || (row.state === "fleet" ? "" : t("noName"))}</span>
            )}
            {row.state !== "transaction" && <StatusTag {...looks[row.state]} word={t(`rowState_${row.state}`)} />}
            {row.corrects && <StatusTag tone="outline" icon={Replace} word={t("rowCorrection")} />}
          </span>
        );
      },
    },
    {
      key: "day",
      head: t("rowDate"),
      skeleton: 90,
      cell: ({ occurredOn, spanFrom, spanTo }) => daySpan(spanFrom || occurredOn, spanTo || occurredOn, language),
    },
    {
      key: "type",
      head: t("type"),
      skeleton: 120,
      cell: ({ type, description }) => (
        <span className="imports-two">
          <span>{t(`transactions:type_${type}`)}</span>
          {description && <small>{description}</small>}
        </span>
      ),
    },
    {
      key: "amount",
      head: t("amountIn", { currency: sign }),
      skeleton: 70,
      kind: "number",
      cell: (row) => (
        <span className="imports-two">
          <b>{plain(row.amount)}</b>
          {row.settlementUUID && (
            <Link to={`/transactions/details/${row.driverUUID}/${row.settlementUUID}`}>
              <StatusTag tone="neutral" icon={Check} word={t("settled")} />
            </Link>
          )}
        </span>
      ),
    },
  ];
}
