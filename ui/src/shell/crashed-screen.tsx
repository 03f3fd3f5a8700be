import { CloudOff, OctagonAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../components/button";
import { Message } from "../components/message";
import { BareFrame } from "./frame";

/**
 * The last resort: a screen that threw, whose file a newer version has replaced, or that was not here yet when the line went. Once the
 * line is back, the page begins anew.
 */
export function CrashedScreen() {
  const { t } = useTranslation();
  const [offline] = useState(() => !navigator.onLine);
  useEffect(() => {
    if (!offline) return undefined;
    const reload = () => location.reload();
    addEventListener("online", reload);
    return () => removeEventListener("online", reload);
  }, [offline]);
  return (
    <BareFrame>
      <Message
        icon={offline ? CloudOff : OctagonAlert}
        tone={offline ? "plain" : "danger"}
        level={1}
        title={t(offline ? "notHereTitle" : "crashedTitle")}
        actions={
          <Button kind="primary" onClick={() => location.reload()}>
            {t("reload")}
          </Button>
        }
      >
        <p>{t(offline ? "notHereBody" : "crashedBody")}</p>
      </Message>
    </BareFrame>
  );
}
