import { useDeferredValue, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Dialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import { SearchField } from "../../components/search-field";
import { useDriverChoices } from "../../kit/lookups";
import styles from "./invoices.module.css";

/** A driver who was chosen. */
export interface Chosen {
  id: string;
  name: string;
}

/** Whose invoice it is. */
export function DriverDialog({ onChoose, onClose }: { onChoose: (driver: Chosen) => void; onClose: () => void }) {
  const { t } = useTranslation(["invoices", "faults"]);
  const [query, setQuery] = useState("");
  const found = useDriverChoices(useDeferredValue(query.trim().slice(0, 100)));
  return (
    <Dialog title={t("chooseDriver")} onClose={onClose}>
      <div className={styles.choose}>
        <SearchField label={t("searchDriver")} value={query} onChange={setQuery} />
        {found.isError && (
          <Notice tone="danger">{t(`faults:${found.error.code}`, { replace: found.error.params })}</Notice>
        )}
        {found.data?.length === 0 && <p>{t("noDriver")}</p>}
        <ul>
          {found.data?.map(({ id, firstName, lastName, email, phone }) => (
            <li key={id}>
              <button type="button" onClick={() => onChoose({ id, name: `${lastName} ${firstName}` })}>
                <b>
                  {lastName} {firstName}
                </b>
                <span>{[email, phone].filter(Boolean).join(" · ")}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
