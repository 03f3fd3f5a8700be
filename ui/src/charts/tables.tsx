import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useId,
  useMemo,
  useState,
} from "react";
import { useShortcut } from "../browser/shortcuts";

/** The key that shows the numbers of charts as tables, and the charts again. */
export const TABLES = "t";

interface Shown {
  open: (id: string) => boolean;
  toggle: (id: string) => void;
}

const Context = createContext<Shown>({ open: () => false, toggle: () => undefined });

/** Which charts of a screen are shown as tables: each by its button, all of them by the key. */
export function Tables({ children }: { children: ReactNode }) {
  const [{ all, own }, set] = useState<{ all: boolean; own: Record<string, boolean> }>({ all: false, own: {} });
  useShortcut(TABLES, () => set(({ all: before }) => ({ all: !before, own: {} })));
  const toggle = useCallback(
    (id: string) => set((before) => ({ ...before, own: { ...before.own, [id]: !(before.own[id] ?? before.all) } })),
    [],
  );
  const shown = useMemo<Shown>(() => ({ open: (id) => own[id] ?? all, toggle }), [all, own, toggle]);
  return <Context value={shown}>{children}</Context>;
}

/** Whether one chart is shown as a table. The key means this chart alone while the focus is in it. */
export function useTable(figure: RefObject<HTMLElement | null>): [boolean, () => void] {
  const id = useId();
  const { open, toggle } = useContext(Context);
  const change = () => toggle(id);
  useShortcut(TABLES, change, () => figure.current?.contains(document.activeElement) ?? false);
  return [open(id), change];
}
