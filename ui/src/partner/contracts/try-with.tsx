import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { SearchField } from "../../components/search-field";
import { useDriverChoices } from "../../kit/lookups";
import styles from "./contracts.module.css";

interface TryWithProps {
  driver: string;
  onDriver: (id: string) => void;
  missing: readonly string[];
  /** What is said of values that the driver lacks. */
  text: "lacking" | "lackingPDF";
}

/** Whose data the pages are shown with, and what these lack. */
export function TryWith({ driver, onDriver, missing, text }: TryWithProps) {
  const { t } = useTranslation("contractTexts");
  const [query, setQuery] = useState("");
  const found = useDriverChoices(query);
  return (
    <>
      <div className={styles.editorBar}>
        <SearchField label={t("searchDriver")} value={query} onChange={setQuery} />
        <label>
          {t("tryWith")}
          <select value={driver} onChange={({ target }) => onDriver(target.value)}>
            <option value="">{t("nobody")}</option>
            {found.data?.map(({ id, firstName, lastName }) => (
              <option key={id} value={id}>
                {[lastName, firstName].join(" ")}
              </option>
            ))}
          </select>
        </label>
      </div>
      {driver !== "" && missing.length > 0 && (
        <p className={styles.lacking}>
          {t(text, { names: missing.map((name) => t(`value_${name as "driver.name"}`)).join(", ") })}
        </p>
      )}
    </>
  );
}
