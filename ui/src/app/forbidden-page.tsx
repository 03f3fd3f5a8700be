import { Button } from "antd";
import { Lock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { Message } from "../components/message";

export default function ForbiddenPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Message
      icon={Lock}
      level={1}
      title={t("forbiddenTitle")}
      actions={
        <>
          <Button type="primary" onClick={() => void navigate("/")}>
            {t("home")}
          </Button>
          <Button onClick={() => void navigate(-1)}>{t("back")}</Button>
        </>
      }
    >
      <p>{t("forbiddenBody")}</p>
    </Message>
  );
}
