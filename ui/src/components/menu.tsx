import { Check, type LucideIcon } from "lucide-react";
import { createContext, type KeyboardEvent, type ReactNode, useContext, useEffect, useId, useRef } from "react";
import { usePopup } from "./popup";
import "./popup.css";

const Close = createContext<() => void>(() => undefined);

interface MenuProps {
  label: string;
  trigger: ReactNode;
  triggerClass: string;
  placement: "below" | "above";
  align?: "start" | "end";
  children: ReactNode;
}

/** A button that opens a menu. Arrow keys, Home, End and Escape work as everywhere. */
export function Menu({ label, trigger, triggerClass, placement, align = "start", children }: MenuProps) {
  const { open, toggle, close, root, trigger: button } = usePopup();
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>("[role^='menuitem']") ?? [])];
  useEffect(() => {
    if (open) list.current?.querySelector<HTMLElement>("[role^='menuitem']")?.focus();
  }, [open]);

  const move = (event: KeyboardEvent) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all.at(to % all.length)?.focus();
  };

  return (
    <div className="popup-root" ref={root}>
      <button
        type="button"
        ref={button}
        className={triggerClass}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        {...(open && { "aria-controls": id })}
        onClick={toggle}
      >
        {trigger}
      </button>
      {open && (
        <div
          id={id}
          ref={list}
          role="menu"
          aria-label={label}
          className={`popup menu popup-${placement} popup-${align}`}
          onKeyDown={move}
          onFocus={(event) => {
            // One item can be reached by Tab, so that a menu taller than the screen can be scrolled by keyboard.
            for (const item of items()) item.tabIndex = item === event.target ? 0 : -1;
          }}
        >
          <Close value={close}>{children}</Close>
        </div>
      )}
    </div>
  );
}

/** Items of a menu under one heading. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="menu-group">
      <div id={id} className="menu-heading">
        {label}
      </div>
      {children}
    </div>
  );
}

interface MenuItemProps {
  icon?: LucideIcon;
  /** Where one of several holds, or something is on or off. */
  checked?: boolean;
  kind?: "radio" | "checkbox";
  lang?: string;
  onSelect: () => void;
  children: string;
}

export function MenuItem({ icon: Icon, checked, kind, lang, onSelect, children }: MenuItemProps) {
  const close = useContext(Close);
  return (
    <button
      type="button"
      role={kind ? `menuitem${kind}` : "menuitem"}
      tabIndex={-1}
      className="menu-item"
      {...(kind && { "aria-checked": checked })}
      {...(lang && { lang })}
      onClick={() => {
        close();
        onSelect();
      }}
    >
      {Icon && <Icon aria-hidden size={16} strokeWidth={1.75} />}
      <span>{children}</span>
      {checked && <Check aria-hidden size={16} strokeWidth={2} className="menu-check" />}
    </button>
  );
}
