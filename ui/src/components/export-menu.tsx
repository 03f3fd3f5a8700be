import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "./button";
import { Problem } from "../api/problem";
import { save } from "../browser/save";
import { Menu, MenuItem } from "./menu";

export type ExportFormat = "csv" | "xlsx";

interface ExportMenuProps {
  texts: { export: string; exporting: string; csv: string; xlsx: string };
  triggerClass: string;
  /** Makes the file. */
  make: (format: ExportFormat) => Promise<{ content: Blob; name: string }>;
  /** Told of what was refused, and of nothing when a new try begins. */
  onProblem: (problem: Problem | undefined) => void;
}

/** Hands out all of a list as a file, in the format that is chosen. */
export function ExportMenu({ texts, triggerClass, make, onProblem }: ExportMenuProps) {
  const [busy, setBusy] = useState(false);
  const hand = async (format: ExportFormat) => {
    setBusy(true);
    onProblem(undefined);
    try {
      const { content, name } = await make(format);
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
        {texts.exporting}
      </Button>
    );
  return (
    <Menu
      label={texts.export}
      placement="below"
      align="end"
      triggerClass={triggerClass}
      trigger={
        <>
          <Download aria-hidden size={16} strokeWidth={1.75} />
          {texts.export}
        </>
      }
    >
      <MenuItem onSelect={() => void hand("xlsx")}>{texts.xlsx}</MenuItem>
      <MenuItem onSelect={() => void hand("csv")}>{texts.csv}</MenuItem>
    </Menu>
  );
}
