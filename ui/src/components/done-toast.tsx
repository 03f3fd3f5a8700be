import { CircleCheck } from "lucide-react";
import { useToasts } from "./toasts";

const SECONDS = 6;

/** Says for a few seconds what was done. */
export function useDoneToast() {
  const show = useToasts();
  return (text: string) =>
    show(SECONDS, () => (
      <>
        <CircleCheck aria-hidden size={20} strokeWidth={1.75} className="toast-icon toast-icon-success" />
        <div className="toast-text">{text}</div>
      </>
    ));
}
