import { Button, Select } from "antd";
import { ChevronLeft, ChevronRight, Plus, UsersRound } from "lucide-react";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../app/session";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { ListTable } from "../../components/list-table";
import { PageHeader } from "../../components/page-header";
import { SearchField } from "../../components/search-field";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useDriverColumns } from "./driver-columns";
import { SIZE, useDriverList, views } from "./driver-list";
import { NamesakesLink } from "./namesakes-link";
import { type Counts, useDrivers, useTagChoices } from "./queries";
import "./drivers.css";

const loadDrawer = () => import("./driver-drawer");
const DriverDrawer = lazy(loadDrawer);

type List = ReturnType<typeof useDriverList>;

export default function DriversPage() {
  const { t } = useTranslation("drivers");
  const mayWrite = useSession().may("drivers.write");
  const list = useDriverList();
  const drivers = useDrivers(list.filter);
  const columns = useDriverColumns();
  const page = drivers.data;
  const none = page?.counts.all === 0 && !list.filtered;
  const addButton = mayWrite && (
    <Button
      type="primary"
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
        meta={page && !none && t("count", { count: page.total })}
        actions={
          !none &&
          !(drivers.isError && !page) && (
            <>
              <NamesakesLink />
              {addButton}
            </>
          )
        }
      />
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
          <Filters list={list} counts={page?.counts} />
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
          {page && page.total > SIZE && <Pages total={page.total} page={list.page} onPage={list.setPage} />}
        </>
      )}
      <Suspense>{mayWrite && list.adding && <DriverDrawer onClose={() => list.setAdding(false)} />}</Suspense>
    </>
  );
}

function Filters({ list, counts }: { list: List; counts: Counts | undefined }) {
  const { t } = useTranslation("drivers");
  const language = useLanguage();
  const tags = useTagChoices();
  return (
    <div className="drivers-filter">
      <SearchField label={t("search")} value={list.query} onChange={list.setQuery} />
      {tags.data && tags.data.length > 0 && (
        <Select
          aria-label={t("tagFilter")}
          className="drivers-tag"
          value={list.tag}
          onChange={list.setTag}
          options={[{ value: "", label: t("anyTag") }, ...tags.data]}
        />
      )}
      <div className="drivers-views" role="group" aria-label={t("show")}>
        {views.map((view) => (
          <button
            key={view.key}
            type="button"
            className="drivers-view"
            aria-pressed={list.view === view.key}
            onClick={() => list.setView(view.key)}
          >
            {t(view.label)} {counts && <span>{count(counts[view.count], language)}</span>}
          </button>
        ))}
      </div>
    </div>
  );
}

function Pages({ total, page, onPage }: { total: number; page: number; onPage: (page: number) => void }) {
  const { t } = useTranslation("drivers");
  const to = Math.min(page * SIZE, total);
  return (
    <nav className="drivers-pages" aria-label={t("caption")}>
      <span aria-live="polite">{t("range", { from: Math.min((page - 1) * SIZE + 1, total), to, total })}</span>
      <Button
        aria-label={t("previous")}
        icon={<ChevronLeft aria-hidden size={16} strokeWidth={1.75} />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <Button
        aria-label={t("next")}
        icon={<ChevronRight aria-hidden size={16} strokeWidth={1.75} />}
        disabled={to >= total}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  );
}
