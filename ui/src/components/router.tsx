import {
  Component,
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { parsePath, Router } from "react-router";
import type { Entry, History } from "../browser/history";
import { recall, remember } from "../browser/storage";

const Context = createContext<History | undefined>(undefined);

interface AppRouterProps {
  history: History;
  basename?: string;
  /** Stands in for a screen that threw, until the person goes elsewhere. */
  crashed: ReactNode;
  children: ReactNode;
}

/**
 * Shows what the address says. Of the router's library only the declarative part is used: its loaders and actions are
 * as large as all of Saldo's own code on a driver's first screen.
 */
export function AppRouter({ history, basename = "/", crashed, children }: AppRouterProps) {
  const [{ entry }, setVisit] = useState(history.current);
  const location = useMemo(
    () => ({ pathname: "/", search: "", hash: "", ...parsePath(entry.path), state: entry.state, key: entry.key }),
    [entry],
  );
  useScrollKept(history, location.pathname);
  useLayoutEffect(
    () =>
      history.listen((next) => {
        // The screen on show stays until the next one is here.
        if (next.atOnce) flushSync(() => setVisit(next));
        else startTransition(() => setVisit(next));
      }),
    [history],
  );
  return (
    <Context value={history}>
      <Router basename={basename} location={location} navigator={history}>
        <Crash at={entry} instead={crashed}>
          {children}
        </Crash>
      </Router>
    </Context>
  );
}

interface CrashProps {
  at: Entry;
  instead: ReactNode;
  children: ReactNode;
}

interface CrashState {
  at?: Entry;
  crashed: boolean;
}

class Crash extends Component<CrashProps, CrashState> {
  override state: CrashState = { crashed: false };

  static getDerivedStateFromError(): Partial<CrashState> {
    return { crashed: true };
  }

  static getDerivedStateFromProps({ at }: CrashProps, before: CrashState): CrashState | null {
    return at === before.at ? null : { at, crashed: false };
  }

  override render() {
    return this.state.crashed ? this.props.instead : this.props.children;
  }
}

// By path, not by visit: whoever returns to a list, by a link or by going back, finds the place where they left it.
const SCROLL = "scroll";

/** Scrolls a screen to where it was left, and one that was not open yet to its top. */
function useScrollKept(history: History, pathname: string) {
  const [places] = useState(() => {
    try {
      return new Map(JSON.parse(recall("sessionStorage", SCROLL) ?? "[]") as [string, number][]);
    } catch {
      return new Map<string, number>();
    }
  });
  const keep = useEffectEvent(() => places.set(pathname, window.scrollY));
  const leave = useEffectEvent(() => {
    keep();
    remember("sessionStorage", SCROLL, JSON.stringify([...places]));
    window.history.scrollRestoration = "auto";
  });
  // Before the router's own listener, which may show the next screen at once.
  useLayoutEffect(() => {
    window.history.scrollRestoration = "manual";
    const stop = history.listen(() => keep());
    const leaving = () => leave();
    window.addEventListener("pagehide", leaving);
    return () => {
      stop();
      window.removeEventListener("pagehide", leaving);
    };
  }, [history]);
  useLayoutEffect(() => {
    // Newer browsers answer with a promise, which must not be taken for what undoes the effect.
    window.scrollTo(0, places.get(pathname) ?? 0);
  }, [places, pathname]);
}

/** Keeps a person on the screen while it holds something unsaved. Whoever is about to leave gets a way on and a way back. */
export function useLeaving(unsaved: () => boolean) {
  const history = useContext(Context);
  const [leave, setLeave] = useState<() => void>();
  const held = useEffectEvent(() => unsaved());
  useEffect(() => history?.guard({ unsaved: () => held(), ask: (way) => setLeave(() => way) }), [history]);
  if (!leave) return undefined;
  const stay = () => setLeave(undefined);
  return {
    stay,
    leave: () => {
      stay();
      leave();
    },
  };
}
