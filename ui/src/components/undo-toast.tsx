import type { LucideIcon } from "lucide-react";
import { useTranslation } from "../i18n/translation";
import { Button } from "./button";
import { useToasts } from "./toasts";

const SECONDS = 8;

interface Undoable {
  icon: LucideIcon;
  text: string;
  undo: () => void;
}

function UndoToast({ icon: Icon, text, undo, end }: Undoable & { end: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <Icon aria-hidden size={18} strokeWidth={1.75} className="toast-icon" />
      <div className="toast-text">
        {text}
        <span className="toast-time" />
      </div>
      <Button
        onClick={() => {
          end();
          undo();
        }}
      >
        {t("undo")}
      </Button>
    </>
  );
}

/** Says for a few seconds what was done and offers to take it back. */
export function useUndoToast() {
  const show = useToasts();
  return (done: Undoable) => show(SECONDS, (end) => <UndoToast {...done} end={end} />);
}
