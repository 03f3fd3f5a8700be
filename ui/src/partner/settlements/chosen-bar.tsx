import { type ReactNode, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { useAmounts } from "../../session/amounts";
import type { Selection } from "./selection";
import { SelectionBar } from "./selection-bar";

interface ChosenBarProps {
  selection: Selection;
  total: number;
  settleable: number;
  load: () => Promise<ReadonlyMap<string, number>>;
  pages: ReactNode;
  busy: boolean;
  onSettle: () => void;
  /** Called when the button is about to be pressed. */
  onNear: () => void;
}

/** What is chosen, and the button that settles exactly that. */
export default function ChosenBar({
  selection,
  total,
  settleable,
  load,
  pages,
  busy,
  onSettle,
  onNear,
}: ChosenBarProps) {
  const { t } = useTranslation(["settlements", "faults"]);
  const { full } = useAmounts();
  const [adding, setAdding] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const all = async () => {
    setAdding(true);
    setProblem(undefined);
    try {
      selection.add(await load());
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    } finally {
      setAdding(false);
    }
  };
  return (
    <SelectionBar
      selection={selection}
      total={total}
      more={selection.hidden || selection.count < settleable ? settleable : 0}
      adding={adding}
      onAll={() => void all()}
      pages={pages}
    >
      {problem && <span role="alert">{t(`faults:${problem.code}`, { replace: problem.params })}</span>}
      <Button kind="primary" loading={busy} onPointerEnter={onNear} onClick={onSettle}>
        {t("settleMany", { number: selection.count, sum: full(selection.sum) })}
      </Button>
    </SelectionBar>
  );
}
