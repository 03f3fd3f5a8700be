import { Select } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "../../i18n/translation";
import { SearchField } from "../../components/search-field";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { type useDriverList, views } from "./driver-list";
import { useTagChoices } from "../../kit/lookups";
import { type Counts } from "./queries";

interface FiltersProps {
  list: ReturnType<typeof useDriverList>;
  counts: Counts | undefined;
  /** Stands at the far end. */
  children: ReactNode;
}

export function Filters({ list, counts, children }: FiltersProps) {
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
      <label className="drivers-income" title={t("incomeHelp")}>
        <input type="checkbox" checked={list.income} onChange={({ target }) => list.setIncome(target.checked)} />
        {t("income")}
      </label>
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
      <div className="drivers-far">{children}</div>
    </div>
  );
}
