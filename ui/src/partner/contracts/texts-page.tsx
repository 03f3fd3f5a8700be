import { FileUp, Plus } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { languageNames } from "../../i18n/languages";
import type { Language } from "../../i18n/languages";
import { type Template, useTemplates } from "./calls";
import { Tabs } from "./tabs";
import styles from "./contracts.module.css";

/** The texts that contracts are made of, in the order in which drivers sign them. */
export default function TextsPage() {
  const { t } = useTranslation(["contractTexts", "documents"]);
  const found = useTemplates();
  return (
    <>
      <PageHeader
        title={t("documents:contracts")}
        actions={
          <>
            <Link className="button button-default button-middle" to="/contracts/texts/pdf">
              <FileUp aria-hidden size={16} strokeWidth={1.75} />
              {t("addPDF")}
            </Link>
            <Link className="button button-default button-middle" to="/contracts/texts/new">
              <Plus aria-hidden size={16} strokeWidth={1.75} />
              {t("add")}
            </Link>
          </>
        }
      />
      <Tabs at="texts" />
      {found.isError && !found.data ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("loadFailedBody")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : (
        <div className={styles.body}>
          <p className={styles.quiet}>{t("lead")}</p>
          <ol className={styles.texts} aria-busy={!found.data}>
            {found.data?.documents.map((text) => (
              <li key={text.id} data-off={!text.active || undefined}>
                <span className={styles.two}>
                  <Link to={`/contracts/texts/${text.id}`}>{text.name}</Link>
                  <Said of={text} />
                </span>
                <small className={styles.quiet}>{languageNames[text.language as Language]}</small>
              </li>
            ))}
          </ol>
        </div>
      )}
    </>
  );
}

/** What a text is for, in a line. */
function Said({ of }: { of: Template }) {
  const { t } = useTranslation(["contractTexts", "contractList"]);
  const said = [
    t(of.fileId ? "ownPDF" : of.ready ? (of.revision ? "readyChanged" : "ready") : "own"),
    t(of.form === "written" ? "formWritten" : "formSimple"),
    t(of.required ? "isRequired" : "isOptional"),
    of.for.length > 0 ? of.for.map((kind) => t(`contractList:kind_${kind as "employment"}`)).join(", ") : t("forAll"),
    t("versionNumber", { number: of.version ?? 1 }),
  ];
  return <small>{of.active ? said.join(" · ") : t("off")}</small>;
}
