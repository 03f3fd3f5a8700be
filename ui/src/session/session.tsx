import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { answer, api, authenticate, type Body } from "../api/client";
import { Problem } from "../api/problem";
import { SignInAgain } from "../components/sign-in-again";
import { withPartnerTexts } from "../i18n";
import { forgetDrafts, recall, STARTS, waitingOf } from "../browser/storage";
import { useAppearance } from "../components/appearance";
import * as auth from "./auth";
import { useConfig, useKnownBrand } from "./config";
import { onEnded, tellEnded } from "./other-tabs";
import { onNote } from "./note";

type SessionBody = Body<"/api/session">;

/** What a person may do, as the contract names it. */
export type Permission = SessionBody["permissions"][number];

/** Who is here. */
export interface Session extends SessionBody {
  may: (permission: Permission) => boolean;
  /** Whether the server was not reached since the start: only what needs no line can be opened. */
  offline: boolean;
}

/** Who was here last, as this device keeps it for a start without a line. */
export interface KeptSession {
  session: SessionBody;
  /** As the identity provider names them. */
  subject: string;
}

/** Why nobody is signed in. */
type Ending = "expired" | "left" | "elsewhere" | "closed";

interface Known {
  state: "out" | "loading" | "failed" | "in";
  session: Session | undefined;
  problem: Problem | null;
  ending: Ending | undefined;
  arrival: auth.Arrival;
  /** Leaves for the sign-in page and comes back to a path, or to the person's home. */
  signIn: (path?: string) => void;
  register: () => void;
  changePassword: (path: string) => void;
  /** Leaves; what is written down on this device and not sent stays for when the person comes back, unless they throw it away. */
  signOut: (keepWaiting?: boolean) => void;
  /** Whether the line is back, and the person must sign in to go on. */
  askedToSignIn: boolean;
  /** Leaves a session whose account is gone; the provider has ended it already. */
  leaveClosed: () => void;
  retry: () => void;
}

/** How often it is tried whether the line is back. */
const BACK_MS = 15_000;

/** How often a driver's session is asked for anew. */
const BELL_MS = 60_000;

// Nobody is known before the texts of their screens are here: a menu of keys is never seen.
async function sessionOf(signal: AbortSignal) {
  const body = await answer(api.GET("/api/session", { signal }));
  if (body.role === "partner")
    await withPartnerTexts().catch(() => {
      throw new Problem("network.unreachable");
    });
  return body;
}

// The client itself tells when the server knows nobody any more; nothing else of the answer matters.
const askWhetherKnown = () => void api.GET("/api/session").catch(() => undefined);

const Context = createContext<Known | undefined>(undefined);

interface ProviderProps {
  arrival: auth.Arrival;
  /** Whom this device knows, where it starts without a line. */
  kept?: KeptSession | undefined;
  children: ReactNode;
}

