import { Button, Input } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import { useCertify } from "./queries";

/** Takes the certificate of type Offline and its key, both as text. */
export function CertificateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["documents", "faults", "common"]);
  const certify = useCertify();
  const [certificate, setCertificate] = useState("");
  const [key, setKey] = useState("");
  return (
    <Dialog title={t("certificate")} onClose={onClose}>
      <p>{t("certificateLead")}</p>
      <label className="documents-pem">
        {t("certificateText")}
        <Input.TextArea rows={4} value={certificate} onChange={({ target }) => setCertificate(target.value)} />
      </label>
      <label className="documents-pem">
        {t("certificateKey")}
        <Input.TextArea rows={4} value={key} autoComplete="off" onChange={({ target }) => setKey(target.value)} />
      </label>
      <div className="documents-acts">
        <Button onClick={onClose}>{t("common:cancel")}</Button>
        <Button
          type="primary"
          disabled={!certificate.trim() || !key.trim()}
          loading={certify.isPending}
          onClick={() => certify.mutate({ certificate, key }, { onSuccess: onClose })}
        >
          {t("agreementSave")}
        </Button>
      </div>
      {certify.error && (
        <Notice tone="danger">{t(`faults:${certify.error.code}`, { replace: certify.error.params })}</Notice>
      )}
    </Dialog>
  );
}
