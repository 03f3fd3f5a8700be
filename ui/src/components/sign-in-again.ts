import { createContext } from "react";

/** What needs a sign-in of the last minutes asks here; the session gives the answers. */
export const SignInAgain = createContext<{
  /** Whether the person signed in so lately that the server takes it. */
  lately: () => boolean;
  /** Leaves for the sign-in page and comes back to a path. */
  leave: (back: string) => void;
}>({ lately: () => true, leave: () => undefined });
