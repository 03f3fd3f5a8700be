import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useSession } from "../../session/session";
import { Changes } from "./changes";
import { newOf, useMoney } from "./names";
import { asks, restates } from "./preview-details";
import { type Import, type Preview, type Restated, useConfirm } from "./queries";
import { keep } from "./uploads";

/** What only a person can answer about a file, and the buttons that import it by the answer. */
export function Answers({ of, preview }: { of: Import; preview: Preview }) {
  const { t } = useTranslation(["imports", "faults"]);
  const mayWrite = useSession().may("imports.write");
  const { full } = useMoney();
  const confirm = useConfirm();
  const question = asks(preview);
  const [bookedAs, setBookedAs] = useState<"" | "money" | "detail">("");
  const { count, sum } = newOf(preview.totals);
  const open = question && bookedAs === "";
  const say = (restated: Restated) => {
    keep(of.id);
    confirm.mutate({ id: of.id, reading: of.readings, bookedAs, restated });
  };
  return (
    <>
      <Changes changes={preview.changes} />
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
      {confirm.error && (
        <Notice tone="danger">
          {t("confirmFailed", { file: of.fileName })}{" "}
          {t(`faults:${confirm.error.code}`, { replace: confirm.error.params })}
        </Notice>
      )}
      {mayWrite && (
        <div className="imports-answers">
          {restates(preview) && bookedAs !== "detail" ? (
            <>
              <Button disabled={open} loading={confirm.isPending} onClick={() => say("beside")}>
                {t("besideWeek")}
              </Button>
              {preview.changes.partly === 0 && (
                <Button disabled={open} loading={confirm.isPending} onClick={() => say("replace")}>
                  {t("replaceWeek")}
                </Button>
              )}
            </>
          ) : (
            <Button disabled={open} loading={confirm.isPending} onClick={() => say("")}>
              {bookedAs === "detail" ? t("confirmDetail") : t("confirm", { count, sum: full(sum) })}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
