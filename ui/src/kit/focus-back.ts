import { useEffect, useState } from "react";

/** Gives the focus back, once what has it is closed, to where it was when that opened. */
export function useFocusBack() {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Not before the overlay is gone: while it is there it keeps the focus.
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
      });
    },
    [before],
  );
}
