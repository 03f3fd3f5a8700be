import { Compass } from "lucide-react";
import { useTranslation } from "../i18n/translation";
import { useNavigate } from "react-router";
import { Button } from "../components/button";
import { Message } from "../components/message";

export default function NotFoundPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Message
      icon={Compass}
      level={1}
      title={t("notFoundTitle")}
      actions={
        <Button kind="primary" onClick={() => void navigate("/")}>
          {t("home")}
        </Button>
      }
    >
      <p>{t("notFoundBody")}</p>
    </Message>
  );
}
