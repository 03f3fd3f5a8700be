import { Button } from "antd";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "../../api/problem";
import { save } from "../../browser/save";
import { Menu, MenuItem } from "../../components/menu";
import { useLanguage } from "../../i18n";
import { type DriverQuery, type ExportFormat, exportDrivers } from "./queries";

const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

interface ExportMenuProps {
  query: DriverQuery;
  /** Told of what was refused, and of nothing when a new try begins. */
  onProblem: (problem: Problem | undefined) => void;
}

/** Hands out all drivers of the filter as a file. */
export function ExportMenu({ query, onProblem }: ExportMenuProps) {
  const { t } = useTranslation("drivers");
  const language = useLanguage();
  const [busy, setBusy] = useState(false);
  const hand = async (format: ExportFormat) => {
    setBusy(true);
    onProblem(undefined);
    try {
      const { content, name } = await exportDrivers(query, format, language);
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
      triggerClass="drivers-button"
      trigger={
        <>
          <Download {...ICON} />
          {t("export")}
        </>
      }
    >
      <MenuItem onSelect={() => void hand("xlsx")}>{t("exportXlsx")}</MenuItem>
      <MenuItem onSelect={() => void hand("csv")}>{t("exportCsv")}</MenuItem>
    </Menu>
  );
}
