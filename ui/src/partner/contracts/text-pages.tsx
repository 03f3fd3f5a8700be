import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "../../i18n/translation";
import { useAddress, usePreview } from "./calls";
import { TryWith } from "./try-with";
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
  const { pages = 0 } = first.data ?? {};
  return (
    <section aria-label={t("pages")} aria-busy={first.isFetching}>
      <h2 className={styles.heading}>{t("pages")}</h2>
      <TryWith driver={driver} onDriver={onDriver} missing={first.data?.missing ?? []} text="lacking" />
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