/** Where nobody can be asked who is here, until the line is back. */
function useOffline(kept: KeptSession | undefined, onBack: () => void) {
  const [offline, setOffline] = useState(kept !== undefined);
  const [asked, setAsked] = useState(false);
  const back = useEffectEvent(async () => {
    if (!kept) return;
    const { comeBack } = await import("./offline");
    const found = await comeBack(kept.subject).catch(() => "offline" as const);
    if (found === "here") {
      setOffline(false);
      onBack();
    }
    setAsked(found === "nobody");
  });
  useEffect(() => {
    if (!offline) return;
    const look = () => void back();
    const timer = setInterval(look, BACK_MS);
    addEventListener("online", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      removeEventListener("online", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [offline]);
  return { offline, asked };
}

export function SessionProvider({ arrival, kept, children }: ProviderProps) {
  const cache = useQueryClient();
  const config = useConfig();
  const { dress } = useAppearance();
  const [signedIn, setSignedIn] = useState(auth.signedIn);
  const [ending, setEnding] = useState<Ending>();
  const { offline, asked } = useOffline(kept, () => setSignedIn(true));

  const query = useQuery({
    queryKey: ["/api/session"],
    queryFn: ({ signal }) => sessionOf(signal),
    enabled: signedIn,
    staleTime: Number.POSITIVE_INFINITY,
    // The bells count what came meanwhile.
    refetchInterval: BELL_MS,
  });

  const end = useCallback(
    (reason: Ending) => {
      setEnding(reason);
      setSignedIn(false);
      cache.clear();
      // Whoever comes back after their session expired goes on writing; whoever left leaves no text to the next person.
      if (reason !== "expired") forgetDrafts();
    },
    [cache],
  );
  // In the layout phase, because queries start their first calls right after it.
  useLayoutEffect(
    () =>
      authenticate(auth.token, () => {
        auth.forget();
        end("expired");
        tellEnded("expired");
      }),
    [end],
  );
  // The tabs of a browser share one session: where it ended in one, no other shows anything of it.
  useEffect(() => {
    if (!signedIn) return;
    return onEnded((how) => {
      if (how === "expired") {
        askWhetherKnown(); // this tab may have signed in anew since
        return;
      }
      auth.forget();
      end("elsewhere");
    });
  }, [signedIn, end]);
  useEffect(() => {
    if (!signedIn) return;
    // It may have ended on another device.
    const returned = () => {
      if (document.visibilityState === "visible") askWhetherKnown();
    };
    document.addEventListener("visibilitychange", returned);
    return () => document.removeEventListener("visibilitychange", returned);
  }, [signedIn]);

  // What a notification tells of is on the open page too, with the count on its bell.
  useEffect(() => {
    if (!signedIn) return;
    return onNote(() => {
      void cache.invalidateQueries({
        predicate: ({ queryKey: [path] }) => path === "/api/session" || String(path).startsWith("/api/direct-messages"),
      });
    });
  }, [signedIn, cache]);

  const keptBody = kept && ending === undefined ? kept.session : undefined;
  const body = signedIn ? (query.data ?? keptBody) : offline ? keptBody : undefined;
  useEffect(() => {
    if (!query.data?.driver?.functions.some((one) => one === 1 || one === 2)) return;
    const session = query.data;
    void import("./offline").then(({ keepForStart }) => keepForStart(session, config)).catch(() => undefined);
  }, [query.data, config]);
  const brand = useKnownBrand();
  const colour = body?.partner?.color ?? brand?.color;
  useEffect(() => dress(colour), [dress, colour]);
  // The sign-in pages wear the colours of whom this browser last belonged to.
  useEffect(() => {
    if (body?.partner) document.cookie = `partner_code=${body.partner.code}; Path=/; Max-Age=31536000; SameSite=Lax`;
  }, [body?.partner]);

  const known = useMemo<Known>(
    () => ({
      state: body ? "in" : !signedIn ? "out" : query.isError ? "failed" : "loading",
      session: body && { ...body, may: (permission) => body.permissions.includes(permission), offline },
      askedToSignIn: asked,
      problem: query.error,
      ending,
      arrival,
      signIn: (path) => void auth.signIn(path),
      register: () => void auth.register(),
      changePassword: (path) => void auth.changePassword(path),
      signOut: (keepWaiting = true) => {
        // A phone that is handed on shows nothing of whom it belonged to.
        const left = [import("./push").then(({ leavePush }) => leavePush())];
        if (body?.driver && (recall("localStorage", STARTS) || waitingOf(body.user.id) > 0))
          left.push(import("../device/kept").then(({ forget }) => forget(body.user.id, keepWaiting)));
        void Promise.allSettled(left).then(() => auth.signOut());
        end("left");
        tellEnded("left");
      },
      leaveClosed: () => {
        // Nobody starts here as a person whose account is gone; what they had not sent stays theirs.
        if (body?.driver && recall("localStorage", STARTS))
          void import("../device/kept").then(({ forget }) => forget(body.user.id, true)).catch(() => undefined);
        auth.forget();
        end("closed");
      },
      retry: () => void query.refetch(),
    }),
    [signedIn, body, query, ending, arrival, end, offline, asked],
  );
  return (
    <Context value={known}>
      <SignInAgain value={AGAIN}>{children}</SignInAgain>
    </Context>
  );
}

const AGAIN = { lately: auth.signedInLately, leave: (back: string) => void auth.signInAgain(back) };

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
