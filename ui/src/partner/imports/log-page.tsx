import { FileClock } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { type Column, ListTable } from "../../kit/list-table";
import { moment } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { ImportsHead } from "./imports-head";
import { ImportStatus, ProviderName, statuses, useKindName, useProviderName } from "./names";
import { type Import, type LogFilter, useLog, useProviders } from "./queries";

/** Every file that was uploaded, and what became of it. */
export default function LogPage() {
  const { t } = useTranslation("imports");
  const { filter, narrow, clear } = useLogFilter();
  const log = useLog(filter);
  const columns = useLogColumns();
  const rows = log.data?.pages.flatMap(({ imports }) => imports);
  const filtered = filter.status !== "" || filter.provider !== "";
  return (
    <>
      <ImportsHead />
      {rows?.length === 0 && !filtered ? (
        <FirstUse
          icon={FileClock}
          title={t("logEmptyTitle")}
          body={t("logEmptyBody")}
          action={<Link to="/upload">{t("logAdd")}</Link>}
        />
      ) : log.isError && !rows ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={log.error}
          onRetry={() => void log.refetch()}
        />
      ) : (
        <>
          <LogFilters filter={filter} onNarrow={narrow} />
          {rows?.length === 0 ? (
            <NoMatch title={t("noMatchTitle")} body={t("noMatchBody")} clear={t("clearFilters")} onClear={clear} />
          ) : (
            <ListTable
              caption={t("logCaption")}
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              sort={{ by: "date", descending: true }}
              onSort={() => undefined}
              reloading={log.isPlaceholderData}
            />
          )}
          {log.hasNextPage && (
            <div className="imports-more">
              <Button loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                {t("older")}
              </Button>
            </div>
          )}
        </>
      )}
    </>
  );
}

/** What the log shows, kept in the address. */
function useLogFilter() {
  const [params, setParams] = useSearchParams();
  const filter: LogFilter = {
    status: statuses.find((status) => status === params.get("status")) ?? "",
    provider: params.get("provider") ?? "",
  };
  const set = (values: Partial<LogFilter>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values))
          if (value) after.set(name, value);
          else after.delete(name);
        return after;
      },
      { replace: true, preventScrollReset: true, flushSync: true },
    );
  return { filter, narrow: set, clear: () => set({ status: "", provider: "" }) };
}

function LogFilters({ filter, onNarrow }: { filter: LogFilter; onNarrow: (part: Partial<LogFilter>) => void }) {
  const { t } = useTranslation("imports");
  const providers = useProviders().data ?? [];
  const nameOf = useProviderName();
  return (
    <div className="imports-filter">
      <select
        aria-label={t("logStatus")}
        value={filter.status}
        onChange={({ target }) => onNarrow({ status: target.value as LogFilter["status"] })}
      >
        <option value="">{t("allStatuses")}</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {t(`status_${status}`)}
          </option>
        ))}
      </select>
      <select
        aria-label={t("provider")}
        value={filter.provider}
        onChange={({ target }) => onNarrow({ provider: target.value })}
      >
        <option value="">{t("allProviders")}</option>
        {providers.map(({ code }) => (
          <option key={code} value={code}>
            {nameOf(code)}
          </option>
        ))}
      </select>
    </div>
  );
}

type LogColumn = "file" | "date" | "kind" | "provider" | "status" | "who" | (typeof numbers)[number];

const numbers = ["all", "new", "unassigned", "ignored", "existing", "failed"] as const;

function useLogColumns(): Column<Import, LogColumn>[] {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const kindOf = useKindName();
  return [
    {
      key: "file",
      head: t("logFile"),
      skeleton: 180,
      cell: ({ id, fileName }) => (
        <Link className="imports-file" to={`/log/${id}`} aria-label={t("openNamed", { file: fileName })}>
          {fileName}
        </Link>
      ),
    },
    {
      key: "date",
      head: t("logDate"),
      skeleton: 110,
      cell: ({ uploadedAt }) => <time dateTime={uploadedAt}>{moment(uploadedAt, language, timeZone)}</time>,
    },
    { key: "status", head: t("logStatus"), skeleton: 90, cell: (one) => <ImportStatus of={one} /> },
    {
      key: "provider",
      head: t("provider"),
      skeleton: 80,
      cell: ({ provider }) => (provider ? <ProviderName code={provider} /> : "–"),
    },
    { key: "kind", head: t("logKind"), skeleton: 110, cell: ({ kind }) => (kind ? kindOf(kind) : "–") },
    ...numbers.map((key) => ({
      key,
      head: t(`count_${key}`),
      skeleton: 40,
      kind: "number" as const,
      labelled: true,
      cell: ({ counts: { transactions } }: Import) => (
        <span className="imports-number" data-zero={transactions[key] === 0 || undefined}>
          {count(transactions[key], language)}
        </span>
      ),
    })),
    { key: "who", head: t("logWho"), skeleton: 90, cell: ({ uploadedBy }) => uploadedBy || t("fetchedBy") },
  ];
}
