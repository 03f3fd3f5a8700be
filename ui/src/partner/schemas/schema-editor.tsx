import { Form } from "antd";
import { ArrowLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useSession } from "../../session/session";
import { recall, remember } from "../../browser/storage";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { UnsavedQuestion } from "../../kit/unsaved-question";
import { useLanguage } from "../../i18n";
import { type Schema, useSaveSchema } from "./queries";
import { SchemaFields } from "./schema-fields";
import { SchemaHistory } from "./schema-history";
import { Simulator } from "./simulator";
import { blank, boundOf, merged, pathOf, rulesOf, sameRules, type Values, valuesOf } from "./values";

/** What was typed when the session ended, and the schema it was typed over. */
interface Draft {
  base: Schema | null;
  values: Values;
}

/**
 * A schema as one form; without one, a new schema. It holds the version that was opened, so that nobody's work is
 * overwritten unseen.
 */
export function SchemaEditor({ schema, onClose }: { schema: Schema | undefined; onClose: () => void }) {
  const { t } = useTranslation(["schemas", "common", "faults", "fields"]);
  const language = useLanguage();
  const { user, may } = useSession();
  const done = useDoneToast();
  const write = useSaveSchema();
  const [form] = Form.useForm<Values>();
  const draftName = `draft.${user.id}.schemas.${schema?.schemaNumber ?? "new"}`;
  const draft = useDraft(draftName);
  const [base, setBase] = useState(draft ? (draft.base ?? undefined) : schema);
  const [problem, setProblem] = useState<Problem>();
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  const saved = useRef(false);
  const mayWrite = may("schemas.write");

  const typed = () => rulesOf(form.getFieldsValue(true) as Values, language);
  const unsaved = () => !saved.current && form.isFieldsTouched() && !sameRules(typed(), base ?? blank);
  const overtaken = !busy && base && schema && base.version !== schema.version;
  const adopt = () => {
    if (!base || !schema) return;
    form.setFieldsValue(valuesOf(merged(base, typed(), schema), language));
    setBase(schema);
    setProblem(undefined);
  };

  const refuse = (reason: Problem, values: Values) => {
    const kept: Draft = { base: base ?? null, values };
    if (reason.status === 401) remember("sessionStorage", draftName, JSON.stringify(kept));
    setProblem(reason);
    const fields = reason.fields.map(({ name, code, params = {} }) => ({
      name: pathOf(name),
      errors: [
        t(`fields:${code}`, {
          replace: Object.fromEntries(
            Object.entries(params).map(([key, bound]) => [key, boundOf(name, bound, values, language)]),
          ),
        }),
      ],
    }));
    form.setFields(fields as Parameters<typeof form.setFields>[0]);
    if (fields[0]) form.scrollToField(fields[0].name as Parameters<typeof form.scrollToField>[0], { focus: true });
  };
  const refuseTyped = (reason: Problem) => refuse(reason, form.getFieldsValue(true) as Values);
  const checked = async () => {
    setProblem(undefined);
    setWrong(false);
    try {
      await form.validateFields();
    } catch {
      setWrong(true);
      return undefined;
    }
    return typed();
  };
  const save = async (values: Values) => {
    setBusy(true);
    setProblem(undefined);
    setWrong(false);
    try {
      const rules = rulesOf(values, language);
      await write.mutateAsync({ base, rules });
      saved.current = true;
      done(t("saved", { name: rules.name }));
      onClose();
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      refuse(reason, values);
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <PageHeader
        title={schema ? schema.name : t("addTitle")}
        meta={schema && t("settles", { count: schema.drivers })}
        actions={
          <Button icon={<ArrowLeft aria-hidden size={16} strokeWidth={1.75} />} onClick={onClose}>
            {t("back")}
          </Button>
        }
      />
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        validateTrigger="onBlur"
        scrollToFirstError={{ focus: true }}
        disabled={!mayWrite}
        initialValues={draft?.values ?? valuesOf(schema ?? blank, language)}
        onFinish={(values) => void save(values)}
        onFinishFailed={() => setWrong(true)}
        className="schema-form"
      >
        <SchemaFields disabled={!mayWrite} />
        {mayWrite && <Simulator schemaNumber={schema?.schemaNumber ?? 0} rules={checked} onRefused={refuseTyped} />}
        {mayWrite && (
          <div className="schema-bar">
            {overtaken ? (
              <Notice tone="danger" action={<Button onClick={adopt}>{t("adopt")}</Button>}>
                {t("faults:schemas.changed")} {t("overtaken")}
              </Notice>
            ) : (
              problem && (
                <Notice tone="danger">
                  {t(`faults:${problem.code}`, { replace: problem.params })} {t("notSaved")}
                </Notice>
              )
            )}
            <div className="schema-bar-row">
              <p role="status">{wrong ? t("correct") : draft && !problem && t("common:draftRestored")}</p>
              <Button onClick={onClose} disabled={busy}>
                {t("common:cancel")}
              </Button>
              <Button kind="primary" loading={busy} onClick={form.submit}>
                {schema ? t("save") : t("add")}
              </Button>
            </div>
          </div>
        )}
        <UnsavedQuestion unsaved={unsaved} />
      </Form>
      {schema && <SchemaHistory schemaNumber={schema.schemaNumber} />}
    </>
  );
}

// A session that ends in the middle of the form must not cost what was typed.
function useDraft(name: string): Draft | undefined {
  const [draft] = useState(() => {
    const kept = recall("sessionStorage", name);
    return kept === null ? undefined : (JSON.parse(kept) as Draft);
  });
  useEffect(() => remember("sessionStorage", name, null), [name]);
  return draft;
}
