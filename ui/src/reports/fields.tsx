import type { ReactNode } from "react";
import type { Problem } from "../api/problem";
import { Field } from "../components/field";
import { useTranslation } from "../i18n/translation";
import type { Parameters, Term } from "./calls";
import { isDated, NAMED_DAYS, valuesOf } from "./parameters";
import styles from "./reports.module.css";

/** Chooses values that only the server knows, such as drivers and tags. */
export type Picker = (of: {
  term: Term;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  id: string;
}) => ReactNode;

interface FieldsProps {
  ask: readonly Term[];
  value: Parameters;
  onChange: (value: Parameters) => void;
  problem?: Problem | null | undefined;
  picker?: Picker | undefined;
  /** Days by their name alone: what is run by itself must not have fixed ones. */
  relative?: boolean;
}

/** What a report asks for: its days and its filters. What the server refuses stands at its field. */
export function Fields({ ask, value, onChange, problem, picker, relative = false }: FieldsProps) {
  const { t } = useTranslation(["reports", "faults", "fields"]);
  const refused = (name: string) => {
    const found = problem?.fields.find((one) => one.name === name || one.name === `parameters.${name}`);
    if (!found || !problem) return undefined;
    // Of days the whole sentence says more than "this field is needed".
    return name === "from" || name === "to"
      ? t(`faults:${problem.code}`, { replace: problem.params })
      : t(`fields:${found.code}`, { replace: found.params ?? {} });
  };
  const chosen = value.values ?? {};
  const set = (key: string, values: string[]) => onChange({ ...value, values: { ...chosen, [key]: values } });
  return (
    <div className={styles.fields}>
      {isDated(ask) && (
        <>
          <Field label={t("days")} error={refused("days")}>
            {(control) => (
              <select
                {...control}
                value={value.days ?? ""}
                onChange={({ target }) => {
                  const days = NAMED_DAYS.find((one) => one === target.value);
                  const { from = "", to = "", values } = value;
                  onChange({ ...(days ? { days } : { from, to }), ...(values && { values }) });
                }}
              >
                <option value="">{t(relative ? "daysChoose" : "days_own")}</option>
                {NAMED_DAYS.map((days) => (
                  <option key={days} value={days}>
                    {t(`days_${days}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {!relative &&
            !value.days &&
            (["from", "to"] as const).map((name) => (
              <Field key={name} label={t(name)} error={refused(name)} required>
                {(control) => (
                  <input
                    {...control}
                    type="date"
                    value={value[name] ?? ""}
                    onChange={({ target }) => onChange({ ...value, [name]: target.value })}
                  />
                )}
              </Field>
            ))}
        </>
      )}
      {valuesOf(ask).map((term) => (
        <ValueField
          key={term.key}
          term={term}
          chosen={chosen[term.key] ?? []}
          error={refused(`values.${term.key}`)}
          onChange={(values) => set(term.key, values)}
          picker={picker}
        />
      ))}
    </div>
  );
}

interface ValueFieldProps {
  term: Term;
  chosen: readonly string[];
  error: string | undefined;
  onChange: (chosen: string[]) => void;
  picker: Picker | undefined;
}

function ValueField({ term, chosen, error, onChange, picker }: ValueFieldProps) {
  const { t } = useTranslation("reports");
  const { title, required, many, values } = term;
  if (values && many)
    return (
      <fieldset className={styles.choices}>
        <legend>{title}</legend>
        <div>
          {values.map(({ key, title: name }) => (
            <label key={key}>
              <input
                type="checkbox"
                checked={chosen.includes(key)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, key] : chosen.filter((one) => one !== key))
                }
              />
              {name}
            </label>
          ))}
        </div>
        {error && <p className="field-error">{error}</p>}
      </fieldset>
    );
  const picked = term.kind === "tag" || term.kind === "driver" ? picker : undefined;
  return (
    <Field label={title} error={error} required={required} hint={values || picked ? undefined : t("commas")}>
      {(control) =>
        values ? (
          <select {...control} value={chosen[0] ?? ""} onChange={({ target }) => onChange(listOf(target.value))}>
            <option value="">{t("any")}</option>
            {values.map(({ key, title: name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        ) : picked ? (
          picked({ term, chosen, onChange, id: control.id })
        ) : (
          <input
            {...control}
            autoComplete="off"
            defaultValue={chosen.join(", ")}
            onChange={({ target }) =>
              onChange(
                target.value
                  .split(",")
                  .map((one) => one.trim())
                  .filter(Boolean),
              )
            }
          />
        )
      }
    </Field>
  );
}

const listOf = (value: string) => (value ? [value] : []);
