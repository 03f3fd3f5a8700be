import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";

interface Popup<Root extends HTMLElement> {
  open: boolean;
  toggle: () => void;
  /** Closes and gives the focus back to the trigger. */
  close: () => void;
  root: RefObject<Root | null>;
  trigger: RefObject<HTMLButtonElement | null>;
}

/** What every popup does: it closes on Escape, on a press elsewhere, and when the focus leaves it. */
export function usePopup<Root extends HTMLElement = HTMLDivElement>(): Popup<Root> {
  const [open, setOpen] = useState(false);
  const root = useRef<Root>(null);
  const trigger = useRef<HTMLButtonElement>(null);

  const close = () => {
    setOpen(false);
    trigger.current?.focus();
  };
  const keyed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    close();
  });
  useEffect(() => {
    if (!open) return;
    const elsewhere = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", elsewhere);
    document.addEventListener("focusin", elsewhere);
    document.addEventListener("keydown", keyed, true);
    return () => {
      document.removeEventListener("pointerdown", elsewhere);
      document.removeEventListener("focusin", elsewhere);
      document.removeEventListener("keydown", keyed, true);
    };
  }, [open]);

  return { open, toggle: () => setOpen((before) => !before), close, root, trigger };
}
