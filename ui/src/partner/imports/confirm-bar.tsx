import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { newOf, useMoney } from "./names";
import { isPlain } from "./preview-details";
import { type One, useConfirm } from "./queries";
import { keep } from "./uploads";

/** Confirms all files that ask nothing, one after the other; what is refused is said by name. */
export function ConfirmBar({ ready }: { ready: readonly One[] }) {
  const { t } = useTranslation(["imports", "faults"]);
  const { full } = useMoney();
  const confirm = useConfirm();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<readonly { file: string; problem: Problem }[]>([]);
  const plain = ready.filter(isPlain);
  const { count, sum } = newOf(plain.flatMap(({ preview }) => preview.totals));
  const rows = (kind: "unassigned" | "failed") =>
    plain.reduce((all, { preview }) => all + preview.counts.transactions[kind], 0);
  const files = t("allTogether", { count: plain.length });
  const all = async () => {
    setBusy(true);
    const failed: { file: string; problem: Problem }[] = [];
    for (const { import: of } of plain)
      try {
        keep(of.id);
        await confirm.mutateAsync({ id: of.id, reading: of.readings, bookedAs: "", restated: "" });
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        failed.push({ file: of.fileName, problem });
      }
    setRefused(failed);
    setBusy(false);
  };
  return (
    <div className="imports-bar" role="region" aria-label={files}>
      <div>
        <b>{t("nothingSaved")}</b>
        <span>
          {files}
          {". "}
          {rows("unassigned") > 0 && `${t("willWait", { number: rows("unassigned") })} `}
          {rows("failed") > 0 && `${t("willFail", { number: rows("failed") })} `}
          {plain.length < ready.length && t("decideFirst")}
        </span>
        {refused.map(({ file, problem }) => (
          <Notice key={file} tone="danger">
            {t("confirmFailed", { file })} {t(`faults:${problem.code}`, { replace: problem.params })}
          </Notice>
        ))}
      </div>
      <Button kind="primary" loading={busy} onClick={() => void all()}>
        {t("confirm", { count, sum: full(sum) })}
      </Button>
    </div>
  );
}
