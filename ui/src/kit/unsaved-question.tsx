import { Modal } from "antd";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "../i18n/translation";
import { useLeaving } from "../components/router";
import "./unsaved-question.css";

/**
 * Whatever way a person leaves something unsaved (a button, a link, the back button, closing the window), they are
 * asked first.
 */
export function UnsavedQuestion({ unsaved }: { unsaved: () => boolean }) {
  const { t } = useTranslation();
  const leaving = useLeaving(unsaved);
  const closing = useEffectEvent((event: BeforeUnloadEvent) => {
    if (unsaved()) event.preventDefault();
  });
  useEffect(() => {
    window.addEventListener("beforeunload", closing);
    return () => window.removeEventListener("beforeunload", closing);
  }, []);
  return (
    <Modal
      open={leaving !== undefined}
      title={t("discardTitle")}
      className="question"
      okText={t("discard")}
      okType="default"
      cancelText={t("keep")}
      cancelButtonProps={{ type: "primary" }}
      closable={false}
      centered
      width={400}
      onOk={() => leaving?.leave()}
      onCancel={() => leaving?.stay()}
    >
      {t("discardBody")}
    </Modal>
  );
}
