import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "../i18n/translation";
import "./dialog.css";

/** One question over the page, in the browser's own dialog: it keeps the focus and closes on Escape. */
export function Dialog(props: { title: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog" aria-label={props.title} onClose={props.onClose}>
      <header className="dialog-head">
        <h2>{props.title}</h2>
        <button type="button" aria-label={t("close")} onClick={() => dialog.current?.close()}>
          <X aria-hidden size={20} strokeWidth={1.75} />
        </button>
      </header>
      {props.children}
    </dialog>
  );
}
