import { OctagonAlert } from "lucide-react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../components/button";
import { Message } from "../components/message";
import { BareFrame } from "./frame";

/** The last resort: a screen that threw, or whose file a newer version has replaced. */
export function CrashedScreen() {
  const { t } = useTranslation();
  return (
    <BareFrame>
      <Message
        icon={OctagonAlert}
        tone="danger"
        level={1}
        title={t("crashedTitle")}
        actions={
          <Button kind="primary" onClick={() => location.reload()}>
            {t("reload")}
          </Button>
        }
      >
        <p>{t("crashedBody")}</p>
      </Message>
    </BareFrame>
  );
}
