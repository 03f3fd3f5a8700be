import { useTranslation } from "../../i18n/translation";
import { useNavigate } from "react-router";
import type { FaultCode, FieldCode } from "../../api/problem";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import type { Waiting } from "../../device/outbox";
import { giveUp } from "../../waiting/outbox";
import { saveCopy } from "../../waiting/copy";
import type { Fields } from "../../waiting/sender";
import { useLines } from "./written";

/** Why the server did not take an entry, and the ways on: put it right and save it again, keep a copy, or give it up. */
export function Refused({ of, back }: { of: Waiting<Fields> | undefined; back: string }) {
  const { t } = useTranslation(["tracking", "faults", "fields"]);
  const navigate = useNavigate();
  const lines = useLines();
  if (of?.state !== "refused" || !of.refusal) return null;
  const { code, params } = of.refusal;
  const why = params.why
    ? t(`fields:${params.why as FieldCode}`, { replace: params })
    : t(`faults:${code as FaultCode}`, { replace: params });
  return (
    <Notice
      tone="danger"
      action={
        <>
          <Button onClick={() => void saveCopy(of, "saldo", lines(of.entry))}>{t("saveFile")}</Button>
          <Button onClick={() => void giveUp(of.id).then(() => navigate(back, { replace: true }))}>
            {t("discard")}
          </Button>
        </>
      }
    >
      <b>{t("notSent")}</b>
      <br />
      {why}
    </Notice>
  );
}
