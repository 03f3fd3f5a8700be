import { useTranslation } from "../../i18n/translation";
import { SearchField } from "../../components/search-field";
import { type Filter, useProviders, useTypes } from "./queries";

interface FiltersProps {
  filter: Filter;
  onNarrow: (part: Partial<Filter>) => void;
}

/** What narrows the list: words, type, provider, state and days. */
export function Filters({ filter, onNarrow }: FiltersProps) {
  const { t } = useTranslation("transactions");
  const types = useTypes().data ?? [];
  const providers = useProviders().data ?? [];
  return (
    <div className="transactions-filter">
      <SearchField label={t("search")} value={filter.q} onChange={(q) => onNarrow({ q })} />
      <select
        aria-label={t("type")}
        value={filter.type}
        onChange={({ target }) => onNarrow({ type: target.value as Filter["type"] })}
      >
        <option value="">{t("allTypes")}</option>
        {types.map(({ type }) => (
          <option key={type} value={type}>
            {t(`type_${type}`)}
          </option>
        ))}
      </select>
      <select
        aria-label={t("provider")}
        value={filter.provider}
        onChange={({ target }) => onNarrow({ provider: target.value })}
      >
        <option value="">{t("allProviders")}</option>
        {providers.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={t("state")}
        value={filter.state}
        onChange={({ target }) => onNarrow({ state: target.value as Filter["state"] })}
      >
        <option value="">{t("allStates")}</option>
        <option value="unsettled">{t("unsettled")}</option>
        <option value="settled">{t("settled")}</option>
      </select>
      <label>
        {t("from")}
        <input type="date" value={filter.from} onChange={({ target }) => onNarrow({ from: target.value })} />
      </label>
      <label>
        {t("to")}
        <input type="date" value={filter.to} onChange={({ target }) => onNarrow({ to: target.value })} />
      </label>
    </div>
  );
}
