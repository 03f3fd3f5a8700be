import { Hourglass } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { FirstUse } from "../../components/empty-state";
import { Wizard } from "../../contracts/wizard";
import { useSession } from "../../session/session";

/** A driver fills in and signs contract documents; who is not accepted by the fleet yet reads that. */
export default function FillPage() {
  const { t } = useTranslation(["contractWizard", "explain"]);
  const { driver, user } = useSession();
  return driver?.linked ? (
    <Wizard driver="" name={user.name} title={t("title")} back="/driver/documents" />
  ) : (
    <FirstUse icon={Hourglass} title={t("explain:notLinkedTitle")} body={t("explain:notLinkedBody")} />
  );
}
