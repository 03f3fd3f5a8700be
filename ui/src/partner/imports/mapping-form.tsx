import { type ReactNode, type SyntheticEvent, useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { UnsavedQuestion } from "../../kit/unsaved-question";
import { MappingColumns } from "./mapping-columns";
import { type Rules, useRowTypes, useTrial } from "./mapping-queries";
import { MappingTrial } from "./mapping-trial";
import { dateForms, described, rulesOf, type Sample, usual, type Values } from "./mapping-values";
import { useProviderName } from "./names";
import { useProviders } from "./queries";
import "./mappings.css";

interface MappingFormProps {
  initial: Values;
  sample: Sample;
  /** What says where the columns are named, above them. */
  where?: ReactNode;
  save: string;
  onSave: (name: string, rules: Rules) => Promise<void>;
  onLeave: () => void;
  /** What a person can do about a refusal, besides correcting fields. */
  remedy?: (problem: Problem) => ReactNode;
}

/** What the columns of a file hold and how they are written; below it, what that makes of the first rows. */
export function MappingForm({ initial, sample, where, save, onSave, onLeave, remedy }: MappingFormProps) {
  const { t } = useTranslation(["imports", "common", "faults", "fields"]);
  const [typed, setTyped] = useState(initial);
  // Roles are those of the columns they were given to: another row of names has other columns.
  const columns = sample.head.join("\n");
  const [rolesOf, setRolesOf] = useState(columns);
  const values = rolesOf === columns ? typed : { ...typed, roles: [] };
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const form = useRef<HTMLFormElement>(null);
  const saved = useRef(false);
  const change = (part: Partial<Values>) => setTyped((before) => ({ ...before, ...part }));
  const rules = rulesOf(values, sample.head);
  const trial = useTrial(sample.place, rules);
  const wrong = (field: string) => {
    const found = problem?.fields.find(({ name }) => name === field);
    return found && t(`fields:${found.code}`, { replace: found.params ?? {} });
  };
  const wrongColumn = (column: number) => {
    const sent = described(values, sample.head).findIndex((one) => one.column === column);
    return sent < 0 ? undefined : (wrong(`columns.${sent}.role`) ?? wrong(`columns.${sent}.header`));
  };
  const lacking = (["amount", "date", "driver"] as const).filter((field) => wrong(field));
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      saved.current = true;
      await onSave(values.name, rules);
    } catch (reason) {
      saved.current = false;
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
      // What is wrong may be far above the button.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid], [role=alert]")?.focus());
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={form} className="mapping" noValidate onSubmit={(event) => void submit(event)}>
      <UnsavedQuestion unsaved={() => !saved.current && typed !== initial} />
      <section className="mapping-part">
        <h2>{t("mapColumns")}</h2>
        {where}
        {lacking.length > 0 && (
          <Notice tone="danger">
            {t("mapMissing", { list: lacking.map((field) => t(`missing_${field}`)).join("; ") })}
          </Notice>
        )}
        <MappingColumns
          sample={sample}
          chosen={values.roles}
          wrong={wrongColumn}
          onChange={(chosen) => {
            setProblem(undefined); // it counts columns that hold something, and these are others now
            setRolesOf(columns);
            change({ roles: chosen });
          }}
        />
      </section>
      <section className="mapping-part">
        <h2>{t("mapHow")}</h2>
        <MappingOptions values={values} head={sample.head} wrong={wrong} onChange={change} />
      </section>
      {sample.place.importId !== "" && <MappingTrial trial={trial} />}
      {problem && (
        <Notice tone="danger" action={remedy?.(problem)}>
          {t("mapSaveFailed")} {t(`faults:${problem.code}`, { replace: problem.params })}
        </Notice>
      )}
      <div className="imports-answers">
        <Button onClick={onLeave}>{t("common:cancel")}</Button>
        <Button kind="primary" type="submit" loading={busy}>
          {save}
        </Button>
      </div>
    </form>
  );
}

interface MappingOptionsProps {
  values: Values;
  head: readonly string[];
  wrong: (field: string) => string | undefined;
  onChange: (part: Partial<Values>) => void;
}

function MappingOptions({ values, head, wrong, onChange }: MappingOptionsProps) {
  const { t } = useTranslation(["imports", "transactions"]);
  const providers = useProviders().data ?? [];
  const nameOf = useProviderName();
  const types = (useRowTypes().data ?? []).filter(({ carriers }) => carriers.includes(values.provider));
  const typed = values.roles.indexOf("type");
  const select = (
    name: "provider" | "type" | "sign" | "decimal" | "dateForm",
    label: string,
    options: readonly (readonly [value: string, text: string])[],
    more: { hint?: string; disabled?: boolean; choose?: (value: string) => void } = {},
  ) => (
    <Field label={label} hint={more.hint} error={wrong(name)}>
      {(control) => (
        <select
          {...control}
          value={more.disabled ? "" : values[name]}
          disabled={more.disabled}
          onChange={({ target }) => (more.choose ?? ((value) => onChange({ [name]: value })))(target.value)}
        >
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  return (
    <div className="mapping-options">
      {select(
        "provider",
        t("provider"),
        [["", t("mapChoose")], ...providers.map(({ code }) => [code, nameOf(code)] as const)],
        { choose: (provider) => onChange(usual(provider)) },
      )}
      {select(
        "type",
        t("mapType"),
        [
          ["", typed < 0 ? t("mapChoose") : t("mapTypeColumn")],
          ...types.map(({ type }) => [type, t(`transactions:type_${type}`)] as const),
        ],
        typed < 0 ? {} : { disabled: true, hint: t("mapTypeSaid", { column: head[typed] ?? "" }) },
      )}
      {select("sign", t("mapSign"), [
        ["as_is", t("sign_as_is")],
        ["negated", t("sign_negated")],
      ])}
      {select("decimal", t("mapDecimal"), [
        ["", t("mapAny")],
        [",", t("decimal_comma")],
        [".", t("decimal_dot")],
      ])}
      {select("dateForm", t("mapDateForm"), [["", t("mapAny")], ...Object.entries(dateForms)])}
      <Field label={t("mapName")} hint={t("mapNameHelp")} error={wrong("name")}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            maxLength={100}
            value={values.name}
            onChange={({ target }) => onChange({ name: target.value })}
          />
        )}
      </Field>
    </div>
  );
}
