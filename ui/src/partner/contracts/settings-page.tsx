import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { Field, Tick } from "../../components/field";
import { FreshFirst } from "../../components/fresh-first";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { today } from "../../format/date";
import { UnsavedQuestion } from "../../kit/unsaved-question";
import { useConfig } from "../../session/config";
import { type Settings, useSaveSettings, useSettings } from "./calls";
import { Tabs } from "./tabs";
import styles from "./contracts.module.css";

/** How the partner signs, and how contracts are numbered. */
export default function SettingsPage() {
  const { t } = useTranslation(["contractList", "documents"]);
  const found = useSettings();
  return (
    <>
      <PageHeader title={t("documents:contracts")} />
      <Tabs at="settings" />
      {found.isError && !found.data ? (
        <ErrorState
          title={t("settingsFailed")}
          undone={t("loadFailedBody")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : (
        found.data && (
          <div className={styles.body}>
            <FreshFirst back="/contracts/settings">
              <Form key={found.data.version} settings={found.data} onReload={() => void found.refetch()} />
            </FreshFirst>
          </div>
        )
      )}
    </>
  );
}

function Form({ settings, onReload }: { settings: Settings; onReload: () => void }) {
  const { t } = useTranslation(["contractList", "faults", "fields"]);
  const [form, setForm] = useState(settings);
  const write = useSaveSettings();
  const done = useDoneToast();
  const set = (part: Partial<Settings>) => setForm((now) => ({ ...now, ...part }));
  const wrong = (name: string) => {
    const field = write.error?.fields.find((one) => one.name === name);
    return field && t(`fields:${field.code}`, { replace: field.params ?? {} });
  };
  const unsaved = () =>
    !write.isSuccess &&
    (form.standing !== settings.standing || form.signatory !== settings.signatory || form.prefix !== settings.prefix);
  const { timeZone } = useConfig();
  const [year] = useState(() => today(timeZone).slice(0, 4));
  return (
    <form
      className={styles.settings}
      onSubmit={(event) => {
        event.preventDefault();
        write.mutate(form, { onSuccess: () => done(t("settingsSaved")) });
      }}
    >
      <Tick checked={form.standing} onChange={(standing) => set({ standing })}>
        {t("standing")}
      </Tick>
      <p className={styles.quiet}>{t(form.standing ? "standingOn" : "standingOff")}</p>
      <Field
        label={t("signatory")}
        hint={t("signatoryHint")}
        error={wrong("signatory")}
        {...(form.standing && { required: true })}
      >
        {(control) => (
          <input
            {...control}
            maxLength={120}
            value={form.signatory}
            onChange={({ target }) => set({ signatory: target.value })}
          />
        )}
      </Field>
      <Field label={t("prefix")} hint={t("prefixHint", { number: `${form.prefix}1/${year}` })} error={wrong("prefix")}>
        {(control) => (
          <input
            {...control}
            maxLength={20}
            value={form.prefix}
            onChange={({ target }) => set({ prefix: target.value })}
          />
        )}
      </Field>
      {write.error && (
        <Notice
          tone="danger"
          action={write.error.code === "contracts.changed" && <Button onClick={onReload}>{t("reload")}</Button>}
        >
          {t(write.error.code === "contracts.changed" ? "settingsChanged" : `faults:${write.error.code}`)}
        </Notice>
      )}
      <div className={styles.acts}>
        <Button kind="primary" type="submit" loading={write.isPending}>
          {t("saveSettings")}
        </Button>
      </div>
      <UnsavedQuestion unsaved={unsaved} />
    </form>
  );
}
