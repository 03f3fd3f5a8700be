import { Form, Input } from "antd";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Problem } from "../../api/problem";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { recall, remember } from "../../browser/storage";
import { UnsavedQuestion } from "../../kit/unsaved-question";
import { AddressFields } from "./address-fields";
import { BrandFields } from "./brand-fields";
import { useChecks } from "./checks";
import { CompanyFields } from "./company-fields";
import { DriverFunctions } from "./driver-functions";
import { type Profile, useSaveProfile } from "./queries";
import { type Outcome, SaveBar } from "./save-bar";
import { Section } from "../../components/section";
import { SettlementFields } from "./settlement-fields";
import { changesOf, merged, sameChanges, type Values, valuesOf } from "./values";

/** What was typed when the session ended, and the profile it was typed over. */
interface Draft {
  base: Profile;
  values: Values;
}

/**
 * The partner's profile as one form. While nothing is changed it shows the newest profile; from the first change on it
 * holds the profile that the change was made from, so that nobody's work is overwritten unseen.
 */
export function ProfileForm({ profile, people }: { profile: Profile; people: ReactNode }) {
  const { t } = useTranslation(["partner", "fields"]);
  const { user, may } = useSession();
  const country = useConfig().instance.toUpperCase();
  const check = useChecks();
  const write = useSaveProfile();
  const [form] = Form.useForm<Values>();
  const draftName = `draft.${user.id}.partner`;
  const draft = useDraft(draftName);
  const [held, setHeld] = useState(draft?.base);
  const [outcome, setOutcome] = useState<Outcome | undefined>(draft && "restored");
  const [busy, setBusy] = useState(false);
  const mayWrite = may("partner.write");
  const base = held ?? profile;

  useEffect(() => {
    if (!held) form.setFieldsValue(valuesOf(profile, country));
  }, [held, profile, country, form]);

  const typed = () => changesOf(form.getFieldsValue(), base.version, country);
  const hold = (over: Profile) =>
    setHeld(sameChanges(typed(), changesOf(valuesOf(over, country), 0, country)) ? undefined : over);
  const edited = () => {
    setOutcome(undefined);
    hold(base);
  };
  const discard = () => {
    setOutcome(undefined);
    form.resetFields();
    form.setFieldsValue(valuesOf(profile, country));
    setHeld(undefined);
  };
  const adopt = () => {
    const both = merged(changesOf(valuesOf(base, country), 0, country), typed(), profile);
    form.setFieldsValue(valuesOf(both, country));
    setOutcome(undefined);
    hold(profile);
  };

  const refuse = (reason: Problem, values: Values) => {
    if (reason.status === 401) remember("sessionStorage", draftName, JSON.stringify({ base, values } satisfies Draft));
    setOutcome(reason);
    const wrong = reason.fields.map(({ name, code, params }) => ({
      name: name.replace(/\[\d+\]/g, "").split("."),
      errors: [t(`fields:${code}`, { replace: params ?? {} })],
    }));
    form.setFields(wrong as Parameters<typeof form.setFields>[0]);
    if (wrong[0]) form.scrollToField(wrong[0].name as Parameters<typeof form.scrollToField>[0], { focus: true });
  };
  const save = async (values: Values) => {
    if (!held) {
      setOutcome("unchanged");
      return;
    }
    const changes = changesOf(values, held.version, country);
    setBusy(true);
    try {
      await write.mutateAsync(changes);
      setOutcome("saved");
      // Whoever typed on meanwhile goes on from what was saved.
      hold({ ...held, ...changes, version: changes.version + 1 });
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      refuse(reason, values);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      validateTrigger="onBlur"
      scrollToFirstError={{ focus: true }}
      disabled={!mayWrite}
      initialValues={draft?.values ?? valuesOf(profile, country)}
      onValuesChange={edited}
      onFinish={(values) => void save(values)}
      onFinishFailed={() => setOutcome("wrong")}
      className="profile"
    >
      <CompanyFields country={country} />
      <AddressFields />
      <SettlementFields profile={profile} />
      <DriverFunctions mayWrite={mayWrite} />
      {people}
      <BrandFields profile={profile} mayWrite={mayWrite} />
      <Section title={t("notes")} lead={t("notesLead")}>
        <Form.Item name="notes" label={t("notesLabel")} rules={[check.longest(5000)]}>
          <Input.TextArea autoSize={{ minRows: 3, maxRows: 12 }} />
        </Form.Item>
        <Form.Item name="referral" label={t("referral")} extra={t("referralHelp")} rules={[check.longest(300)]}>
          <Input autoComplete="off" />
        </Form.Item>
      </Section>
      {mayWrite && (
        <SaveBar
          unsaved={held !== undefined}
          outcome={outcome}
          busy={busy}
          overtaken={!busy && held !== undefined && held.version !== profile.version}
          onAdopt={adopt}
          onDiscard={discard}
          onSave={form.submit}
          onLeave={() => setHeld(undefined)} // it is kept as a draft: leaving costs nothing
        />
      )}
      <UnsavedQuestion unsaved={() => held !== undefined} />
    </Form>
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
