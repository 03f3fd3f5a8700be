import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import { type Invoice, useApproveClean } from "../../invoices/calls";
import { useAmounts } from "../../session/amounts";
import styles from "./invoices.module.css";

/** Why one was left to be reviewed. */
const WHY = ["unsure", "findings", "state", "not_described"] as const;

/** Approves those of the list that a driver described and about which there is nothing to look at; names the others. */
export function BulkDialog({ items, onClose }: { items: readonly Invoice[]; onClose: () => void }) {
  const { t } = useTranslation(["invoices", "faults", "common"]);
  const { full } = useAmounts();
  const approve = useApproveClean();
  const done = approve.data;
  const sum = items.reduce((total, { gross }) => total + gross, 0);
  const left = done ? items.flatMap((one) => (one.id in done.left ? [{ one, why: done.left[one.id] }] : [])) : [];
  return (
    <Dialog title={t("approveClean")} onClose={onClose}>
      <div className={styles.dialog}>
        {done ? (
          <>
            <p role="status">{t("approvedCount", { number: done.approved.length })}</p>
            {left.length > 0 && (
              <ul className={styles.left} aria-label={t("leftToReview")}>
                {left.map(({ one, why }) => (
                  <li key={one.id}>
                    <Link to={`/invoices/${one.id}`}>{one.number || one.fileName}</Link>{" "}
                    {t(`left_${WHY.find((known) => known === why) ?? "findings"}`)}
                  </li>
                ))}
              </ul>
            )}
          </>
        ) : (
          <p>{t("approveCleanBody", { count: items.length, amount: full(sum) })}</p>
        )}
        {approve.error && (
          <Notice tone="danger">{t(`faults:${approve.error.code}`, { replace: approve.error.params })}</Notice>
        )}
        <div className={styles.acts}>
          <Button onClick={onClose}>{t(done ? "common:close" : "common:cancel")}</Button>
          {!done && (
            <Button
              kind="primary"
              loading={approve.isPending}
              onClick={() => approve.mutate(items.map(({ id }) => id))}
            >
              {t("approveThem")}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
