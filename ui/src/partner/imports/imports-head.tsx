import type { ReactNode } from "react";
import { useTranslation } from "../../i18n/translation";
import { NavLink } from "react-router";
import { count } from "../../format/number";
import { PageHeader } from "../../components/page-header";
import { useLanguage } from "../../i18n";
import { useWaiting } from "./queries";
import "./imports.css";

/** The top of every screen of importing, with the way to the others. */
export function ImportsHead({ toConfirm, actions }: { toConfirm?: number | undefined; actions?: ReactNode }) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const waiting = useWaiting().data;
  const parts = [
    { to: "/upload", label: t("partUpload"), number: toConfirm },
    { to: "/upload/drivers", label: t("partUnmatched"), number: waiting },
    { to: "/log", label: t("partLog") },
    { to: "/upload/coverage", label: t("partCoverage") },
  ];
  return (
    <PageHeader
      title={t("title")}
      meta={
        <nav className="imports-parts" aria-label={t("parts")}>
          {parts.map(({ to, label, number }) => (
            <NavLink key={to} to={to} end={to === "/upload"}>
              {label}
              {number !== undefined && number > 0 && <span>{count(number, language)}</span>}
            </NavLink>
          ))}
        </nav>
      }
      actions={actions}
    />
  );
}
