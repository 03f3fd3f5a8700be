import { Plus, ReceiptText, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useParams } from "react-router";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useSession } from "../../session/session";
import { save } from "../../browser/save";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { ListTable } from "../../kit/list-table";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { useScreenName } from "../../components/screen-name";
import { useUndoToast } from "../../components/undo-toast";
import { Filters } from "./filters";
import {
  evidenceOf,
  type Outcome,
  type Transaction,
  useRemoveTransaction,
  useRestoreTransaction,
  useTransactions,
} from "./queries";
import { RetypeBar } from "./retype-bar";
import { Totals } from "./totals";
import { useRowName, useTransactionColumns } from "./transaction-columns";
import { useTransactionList } from "./transaction-list";
import "./transactions.css";

const loadDrawer = () => import("./transaction-drawer");
const TransactionDrawer = lazy(loadDrawer);
const HistoryDialog = lazy(() => import("./history-dialog"));

/** What was refused, and what it therefore did not do. */
interface Refusal {
  undone: string;
  problem: Problem;
}

export default function TransactionsPage() {
  const { driverUUID = "", settlementUUID = "" } = useParams();
  // Another driver or settlement is another page: nothing chosen or refused is carried over.
  return <TransactionsOf key={driverUUID + settlementUUID} driverUUID={driverUUID} settlementUUID={settlementUUID} />;
}

function TransactionsOf({ driverUUID, settlementUUID }: { driverUUID: string; settlementUUID: string }) {
  const { t } = useTranslation("transactions");
  // What is in a settlement does not change, and nothing can be added to it.
  const mayWrite = useSession().may("transactions.write") && !settlementUUID;
  const list = useTransactionList();
  const found = useTransactions(driverUUID, list.filter);
  const [refusal, setRefusal] = useState<Refusal>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>();
  const remove = useRemoval(setRefusal);

  const rows = found.data?.pages.flatMap(({ transactions }) => transactions);
  const page = found.data?.pages[0];
  const picked = rows?.filter(({ id, retypable }) => retypable && chosen.has(id)) ?? [];
  const toggle = ({ id }: Transaction) =>
    setChosen((before) =>
      before.has(id) ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id]),
    );
  useScreenName(page && `${page.driver.lastName} ${page.driver.firstName}`);
  const download = async (row: Transaction) => {
    setRefusal(undefined);
    try {
      save(await evidenceOf(row.id), row.evidence);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      setRefusal({ undone: t("downloadFailed", { file: row.evidence }), problem });
    }
  };
  const columns = useTransactionColumns({
    edit: mayWrite ? (row) => list.setEditing(row.id) : undefined,
    remove: mayWrite ? remove : undefined,
    history: (row) => list.showHistory(row.id),
    download: (row) => void download(row),
    choose: mayWrite && rows?.some(({ retypable }) => retypable) ? { has: (id) => chosen.has(id), toggle } : undefined,
  });
  const edited = rows?.find(({ id, editable }) => editable && id === list.editing);
  const empty = rows?.length === 0 && !list.filtered;
  const failed = found.isError && !rows;
  const addButton = mayWrite && (
    <Button
      kind={picked.length > 0 ? "default" : "primary"}
      icon={<Plus aria-hidden size={16} strokeWidth={1.75} />}
      onPointerEnter={() => void loadDrawer()}
      onClick={() => list.setAdding(true)}
    >
      {t("add")}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={page ? t("titleOf", { name: `${page.driver.firstName} ${page.driver.lastName}` }) : t("title")}
        meta={page && page.count > 0 && t("count", { count: page.count })}
        actions={!empty && !failed && addButton}
      />
      {settlementUUID && !failed && (
        <div className="transactions-notice">
          <Notice tone="info" action={<Link to={`/transactions/details/${driverUUID}`}>{t("wholeDriver")}</Link>}>
            {t("oneSettlement")}
          </Notice>
        </div>
      )}
      {refusal && <RefusalNotice {...refusal} />}
      {outcomes && <Outcomes outcomes={outcomes} rows={rows ?? []} />}
      {empty ? (
        <FirstUse icon={ReceiptText} title={t("emptyTitle")} body={t("emptyBody")} action={addButton} />
      ) : failed ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : (
        <>
          <Filters filter={list.filter} onNarrow={list.narrow} />
          {rows?.length === 0 ? (
            <NoMatch title={t("noMatchTitle")} body={t("noMatchBody")} clear={t("clearFilters")} onClear={list.clear} />
          ) : (
            <>
              {page && <Totals page={page} />}
              <ListTable
                caption={t("caption")}
                columns={columns}
                rows={rows}
                rowKey={(row) => row.id}
                sort={{ by: "date", descending: true }}
                onSort={() => undefined}
                reloading={found.isRefetching || found.isPlaceholderData}
              />
              {found.hasNextPage && (
                <div className="transactions-more">
                  <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                    {t("more")}
                  </Button>
                </div>
              )}
            </>
          )}
        </>
      )}
      {picked.length > 0 && (
        <RetypeBar
          rows={picked}
          onClear={() => setChosen(new Set())}
          onDone={(all) => {
            setRefusal(undefined);
            setOutcomes(all);
            setChosen(new Set());
          }}
          onFailed={(problem) => setRefusal({ undone: t("retypeFailed"), problem })}
        />
      )}
      <Suspense>
        {mayWrite && (list.adding || edited) && (
          <TransactionDrawer
            driverUUID={driverUUID}
            row={edited}
            onFileRefused={(name, problem) => setRefusal({ undone: t("evidenceFailed", { name }), problem })}
            onClose={() => (edited ? list.setEditing("") : list.setAdding(false))}
          />
        )}
        {list.shownHistory && <HistoryDialog id={list.shownHistory} onClose={() => list.showHistory("")} />}
      </Suspense>
    </>
  );
}

