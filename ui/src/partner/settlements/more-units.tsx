import { Link } from "react-router";
import { useTranslation } from "../../i18n/translation";
import { useSession } from "../../session/session";

/** The way to more settlements, for whoever may buy them. */
export function MoreUnits() {
  const { t } = useTranslation("settlements");
  return useSession().may("licences.write") && <Link to="/licenses/purchase">{t("buyUnits")}</Link>;
}
