import { TriangleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "../i18n/translation";
import type { Problem } from "../api/problem";
import { type FieldName, kindOf, REQUIRED } from "./fields";
import { type Draft, hintOf, isUnsure } from "./form";
import styles from "./details-form.module.css";

/** What an invoice can be for. */
const CATEGORIES = ["", "fuel", "repair", "lease", "phone", "wash", "parking", "insurance", "other"] as const;

interface DetailsFieldsProps {
  draft: Draft;
  /** Fields that are shown; all of the form where absent. */
  only?: (name: FieldName) => boolean;
  wrong: readonly FieldName[];
  problem: Problem | undefined;
  /** What the server would refuse, by its field. */
  refused?: Readonly<Partial<Record<FieldName, string>>>;
  readOnly?: boolean;
  /** Whether Tab passes by what is sure: a clerk looks only at what is not. */
  skipSure?: boolean;
  onType: (name: FieldName, value: string) => void;
  onFocus: (name: FieldName | undefined) => void;
  /** What stands beside a field. */
  beside?: (name: FieldName) => ReactNode;
}

/** The fields of an invoice in the order of the draft; what needs a look is marked by icon and word. */
export function DetailsFields(props: DetailsFieldsProps) {
  const { draft, only = () => true } = props;
  return (
    <div className={styles.fields}>
      {draft.order.filter(only).map((name) => (
        <DetailsField key={name} name={name} {...props} />
      ))}
    </div>
  );
}

function DetailsField({
  name,
  draft,
  wrong,
  problem,
  refused,
  readOnly,
  skipSure,
  onType,
  onFocus,
  beside,
}: DetailsFieldsProps & { name: FieldName }) {
  const { t } = useTranslation(["invoices", "fields"]);
  const id = useId();
  const empty = draft.values[name] === "";
  const hint = hintOf(draft, name);
  const answered = problem?.fields.find((one) => one.name === name);
  const error =
    refused?.[name] ??
    (wrong.includes(name)
      ? t(empty ? "fieldMissing" : "fieldWrong")
      : answered && t(`fields:${answered.code}`, { replace: answered.params ?? {} }));
  const unsure = !readOnly && !error && isUnsure(draft, name);
  const said = [unsure && `${id}-mark`, hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const control = {
    id,
    value: draft.values[name],
    readOnly,
    "aria-required": REQUIRED.includes(name),
    ...(skipSure && !unsure && !error && { tabIndex: -1 }),
    ...(error && { "aria-invalid": true }),
    ...(said && { "aria-describedby": said }),
    onFocus: () => onFocus(name),
    onBlur: () => onFocus(undefined),
  };
  const type = (value: string) => onType(name, value);
  const kind = kindOf(name);
  return (
    <div className={styles.field} data-unsure={unsure || undefined} data-wide={name === "description" || undefined}>
      <label htmlFor={id}>
        {t(`field_${name}`)}
        {REQUIRED.includes(name) && <span aria-hidden>{" *"}</span>}
      </label>
      {kind === "category" ? (
        <select {...control} disabled={readOnly} onChange={({ target }) => type(target.value)}>
          {CATEGORIES.map((one) => (
            <option key={one} value={one}>
              {t(`cost.${one || "none"}`)}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...control}
          type={kind === "date" ? "date" : "text"}
          autoComplete="off"
          {...(kind === "amount" && { inputMode: "decimal" as const })}
          {...(kind === "number" && { inputMode: "numeric" as const })}
          onChange={({ target }) => type(target.value)}
        />
      )}
      {unsure && (
        <p id={`${id}-mark`} className={styles.mark}>
          <TriangleAlert aria-hidden size={14} strokeWidth={2} />
          {t(empty ? "missing" : "unsure")}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {t("maybe", { value: hint })}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
      {beside?.(name)}
    </div>
  );
}