// Deleting is done at once and can be taken back for a few seconds.
function useRemoval(refuse: (refusal: Refusal | undefined) => void) {
  const { t } = useTranslation("transactions");
  const named = useRowName();
  const remove = useRemoveTransaction();
  const restore = useRestoreTransaction();
  const offerUndo = useUndoToast();
  return (row: Transaction) => {
    const name = named(row);
    const undo = () =>
      restore.mutate(row, { onError: (problem) => refuse({ undone: t("restoreFailed", { name }), problem }) });
    refuse(undefined);
    remove.mutate(row, {
      onSuccess: () => offerUndo({ icon: Trash2, text: t("removed", { name }), undo }),
      onError: (problem) => refuse({ undone: t("removeFailed", { name }), problem }),
    });
  };
}

function RefusalNotice({ undone, problem }: Refusal) {
  const { t } = useTranslation("faults");
  return (
    <div className="transactions-notice">
      <Notice tone="danger">
        {undone} {t(problem.code, { replace: problem.params })}
      </Notice>
    </div>
  );
}

/** What became of every row, with the reason where one was refused. */
function Outcomes({ outcomes, rows }: { outcomes: readonly Outcome[]; rows: readonly Transaction[] }) {
  const { t } = useTranslation(["transactions", "faults"]);
  const named = useRowName();
  const refused = outcomes.filter(({ done }) => !done);
  return (
    <div className="transactions-notice">
      <Notice tone={refused.length > 0 ? "warning" : "info"}>
        {t("retypeResult", { done: outcomes.length - refused.length, refused: refused.length })}
        {refused.length > 0 && (
          <ul>
            {refused.map(({ id, code }) => {
              const row = rows.find((other) => other.id === id);
              return (
                <li key={id}>
                  {row && named(row)} {code && t(`faults:${code}`)}
                </li>
              );
            })}
          </ul>
        )}
      </Notice>
    </div>
  );
}
