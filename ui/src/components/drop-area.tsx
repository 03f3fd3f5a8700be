import { CloudUpload } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import "./drop-area.css";

interface DropAreaProps {
  title: string;
  choose: string;
  note: string;
  /** Endings of files that can be chosen. */
  accept: string;
  multiple?: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** Where files are dropped, or chosen by pointer and keyboard alike. */
export function DropArea({ title, choose, note, accept, multiple = false, onFiles }: DropAreaProps) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer.files.length > 0) onFiles([...event.dataTransfer.files]);
  };
  return (
    <div
      className="drop-area"
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
        <b>{title}</b>{" "}
        <button type="button" onClick={() => input.current?.click()}>
          {choose}
        </button>
        <span>{note}</span>
      </p>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        accept={accept}
        aria-label={choose}
        onChange={({ target }) => {
          if (target.files && target.files.length > 0) onFiles([...target.files]);
          target.value = ""; // the same file may be chosen again
        }}
      />
    </div>
  );
}
