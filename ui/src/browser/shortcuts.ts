import { useEffect, useEffectEvent } from "react";
import { recall, remember } from "./storage";

const OFF = "off";

/** Whether single-key shortcuts work. Speech users must be able to switch them off (WCAG 2.1.4). */
export const shortcutsOn = () => recall("localStorage", "shortcuts") !== OFF;

export const setShortcuts = (on: boolean) => remember("localStorage", "shortcuts", on ? null : OFF);

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/**
 * Runs an action on a single key, never while a person types or a dialog is open. Where it does not apply the key is left to
 * others, whichever of them listened first.
 */
export function useShortcut(key: string, action: () => void, applies: () => boolean = () => true) {
  const run = useEffectEvent(action);
  const wanted = useEffectEvent(applies);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (typing(event.target) || document.querySelector("[aria-modal='true'], dialog[open]") || !shortcutsOn()) return;
      if (!wanted()) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [key]);
}

/** Runs an action on a key together with Control or Command, wherever the person is, unless a dialog is open. */
export function useCommand(key: string, action: () => void) {
  const run = useEffectEvent(action);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== key || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (document.querySelector("[aria-modal='true'], dialog[open]")) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [key]);
}
