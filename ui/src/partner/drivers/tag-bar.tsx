import { Tag as TagIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useDoneToast } from "../../components/done-toast";
import { useUndoToast } from "../../components/undo-toast";
import { useTagChoices } from "../../kit/lookups";
import { type TagChange, useTagDrivers } from "./queries";

/** Changes a tag of many drivers, says truthfully what became of them, and offers to take it back. */
export function useManyTags(onProblem: (problem: Problem | undefined) => void) {
  const { t } = useTranslation("drivers");
  const write = useTagDrivers();
  const done = useDoneToast();
  const offerUndo = useUndoToast();
  const change = async (wanted: TagChange): Promise<string[] | undefined> => {
    onProblem(undefined);
    try {
      const { drivers } = await write.mutateAsync(wanted);
      return drivers.filter(({ result }) => result === "changed").map(({ id }) => id);
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      onProblem(reason);
      return undefined;
    }
  };
  const undo = async (wanted: TagChange) => {
    const back = await change({ ...wanted, give: !wanted.give });
    if (back) done(t("tagsUndone", { count: back.length }));
  };
  /** Whether it was done. */
  const apply = async (wanted: TagChange, name: string): Promise<boolean> => {
    const changed = await change(wanted);
    if (!changed) return false;
    const same = wanted.drivers.length - changed.length;
    const text = [
      t(wanted.give ? "tagGiven" : "tagTaken", { name, count: changed.length }),
      same > 0 && t("tagSame", { count: same }),
    ]
      .filter(Boolean)
      .join(" ");
    if (changed.length === 0) done(text);
    else offerUndo({ icon: TagIcon, text, undo: () => void undo({ ...wanted, drivers: changed }) });
    return true;
  };
  return { apply, busy: write.isPending };
}

interface TagBarProps {
  count: number;
  busy: boolean;
  /** Missing when all of the page are chosen. */
  onAll: (() => void) | undefined;
  onClear: () => void;
  /** Writes to the chosen ones; missing where a person may not. */
  onWrite?: () => void;
  onChange: (tag: { value: string; label: string }, give: boolean) => void;
}

/** What can be done to the chosen drivers. */
export function TagBar({ count, busy, onAll, onClear, onWrite, onChange }: TagBarProps) {
  const { t } = useTranslation("drivers");
  const tags = useTagChoices().data ?? [];
  const [chosen, setChosen] = useState("");
  const tag = tags.find(({ value }) => value === chosen);
  return (
    <div className="drivers-bar" role="region" aria-label={t("selection")}>
      <strong aria-live="polite">{t("selected", { count })}</strong>
      <Button onClick={onClear}>{t("clearSelection")}</Button>
      {onAll && <Button onClick={onAll}>{t("selectPage")}</Button>}
      {onWrite && <Button onClick={onWrite}>{t("writeToThem")}</Button>}
      <select
        className="drivers-select"
        aria-label={t("tagFilter")}
        value={tag ? chosen : ""}
        onChange={({ target }) => setChosen(target.value)}
      >
        <option value="">{tags.length > 0 ? t("chooseTag") : t("noTags")}</option>
        {tags.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Button disabled={!tag || busy} onClick={() => tag && onChange(tag, false)}>
        {t("takeTag")}
      </Button>
      <Button kind="primary" disabled={!tag} loading={busy} onClick={() => tag && onChange(tag, true)}>
        {t("giveTag")}
      </Button>
    </div>
  );
}
