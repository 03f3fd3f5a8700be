import { ArrowRightToLine, Ban, ChevronDown, CircleCheck, Eye, FilePlus, FileSpreadsheet } from "lucide-react";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate } from "react-router";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useSession } from "../../session/session";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { ExportMenu } from "../../components/export-menu";
import { ListTable } from "../../kit/list-table";
import { Notice } from "../../components/notice";
import { Menu, MenuItem } from "../../components/menu";
import { PageHeader } from "../../components/page-header";
import { SearchField } from "../../components/search-field";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { SIZE, useAddress } from "./address";
import { type Act, useBulk } from "./bulk";
import { BulkResult } from "./bulk-result";
import { exportSettled } from "./files";
import { Pages } from "./pages";
import { TagFilter } from "./pending-filters";
import { PeriodStepper } from "../../kit/period-stepper";
import { usePeriods } from "../../kit/periods";
import { useSelection } from "./selection";
import { SelectionBar } from "./selection-bar";
import { FailedNotice } from "./failed-notice";
import { type SendRequest, usePrepare } from "./sending-queries";
import { SendingNotice } from "./sending-notice";
import { actsOf, useSettledColumns } from "./settled-columns";
import { useSettledList } from "./settled-list";
import { allSettled, carry, issue, pay, revoke, type Settled, share, unpay, useSettled } from "./settled-queries";
import { StatesNav } from "./states-nav";
import { Figure } from "./totals";
import "./settlements.css";

const PayDialog = lazy(async () => ({ default: (await import("./pay-dialog")).PayDialog }));
const SendingDialog = lazy(async () => ({ default: (await import("./sending-dialog")).SendingDialog }));
const RevokeDialog = lazy(async () => ({ default: (await import("./revoke-dialog")).RevokeDialog }));
const ReportDialog = lazy(async () => ({ default: (await import("./report-dialog")).ReportDialog }));

/** What a dialog asks about before it is done. */
interface Question {
  act: "pay" | "revoke";
  rows: readonly Settled[];
}

