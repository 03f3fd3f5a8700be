import { Input } from "antd";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { FreshFirst } from "../../components/fresh-first";
import { Refusal } from "../../components/refusal";
import { useCertify } from "./queries";

/** Where this dialog is open. */
const BACK = "/documents?certificate=open";

/** Takes the certificate of type Offline and its key, both as text. */
export function CertificateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["documents", "faults", "common"]);
  const certify = useCertify();
  const [certificate, setCertificate] = useState("");
  const [key, setKey] = useState("");
  return (
    <Dialog title={t("certificate")} onClose={onClose}>
      <FreshFirst back={BACK}>
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
            kind="primary"
            disabled={!certificate.trim() || !key.trim()}
            loading={certify.isPending}
            onClick={() => certify.mutate({ certificate, key }, { onSuccess: onClose })}
          >
            {t("agreementSave")}
          </Button>
        </div>
        {certify.error && <Refusal problem={certify.error} undone={t("certificateUnsaved")} back={BACK} />}
      </FreshFirst>
    </Dialog>
  );
}
