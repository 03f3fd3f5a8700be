import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Field } from "../../components/field";
import { FreshFirst } from "../../components/fresh-first";
import { Refusal } from "../../components/refusal";
import { parseHundredths } from "../../format/hundredths";
import { money } from "../../format/money";
import { useLanguage } from "../../i18n";
import { PROVIDERS } from "./sms";
import { type SMSSettings, useRemoveSMS, useSaveSMS, useSMS } from "./queries";

/** Where the settings are open again after another sign-in. */
const BACK = "/profile?ask=sms";

/** Takes the provider, the account there and the limits. What is secret is never shown again. */
export default function SMSDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("sms");
  const settings = useSMS();
  return (
    <Dialog title={t("title")} onClose={onClose}>
      <FreshFirst back={BACK}>{settings.data && <Form settings={settings.data} onClose={onClose} />}</FreshFirst>
    </Dialog>
  );
}

function Form({ settings, onClose }: { settings: SMSSettings; onClose: () => void }) {
  const { t } = useTranslation(["sms", "common", "fields"]);
  const language = useLanguage();
  const save = useSaveSMS();
  const done = useDoneToast();
  const [provider, setProvider] = useState(settings.provider);
  const [values, setValues] = useState({
    account: "",
    token: "",
    sender: settings.sender,
    partCost: money(BigInt(settings.partCost), language),
    monthParts: String(settings.monthParts),
  });
  const kept = settings.on && provider === settings.provider;
  const cost = parseHundredths(values.partCost, language);
  const parts = /^\d{1,7}$/.test(values.monthParts.trim()) ? Number(values.monthParts) : undefined;
  const wrong = (name: string) => {
    const field = save.error?.fields.find((one) => one.name === name);
    return field && t(`fields:${field.code}`, { replace: field.params ?? {} });
  };
  const text = (name: keyof typeof values, label: string, more: { hint?: string; error?: string | undefined } = {}) => (
    <Field label={label} error={more.error ?? wrong(name)} hint={more.hint}>
      {(control) => (
        <input
          {...control}
          autoComplete="off"
          maxLength={200}
          type={name === "token" ? "password" : "text"}
          inputMode={name === "partCost" ? "decimal" : name === "monthParts" ? "numeric" : "text"}
          value={values[name]}
          onChange={({ target }) => setValues((before) => ({ ...before, [name]: target.value }))}
        />
      )}
    </Field>
  );
  return (
    <form
      className="people-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (cost === undefined || cost < 0 || parts === undefined) return;
        const { account, token, sender } = values;
        save.mutate(
          {
            provider,
            sender,
            partCost: cost,
            monthParts: parts,
            ...(provider === "TWILIO" && account.trim() && { account: account.trim() }),
            ...(token.trim() && { token: token.trim() }),
          },
          {
            onSuccess: () => {
              done(t("saved"));
              onClose();
            },
          },
        );
      }}
    >
      {save.error && <Refusal problem={save.error} undone={t("unsaved")} back={BACK} />}
      <Field label={t("provider")}>
        {(control) => (
          <select
            {...control}
            value={provider}
            onChange={({ target }) => setProvider(target.value as SMSSettings["provider"])}
          >
            {Object.entries(PROVIDERS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {provider === "TWILIO" && text("account", t("account"), kept ? { hint: t("tokenKept") } : {})}
      {text("token", t(`token_${provider}`), kept ? { hint: t("tokenKept") } : {})}
      {text("sender", t(`sender_${provider}`), { hint: t(`senderHint_${provider}`) })}
      {text("partCost", t("partCost"), {
        error: cost === undefined || cost < 0 ? t("fields:wrong_format") : wrong("partCost"),
      })}
      {text("monthParts", t("monthParts"), {
        hint: t("monthPartsHint"),
        error: parts === undefined ? t("fields:wrong_format") : wrong("monthParts"),
      })}
      <div className="people-foot">
        <Button onClick={onClose} disabled={save.isPending}>
          {t("common:cancel")}
        </Button>
        <Button kind="primary" type="submit" loading={save.isPending}>
          {t("save")}
        </Button>
      </div>
    </form>
  );
}

/** Turning SMS off forgets the account and stops what waits. */
export function SMSOff({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["sms", "common"]);
  const remove = useRemoveSMS();
  const done = useDoneToast();
  return (
    <Dialog title={t("title")} onClose={onClose}>
      <div className="people-form">
        <p>{t("offQuestion")}</p>
        {remove.error && <Refusal problem={remove.error} undone={t("stillOn")} />}
        <div className="people-foot">
          <Button onClick={onClose} disabled={remove.isPending}>
            {t("common:cancel")}
          </Button>
          <Button
            kind="primary"
            danger
            loading={remove.isPending}
            onClick={() =>
              remove.mutate(undefined, {
                onSuccess: () => {
                  done(t("offDone"));
                  onClose();
                },
              })
            }
          >
            {t("turnOff")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
