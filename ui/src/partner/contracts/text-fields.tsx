import { useTranslation } from "../../i18n/translation";
import type { Problem } from "../../api/problem";
import { Field, Tick } from "../../components/field";
import { languageNames } from "../../i18n/languages";
import { useConfig } from "../../session/config";
import type { Template } from "./calls";
import styles from "./contracts.module.css";

const KINDS = [
  "civil_contract",
  "employment",
  "b2b",
  "rent_from_driver",
  "rent_to_driver",
  "vehicle_entrusted",
  "bailiff",
] as const;
const SUBJECTS = [
  "contract",
  "rental",
  "vehicle",
  "statement",
  "self_billing",
  "privacy",
  "bailiff",
  "other",
] as const satisfies Template["kind"][];

interface TextFieldsProps {
  text: Template;
  problem: Problem | null;
  onChange: (part: Partial<Template>) => void;
}

/** What is said of a text besides its words. */
export function TextFields({ text, problem, onChange }: TextFieldsProps) {
  const { t } = useTranslation(["contractTexts", "contractList", "fields"]);
  const { languages } = useConfig();
  const wrong = (name: string) => {
    const field = problem?.fields.find((one) => one.name === name);
    return field && t(`fields:${field.code}`, { replace: field.params ?? {} });
  };
  return (
    <details className={styles.about} open={text.name === "" || wrong("name") !== undefined}>
      <summary>{t("about")}</summary>
      <div className={styles.aboutFields}>
        <Field label={t("name")} error={wrong("name")} required>
          {(control) => (
            <input
              {...control}
              maxLength={120}
              value={text.name}
              onChange={({ target }) => onChange({ name: target.value })}
            />
          )}
        </Field>
        <Field label={t("language")} error={wrong("language")}>
          {(control) => (
            <select {...control} value={text.language} onChange={({ target }) => onChange({ language: target.value })}>
              {languages.map((one) => (
                <option key={one} value={one}>
                  {languageNames[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("subject")}>
          {(control) => (
            <select
              {...control}
              value={text.kind}
              onChange={({ target }) => onChange({ kind: target.value as Template["kind"] })}
            >
              {SUBJECTS.map((one) => (
                <option key={one} value={one}>
                  {t(one === "other" ? "subject_rest" : `subject_${one}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("form")} hint={t(text.form === "written" ? "writtenHint" : "simpleHint")}>
          {(control) => (
            <select
              {...control}
              value={text.form}
              onChange={({ target }) => onChange({ form: target.value as Template["form"] })}
            >
              <option value="simple">{t("formSimple")}</option>
              <option value="written">{t("formWritten")}</option>
            </select>
          )}
        </Field>
        <Field label={t("order")} hint={t("orderHint")} error={wrong("order")}>
          {(control) => (
            <input
              {...control}
              type="number"
              min={1}
              max={1000}
              value={text.order}
              onChange={({ target }) => onChange({ order: Math.min(1000, Math.max(1, Number(target.value) || 1)) })}
            />
          )}
        </Field>
        <div>
          <Tick checked={text.required} onChange={(required) => onChange({ required })}>
            {t("required")}
          </Tick>
          <Tick checked={text.active} onChange={(active) => onChange({ active })}>
            {t("active")}
          </Tick>
        </div>
        <fieldset className={styles.for}>
          <legend>{t("for")}</legend>
          <p className={styles.quiet}>{t("forHint")}</p>
          {KINDS.map((kind) => (
            <Tick
              key={kind}
              checked={text.for.includes(kind)}
              onChange={(on) =>
                onChange({ for: on ? [...text.for, kind] : text.for.filter((other) => other !== kind) })
              }
            >
              {t(`contractList:kind_${kind}`)}
            </Tick>
          ))}
        </fieldset>
      </div>
    </details>
  );
}
