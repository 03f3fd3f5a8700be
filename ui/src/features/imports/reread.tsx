import { Button } from "antd";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "../../api/problem";
import { Notice } from "../../components/notice";
import { OrderFields } from "./order-fields";
import { type Import, orderOf } from "./queries";
import { useUpload } from "./uploads";

/** What was said about a file, to be said otherwise: it is then read once more. */
export function Reread({ of, open }: { of: Import; open?: boolean }) {
  const { t } = useTranslation(["imports", "faults"]);
  const [order, setOrder] = useState(() => orderOf(of));
  const { busy, problem, reread } = useReread(of);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void reread(order);
  };
  return (
    <details className="imports-details" {...(open && { open })}>
      <summary>{t("settingsOf")}</summary>
      <form onSubmit={submit}>
        <OrderFields order={order} onChange={setOrder} />
        {problem && (
          <Notice tone="danger">
            {t("readAgainFailed")} {t(`faults:${problem.code}`, { replace: problem.params })}
          </Notice>
        )}
        <Button htmlType="submit" loading={busy}>
          {t("readAgain")}
        </Button>
      </form>
    </details>
  );
}

/** A file whose rows say no date: two days and a press, and it is read again. */
export function WhichDays({ of }: { of: Import }) {
  const { t } = useTranslation(["imports", "faults"]);
  const [days, setDays] = useState({ datesFrom: "", datesTo: "" });
  const { busy, problem, reread } = useReread(of);
  const day = (name: "datesFrom" | "datesTo") => (
    <label>
      {t(name)}
      <input
        type="date"
        value={days[name]}
        onChange={({ target }) => setDays((before) => ({ ...before, [name]: target.value }))}
      />
    </label>
  );
  return (
    <fieldset className="imports-question">
      <legend>{t("whichDays")}</legend>
      <p className="imports-quiet">{t("whichDaysNote")}</p>
      <div className="imports-field imports-which">
        {day("datesFrom")}
        {day("datesTo")}
        <Button
          loading={busy}
          disabled={!days.datesFrom || days.datesTo < days.datesFrom}
          onClick={() => void reread({ ...orderOf(of), ...days })}
        >
          {t("readAgain")}
        </Button>
      </div>
      {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
    </fieldset>
  );
}

/** Reads a file once more by another order. */
export function useReread(of: Import) {
  const upload = useUpload();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const reread = async (order: ReturnType<typeof orderOf>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await upload.reread(of, order);
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, reread };
}
