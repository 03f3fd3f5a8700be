import { useTranslation } from "react-i18next";
import type { Session } from "../session/session";

/** Whose product this is: the partner's picture and name where there is one, else Saldo's. */
export function Brand({ partner }: { partner?: Session["partner"] | undefined }) {
  const { t } = useTranslation();
  return (
    <span className="brand">
      {partner?.logo ? (
        <img className="brand-mark" src={partner.logo} alt="" />
      ) : (
        <svg className="brand-mark" viewBox="0 0 24 24" aria-hidden>
          <rect width="24" height="24" rx="7" className="brand-tile" />
          <path d="M6.9 8.9h10.2M6.9 14.6h5.4" className="brand-lines" />
        </svg>
      )}
      <span className="brand-name">{partner?.logo ? partner.name : t("brand")}</span>
    </span>
  );
}
