import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { useTranslation } from "../i18n/translation";
import "./toasts.css";

/** Draws a toast; end takes it away. */
type Draw = (end: () => void) => ReactNode;

interface Toast {
  id: number;
  of: string;
  seconds: number;
  draw: Draw;
}

const Context = createContext<((seconds: number, draw: Draw) => void) | undefined>(undefined);

/** Holds the short messages that float over the page and go by themselves, or with the person whom they are for. */
export function ToastProvider({ of, children }: { of: string; children: ReactNode }) {
  const { t } = useTranslation();
  const [toasts, setToasts] = useState<Toast[]>([]);
  const next = useRef(0);
  const show = useCallback(
    (seconds: number, draw: Draw) => {
      const id = next.current++;
      setToasts((before) => [...before.slice(-2), { id, of, seconds, draw }]);
    },
    [of],
  );
  const end = useCallback((id: number) => setToasts((before) => before.filter((toast) => toast.id !== id)), []);
  return (
    <Context value={show}>
      {children}
      <section className="toasts" aria-label={t("notifications")} aria-live="polite">
        {toasts
          .filter((toast) => toast.of === of)
          .map((toast) => (
            <Floating key={toast.id} toast={toast} end={end} />
          ))}
      </section>
    </Context>
  );
}

function Floating({ toast, end }: { toast: Toast; end: (id: number) => void }) {
  const [held, setHeld] = useState(false);
  const left = useRef(toast.seconds * 1000);
  const ended = useEffectEvent(() => end(toast.id));
  // While a person points at it or has the focus in it, its time stands still (WCAG 2.2.1).
  useEffect(() => {
    if (held) return;
    const started = performance.now();
    const timer = setTimeout(ended, left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - started;
    };
  }, [held]);
  return (
    <div
      className="toast"
      data-held={held || undefined}
      style={{ "--toast-time": `${toast.seconds}s` } as React.CSSProperties}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {toast.draw(() => end(toast.id))}
    </div>
  );
}

export function useToasts() {
  const show = useContext(Context);
  if (!show) throw new Error("useToasts outside of its provider");
  return show;
}
