import { Select } from "antd";
import { ChevronLeft, ChevronRight, LockOpen, MailCheck, UserRoundCheck } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { useSession } from "../../session/session";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { ListTable } from "../../kit/list-table";
import { PageHeader } from "../../components/page-header";
import { SearchField } from "../../components/search-field";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { BulkBar, Outcomes, useMany } from "./bulk";
import { nameOf, useProfileColumns } from "./profile-columns";
import { links, MANY, SIZE, type Tab, tabs, useProfileList } from "./profile-list";
import { type Counts, type Row, useProfiles } from "./queries";
import "./profiles.css";

const LinkDrawer = lazy(() => import("./link-drawer"));

type List = ReturnType<typeof useProfileList>;

const icons = { email: MailCheck, new: UserRoundCheck, blocked: LockOpen };

export default function ProfilesPage() {
  const { t } = useTranslation(["profiles", "faults"]);
  const may = useSession().may("drivers.write");
  const list = useProfileList();
  const found = useProfiles(list.filter);
  const many = useMany();
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const page = found.data;
  const clear = () => setChosen(new Map());
  const toggle = (row: Row) =>
    setChosen((before) => {
      const after = new Map(before);
      if (!after.delete(row.id) && after.size < MANY) after.set(row.id, nameOf(row));
      return after;
    });
  const columns = useProfileColumns(list.tab, {
    may,
    chosen: { has: (id) => chosen.has(id), toggle },
    link: list.openLink,
    act: (what, row) => void many.run(what, new Map([[row.id, nameOf(row)]])),
  });
  const rows = page?.profiles;
  const nobody = t(`empty_${list.tab}`);
  const none = page?.total === 0 && !list.filtered;
  return (
    <>
      <PageHeader title={t("title")} />
      <Filters
        list={list}
        counts={page?.counts}
        onTab={(tab) => {
          clear();
          list.setTab(tab);
        }}
      />
      <p className="profiles-lead">{t(`lead_${list.tab}`)}</p>
      <Outcomes many={many} onDecide={list.openLink} />
      {found.isError && !page ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : none ? (
        <FirstUse
          icon={icons[list.tab]}
          title={nobody}
          body={t(`emptyBody_${list.tab}`)}
          action={list.tab === "email" && may && <Link to="/drivers?add=driver">{t("addDriver")}</Link>}
        />
      ) : page?.total === 0 ? (
        <NoMatch title={t("noMatchTitle")} body={t("noMatchBody")} clear={t("clearFilters")} onClear={list.clear} />
      ) : (
        <>
          {may && rows && rows.length > 0 && <SelectPage rows={rows} chosen={chosen} onChange={setChosen} />}
          <div className={may ? "profiles-list profiles-choosing" : "profiles-list"}>
            <ListTable
              caption={t("caption")}
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              sort={{ by: "name", descending: false }}
              onSort={() => undefined}
              reloading={found.isFetching && page !== undefined}
            />
          </div>
          {page && page.total > SIZE && <Pages total={page.total} page={list.page} onPage={list.setPage} />}
        </>
      )}
      {may && chosen.size > 0 && <BulkBar tab={list.tab} chosen={chosen} many={many} onClear={clear} />}
      <Suspense>
        {may && list.linking && <LinkDrawer profile={list.linking} from={list.from} onClose={list.closeLink} />}
      </Suspense>
    </>
  );
}

function Filters({ list, counts, onTab }: { list: List; counts: Counts | undefined; onTab: (tab: Tab) => void }) {
  const { t } = useTranslation("profiles");
  const language = useLanguage();
  return (
    <div className="profiles-filter">
      <div className="profiles-tabs" role="group" aria-label={t("tabs")}>
        {tabs.map((tab) => (
          <button
            key={tab}
            type="button"
            className="profiles-tab"
            aria-pressed={list.tab === tab}
            onClick={() => onTab(tab)}
          >
            {t(`tab_${tab}`)} {counts && <span>{count(counts[tab], language)}</span>}
          </button>
        ))}
      </div>
      <SearchField label={t("search")} value={list.query} onChange={list.setQuery} />
      {list.tab === "email" && (
        <Select
          aria-label={t("linkedFilter")}
          className="profiles-linked"
          value={list.linked}
          onChange={list.setLinked}
          options={links.map((value) => ({ value, label: t(`linked_${value || "any"}`) }))}
        />
      )}
    </div>
  );
}

/** Chooses everybody on the page, or nobody of it. */
function SelectPage(props: {
  rows: readonly Row[];
  chosen: ReadonlyMap<string, string>;
  onChange: (chosen: ReadonlyMap<string, string>) => void;
}) {
  const { t } = useTranslation("profiles");
  const { rows, chosen } = props;
  const all = rows.every(({ id }) => chosen.has(id));
  const change = () => {
    const after = new Map(chosen);
    for (const row of rows)
      if (all) after.delete(row.id);
      else if (after.size < MANY) after.set(row.id, nameOf(row));
    props.onChange(after);
  };
  return (
    <label className="profiles-all">
      <input type="checkbox" className="profiles-tick" checked={all} onChange={change} />
      {t("selectPage", { number: rows.length })}
    </label>
  );
}

function Pages({ total, page, onPage }: { total: number; page: number; onPage: (page: number) => void }) {
  const { t } = useTranslation("profiles");
  const to = Math.min(page * SIZE, total);
  return (
    <nav className="profiles-pages" aria-label={t("caption")}>
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