/** What is settled or paid: where each settlement stands, and everything that can become of it. */
export function SettledPage({ state }: { state: "settled" | "paid" }) {
  const { t } = useTranslation(["settlements", "sending", "faults"]);
  const language = useLanguage();
  const session = useSession();
  const mayWrite = session.may("settlements.write");
  const mayPay = session.may("payouts.write");
  const navigate = useNavigate();
  const periods = usePeriods();
  const list = useSettledList(state);
  const settled = useSettled(list.filter);
  const page = settled.data;
  const bulk = useBulk();
  const [question, setQuestion] = useState<Question>();
  const [adding, setAdding] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [notMade, setNotMade] = useState<Problem>();
  const [reporting, setReporting] = useState(false);
  const { prepare, prepared, setPrepared, preparing } = useSendings(setProblem);
  const address = useAddress();
  const acting = mayWrite && !list.revoked && !list.all;
  const selection = useSelection(
    `${state} ${list.revoked} ${list.all}`,
    list.filterKey,
    page?.items.map((row) => ({ id: row.id, payout: actsOf(row).length > 0 ? row.payout : undefined })),
  );
  // Everything that was ever on screen: a selection reaches over pages.
  const known = useRef(new Map<string, Settled>());
  useEffect(() => {
    for (const row of page?.items ?? []) known.current.set(row.id, row);
  }, [page]);

  const act = async (what: Act, rows: readonly Settled[], said = "") => {
    setQuestion(undefined);
    // The newest first: older ones may wait for them to be revoked.
    const sorted = [...rows].sort((a, b) => b.number - a.number);
    const calls: Record<Act, (ids: string[]) => ReturnType<typeof carry>> = {
      pay: (ids) => pay(ids, said),
      revoke: (ids) => revoke(ids, said),
      unpay,
      carry,
      share,
      issue,
    };
    await bulk.run(what, sorted, calls[what]);
    selection.clear();
  };
  const ask = (what: Act, rows: readonly Settled[]) => {
    if (what === "pay" || what === "revoke") setQuestion({ act: what, rows });
    else void act(what, rows);
  };
  const askChosen = (what: Act) =>
    ask(
      what,
      selection.ids.flatMap((id) => known.current.get(id) ?? []),
    );
  const columns = useSettledColumns({
    selection: acting ? selection : undefined,
    act: (what, row) => ask(what, [row]),
    send: (row) => void prepare({ ids: [row.id], again: row.bill !== null && row.bill.state !== "failed" }),
  });

  const beyond = page && !settled.isPlaceholderData && page.items.length === 0 && page.totals.count > 0;
  const last = page ? Math.ceil(page.totals.count / SIZE) : 1;
  useEffect(() => {
    if (beyond) list.setPage(last, true);
  });

  const selectAll = async () => {
    setAdding(true);
    setProblem(undefined);
    try {
      const rows = (await allSettled(list.chosen)).filter((row) => actsOf(row).length > 0);
      for (const row of rows) known.current.set(row.id, row);
      selection.add(new Map(rows.map(({ id, payout }) => [id, payout])));
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    } finally {
      setAdding(false);
    }
  };
  const choosing = acting && selection.count > 0;
  // Whoever comes to send what was just settled sees the dry run of it, once.
  const sendAll = useEffectEvent(() => {
    address.set({ send: "" });
    if (acting) void prepare({ state, ...list.narrowed });
  });
  const wantsToSend = address.read("send") === "all";
  useEffect(() => {
    if (wantsToSend) sendAll();
  }, [wantsToSend]);
  const pages = page && page.totals.count > SIZE && (
    <Pages total={page.totals.count} page={list.page} onPage={list.setPage} />
  );
  return (
    <>
      <PageHeader
        title={t("title")}
        meta={<StatesNav period={list.period} />}
        actions={
          page && (
            <>
              {state === "paid" && (
                <button type="button" className="settlements-button" onClick={() => setReporting(true)}>
                  <FileSpreadsheet aria-hidden size={16} strokeWidth={1.75} />
                  {t("report")}
                </button>
              )}
              {page.totals.count > 0 && (
                <ExportMenu
                  texts={{ export: t("export"), exporting: t("exporting"), csv: t("exportCsv"), xlsx: t("exportXlsx") }}
                  triggerClass="settlements-button"
                  make={(format) => exportSettled(list.chosen, format, language)}
                  onProblem={setNotMade}
                />
              )}
              {acting && page.totals.count > 0 && (
                <Button loading={preparing} onClick={() => void prepare({ state, ...list.narrowed })}>
                  {t("sending:sendAll")}
                </Button>
              )}
              {acting && state === "settled" && mayPay && page.totals.payout > 0 && (
                <Button
                  kind={choosing ? "default" : "primary"}
                  onClick={() => void navigate(`/payouts/new${list.period ? `?period=${list.period}` : ""}`)}
                >
                  {t("transfersNext")}
                </Button>
              )}
            </>
          )
        }
      />
      <SendingNotice id={address.read("sending")} onClose={() => address.set({ sending: "" })} />
      {mayWrite && <FailedNotice />}
      <BulkResult bulk={bulk} />
      {problem && (
        <div className="settlements-notice">
          <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>
        </div>
      )}
      {notMade && (
        <div className="settlements-notice">
          <Notice tone="danger">
            {t("exportFailed")} {t(`faults:${notMade.code}`, { replace: notMade.params })}
          </Notice>
        </div>
      )}
      <div className="settlements-filter">
        <PeriodStepper all periods={periods.data} since={list.since} value={list.period} onChange={list.setPeriod} />
        <SearchField label={t("search")} value={list.query} onChange={list.setQuery} />
        <TagFilter value={list.tag} onChange={list.setTag} />
        {state === "settled" && (
          <>
            <button
              type="button"
              className="settlements-toggle"
              aria-pressed={list.all}
              onClick={() => list.setAll(!list.all)}
            >
              <CircleCheck aria-hidden size={16} strokeWidth={1.75} />
              {t("withPaid")}
            </button>
            <button
              type="button"
              className="settlements-toggle"
              aria-pressed={list.revoked}
              onClick={() => list.setRevoked(!list.revoked)}
            >
              <Ban aria-hidden size={16} strokeWidth={1.75} />
              {t("revoked")}
            </button>
          </>
        )}
      </div>
      {settled.isError && !page ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={settled.error}
          onRetry={() => void settled.refetch()}
        />
      ) : page?.totals.count === 0 ? (
        list.filtered ? (
          <NoMatch title={t("noneHereTitle")} body={t("noneHereBody")} clear={t("clearFilters")} onClear={list.clear} />
        ) : (
          <FirstUse
            icon={CircleCheck}
            title={t(list.revoked ? "noneRevoked" : state === "paid" ? "nonePaid" : "noneSettled")}
            body={t(list.revoked ? "noneRevokedBody" : state === "paid" ? "nonePaidBody" : "noneSettledBody")}
          />
        )
      ) : (
        <div className="settlements-list" data-choosing={choosing || undefined}>
          {page && <Sums totals={page.totals} ruled={!list.revoked && !list.all} />}
          <ListTable
            caption={t(state === "paid" ? "captionPaid" : "captionSettled")}
            columns={columns}
            rows={page?.items}
            rowKey={({ id }) => id}
            sort={list.sort}
            onSort={(sort) => list.setSort(sort)}
            reloading={settled.isFetching && page !== undefined}
          />
          {!choosing && pages}
        </div>
      )}
      {choosing && page && (
        <SelectionBar
          selection={selection}
          total={page.totals.count}
          more={selection.hidden || selection.count < page.totals.count ? page.totals.count : 0}
          adding={adding}
          onAll={() => void selectAll()}
          pages={pages}
        >
          <Menu
            label={t("moreActs")}
            trigger={
              <>
                <span>{t("moreActs")}</span>
                <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
              </>
            }
            triggerClass="button button-default button-middle"
            placement="above"
            align="end"
          >
            <MenuItem icon={Eye} onSelect={() => askChosen("share")}>
              {t("act_share")}
            </MenuItem>
            <MenuItem icon={FilePlus} onSelect={() => askChosen("issue")}>
              {t("act_issue")}
            </MenuItem>
            {page.totals.notCarriedCount > 0 && (
              <MenuItem icon={ArrowRightToLine} onSelect={() => askChosen("carry")}>
                {t("act_carry")}
              </MenuItem>
            )}
            {state === "settled" && (
              <MenuItem icon={Ban} onSelect={() => askChosen("revoke")}>
                {t("act_revoke")}
              </MenuItem>
            )}
          </Menu>
          <Button loading={preparing} onClick={() => void prepare({ ids: selection.ids })}>
            {t("sending:sendChosen", { number: selection.count })}
          </Button>
          <Button
            kind={state === "settled" && mayPay ? "default" : "primary"}
            loading={bulk.progress !== undefined}
            onClick={() => askChosen(state === "paid" ? "unpay" : "pay")}
          >
            {t(state === "paid" ? "unpayMany" : "markMany", { number: selection.count })}
          </Button>
          {state === "settled" && mayPay && (
            <Button
              kind="primary"
              onClick={() => void navigate("/payouts/new", { state: { settlements: selection.ids } })}
            >
              {t("transfers")}
            </Button>
          )}
        </SelectionBar>
      )}
      <Suspense>
        {reporting && <ReportDialog onClose={() => setReporting(false)} />}
        {prepared && (
          <SendingDialog
            request={prepared.request}
            id={prepared.id}
            onRequest={(request) => void prepare(request)}
            onStarted={(id) => {
              setPrepared(undefined);
              selection.clear();
              address.set({ sending: id });
            }}
            onClose={() => setPrepared(undefined)}
          />
        )}
        {question?.act === "pay" && (
          <PayDialog
            rows={question.rows}
            onPay={(paidOn) => void act("pay", question.rows, paidOn)}
            onClose={() => setQuestion(undefined)}
          />
        )}
        {question?.act === "revoke" && (
          <RevokeDialog
            rows={question.rows}
            onRevoke={(reason) => void act("revoke", question.rows, reason)}
            onClose={() => setQuestion(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

/** The dry run of sending that is before the person; what cannot be prepared is said. */
function useSendings(onProblem: (problem: Problem | undefined) => void) {
  const [prepared, setPrepared] = useState<{ request: SendRequest; id: string }>();
  const { mutateAsync, isPending } = usePrepare();
  const prepare = async (request: SendRequest) => {
    onProblem(undefined);
    try {
      const { id } = await mutateAsync(request);
      setPrepared({ request, id });
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      onProblem(reason);
    }
  };
  return { prepare, prepared, setPrepared, preparing: isPending };
}

/** How many, and their sums, of the whole filter. */
function Sums({ totals, ruled }: { totals: Parameters<typeof sumsOf>[0]; ruled: boolean }) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  return (
    <dl className="settlements-totals" aria-label={t("totals")}>
      <div>
        <dt>{t("countAll")}</dt>
        <dd>{count(totals.count, language)}</dd>
      </div>
      {sumsOf(totals).map(({ key, minor }) => (
        <div key={key}>
          <dt>{t(key)}</dt>
          <dd>
            <Figure minor={minor} />
          </dd>
        </div>
      ))}
      <div className="settlements-result">
        <dt>{t("payoutAll")}</dt>
        <dd>
          <Figure minor={totals.payout} ruled={ruled} />
        </dd>
      </div>
    </dl>
  );
}

const sumsOf = (totals: { count: number; revenue: number; due: number; payout: number }) =>
  [
    { key: "revenue", minor: totals.revenue },
    { key: "dueOne", minor: totals.due },
  ] as const;
