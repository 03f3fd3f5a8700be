import { CloudUpload } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

const ACCEPTED = ".csv,.txt,.tsv,.xlsx,.zip";

/** Where files are dropped, or chosen by pointer and keyboard alike. */
export function DropArea({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslation("imports");
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer.files.length > 0) onFiles([...event.dataTransfer.files]);
  };
  return (
    <div
      className="imports-drop"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <CloudUpload aria-hidden size={24} strokeWidth={1.75} />
      <p>
        <b>{t("dropTitle")}</b>{" "}
        <button type="button" onClick={() => input.current?.click()}>
          {t("choose")}
        </button>
        <span>{t("dropNote")}</span>
      </p>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPTED}
        aria-label={t("choose")}
        onChange={({ target }) => {
          if (target.files && target.files.length > 0) onFiles([...target.files]);
          target.value = ""; // the same file may be chosen again
        }}
      />
    </div>
  );
}
