import { Coins, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Popover } from "../../components/popover";
import { SearchField } from "../../components/search-field";
import { parseHundredths } from "../../format/hundredths";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useAmounts } from "../../session/amounts";
import type { PendingList } from "./pending-list";
import { PeriodStepper } from "../../kit/period-stepper";
import type { Period } from "../../kit/periods";
import { useSchemaChoices, useTagChoices } from "./queries";
import { remarks } from "./remarks";

interface FiltersProps {
  list: PendingList;
  periods: readonly Period[] | undefined;
  /** How many of the filter have a remark. */
  warned: number | undefined;
}

/** What narrows the list: period, words, schema, tag, amount, remarks. */
export function Filters({ list, periods, warned }: FiltersProps) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  const schemas = useSchemaChoices().data ?? [];
  return (
    <div className="settlements-filter">
      <PeriodStepper periods={periods} value={list.period} onChange={list.setPeriod} />
      <SearchField label={t("search")} value={list.query} onChange={list.setQuery} />
      {schemas.length > 1 && (
        <select
          className="settlements-select"
          aria-label={t("schemaFilter")}
          value={list.schema || ""}
          onChange={({ target }) => list.setSchema(target.value)}
        >
          <option value="">{t("anySchema")}</option>
          {schemas.map(({ schemaNumber, name }) => (
            <option key={schemaNumber} value={schemaNumber}>
              {name}
            </option>
          ))}
        </select>
      )}
      <TagFilter value={list.tag} onChange={list.setTag} />
      <AmountFilter list={list} />
      <button
        type="button"
        className="settlements-toggle"
        aria-pressed={list.warning !== ""}
        onClick={() => list.setWarning(list.warning === "" ? "any" : "")}
      >
        <TriangleAlert aria-hidden size={16} strokeWidth={1.75} />
        {t("withRemarks")} {warned !== undefined && <span>{count(warned, language)}</span>}
      </button>
      {list.warning !== "" && (
        <select
          className="settlements-select"
          aria-label={t("remarkFilter")}
          value={list.warning}
          onChange={({ target }) => list.setWarning(target.value)}
        >
          <option value="any">{t("anyRemark")}</option>
          {remarks.map(({ code }) => (
            <option key={code} value={code}>
              {t(`check_${code}`)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

export function TagFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { t } = useTranslation("settlements");
  const tags = useTagChoices().data ?? [];
  if (tags.length === 0) return null;
  return (
    <select
      className="settlements-select"
      aria-label={t("tagFilter")}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{t("anyTag")}</option>
      {tags.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** From how much to how much is due, behind a button that says what is asked for. */
function AmountFilter({ list }: { list: PendingList }) {
  const { t } = useTranslation("settlements");
  const { plain } = useAmounts();
  const shown = (minor: string) => (minor ? plain(Number(minor)) : "");
  const [least, most] = [shown(list.least), shown(list.most)];
  const said = least || most ? t("amountBetween", { from: least || "…", to: most || "…" }) : t("amount");
  return (
    <Popover
      label={t("amount")}
      triggerLabel={said}
      triggerClass="settlements-toggle"
      align="start"
      trigger={
        <>
          <Coins aria-hidden size={16} strokeWidth={1.75} />
          {said}
        </>
      }
    >
      {(close) => (
        <AmountForm
          least={least}
          most={most}
          onSet={(from, to) => {
            close();
            list.setAmounts(from, to);
          }}
        />
      )}
    </Popover>
  );
}

function AmountForm(props: { least: string; most: string; onSet: (least: string, most: string) => void }) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  const [typed, setTyped] = useState({ least: props.least, most: props.most });
  const read = (text: string) => (text.trim() === "" ? "" : parseHundredths(text, language)?.toString());
  const [least, most] = [read(typed.least), read(typed.most)];
  const field = (name: "least" | "most", label: string, value: string | undefined) => (
    <label>
      {label}
      <input
        inputMode="decimal"
        value={typed[name]}
        aria-invalid={value === undefined}
        onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
      />
      {value === undefined && <span role="alert">{t("amountWrong")}</span>}
    </label>
  );
  return (
    <form
      className="settlements-amounts"
      onSubmit={(event) => {
        event.preventDefault();
        if (least !== undefined && most !== undefined) props.onSet(least, most);
      }}
    >
      {field("least", t("amountFrom"), least)}
      {field("most", t("amountTo"), most)}
      <div>
        <Button onClick={() => props.onSet("", "")}>{t("amountClear")}</Button>
        <Button kind="primary" type="submit">
          {t("amountSet")}
        </Button>
      </div>
    </form>
  );
}
