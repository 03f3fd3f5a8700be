import { Button } from "antd";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "../../api/problem";
import { save } from "../../browser/save";
import { Menu, MenuItem } from "../../components/menu";
import { useLanguage } from "../../i18n";
import { type ExportFormat, exportSettled, type SettledChoice } from "./files";

interface ExportMenuProps {
  query: SettledChoice;
  /** Told of what was refused, and of nothing when a new try begins. */
  onProblem: (problem: Problem | undefined) => void;
}

/** Hands out all settlements of the filter as a file. */
export function ExportMenu({ query, onProblem }: ExportMenuProps) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  const [busy, setBusy] = useState(false);
  const hand = async (format: ExportFormat) => {
    setBusy(true);
    onProblem(undefined);
    try {
      const { content, name } = await exportSettled(query, format, language);
      save(content, name);
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      onProblem(reason);
    } finally {
      setBusy(false);
    }
  };
  if (busy)
    return (
      <Button loading disabled>
        {t("exporting")}
      </Button>
    );
  return (
    <Menu
      label={t("export")}
      placement="below"
      align="end"
      triggerClass="settlements-button"
      trigger={
        <>
          <Download aria-hidden size={16} strokeWidth={1.75} />
          {t("export")}
        </>
      }
    >
      <MenuItem onSelect={() => void hand("xlsx")}>{t("exportXlsx")}</MenuItem>
      <MenuItem onSelect={() => void hand("csv")}>{t("exportCsv")}</MenuItem>
    </Menu>
  );
}
