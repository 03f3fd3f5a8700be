import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useDriverChoices } from "../../kit/lookups";
import { SearchField } from "../../components/search-field";
import { useAddress, usePreview } from "./calls";
import styles from "./contracts.module.css";

type Draft = Parameters<typeof usePreview>[0];
type First = UseQueryResult<{ picture: Blob; pages: number; missing: string[] }>;

interface TextPagesProps {
  draft: Draft;
  /** The first page, which says how many there are. */
  first: First;
  driver: string;
  onDriver: (id: string) => void;
}

/** The pages as they would be printed, with nobody's data or with those of a driver. */
export function TextPages({ draft, first, driver, onDriver }: TextPagesProps) {
  const { t } = useTranslation("contractTexts");
  const [query, setQuery] = useState("");
  const found = useDriverChoices(query);
  const missing = driver ? (first.data?.missing ?? []) : [];
  const { pages = 0 } = first.data ?? {};
  return (
    <section aria-label={t("pages")} aria-busy={first.isFetching}>
      <h2 className={styles.heading}>{t("pages")}</h2>
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
      {missing.length > 0 && (
        <p className={styles.lacking}>
          {t("lacking", { names: missing.map((name) => t(`value_${name as "driver.name"}`)).join(", ") })}
        </p>
      )}
      {first.isError && <p role="status">{t("noPages")}</p>}
      <div className={styles.sheet}>
        {Array.from({ length: first.isError ? 0 : pages }, (_, at) => (
          <Sheet key={at} draft={draft} page={at + 1} />
        ))}
      </div>
    </section>
  );
}

function Sheet({ draft, page }: { draft: Draft; page: number }) {
  const { t } = useTranslation("contractTexts");
  const url = useAddress(usePreview(draft, page).data?.picture);
  return url ? <img src={url} alt={t("pageNumber", { page })} /> : <span className="bar" />;
}
