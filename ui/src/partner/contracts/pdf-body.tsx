import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import type { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import type { Template, usePreview } from "./calls";
import type { ContractPDF } from "./pdf-calls";
import { PDFUpload } from "./pdf-upload";
import { PlacementEditor } from "./placement-editor";
import { fitted, lackOf } from "./placements";
import styles from "./contracts.module.css";

interface PDFBodyProps {
  text: Template;
  shown: Parameters<typeof usePreview>[0];
  problem: Problem | null;
  driver: string;
  onDriver: (id: string) => void;
  onChange: (part: Partial<Template>) => void;
}

/** A partner's PDF: chosen, replaced, and with fields on its pages. */
export function PDFBody({ text, shown, problem, driver, onDriver, onChange }: PDFBodyProps) {
  const { t } = useTranslation("contractTexts");
  const [replacing, setReplacing] = useState(false);
  const [proposed, setProposed] = useState(false);
  const { file, placements = [] } = text;
  const take = (next: ContractPDF) => {
    setReplacing(false);
    // what lies on pages that the new file has too stays
    const kept = placements.flatMap((one) => {
      const size = next.pages[one.page - 1];
      return size ? [fitted(one, size)] : [];
    });
    const all = kept.length > 0 ? kept : next.placements;
    setProposed(kept.length === 0 && all.length > 0);
    onChange({ file: next, fileId: next.id, placements: all });
  };
  if (!file) return <PDFUpload onDone={take} />;
  const lack = lackOf(placements);
  return (
    <>
      <div className={styles.acts}>
        <b>{file.name}</b>
        <Button aria-expanded={replacing} onClick={() => setReplacing(!replacing)}>
          {t("replacePDF")}
        </Button>
      </div>
      {replacing && <PDFUpload onDone={take} />}
      {proposed && <Notice tone="info">{t("proposedFields")}</Notice>}
      {lack && <p className={styles.quiet}>{t(lack)}</p>}
      <PlacementEditor
        file={file}
        all={placements}
        draft={shown}
        problem={problem}
        driver={driver}
        onDriver={onDriver}
        onChange={(all) => onChange({ placements: all })}
      />
    </>
  );
}
