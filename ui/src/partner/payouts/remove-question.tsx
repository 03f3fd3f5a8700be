import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useAmounts } from "../../session/amounts";
import { Dialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import { type Transfer, useRemove } from "./queries";

interface RemoveQuestionProps {
  batch: number;
  /** Those of one settlement. */
  transfers: Transfer[];
  onClose: () => void;
}

/** Takes a settlement out of a batch: which of its transfers came back, and why. */
export function RemoveQuestion({ batch, transfers, onClose }: RemoveQuestionProps) {
  const { t } = useTranslation(["payouts", "faults"]);
  const { full } = useAmounts();
  const [reason, setReason] = useState("");
  const [returned, setReturned] = useState<readonly number[]>([]);
  const remove = useRemove(batch);
  const [one] = transfers;
  if (!one) return null;
  const back = (transfer: Transfer) => transfer.returnedOn !== "" || returned.includes(transfer.place);
  const anew = transfers.filter(back).reduce((sum, { amount }) => sum + amount, 0);
  const submit = async () => {
    try {
      await remove.mutateAsync({ settlement: one.settlementId, reason, returned: [...returned] });
      onClose();
    } catch {
      // why is shown below
    }
  };
  return (
    <Dialog title={t("removeTitle", { number: one.number })} onClose={onClose}>
      <form
        className="payouts-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p>{t("removeBody", { name: `${one.firstName} ${one.lastName}` })}</p>
        <fieldset className="payouts-returned">
          <legend>{t("removeWhich")}</legend>
          {transfers.map((transfer) => (
            <label key={transfer.place} className="payouts-check">
              <input
                type="checkbox"
                checked={back(transfer)}
                disabled={transfer.returnedOn !== ""}
                onChange={({ target }) =>
                  setReturned(
                    target.checked
                      ? [...returned, transfer.place]
                      : returned.filter((place) => place !== transfer.place),
                  )
                }
              />
              <span>
                {t(`purpose_${transfer.purpose}`)}, {full(transfer.amount)}
                {transfer.returnedOn && ` (${t("saidByBank")})`}
              </span>
            </label>
          ))}
        </fieldset>
        <p>{t("removeSum", { sum: full(anew) })}</p>
        <label>
          {t("reason")}
          <textarea
            rows={3}
            maxLength={500}
            required
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </label>
        {remove.error && (
          <Notice tone="danger">{t(`faults:${remove.error.code}`, { replace: remove.error.params })}</Notice>
        )}
        <div>
          <Button onClick={onClose}>{t("goBack")}</Button>
          <Button kind="primary" type="submit" loading={remove.isPending} disabled={reason.trim() === "" || anew === 0}>
            {t("removeNow")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
