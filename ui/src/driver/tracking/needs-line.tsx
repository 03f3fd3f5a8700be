import { WifiOff } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { FirstUse } from "../../components/empty-state";

/** What stands in the place of a screen that cannot be shown without a line. */
export default function NeedsLine() {
  const { t } = useTranslation("tracking");
  return <FirstUse icon={WifiOff} title={t("needsLineTitle")} body={t("needsLineBody")} />;
}
