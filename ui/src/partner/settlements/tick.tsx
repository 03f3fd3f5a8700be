import { useTranslation } from "../../i18n/translation";
import type { Selection } from "./selection";

/** Chooses everything on the page that can be chosen. */
export function TickAll({ selection }: { selection: Selection }) {
  const { t } = useTranslation("settlements");
  return (
    <input
      type="checkbox"
      className="settlements-tick"
      aria-label={t("selectPage")}
      ref={(input) => {
        if (input) input.indeterminate = selection.some;
      }}
      disabled={selection.able === 0}
      checked={selection.all}
      onChange={selection.togglePage}
    />
  );
}

/** Chooses one row, or says why it cannot be chosen. */
export function Tick(props: { id: string; name: string; selection: Selection; refused?: string | undefined }) {
  const { t } = useTranslation("settlements");
  const { id, name, selection, refused } = props;
  return (
    <input
      type="checkbox"
      className="settlements-tick"
      aria-label={refused ? t("cannotSelect", { name, reason: refused }) : t("select", { name })}
      title={refused}
      disabled={refused !== undefined}
      checked={selection.has(id)}
      onChange={() => selection.toggle(id)}
    />
  );
}
