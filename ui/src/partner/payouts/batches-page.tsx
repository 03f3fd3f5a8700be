import { FileInput, Landmark, Plus, Settings2 } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { useAmounts } from "../../session/amounts";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { type Column, ListTable } from "../../kit/list-table";
import { PageHeader } from "../../components/page-header";
import { day, moment } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { BatchState, useBankName } from "./names";
import { type Batch, SIZE, useBatches } from "./queries";
import { SettingsDialog } from "./settings-dialog";
import "./payouts.css";

/** Every batch that was made, the newest first. */
export default function BatchesPage() {
  const { t } = useTranslation("payouts");
  const navigate = useNavigate();
  const mayWrite = useSession().may("payouts.write");
  const [params, setParams] = useSearchParams();
  const page = Math.max(1, Number(params.get("page")) || 1);
  const batches = useBatches(page);
  const columns = useBatchColumns();
  const total = batches.data?.total ?? 0;
  return (
    <>
      <PageHeader
        title={t("title")}
        actions={
          mayWrite && (
            <>
              <Button
                icon={<Settings2 aria-hidden size={16} strokeWidth={1.75} />}
                aria-label={t("settings")}
                onClick={() => setParams({ settings: "open" })}
              />
              <Button
                icon={<FileInput aria-hidden size={16} strokeWidth={1.75} />}
                onClick={() => void navigate("/payouts/statement")}
              >
                {t("statement")}
              </Button>
              <Button
                kind="primary"
                icon={<Plus aria-hidden size={16} strokeWidth={1.75} />}
                onClick={() => void navigate("/payouts/new")}
              >
                {t("make")}
              </Button>
            </>
          )
        }
      />
      {batches.isError && !batches.data ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={batches.error}
          onRetry={() => void batches.refetch()}
        />
      ) : batches.data?.total === 0 ? (
        <FirstUse icon={Landmark} title={t("noneTitle")} body={t("noneBody")} />
      ) : (
        <ListTable
          caption={t("caption")}
          columns={columns}
          rows={batches.data?.items}
          rowKey={({ number }) => String(number)}
          sort={{ by: "number", descending: true }}
          onSort={() => undefined}
          reloading={batches.isPlaceholderData}
        />
      )}
      {total > SIZE && (
        <nav className="payouts-pages" aria-label={t("pages")}>
          <Button disabled={page === 1} onClick={() => setParams({ page: String(page - 1) })}>
            {t("newer")}
          </Button>
          <Button disabled={page * SIZE >= total} onClick={() => setParams({ page: String(page + 1) })}>
            {t("older")}
          </Button>
        </nav>
      )}
      {params.has("settings") && <SettingsDialog onClose={() => setParams({}, { replace: true })} />}
    </>
  );
}

function useBatchColumns(): Column<Batch>[] {
  const { t } = useTranslation("payouts");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { plain, sign } = useAmounts();
  const bank = useBankName();
  return [
    {
      key: "number",
      head: t("number"),
      skeleton: 60,
      cell: ({ number }) => (
        <Link className="payouts-number" to={`/payouts/${number}`}>
          {t("batch", { number })}
        </Link>
      ),
    },
    { key: "way", head: t("way"), skeleton: 120, cell: (batch) => bank(batch) },
    {
      key: "payOn",
      head: t("payOn"),
      skeleton: 80,
      labelled: true,
      cell: ({ payOn }) => day(`${payOn}T12:00:00Z`, language, "UTC"),
    },
    {
      key: "transfers",
      head: t("transfers"),
      kind: "number",
      skeleton: 40,
      labelled: true,
      cell: ({ transfers }) => count(transfers, language),
    },
    {
      key: "sum",
      head: t("sum") + sign.replace(/^\s/, ", "),
      kind: "number",
      skeleton: 80,
      cell: ({ sum }) => <b className="payouts-sum">{plain(sum)}</b>,
    },
    { key: "state", head: t("state"), skeleton: 90, cell: (batch) => <BatchState batch={batch} /> },
    {
      key: "made",
      head: t("made"),
      skeleton: 130,
      cell: ({ createdAt, createdBy }) => (
        <span className="payouts-made">
          {createdBy}
          <small>{moment(createdAt, language, timeZone)}</small>
        </span>
      ),
    },
  ];
}
