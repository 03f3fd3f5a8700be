import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { useSession } from "../../session/session";
import type { Import } from "./queries";
import "./mappings.css";

/** The way on for a file whose columns nobody knows. */
export function DescribeLink({ of }: { of: Import }) {
  const { t } = useTranslation("imports");
  if (!useSession().may("imports.write") || of.fault !== "imports.not_recognised") return null;
  return (
    <Link
      className="imports-describe"
      to={`/upload/files/${of.id}/columns`}
      aria-label={t("mapActionNamed", { file: of.fileName })}
    >
      {t("mapAction")}
    </Link>
  );
}
