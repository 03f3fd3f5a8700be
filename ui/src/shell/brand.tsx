import { useTranslation } from "../i18n/translation";
import { useKnownBrand } from "../session/config";
import type { Session } from "../session/session";
import css from "./brand.module.css";

/** Whose product this is: the partner's picture, or its first letter, and its name; Saldo's where no partner is known. */
export function Brand({ partner }: { partner?: Session["partner"] | undefined }) {
  const { t } = useTranslation();
  const known = useKnownBrand();
  const shown = partner ?? known;
  return (
    <span className="brand">
      {shown?.logo ? (
        <img className={`brand-mark ${css.logo}`} src={shown.logo} alt="" />
      ) : shown ? (
        <span aria-hidden className={`brand-mark ${css.tile}`}>
          {shown.name.charAt(0).toLocaleUpperCase()}
        </span>
      ) : (
        <svg className="brand-mark" viewBox="0 0 24 24" aria-hidden>
          <rect width="24" height="24" rx="7" className="brand-tile" />
          <path d="M6.9 8.9h10.2M6.9 14.6h5.4" className="brand-lines" />
        </svg>
      )}
      <span className="brand-name">{shown?.name ?? t("brand")}</span>
    </span>
  );
}
