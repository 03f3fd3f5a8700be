import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { type ContractDocument, usePage } from "./calls";
import styles from "./contracts.module.css";

const WIDTH = 1200;

/** The pages of a file, one after the other. A signed file has one more than its document: how it was signed. */
export function FilePages({ contract, document }: { contract: string; document: ContractDocument }) {
  const { t } = useTranslation("contractList");
  const [page, setPage] = useState(1);
  const src = usePage(contract, document, page, WIDTH);
  const last = src === "" && page > document.pages;
  return (
    <div className={styles.pages}>
      {src === undefined ? (
        <span className="bar" role="status" aria-label={t("loadingPage")} />
      ) : src === "" ? (
        <p>{t(last ? "noMorePages" : "pageFailed")}</p>
      ) : (
        <img src={src} alt={t("pageNumber", { title: document.title, page })} />
      )}
      <div className={styles.acts}>
        <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
          {t("previousPage")}
        </Button>
        <span>{t("pageShown", { page })}</span>
        <Button disabled={src === ""} onClick={() => setPage(page + 1)}>
          {t("nextPage")}
        </Button>
      </div>
    </div>
  );
}
