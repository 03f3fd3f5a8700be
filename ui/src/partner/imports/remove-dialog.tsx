import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useSession } from "../../session/session";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { type Import, useRemove } from "./queries";

/** Larger files are removed in a job. */
const AT_ONCE = 2000;

/** Takes an import back, after saying what goes with it. */
export function RemoveButton({ of }: { of: Import }) {
  const { t } = useTranslation("imports");
  const [open, setOpen] = useState(false);
  if (!useSession().may("imports.write")) return null;
  return (
    <>
      <Button icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />} onClick={() => setOpen(true)}>
        {t("remove")}
      </Button>
      {open && <RemoveDialog of={of} onClose={() => setOpen(false)} />}
    </>
  );
}

function RemoveDialog({ of, onClose }: { of: Import; onClose: () => void }) {
  const { t } = useTranslation(["imports", "common", "faults"]);
  const remove = useRemove();
  const done = useDoneToast();
  const [problem, setProblem] = useState<Problem>();
  const counts = of.counts.transactions;
  const now = async () => {
    setProblem(undefined);
    try {
      await remove.mutateAsync(of.id);
      done(t(counts.all - counts.failed > AT_ONCE ? "removingStarted" : "removed", { file: of.fileName }));
      onClose();
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
  };
  const settlements = (problem?.params.settlements ?? "").split(" ").filter(Boolean);
  const drivers = (problem?.params.drivers ?? "").split(" ");
  return (
    <Dialog title={t("removeTitle", { file: of.fileName })} onClose={onClose}>
      <p>
        {t("removeBody", {
          booked: counts.new,
          waiting: counts.unassigned + counts.ignored + counts.fleet,
        })}
      </p>
      {problem && (
        <Notice tone="danger">
          <p>
            {t("removeFailed")} {t(`faults:${problem.code}`, { replace: problem.params })}
          </p>
          {settlements.length > 0 && (
            <ul>
              {settlements.map((id, index) => (
                <li key={id}>
                  <Link to={`/transactions/details/${drivers[index] ?? ""}/${id}`}>{t("settlement", { id })}</Link>
                </li>
              ))}
            </ul>
          )}
        </Notice>
      )}
      <div className="imports-answers">
        <Button onClick={onClose}>{t("common:cancel")}</Button>
        <Button kind="primary" loading={remove.isPending} onClick={() => void now()}>
          {t("removeNow")}
        </Button>
      </div>
    </Dialog>
  );
}
