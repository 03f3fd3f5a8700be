import { Input, Radio } from "antd";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import { type Agreement, useAgree } from "./queries";

interface AgreementDialogProps {
  /** Empty: of all drivers. */
  driver: string;
  now: Agreement;
  onClose: () => void;
}

/** How drivers approve invoices that the partner writes for them: all, or one. */
export function AgreementDialog({ driver, now, onClose }: AgreementDialogProps) {
  const { t } = useTranslation(["documents", "faults", "common"]);
  const agree = useAgree();
  const [approval, setApproval] = useState(now.approval);
  const [days, setDays] = useState(String(now.days ?? 7));
  const choices = driver ? (["", "none", "tacit", "explicit"] as const) : (["none", "tacit", "explicit"] as const);
  const wrong = approval === "tacit" && !/^([1-9]|[1-5]\d|60)$/.test(days);
  const save = () =>
    agree.mutate(
      { approval, ...(driver && { driverId: driver }), ...(approval === "tacit" && { days: Number(days) }) },
      { onSuccess: onClose },
    );
  return (
    <Dialog title={driver ? t("agreementDriver") : t("agreement")} onClose={onClose}>
      <p>{t("agreementLead")}</p>
      <Radio.Group
        aria-label={t("agreement")}
        className="documents-choices"
        value={approval}
        onChange={({ target }) => setApproval(target.value as Agreement["approval"])}
      >
        {choices.map((one) => (
          <Radio key={one} value={one}>
            {t(`approval_${one || "fleet"}`)}
          </Radio>
        ))}
      </Radio.Group>
      {approval === "tacit" && (
        <label className="documents-days">
          {t("agreementDays")}
          <Input
            inputMode="numeric"
            value={days}
            status={wrong ? "error" : ""}
            onChange={({ target }) => setDays(target.value)}
          />
          {wrong && <small role="alert">{t("agreementDaysWrong")}</small>}
        </label>
      )}
      <div className="documents-acts">
        <Button onClick={onClose}>{t("common:cancel")}</Button>
        <Button kind="primary" disabled={wrong} loading={agree.isPending} onClick={save}>
          {t("agreementSave")}
        </Button>
      </div>
      {agree.error && <Notice tone="danger">{t(`faults:${agree.error.code}`, { replace: agree.error.params })}</Notice>}
    </Dialog>
  );
}
