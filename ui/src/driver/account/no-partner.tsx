import { Handshake } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate } from "react-router";
import { Button } from "../../components/button";
import { FirstUse } from "../../components/empty-state";

/** What stands where a partner is needed and none is chosen. */
export function NoPartner() {
  const { t } = useTranslation("accounts");
  const navigate = useNavigate();
  return (
    <FirstUse
      icon={Handshake}
      title={t("noPartnerTitle")}
      body={t("noPartnerBody")}
      action={
        <Button kind="primary" size="large" onClick={() => void navigate("/driver/partners-list")}>
          {t("partnersTitle")}
        </Button>
      }
    />
  );
}
