import { Trash2 } from "lucide-react";
import { Button } from "../../components/button";
import { useTranslation } from "../../i18n/translation";
import type { Term } from "../../reports/calls";
import type { Draft, Filter } from "./draft";
import { picker } from "./picker";
import type { Subject } from "./queries";
import styles from "./editor.module.css";

interface FilterFieldsProps {
  subject: Subject;
  draft: Draft;
  onChange: (draft: Draft) => void;
  error: string | undefined;
}

/** Spans of days are asked for by the report itself. */
const DAYS = new Set(["day", "week", "month"]);

/** Which rows count: by values that are fixed, or that whoever runs the report chooses. */
export function FilterFields({ subject, draft, onChange, error }: FilterFieldsProps) {
  const { t } = useTranslation("reports");
  const { filters } = draft;
  const left = subject.dimensions.filter(({ key }) => !DAYS.has(key) && filters.every(({ field }) => field !== key));
  const set = (next: readonly Filter[]) => onChange({ ...draft, filters: next });
  return (
    <fieldset className={styles.part}>
      <legend>{t("filters")}</legend>
      {filters.map((filter, nth) => (
        <FilterRow
          key={`${filter.field} ${filter.ask ?? ""}`}
          filter={filter}
          term={subject.dimensions.find(({ key }) => key === filter.field)}
          onChange={(next) => set(filters.map((one, at) => (at === nth ? next : one)))}
          onRemove={() => set(filters.filter((_, at) => at !== nth))}
        />
      ))}
      {left.length > 0 && (
        <select
          aria-label={t("addFilter")}
          value=""
          onChange={({ target }) => {
            const field = target.value;
            if (field) set([...filters, { field, ask: field, many: true, required: false, title: undefined, is: [] }]);
          }}
        >
          <option value="">{t("addFilter")}</option>
          {left.map(({ key, title }) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </select>
      )}
      {error && <p className="field-error">{error}</p>}
    </fieldset>
  );
}

interface FilterRowProps {
  filter: Filter;
  term: Term | undefined;
  onChange: (filter: Filter) => void;
  onRemove: () => void;
}

function FilterRow({ filter, term, onChange, onRemove }: FilterRowProps) {
  const { t } = useTranslation("reports");
  const name = term?.title ?? filter.field;
  const asked = filter.ask !== undefined;
  return (
    <div className={styles.filter}>
      <div className={styles.row}>
        <span>{name}</span>
        <select
          aria-label={t("filterHow", { name })}
          value={asked ? "ask" : "fixed"}
          onChange={({ target }) =>
            onChange(
              target.value === "ask"
                ? { ...filter, ask: filter.field, is: [] }
                : { ...filter, ask: undefined, title: undefined },
            )
          }
        >
          <option value="ask">{t("filterAsk")}</option>
          <option value="fixed">{t("filterFixed")}</option>
        </select>
        <Button
          kind="text"
          aria-label={t("takeAway", { name })}
          icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
          onClick={onRemove}
        />
      </div>
      {!asked && term && <Values filter={filter} term={term} onChange={onChange} />}
    </div>
  );
}

function Values({ filter, term, onChange }: { filter: Filter; term: Term; onChange: (filter: Filter) => void }) {
  const { t } = useTranslation("reports");
  const { values, kind, title } = term;
  const set = (is: readonly string[]) => onChange({ ...filter, is });
  if (values)
    return (
      <div className={styles.values}>
        {values.map(({ key, title: name }) => (
          <label key={key} className={styles.box}>
            <input
              type="checkbox"
              checked={filter.is.includes(key)}
              onChange={({ target }) =>
                set(target.checked ? [...filter.is, key] : filter.is.filter((one) => one !== key))
              }
            />
            {name}
          </label>
        ))}
      </div>
    );
  if (kind === "tag" || kind === "driver")
    return picker({ term: { ...term, many: true }, chosen: filter.is, onChange: set, id: `filter-${term.key}` });
  return (
    <input
      aria-label={t("filterValues", { name: title })}
      placeholder={t("commas")}
      defaultValue={filter.is.join(", ")}
      onChange={({ target }) =>
        set(
          target.value
            .split(",")
            .map((one) => one.trim())
            .filter(Boolean),
        )
      }
    />
  );
}
