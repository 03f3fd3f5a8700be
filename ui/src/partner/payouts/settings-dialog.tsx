import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { FreshFirst } from "../../components/fresh-first";
import { Refusal } from "../../components/refusal";
import { useProfileName } from "./names";
import { type Settings, useSaveSettings, useSettings } from "./queries";

/** Where this dialog is open. */
const BACK = "/payouts?settings=open";

/** How the partner pays: its bank's file and the one for accounts abroad. Whether two people are needed is set in the profile. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("payouts");
  const settings = useSettings().data;
  return (
    <Dialog title={t("settings")} onClose={onClose}>
      <FreshFirst back={BACK}>
        {settings ? <Form settings={settings} onClose={onClose} /> : <span className="bar" />}
      </FreshFirst>
    </Dialog>
  );
}

function Form({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  const { t } = useTranslation(["payouts", "common", "faults"]);
  const nameOf = useProfileName();
  const write = useSaveSettings();
  const [profile, setProfile] = useState(settings.profile);
  const [foreignProfile, setForeign] = useState(settings.foreignProfile);
  const submit = async () => {
    try {
      await write.mutateAsync({
        profile,
        foreignProfile,
        secondPerson: settings.secondPerson,
        version: settings.version,
      });
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
      <p>
        {t(settings.secondPerson ? "secondPersonOn" : "secondPersonOff")}{" "}
        <Link to="/profile">{t("secondPersonChange")}</Link>
      </p>
      {write.error && <Refusal problem={write.error} undone={t("settingsUnsaved")} back={BACK} />}
      <div>
        <Button onClick={onClose}>{t("common:cancel")}</Button>
        <Button kind="primary" type="submit" loading={write.isPending}>
          {t("saveSettings")}
        </Button>
      </div>
    </form>
  );
}
