import { Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import { useProfileName } from "./names";
import { type Settings, useSaveSettings, useSettings } from "./queries";

/** How the partner pays: its bank's file, the one for accounts abroad, and whether two people are needed. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("payouts");
  const settings = useSettings().data;
  return (
    <Dialog title={t("settings")} onClose={onClose}>
      {settings ? <Form settings={settings} onClose={onClose} /> : <span className="bar" />}
    </Dialog>
  );
}

function Form({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  const { t } = useTranslation(["payouts", "common", "faults"]);
  const nameOf = useProfileName();
  const write = useSaveSettings();
  const [profile, setProfile] = useState(settings.profile);
  const [foreignProfile, setForeign] = useState(settings.foreignProfile);
  const [secondPerson, setSecond] = useState(settings.secondPerson);
  const submit = async () => {
    try {
      await write.mutateAsync({ profile, foreignProfile, secondPerson, version: settings.version });
      onClose();
    } catch {
      // why is shown below
    }
  };
  return (
    <form
      className="payouts-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label>
        {t("bankFile")}
        <select value={profile} onChange={({ target }) => setProfile(target.value)}>
          {settings.profiles.map(({ key }) => (
            <option key={key} value={key}>
              {nameOf(key, settings.profiles)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t("foreignFile")}
        <select value={foreignProfile} onChange={({ target }) => setForeign(target.value)}>
          <option value="">{t("foreignNone")}</option>
          {settings.profiles
            .filter(({ foreign }) => foreign)
            .map(({ key }) => (
              <option key={key} value={key}>
                {nameOf(key, settings.profiles)}
              </option>
            ))}
        </select>
      </label>
      <label className="payouts-check">
        <input type="checkbox" checked={secondPerson} onChange={({ target }) => setSecond(target.checked)} />
        <span>
          {t("secondPerson")}
          <small>{t("secondPersonNote")}</small>
        </span>
      </label>
      {write.error && <Notice tone="danger">{t(`faults:${write.error.code}`, { replace: write.error.params })}</Notice>}
      <div>
        <Button onClick={onClose}>{t("common:cancel")}</Button>
        <Button type="primary" htmlType="submit" loading={write.isPending}>
          {t("saveSettings")}
        </Button>
      </div>
    </form>
  );
}
