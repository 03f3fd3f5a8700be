import { useCallback, useSyncExternalStore } from "react";

/** Below this width the sidebar becomes a drawer. */
export const NARROW = "(width < 992px)";

/** Below this width the screen is a phone. */
export const PHONE = "(width < 576px)";

/** Whether a media query holds, kept true to the window. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
