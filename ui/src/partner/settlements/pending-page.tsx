import { CircleCheck, CloudUpload } from "lucide-react";
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate } from "react-router";
import { Button } from "../../components/button";
import { useSession } from "../../session/session";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { ListTable } from "../../kit/list-table";
import { PageHeader } from "../../components/page-header";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { SIZE } from "./address";
import { usePendingColumns } from "./pending-columns";
import { Filters } from "./pending-filters";
import { usePendingList } from "./pending-list";
import { Pages } from "./pages";
import { type Period, usePeriods } from "../../kit/periods";
import { allPending, usePending, useSettledCount } from "./queries";
import { useSelection } from "./selection";
import { useSettling } from "./settling";
import { StatesNav } from "./states-nav";
import { Totals } from "./totals";
import "./settlements.css";

const loadDrawer = () => import("./run-drawer");
const RunDrawer = lazy(loadDrawer);
const HiddenRun = lazy(() => import("./hidden-run"));
const loadBar = () => import("./chosen-bar");
const ChosenBar = lazy(loadBar);

/** What can be settled in a period: who, how much, what to look at, and the way to settle it. */
export default function PendingPage() {
  const { t } = useTranslation("settlements");
  const mayWrite = useSession().may("settlements.write");
  const periods = usePeriods();
  const list = usePendingList(periods.data);
  const pending = usePending(list.filter);
  const page = pending.data;
  const selection = useSelection(
    list.period ?? "",
    list.filterKey,
    page?.items.map(({ driverId, payout, refusal }) => ({ id: driverId, payout: refusal ? undefined : payout })),
  );
  const settling = useSettling(list, selection.clear);
  const columns = usePendingColumns({
    period: list.period ?? "",
    providers: page?.totals.providers ?? [],
    selection: mayWrite ? selection : undefined,
    settle: ({ driverId }) => settling.ask({ period: list.period ?? "", drivers: [driverId] }),
  });
  const failed = periods.error ?? (page ? null : pending.error);
  const reloading = pending.isFetching && page !== undefined;

  // Whoever was deeper in a list that became shorter is brought to its end.
  const beyond = page && !pending.isPlaceholderData && page.items.length === 0 && page.totals.drivers > 0;
  const last = page ? Math.ceil(page.totals.drivers / SIZE) : 1;
  // It is here before the first box is ticked.
  useEffect(() => void loadBar().catch(() => undefined), []);
  useEffect(() => {
    if (beyond) list.setPage(last, true);
  });

  const pages = page && page.totals.drivers > SIZE && (
    <Pages total={page.totals.drivers} page={list.page} onPage={list.setPage} />
  );
  const choosing = mayWrite && selection.count > 0;
  return (
    <>
      <PageHeader
        title={t("title")}
        meta={<StatesNav period={list.period} pending={page?.all} />}
        actions={
          mayWrite &&
          page &&
          page.totals.drivers > 0 && (
            <Button
              kind={choosing ? "default" : "primary"}
              disabled={!list.chosen}
              loading={settling.preview.isPending}
              onPointerEnter={() => void loadDrawer()}
              onClick={() => list.chosen && settling.ask(list.chosen)}
            >
              {t("settleAll")}
            </Button>
          )
        }
      />
      <Suspense>{settling.hidden && <HiddenRun settling={settling} />}</Suspense>
      {failed ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={failed}
          onRetry={() => void Promise.all([periods.refetch(), pending.refetch()])}
        />
      ) : (
        <>
          <Filters list={list} periods={periods.data} warned={page?.totals.warned} />
          {page?.all === 0 ? (
            <Nothing period={periods.data?.find(({ code }) => code === list.period)} />
          ) : page?.totals.drivers === 0 ? (
            <NoMatch
              title={t("noMatchTitle")}
              body={t("noMatchBody", { number: page.all })}
              clear={t("clearFilters")}
              onClear={list.clear}
            />
          ) : (
            <div className="settlements-list" data-choosing={choosing || undefined}>
              <div className="settlements-fade" data-reloading={pending.isPlaceholderData || undefined}>
                <Totals totals={page?.totals} />
              </div>
              <ListTable
                caption={t("caption")}
                columns={columns}
                rows={page?.items}
                rowKey={({ driverId }) => driverId}
                sort={list.sort}
                onSort={(sort) => list.setSort(sort)}
                reloading={reloading}
              />
              {!choosing && pages}
            </div>
          )}
        </>
      )}
      {choosing && page && (
        <Suspense>
          <ChosenBar
            selection={selection}
            total={page.totals.drivers}
            settleable={page.totals.settleable}
            load={() => (list.chosen ? allPending(list.chosen) : Promise.resolve(new Map()))}
            pages={pages}
            busy={settling.preview.isPending}
            onSettle={() => settling.ask({ period: list.period ?? "", drivers: selection.ids })}
            onNear={() => void loadDrawer()}
          />
        </Suspense>
      )}
      <Suspense>
        {settling.open && <RunDrawer settling={settling} periods={periods.data ?? []} onShow={list.showOf} />}
      </Suspense>
    </>
  );
}

/** A period without anything pending: nothing has come yet, or everything is settled. */
function Nothing({ period }: { period: Period | undefined }) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  const navigate = useNavigate();
  const { may } = useSession();
  const mayImport = may("imports.read");
  const mayPay = may("payouts.write");
  const maySend = may("settlements.write");
  const settled = useSettledCount("settled", period?.code) ?? 0;
  const paid = useSettledCount("paid", period?.code) ?? 0;
  const days = period ? daySpan(period.firstOn, period.lastOn, language) : "";
  if (settled + paid > 0)
    return (
      <FirstUse
        icon={CircleCheck}
        title={t("allSettledTitle")}
        body={t("allSettledBody", { days, number: settled + paid })}
        action={
          <>
            {settled > 0 && mayPay && (
              <Button kind="primary" onClick={() => void navigate(`/payouts/new?period=${period?.code ?? ""}`)}>
                {t("transfersNext")}
              </Button>
            )}
            {settled > 0 && maySend && (
              <Button onClick={() => void navigate(`/settlements/settled?period=${period?.code ?? ""}&send=all`)}>
                {t("sendNext", { number: settled })}
              </Button>
            )}
            <Link to={`/settlements/settled?period=${period?.code ?? ""}`}>{t("showSettled")}</Link>
          </>
        }
      />
    );
  return (
    <FirstUse
      icon={CloudUpload}
      title={t("emptyTitle")}
      body={t("emptyBody", { days })}
      action={
        mayImport && (
          <Button kind="primary" onClick={() => void navigate("/upload")}>
            {t("upload")}
          </Button>
        )
      }
    />
  );
}
