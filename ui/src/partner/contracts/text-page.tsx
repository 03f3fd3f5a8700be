import { ArrowLeft } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { ErrorState } from "../../components/error-state";
import { useScreenName } from "../../components/screen-name";
import { useConfig } from "../../session/config";
import { type Template, useTemplate } from "./calls";
import { TextEditor } from "./text-editor";
import styles from "./contracts.module.css";

/** One text of contracts, or a new one. */
export default function TextPage({ id }: { id: string }) {
  const { t } = useTranslation("contractTexts");
  const { defaultLanguage } = useConfig();
  const found = useTemplate(id);
  useScreenName(found.data?.name);
  const fresh: Template = {
    name: "",
    language: defaultLanguage,
    kind: "other",
    form: "simple",
    order: 100,
    for: [],
    required: false,
    active: true,
    revision: 0,
    body: id === "pdf" ? "" : t("newBody", { open: "{{", close: "}}" }),
    fileId: "",
    placements: [],
  };
  const of = id === "new" || id === "pdf" ? fresh : found.data;
  return (
    <>
      <nav className={styles.back}>
        <Link to="/contracts/texts">
          <ArrowLeft aria-hidden size={16} strokeWidth={1.75} />
          {t("backToTexts")}
        </Link>
      </nav>
      {of ? (
        <TextEditor key={`${id} ${of.revision}`} id={id} saved={of} />
      ) : (
        found.isError && (
          <ErrorState
            level={1}
            title={t("loadFailed")}
            undone={t("loadFailedBody")}
            problem={found.error}
            onRetry={() => void found.refetch()}
          />
        )
      )}
    </>
  );
}
