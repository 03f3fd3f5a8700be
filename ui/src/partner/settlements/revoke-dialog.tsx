import { useQueries } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import { useAmounts } from "../../session/amounts";
import { Other } from "./bulk-result";
import { type Settled, undoingOf } from "./settled-queries";
import styles from "./revoke-dialog.module.css";

/** Of how many settlements what revoking undoes is added up. */
const LOOKED_AT = 20;
const REASON_MAX = 500;

interface RevokeDialogProps {
  rows: readonly Settled[];
  onRevoke: (reason: string) => void;
  onClose: () => void;
}

/** What revoking takes back, what it cannot, and why it is done. */
export function RevokeDialog({ rows, onRevoke, onClose }: RevokeDialogProps) {
  const { t } = useTranslation(["settlements", "faults", "common"]);
  const { full } = useAmounts();
  const [reason, setReason] = useState("");
  const some = rows.length <= LOOKED_AT;
  const answers = useQueries({ queries: (some ? rows : []).map(({ id }) => undoingOf(id)) });
  const problem = answers.find(({ error }) => error)?.error;
  const found = answers.flatMap(({ data }) => (data ? [data] : []));
  const able = found.filter(({ refusal }) => !refusal);
  const waiting = some && found.length < rows.length && !problem;
  const nothing = some && !waiting && able.length === 0;
  const hint = useId();
  const one = rows.length === 1 ? rows[0] : undefined;
  return (
    <Dialog
      title={one ? t("revokeOne", { number: one.number }) : t("revokeTitle", { number: rows.length })}
      onClose={onClose}
    >
      <form
        className="settlements-question"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim() && !nothing) onRevoke(reason.trim());
        }}
      >
        {some && (
          <ul className={styles.rows}>
            {rows.map((row) => (
              <li key={row.id}>
                <span>{t("numbered", { number: row.number, name: `${row.lastName} ${row.firstName}` })}</span>
                <b>{full(row.payout)}</b>
              </li>
            ))}
          </ul>
        )}
        {waiting && <span className="bar" role="status" aria-label={t("common:loading")} />}
        {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
        {!some && <p>{t("undoMany")}</p>}
        {able.length > 0 && <Undone able={able} />}
        {found.flatMap(({ settlement: row, refusal, params }) =>
          refusal
            ? [
                <Notice key={row.id} tone="warning">
                  {t("numbered", { number: row.number, name: `${row.lastName} ${row.firstName}` })}{" "}
                  {t(`faults:${refusal}`, { replace: params ?? {} })} <Other row={row} params={params} />
                </Notice>,
              ]
            : [],
        )}
        {!nothing && (
          <label>
            {t("reason")}
            <textarea
              rows={3}
              aria-describedby={hint}
              required
              maxLength={REASON_MAX}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          </label>
        )}
        {!nothing && (
          <small id={hint} className={styles.hint}>
            {waiting ? t("waitUndoing") : reason.trim() === "" && t("reasonNeeded")}
          </small>
        )}
        <div>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          {!nothing && (
            <Button danger kind="primary" type="submit" disabled={!reason.trim() || waiting}>
              {t("revokeMany", { number: some && !waiting ? able.length : rows.length })}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

type Found = Awaited<ReturnType<ReturnType<typeof undoingOf>["queryFn"]>>;

/** The sums of what is taken back. */
function Undone({ able }: { able: readonly Found[] }) {
  const { t } = useTranslation("settlements");
  const { full } = useAmounts();
  const sum = (pick: (one: Found) => number) => able.reduce((total, one) => total + pick(one), 0);
  const periods = [...new Set(able.flatMap(({ absorbed }) => absorbed))].sort();
  const carries = able.flatMap((one) => one.carries);
  const shared = able.filter(({ settlement }) => settlement.sharedAt !== null).length;
  return (
    <div>
      {t("undoes")}
      <ul>
        <li>{t("undoTransactions", { number: sum(({ transactions }) => transactions) })}</li>
        {periods.length > 0 && <li>{t("undoPeriods", { periods: periods.join(", ") })}</li>}
        {carries.length > 0 && (
          <li>
            {t("undoCarries", {
              number: carries.length,
              sum: full(carries.reduce((total, { amount }) => total + amount, 0)),
            })}
          </li>
        )}
        <li>{t("undoUnits", { number: sum(({ units }) => units) })}</li>
        {able
          .flatMap(({ documents }) => documents)
          .map(({ number, gross, corrected }) => (
            <li key={number}>
              <b>{t(corrected ? "undoCorrected" : "undoCancelled", { number, sum: full(gross) })}</b>
            </li>
          ))}
        {shared > 0 && <li>{t("undoShared", { number: shared })}</li>}
      </ul>
    </div>
  );
}
