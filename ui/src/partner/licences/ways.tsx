import { useTranslation } from "../../i18n/translation";
import styles from "./licences.module.css";

const KNOWN = ["sandbox", "stripe", "przelewy24"] as const;

/** What a way to pay is called. */
export function useWayName() {
  const { t } = useTranslation("licences");
  return (provider: string) => {
    const known = KNOWN.find((one) => one === provider);
    return known ? t(`provider_${known}`) : provider;
  };
}

/** The ways to pay where there are several. */
export function Ways(props: { providers: readonly string[]; chosen: string; onChoose: (provider: string) => void }) {
  const { t } = useTranslation("licences");
  const nameOf = useWayName();
  return (
    <fieldset className={styles.ways}>
      <legend>{t("method")}</legend>
      {props.providers.map((provider) => (
        <label key={provider}>
          <input
            type="radio"
            name="way"
            checked={provider === props.chosen}
            onChange={() => props.onChoose(provider)}
          />
          {nameOf(provider)}
        </label>
      ))}
    </fieldset>
  );
}
