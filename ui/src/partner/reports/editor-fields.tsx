import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { Button } from "../../components/button";
import { Field, Tick } from "../../components/field";
import { useTranslation } from "../../i18n/translation";
import type { Term } from "../../reports/calls";
import { aboutSubject, type Draft, measureOf, type Part } from "./draft";
import { FilterFields } from "./filter-fields";
import type { Subject } from "./queries";
import styles from "./editor.module.css";

interface EditorFieldsProps {
  subjects: readonly Subject[];
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** What the server errorOf of a part. */
  errorOf: (part: Part) => string | undefined;
}

/** As many as the language of definitions allows. */
const MEASURES = 12;
const DIMENSIONS = 4;

const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

/** Of what, which figures, grouped by what, of whom, in which order. */
export function EditorFields({ subjects, draft, onChange, errorOf }: EditorFieldsProps) {
  const { t } = useTranslation("reports");
  const subject = subjects.find(({ key }) => key === draft.subject);
  return (
    <>
      <Field label={t("subject")} error={errorOf("subject")} required>
        {(control) => (
          <select
            {...control}
            value={draft.subject}
            onChange={({ target }) => {
              const next = subjects.find(({ key }) => key === target.value);
              if (next) onChange(aboutSubject(draft, next));
            }}
          >
            {!subject && <option value={draft.subject}>{draft.subject}</option>}
            {subjects.map(({ key, title }) => (
              <option key={key} value={key}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      {subject && (
        <>
          <Measures subject={subject} draft={draft} onChange={onChange} error={errorOf("measures")} />
          <Grouping subject={subject} draft={draft} onChange={onChange} error={errorOf("by")} />
          <FilterFields subject={subject} draft={draft} onChange={onChange} error={errorOf("filter")} />
          <Order subject={subject} draft={draft} onChange={onChange} error={errorOf("sort")} />
          <Field label={t("limit")} hint={t("limitHint")} error={errorOf("limit")}>
            {(control) => (
              <input
                {...control}
                inputMode="numeric"
                value={draft.limit ?? ""}
                onChange={({ target }) => {
                  const digits = target.value.replaceAll(/\D/g, "").slice(0, 5);
                  onChange({ ...draft, limit: digits ? Number(digits) : undefined });
                }}
              />
            )}
          </Field>
          <Tick checked={draft.total} onChange={(total) => onChange({ ...draft, total })} error={errorOf("total")}>
            {t("withTotal")}
          </Tick>
        </>
      )}
    </>
  );
}

interface PartProps {
  subject: Subject;
  draft: Draft;
  onChange: (draft: Draft) => void;
  error: string | undefined;
}

const COMPARED = ["share", "change"] as const;

/** The figures, each of which can also be shown as a share of the total or against the days before. */
function Measures({ subject, draft, onChange, error }: PartProps) {
  const { t } = useTranslation("reports");
  const { measures } = draft;
  const full = measures.length >= MEASURES;
  const tick = (key: string, on: boolean) =>
    onChange({
      ...draft,
      measures: on ? [...measures, key] : measures.filter((one) => one !== key),
      sort: on ? draft.sort : draft.sort.filter((one) => one.replace(/^-/, "") !== key),
    });
  return (
    <fieldset className={styles.part}>
      <legend>{t("measures")}</legend>
      <p>{t("measuresHint")}</p>
      <ul>
        {subject.measures.map(({ key, title }) => (
          <li key={key}>
            <Box checked={measures.includes(key)} disabled={full} onChange={(on) => tick(key, on)}>
              {title}
            </Box>
            {measures.some((one) => measureOf(one) === key) && (
              <span className={styles.compared}>
                {COMPARED.map((how) => (
                  <Box
                    key={how}
                    label={how === "share" ? t("shareOf", { title }) : t("changeOf", { title })}
                    checked={measures.includes(`${how}:${key}`)}
                    disabled={full}
                    onChange={(on) => tick(`${how}:${key}`, on)}
                  >
                    {t(`compare_${how}`)}
                  </Box>
                ))}
              </span>
            )}
          </li>
        ))}
      </ul>
      {error && <p className="field-error">{error}</p>}
    </fieldset>
  );
}

interface BoxProps {
  checked: boolean;
  disabled: boolean;
  label?: string;
  onChange: (on: boolean) => void;
  children: string;
}

function Box({ checked, disabled, label, onChange, children }: BoxProps) {
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled && !checked}
        {...(label && { "aria-label": label })}
        onChange={({ target }) => onChange(target.checked)}
      />
      {children}
    </label>
  );
}

const nameOf = (terms: readonly Term[], key: string) => terms.find((one) => one.key === key)?.title ?? key;

/** What rows are made of, the first one first. */
function Grouping({ subject, draft, onChange, error }: PartProps) {
  const { t } = useTranslation("reports");
  const { by } = draft;
  const left = subject.dimensions.filter(({ key }) => !by.includes(key));
  const set = (next: readonly string[]) =>
    onChange({
      ...draft,
      by: next,
      sort: draft.sort.filter((one) => {
        const key = one.replace(/^-/, "");
        return next.includes(key) || draft.measures.includes(key);
      }),
    });
  const moved = (at: number, by1: number) => {
    const next = [...by];
    const [one] = next.splice(at, 1);
    if (one !== undefined) next.splice(at + by1, 0, one);
    set(next);
  };
  return (
    <fieldset className={styles.part}>
      <legend>{t("by")}</legend>
      <ol>
        {by.map((key, nth) => {
          const name = nameOf(subject.dimensions, key);
          return (
            <li key={key} className={styles.row}>
              <span>{name}</span>
              <Button
                kind="text"
                aria-label={t("up", { name })}
                disabled={nth === 0}
                icon={<ArrowUp {...ICON} />}
                onClick={() => moved(nth, -1)}
              />
              <Button
                kind="text"
                aria-label={t("down", { name })}
                disabled={nth === by.length - 1}
                icon={<ArrowDown {...ICON} />}
                onClick={() => moved(nth, 1)}
              />
              <Button
                kind="text"
                aria-label={t("takeAway", { name })}
                icon={<Trash2 {...ICON} />}
                onClick={() => set(by.filter((one) => one !== key))}
              />
            </li>
          );
        })}
      </ol>
      {by.length < DIMENSIONS && left.length > 0 && (
        <select aria-label={t("addBy")} value="" onChange={({ target }) => target.value && set([...by, target.value])}>
          <option value="">{t("addBy")}</option>
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

/** The column that rows are ordered by. */
function Order({ subject, draft, onChange, error }: PartProps) {
  const { t } = useTranslation("reports");
  const keys = [
    ...draft.by.map((key) => ({ key, title: nameOf(subject.dimensions, key) })),
    ...draft.measures
      .filter((key) => !key.startsWith("change:"))
      .map((key) => {
        const title = nameOf(subject.measures, measureOf(key));
        return { key, title: key.startsWith("share:") ? t("shareOf", { title }) : title };
      }),
  ];
  return (
    <Field label={t("order")} error={error}>
      {(control) => (
        <select
          {...control}
          value={draft.sort[0] ?? ""}
          onChange={({ target }) => onChange({ ...draft, sort: target.value ? [target.value] : [] })}
        >
          <option value="">{t("orderUsual")}</option>
          {keys.flatMap(({ key, title }) => [
            <option key={key} value={key}>
              {t("ascending", { title })}
            </option>,
            <option key={`-${key}`} value={`-${key}`}>
              {t("descending", { title })}
            </option>,
          ])}
        </select>
      )}
    </Field>
  );
}
