import { createContext, type ReactNode, useContext, useId, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Field } from "../components/field";
import { parseHundredths } from "../format/hundredths";
import { money } from "../format/money";
import { countriesFor } from "../format/official/countries";
import { useLanguage } from "../i18n";
import { useConfig } from "../session/config";
import type { Answers, Filled } from "./calls";
import { type Value, valueAt, withValue } from "./data";
import styles from "./contracts.module.css";

/** What the fields of a step work on. */
interface Form {
  data: Answers;
  change: (edit: (data: Answers) => Answers) => void;
  /** Why a field is refused, by its path. */
  wrong: ReadonlyMap<string, string>;
  marked: ReadonlySet<string>;
  source: Filled["source"];
  /** Whether a partner fills in for a driver. */
  forDriver: boolean;
}

export const FormContext = createContext<Form | undefined>(undefined);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error("useForm outside of the wizard");
  return form;
}

/** One field of the data: its value, a way to change it, what is wrong with it, and where its value came from. */
export function useAt(path: string) {
  const { t } = useTranslation("contractWizard");
  const { data, change, wrong, marked, source, forDriver } = useForm();
  const from = marked.has(path) && !forDriver && source !== "draft" ? t(`mark_${source}`) : undefined;
  return {
    value: valueAt(data, path),
    set: (value: Value) => change((now) => withValue(now, path, value)),
    error: wrong.get(path),
    hint: from,
  };
}

/** Fields that belong together. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface TextProps {
  path: string;
  label: string;
  hint?: string;
  required?: boolean;
  type?: "text" | "date" | "tel" | "email";
  numeric?: boolean;
  /** As the browser knows it, where it may help. */
  complete?: string;
  most?: number;
  capitals?: boolean;
}

/** A text or a day. */
export function Text({
  path,
  label,
  hint,
  required,
  type = "text",
  numeric,
  complete,
  most = 150,
  capitals,
}: TextProps) {
  const at = useAt(path);
  return (
    <Field label={label} hint={at.hint ?? hint} error={at.error} required={required}>
      {(control) => (
        <input
          {...control}
          name={path}
          type={type}
          maxLength={type === "date" ? undefined : most}
          inputMode={numeric ? "numeric" : undefined}
          autoComplete={complete ?? "off"}
          autoCapitalize={capitals ? "characters" : undefined}
          value={typeof at.value === "string" ? at.value : ""}
          onChange={({ target }) => at.set(target.value)}
        />
      )}
    </Field>
  );
}

/** A whole number, as a year. */
export function Numeral({ path, label }: { path: string; label: string }) {
  const at = useAt(path);
  return (
    <Field label={label} hint={at.hint} error={at.error}>
      {(control) => (
        <input
          {...control}
          name={path}
          inputMode="numeric"
          maxLength={4}
          autoComplete="off"
          value={typeof at.value === "number" ? String(at.value) : ""}
          onChange={({ target }) => at.set(Number(target.value.replace(/\D/g, "")))}
        />
      )}
    </Field>
  );
}

/** An amount of money as people type it. */
export function Amount({ path, label, required }: { path: string; label: string; required?: boolean }) {
  const at = useAt(path);
  const { currency } = useConfig();
  const language = useLanguage();
  const [typed, setTyped] = useState<string>();
  const known = typeof at.value === "number" ? money(BigInt(at.value), language) : "";
  return (
    <Field label={`${label} (${currency})`} hint={at.hint} error={at.error} required={required}>
      {(control) => (
        <input
          {...control}
          name={path}
          inputMode="decimal"
          maxLength={15}
          autoComplete="off"
          value={typed ?? known}
          onChange={({ target }) => {
            setTyped(target.value);
            at.set(parseHundredths(target.value, language) ?? 0);
          }}
          onBlur={() => setTyped(undefined)}
        />
      )}
    </Field>
  );
}

interface ChoiceProps {
  path: string;
  label: string;
  hint?: string;
  required?: boolean;
  options: readonly (readonly [string | number, string])[];
  /** Whether one is always chosen. */
  always?: boolean;
  /** Why nothing can be chosen. */
  off?: string | undefined;
}

/** One of several. */
export function Choice({ path, label, hint, required, options, always, off }: ChoiceProps) {
  const { t } = useTranslation("contractWizard");
  const at = useAt(path);
  const numbers = typeof options[0]?.[0] === "number";
  return (
    <Field label={label} hint={off ?? at.hint ?? hint} error={at.error} required={required}>
      {(control) => (
        <select
          {...control}
          name={path}
          disabled={off !== undefined}
          value={String(at.value ?? (numbers && always ? options[0]?.[0] : ""))}
          onChange={({ target }) => at.set(numbers ? Number(target.value) : target.value)}
        >
          {!always && <option value="">{t("choose")}</option>}
          {options.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A country. */
export function Country({ path, label, required }: { path: string; label: string; required?: boolean }) {
  const { instance } = useConfig();
  const language = useLanguage();
  const options = countriesFor(instance.toUpperCase(), language).map(({ code, name }) => [code, name] as const);
  return <Choice path={path} label={label} options={options} {...(required && { required })} />;
}

interface BoxProps {
  path: string;
  label: string;
  /** Why it cannot be ticked. */
  off?: string | undefined;
  children?: ReactNode;
}

/** A box of the data; what belongs to it opens below when it is ticked. */
export function Box({ path, label, off, children }: BoxProps) {
  const at = useAt(path);
  return (
    <>
      <Greyed label={label} checked={at.value === true} off={off} error={at.error} name={path} onChange={at.set} />
      {at.value === true && !off && children && <div className={styles.inner}>{children}</div>}
    </>
  );
}

interface GreyedProps {
  label: string;
  checked: boolean;
  name: string;
  off?: string | undefined;
  error?: string | undefined;
  onChange: (checked: boolean) => void;
}

/** A box to tick that may be grey, with the reason. One that is ticked can always be cleared. */
export function Greyed({ label, checked, name, off, error, onChange }: GreyedProps) {
  const id = useId();
  const said = [off && `${id}-off`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={`tick ${styles.box}`} data-off={off !== undefined || undefined}>
      <label>
        <input
          type="checkbox"
          name={name}
          checked={checked}
          disabled={off !== undefined && !checked}
          onChange={(event) => onChange(event.target.checked)}
          {...(error && { "aria-invalid": true })}
          {...(said && { "aria-describedby": said })}
        />
        <span>{label}</span>
      </label>
      {off && (
        <p id={`${id}-off`} className="field-hint">
          {off}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}
