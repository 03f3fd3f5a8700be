import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { useSession } from "../../session/session";
import { Notice } from "../../components/notice";
import { Changes } from "./changes";
import { CountsTable } from "./counts-table";
import { Facts } from "./facts";
import { FirstRows } from "./first-rows";
import { MoneyTable } from "./money-table";
import { newOf, useMoney } from "./names";
import { People } from "./people";
import { type Import, type Preview, type Restated, useCancel, useConfirm } from "./queries";
import { RememberedRows } from "./remembered-rows";
import { Reread } from "./reread";
import { RowErrors } from "./row-errors";
import { keep, putAway } from "./uploads";
import { Warnings } from "./warnings";

/** Whether a file asks something that only a person can answer. */
const asks = (preview: Preview) => preview.warnings.some(({ code }) => code === "same_money");
const restates = (preview: Preview) => preview.changes.count > 0;

/** Whether a file can be confirmed without a question: it brings something and asks nothing. */
export const isPlain = (preview: Preview) => !asks(preview) && !restates(preview) && newOf(preview.totals).count > 0;

interface PreviewCardProps {
  of: Import;
  preview: Preview;
  /** The only file to confirm: its button is the first on the page. */
  alone: boolean;
}

/** All that importing a file would do, before anything is written. */
export function PreviewCard({ of, preview, alone }: PreviewCardProps) {
  const { t } = useTranslation(["imports", "faults"]);
  const mayWrite = useSession().may("imports.write");
  const { full } = useMoney();
  const confirm = useConfirm();
  const cancel = useCancel();
  const question = asks(preview);
  const [bookedAs, setBookedAs] = useState<"" | "money" | "detail">("");
  const { count, sum } = newOf(preview.totals);
  const { unassigned, failed } = preview.counts.transactions;
  const refused = confirm.error ?? cancel.error;
  const open = question && bookedAs === "";
  const say = (restated: Restated) => {
    keep(of.id);
    confirm.mutate({ id: of.id, bookedAs, restated });
  };
  return (
    <>
      <Facts of={of} />
      <Warnings warnings={preview.warnings} />
      <Changes changes={preview.changes} />
      <CountsTable counts={preview.counts} />
      <div className="imports-boxes">
        <MoneyTable title={t("money")} totals={preview.totals} />
        <RowErrors of={of} preview={preview} />
        <People preview={preview} />
        <RememberedRows preview={preview} />
      </div>
      <FirstRows preview={preview} />
      {mayWrite && <Reread of={of} />}
      {question && (
        <fieldset className="imports-question">
          <legend>{t("sameMoneyQuestion")}</legend>
          {(["detail", "money"] as const).map((way) => (
            <label key={way}>
              <input
                type="radio"
                name={`${of.id}-booked`}
                checked={bookedAs === way}
                onChange={() => setBookedAs(way)}
              />
              {t(way === "detail" ? "bookDetail" : "bookMoney")}
            </label>
          ))}
        </fieldset>
      )}
      {refused && (
        <Notice tone="danger">
          {t(confirm.error ? "confirmFailed" : "discardFailed", { file: of.fileName })}{" "}
          {t(`faults:${refused.code}`, { replace: refused.params })}
        </Notice>
      )}
      <footer>
        <p>
          <b>{t("nothingSaved")}</b>
          {unassigned > 0 && <span>{t("willWait", { number: unassigned })} </span>}
          {failed > 0 && <span>{t("willFail", { number: failed })}</span>}
        </p>
        {mayWrite && (
          <>
            <Button
              loading={cancel.isPending}
              aria-label={t("discardNamed", { file: of.fileName })}
              // asking for the file again may take this card away before the answer comes
              onClick={() =>
                void cancel.mutateAsync(of.id).then(
                  () => putAway(of.id),
                  () => undefined,
                )
              }
            >
              {t("discard")}
            </Button>
            {restates(preview) && bookedAs !== "detail" ? (
              <>
                <Button disabled={open} loading={confirm.isPending} onClick={() => say("beside")}>
                  {t("besideWeek")}
                </Button>
                {preview.changes.partly === 0 && (
                  <Button
                    kind={alone ? "primary" : "default"}
                    disabled={open}
                    loading={confirm.isPending}
                    onClick={() => say("replace")}
                  >
                    {t("replaceWeek")}
                  </Button>
                )}
              </>
            ) : (
              (count > 0 || question) && (
                <Button
                  kind={alone ? "primary" : "default"}
                  disabled={open}
                  loading={confirm.isPending}
                  onClick={() => say("")}
                >
                  {bookedAs === "detail" ? t("confirmDetail") : t("confirm", { count, sum: full(sum) })}
                </Button>
              )
            )}
          </>
        )}
      </footer>
    </>
  );
}
