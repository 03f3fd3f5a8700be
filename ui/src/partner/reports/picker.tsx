import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useDriverChoices, useTagChoices } from "../../kit/lookups";
import type { Picker } from "../../reports/fields";
import styles from "./editor.module.css";

/** Chooses tags and drivers of the partner. */
export const picker: Picker = (of) =>
  of.term.kind === "tag" ? <TagPicker {...of} /> : <DriverPicker key={of.term.key} {...of} />;

type PickerProps = Parameters<Picker>[0];

function TagPicker({ term: { many = false }, chosen, onChange, id }: PickerProps) {
  const { t } = useTranslation("reports");
  const tags = useTagChoices().data ?? [];
  const left = tags.filter(({ value }) => !chosen.includes(value));
  return (
    <Chosen
      chosen={chosen.map((value) => ({ value, label: tags.find((tag) => tag.value === value)?.label ?? value }))}
      onChange={onChange}
    >
      {(many || chosen.length === 0) && (
        <select id={id} value="" onChange={({ target }) => target.value && onChange([...chosen, target.value])}>
          <option value="">{t(chosen.length > 0 ? "addTag" : "any")}</option>
          {left.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Chosen>
  );
}

function DriverPicker({ term: { many = false }, chosen, onChange, id }: PickerProps) {
  const { t } = useTranslation("reports");
  const [q, setQ] = useState("");
  const [names, setNames] = useState<Record<string, string>>({});
  const found = useDriverChoices(q).data ?? [];
  const list = `${id}-drivers`;
  const named = found.map((one) => ({ value: one.id, label: `${one.lastName} ${one.firstName}` }));
  return (
    <Chosen chosen={chosen.map((value) => ({ value, label: names[value] ?? value }))} onChange={onChange}>
      {(many || chosen.length === 0) && (
        <>
          <input
            id={id}
            list={list}
            autoComplete="off"
            placeholder={t("findDriver")}
            value={q}
            onChange={({ target }) => {
              const hit = named.find(({ label }) => label === target.value);
              setQ(hit ? "" : target.value);
              if (!hit) return;
              setNames((before) => ({ ...before, [hit.value]: hit.label }));
              if (!chosen.includes(hit.value)) onChange([...chosen, hit.value]);
            }}
          />
          <datalist id={list}>
            {named.map(({ value, label }) => (
              <option key={value} value={label} />
            ))}
          </datalist>
        </>
      )}
    </Chosen>
  );
}

interface ChosenProps {
  chosen: readonly { value: string; label: string }[];
  onChange: (values: string[]) => void;
  children: React.ReactNode;
}

function Chosen({ chosen, onChange, children }: ChosenProps) {
  const { t } = useTranslation("reports");
  return (
    <div className={styles.chosen}>
      {chosen.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-label={t("takeAway", { name: label })}
          onClick={() => onChange(chosen.map((one) => one.value).filter((one) => one !== value))}
        >
          {label}
          <X aria-hidden size={14} strokeWidth={2} />
        </button>
      ))}
      {children}
    </div>
  );
}
