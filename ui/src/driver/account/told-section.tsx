import { useTranslation } from "../../i18n/translation";
import { useDoneToast } from "../../components/done-toast";
import { Field, Tick } from "../../components/field";
import { Notice } from "../../components/notice";
import { languageNames } from "../../i18n/languages";
import { useSession } from "../../session/session";
import { type Told, useChooseTold, useTold } from "./queries";

const ticks = {
  noteMails: "toldNoteMails",
  notePush: "toldNotePush",
  messageMails: "toldMessageMails",
} as const;

/** How the driver is told of what stands on the board. Each choice is kept at once. */
export function ToldSection() {
  const { t } = useTranslation(["accounts", "faults"]);
  const chosen = useSession().driver?.partnerChosen === true;
  const told = useTold(chosen);
  const choose = useChooseTold();
  const done = useDoneToast();
  if (!told.data) return null;
  // Until the answer is here, what was chosen is shown; where it is refused, what holds comes back.
  const shown = { ...told.data, ...(choose.isPending && choose.variables) };
  const set = (change: Partial<Told>) => choose.mutate(change, { onSuccess: () => done(t("toldSaved")) });
  return (
    <section className="account-close">
      <h2>{t("toldTitle")}</h2>
      <p>{t("toldLead")}</p>
      {Object.entries(ticks).map(([name, label]) => (
        <Tick key={name} checked={shown[name as keyof typeof ticks]} onChange={(on) => set({ [name]: on })}>
          {t(label)}
        </Tick>
      ))}
      <p>{t("toldSummaries")}</p>
      <Field label={t("toldLanguage")}>
        {(control) => (
          <select
            {...control}
            value={shown.language}
            onChange={(event) => set({ language: event.target.value as Told["language"] })}
          >
            <option value="">{t("toldCardLanguage")}</option>
            {Object.entries(languageNames).map(([language, name]) => (
              <option key={language} value={language} lang={language}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {choose.error && (
        <Notice tone="danger">
          {t(`faults:${choose.error.code}`, { replace: choose.error.params })} {t("toldFailed")}
        </Notice>
      )}
    </section>
  );
}
