import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { Dialog } from "../../components/dialog";
import { today } from "../../format/date";
import { useAmounts } from "../../session/amounts";
import type { Settled } from "./settled-queries";

interface PayDialogProps {
  rows: readonly Settled[];
  onPay: (paidOn: string) => void;
  onClose: () => void;
}

/** On which day settlements were paid; not later than today. */
export function PayDialog({ rows, onPay, onClose }: PayDialogProps) {
  const { t } = useTranslation(["settlements", "common"]);
  const { full } = useAmounts();
  const last = today(useConfig().timeZone);
  const [paidOn, setPaidOn] = useState(last);
  const fine = /^\d{4}-\d{2}-\d{2}$/.test(paidOn) && paidOn <= last;
  const sum = rows.reduce((total, { payout }) => total + payout, 0);
  return (
    <Dialog title={t("payTitle")} onClose={onClose}>
      <form
        className="settlements-question"
        onSubmit={(event) => {
          event.preventDefault();
          if (fine) onPay(paidOn);
        }}
      >
        <p>{t("payBody", { number: rows.length, sum: full(sum) })}</p>
        <label>
          {t("paidOn")}
          <input type="date" max={last} required value={paidOn} onChange={({ target }) => setPaidOn(target.value)} />
        </label>
        <div>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" type="submit" disabled={!fine}>
            {t("payMany", { number: rows.length, sum: full(sum) })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
