import { PenLine, Plus, UsersRound } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import type { Problem } from "../../api/problem";
import { useSession } from "../../session/session";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { ExportMenu } from "../../components/export-menu";
import { ListTable } from "../../kit/list-table";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { useLanguage } from "../../i18n";
import { ColumnChooser } from "./column-chooser";
import { useDriverColumns } from "./driver-columns";
import { Filters } from "./driver-filters";
import { sizes, useDriverList } from "./driver-list";
import { Pages } from "./driver-pages";
import { DuplicatesLink } from "./duplicates-link";
import { exportDrivers, useDrivers } from "./queries";
import { useSelection } from "./selection";
import { useShownColumns } from "./shown-columns";
import { TagBar, useManyTags } from "./tag-bar";
import "./drivers.css";

const loadDrawer = () => import("./driver-drawer");
const DriverDrawer = lazy(loadDrawer);

/** What was refused, and what it therefore did not do. */
interface Refusal {
  undone: "exportFailed" | "manyTagsFailed";
  problem: Problem;
}

export default function DriversPage() {
  const { t } = useTranslation(["drivers", "faults"]);
  const language = useLanguage();
  const { may } = useSession();
  const [mayWrite, mayMessage] = [may("drivers.write"), may("messages.write")];
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const list = useDriverList();
  const drivers = useDrivers(list.filter);
  const page = drivers.data;
  const [refusal, setRefusal] = useState<Refusal>();
  const shown = useShownColumns();
  const selection = useSelection(page?.drivers);
  const columns = useDriverColumns(shown.shown, mayWrite ? selection : undefined);
  const refusing = (undone: Refusal["undone"]) => (problem: Problem | undefined) =>
    setRefusal(problem && { undone, problem });
  const tags = useManyTags(refusing("manyTagsFailed"));
  const changeTags = async ({ value, label }: { value: string; label: string }, give: boolean) => {
    if (await tags.apply({ drivers: selection.ids, tag: value, give }, label)) selection.clear();
  };
  const none = page?.counts.all === 0 && !list.filtered;
  const failed = drivers.isError && !page;

  // Whoever was deeper in a list that became shorter is brought to its end.
  const beyond = page && !drivers.isPlaceholderData && page.drivers.length === 0 && page.total > 0;
  const last = page ? Math.ceil(page.total / list.size) : 1;
  useEffect(() => {
    if (beyond) list.setPage(last, true);
  });

  const addButton = mayWrite && (
    <Button
      kind={selection.count > 0 ? "default" : "primary"}
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
        title={t("title")}
        meta={page && !none && <Total total={page.total} all={page.counts.all} />}
        actions={
          !none &&
          !failed && (
            <>
              <DuplicatesLink />
              {mayMessage && list.view !== "blocked" && selection.count === 0 && (
                <Button
                  icon={<PenLine aria-hidden size={16} strokeWidth={1.75} />}
                  onClick={() => void navigate(`/send${list.filtered ? `?list=1&${params}` : ""}`)}
                >
                  {t("writeToThem")}
                </Button>
              )}
              <ExportMenu
                texts={{ export: t("export"), exporting: t("exporting"), csv: t("exportCsv"), xlsx: t("exportXlsx") }}
                triggerClass="drivers-button"
                make={(format) => exportDrivers(list.chosen, format, language)}
                onProblem={refusing("exportFailed")}
              />
              {addButton}
            </>
          )
        }
      />
      {refusal && (
        <div className="drivers-notice">
          <Notice tone="danger">
            {t(refusal.undone)} {t(`faults:${refusal.problem.code}`, { replace: refusal.problem.params })}
          </Notice>
        </div>
      )}
      {none ? (
        <FirstUse icon={UsersRound} title={t("emptyTitle")} body={t("emptyBody")} action={addButton} />
      ) : drivers.isError ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={drivers.error}
          onRetry={() => void drivers.refetch()}
        />
      ) : (
        <>
          <Filters list={list} counts={page?.counts}>
            <ColumnChooser columns={shown} />
          </Filters>
          {page?.total === 0 ? (
            <NoMatch title={t("noMatchTitle")} body={t("noMatchBody")} clear={t("clearFilters")} onClear={list.clear} />
          ) : (
            <div className="drivers-list">
              <ListTable
                caption={t("caption")}
                columns={columns}
                rows={page?.drivers}
                rowKey={({ id }) => id}
                sort={list.sort}
                onSort={list.setSort}
                reloading={drivers.isFetching && page !== undefined}
              />
            </div>
          )}
          {page && page.total > sizes[0] && (
            <Pages total={page.total} page={list.page} size={list.size} onPage={list.setPage} onSize={list.setSize} />
          )}
        </>
      )}
      {mayWrite && selection.count > 0 && (
        <TagBar
          count={selection.count}
          busy={tags.busy}
          onAll={selection.all ? undefined : selection.toggleAll}
          onClear={selection.clear}
          {...(mayMessage && {
            onWrite: () => void navigate(`/send?${new URLSearchParams(selection.ids.map((id) => ["driver", id]))}`),
          })}
          onChange={(tag, give) => void changeTags(tag, give)}
        />
      )}
      <Suspense>{mayWrite && list.adding && <DriverDrawer onClose={() => list.setAdding(false)} />}</Suspense>
    </>
  );
}

/** How many the filter leaves, and of how many where it leaves some out. */
function Total({ total, all }: { total: number; all: number }) {
  const { t } = useTranslation("drivers");
  return total === all ? t("count", { count: total }) : t("countOf", { count: total, all });
}
