import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { answer, api, authenticate, type Body } from "../api/client";
import type { Problem } from "../api/problem";
import { remember } from "../browser/storage";
import { useAppearance } from "./appearance";
import * as auth from "./auth";

type SessionBody = Body<"/api/session">;

/** What a person may do, as the contract names it. */
export type Permission = SessionBody["permissions"][number];

/** Who is here. */
export interface Session extends SessionBody {
  may: (permission: Permission) => boolean;
}

/** Why nobody is signed in. */
type Ending = "expired" | "left";

interface Known {
  state: "out" | "loading" | "failed" | "in";
  session: Session | undefined;
  problem: Problem | null;
  ending: Ending | undefined;
  signIn: (code: string) => Promise<void>;
  signOut: () => void;
  /** Asks for the password once more and comes back to the same screen. */
  signInAgain: () => void;
  retry: () => void;
}

const Context = createContext<Known | undefined>(undefined);

/** The path to return to after signing in. */
export const RETURN = "return";

export function SessionProvider({ children }: { children: ReactNode }) {
  const cache = useQueryClient();
  const { dress } = useAppearance();
  const [signedIn, setSignedIn] = useState(() => auth.token() !== undefined);
  const [grants, setGrants] = useState(0);
  const [ending, setEnding] = useState<Ending>();

  const query = useQuery({
    // Whoever signs in over another person's session must not meet what that person left.
    queryKey: ["/api/session", grants],
    queryFn: ({ signal }) => answer(api.GET("/api/session", { signal })),
    enabled: signedIn,
    staleTime: Number.POSITIVE_INFINITY,
  });

  const end = useCallback(
    (reason: Ending) => {
      auth.signOut();
      setEnding(reason);
      setSignedIn(false);
      cache.clear();
    },
    [cache],
  );
  // In the layout phase, because queries start their first calls right after it.
  useLayoutEffect(() => authenticate(auth.token, () => end("expired")), [end]);

  const body = signedIn ? query.data : undefined;
  useEffect(() => dress(body?.partner?.color), [dress, body?.partner?.color]);

  const known = useMemo<Known>(
    () => ({
      state: !signedIn ? "out" : body ? "in" : query.isError ? "failed" : "loading",
      session: body && { ...body, may: (permission) => body.permissions.includes(permission) },
      problem: query.error,
      ending,
      signIn: async (code) => {
        await auth.signIn(code);
        cache.clear();
        setEnding(undefined);
        setGrants((before) => before + 1);
        setSignedIn(true);
      },
      signOut: () => {
        remember("sessionStorage", RETURN, null);
        end("left");
      },
      signInAgain: () => end("expired"),
      retry: () => void query.refetch(),
    }),
    [signedIn, body, query, ending, cache, end],
  );
  return <Context value={known}>{children}</Context>;
}

/** What is known of the session, also when nobody is signed in. */
export function useKnownSession(): Known {
  const known = useContext(Context);
  if (!known) throw new Error("useKnownSession outside of its provider");
  return known;
}

/** The session of a screen behind the guard. */
export function useSession(): Session {
  const { session } = useKnownSession();
  if (!session) throw new Error("useSession on a screen without a session");
  return session;
}
