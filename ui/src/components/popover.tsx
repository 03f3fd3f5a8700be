import { type ReactNode, useEffect, useId, useRef } from "react";
import { usePopup } from "./popup";
import "./popup.css";

interface PopoverProps {
  /** The name of the popover and, unless it has its own, of its trigger. */
  label: string;
  triggerLabel?: string;
  trigger: ReactNode;
  triggerClass: string;
  align?: "start" | "end";
  children: (close: () => void) => ReactNode;
}

/** A button that opens a small panel beside it. The rest of the page stays usable. */
export function Popover({ label, triggerLabel, trigger, triggerClass, align = "end", children }: PopoverProps) {
  const { open, toggle, close, root, trigger: button } = usePopup();
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (open) panel.current?.focus();
  }, [open]);

  return (
    <div className="popup-root" ref={root}>
      <button
        type="button"
        ref={button}
        className={triggerClass}
        aria-label={triggerLabel ?? label}
        aria-haspopup="dialog"
        aria-expanded={open}
        {...(open && { "aria-controls": id })}
        onClick={toggle}
      >
        {trigger}
      </button>
      {open && (
        <div
          id={id}
          ref={panel}
          role="dialog"
          aria-label={label}
          tabIndex={-1}
          className={`popup popup-below popup-${align}`}
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}
