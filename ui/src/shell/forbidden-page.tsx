import { Lock } from "lucide-react";
import { useTranslation } from "../i18n/translation";
import { useNavigate } from "react-router";
import { Button } from "../components/button";
import { Message } from "../components/message";
import { useKnownSession } from "../session/session";

export default function ForbiddenPage() {
  const { t } = useTranslation(["common", "frame", "faults"]);
  const navigate = useNavigate();
  const { problem, signOut } = useKnownSession();
  const stranger = problem?.code === "identity.stranger";
  return (
    <Message
      icon={Lock}
      level={1}
      title={t("forbiddenTitle")}
      actions={
        <>
          {stranger ? (
            <Button kind="primary" onClick={() => signOut()}>
              {t("frame:signOut")}
            </Button>
          ) : (
            <Button kind="primary" onClick={() => void navigate("/")}>
              {t("home")}
            </Button>
          )}
          <Button onClick={() => void navigate(-1)}>{t("back")}</Button>
        </>
      }
    >
      <p>{stranger ? t("faults:identity.stranger") : t("forbiddenBody")}</p>
    </Message>
  );
}
