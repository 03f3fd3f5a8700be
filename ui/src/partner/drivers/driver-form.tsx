import { Form } from "antd";
import { useEffect, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { recall, remember } from "../../browser/storage";
import { Notice } from "../../components/notice";
import { Refusal } from "../../components/refusal";
import { UnsavedQuestion } from "../../kit/unsaved-question";
import { day } from "../../format/date";
import { useLanguage } from "../../i18n";
import { differing, fieldNames, PaymentFields, PersonFields, valuesOf } from "./driver-fields";
import { type Driver, type DriverData, useSaveDriver } from "./queries";
import { Section } from "../../components/section";
import { useRefused } from "./refused";
import { useShown } from "./shown";

/** What was typed when a sign-in was needed, and the driver it was typed over. */
interface Draft {
  base: DriverData;
  version: number;
  values: DriverData;
}

/**
 * What is written down of a driver, as one form. While nothing is changed it shows the newest; from the first change on
 * it holds what the change was made from, so that nobody's work is overwritten unseen.
 */
export function DriverForm({ driver, mayWrite }: { driver: Driver; mayWrite: boolean }) {
  const { t } = useTranslation(["drivers", "common", "faults", "fields"]);
  const { user } = useSession();
  const language = useLanguage();
  const { timeZone } = useConfig();
  const shown = useShown();
  const refused = useRefused();
  const write = useSaveDriver(driver.id);
  const [form] = Form.useForm<DriverData>();
  const draftName = `draft.${user.id}.driver.${driver.id}`;
  const draft = useDraft(draftName);
  const [held, setHeld] = useState<{ base: DriverData; version: number } | undefined>(draft);
  const [restored, setRestored] = useState(draft !== undefined);
  const [problem, setProblem] = useState<Problem>();
  const [saved, setSaved] = useState(false);
  const newest = valuesOf(driver);
  const base = held?.base ?? newest;
  const theirs = held ? differing(held.base, newest) : [];

  useEffect(() => {
    if (draft) form.setFieldsValue(draft.values);
  }, [draft, form]);
  useEffect(() => {
    if (!held) form.setFieldsValue(valuesOf(driver));
  }, [held, driver, form]);

  const edited = (values: DriverData) => {
    setSaved(false);
    setRestored(false);
    setProblem(undefined);
    setHeld(differing(values, base).length > 0 ? { base, version: held?.version ?? driver.version } : undefined);
  };
  const discard = () => {
    form.resetFields();
    form.setFieldsValue(newest);
    setProblem(undefined);
    setRestored(false);
    setHeld(undefined);
  };
  // My changes on top of what somebody else saved.
  const adopt = () => {
    const mine = form.getFieldsValue();
    const both = { ...newest };
    for (const name of differing(mine, base)) Object.assign(both, { [name]: mine[name] });
    form.setFieldsValue(both);
    setProblem(undefined);
    setHeld({ base: newest, version: driver.version });
  };
  const save = async (values: DriverData) => {
    if (!held) return;
    setProblem(undefined);
    try {
      // Ids and the like may have made a newer version of the same details.
      await write.mutateAsync({ ...values, version: theirs.length === 0 ? driver.version : held.version });
      setHeld(undefined);
      setRestored(false);
      setSaved(true);
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      if (reason.status === 401)
        remember("sessionStorage", draftName, JSON.stringify({ ...held, values } satisfies Draft));
      setProblem(reason);
      const wrong = reason.fields.map(({ name, code, params }) => ({
        name,
        errors: [refused(name, code) ?? t(`fields:${code}`, { replace: params ?? {} })],
      }));
      form.setFields(wrong as Parameters<typeof form.setFields>[0]);
      if (wrong[0]) form.scrollToField(wrong[0].name, { focus: true });
    }
  };

  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      validateTrigger={[]}
      disabled={!mayWrite}
      onValuesChange={(_, values) => edited(values)}
      onFinish={(values) => void save(values)}
      className="driver-form"
    >
      <Section title={t("person")} lead={t("personLead")}>
        <PersonFields />
      </Section>
      <Section title={t("payment")} lead={t("paymentLead")}>
        {driver.ibanChangedAt && (
          <Notice tone="warning">{t("ibanChanged", { day: day(driver.ibanChangedAt, language, timeZone) })}</Notice>
        )}
        <PaymentFields help={t("ibanHelp")} />
      </Section>
      {mayWrite && (
        <div className="driver-bar">
          {theirs.length > 0 && !write.isPending ? (
            <Notice tone="danger" action={<Button onClick={adopt}>{t("adopt")}</Button>}>
              {t("faults:drivers.changed")} {t("overtaken")}
              <ul>
                {theirs.map((name) => (
                  <li key={name}>
                    {t(fieldNames[name])}: {shown(name, newest[name])}
                  </li>
                ))}
              </ul>
            </Notice>
          ) : (
            problem && (
              // What was typed is kept as a draft: leaving costs nothing.
              <Refusal problem={problem} undone={t("notSaved")} onLeave={() => setHeld(undefined)} />
            )
          )}
          <div className="driver-bar-row">
            <p role="status">{restored ? t("common:draftRestored") : held ? t("unsaved") : saved && t("saved")}</p>
            {held && (
              <Button onClick={discard} disabled={write.isPending}>
                {t("discard")}
              </Button>
            )}
            <Button kind="primary" loading={write.isPending} disabled={!held} onClick={form.submit}>
              {t("save")}
            </Button>
          </div>
        </div>
      )}
      <UnsavedQuestion unsaved={() => held !== undefined} />
    </Form>
  );
}

// A sign-in in the middle of the form must not cost what was typed.
function useDraft(name: string): Draft | undefined {
  const [draft] = useState(() => {
    const kept = recall("sessionStorage", name);
    return kept === null ? undefined : (JSON.parse(kept) as Draft);
  });
  useEffect(() => remember("sessionStorage", name, null), [name]);
  return draft;
}
