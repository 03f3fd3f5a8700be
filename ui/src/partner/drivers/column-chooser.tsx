import { Columns3 } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Popover } from "../../components/popover";
import { type Choice, choices, type useShownColumns } from "./shown-columns";

/** Which columns the list shows, as boxes to tick. */
export function ColumnChooser({ columns }: { columns: ReturnType<typeof useShownColumns> }) {
  const { t } = useTranslation("drivers");
  return (
    <Popover
      label={t("columns")}
      triggerClass="drivers-button"
      trigger={
        <>
          <Columns3 aria-hidden size={16} strokeWidth={1.75} />
          {t("columns")}
        </>
      }
    >
      {() => (
        <div className="drivers-columns">
          {(Object.keys(choices) as Choice[]).map((name) => (
            <label key={name}>
              <input type="checkbox" checked={columns.shown.includes(name)} onChange={() => columns.toggle(name)} />
              {t(choices[name])}
            </label>
          ))}
          <Button onClick={columns.reset}>{t("usualColumns")}</Button>
        </div>
      )}
    </Popover>
  );
}
