import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { Problem } from "../api/problem";
import type { Language } from "../i18n/languages";
import { type Answers, type Filled, filledFor, saveDraft } from "./calls";
import { anew, differing, filledPaths } from "./data";
import { device } from "./device";

/** What is filled in, as this device keeps it. */
export interface Kept {
  /** Whose wizard on this device, and for which driver. */
  key: string;
  data: Answers;
  step: number;
  /** Of the server's draft that it was typed over. */
  version: number;
  /** Whether the server has not got it yet. */
  unsent: boolean;
}

/** Where a device keeps it. */
export interface Shelf {
  get: (key: string) => Promise<Kept | undefined>;
  put: (one: Kept) => Promise<unknown>;
  remove: (key: string) => Promise<unknown>;
}

type Beginning = { use: "server" } | { use: "kept"; kept: Kept } | { use: "ask"; kept: Kept };

/**
 * What a wizard goes on with: what this device has and the server has not, if nobody saved anything since; both, for the person to
 * choose, if somebody did and they differ; else what the server has.
 */
export function beginning(server: Filled, kept: Kept | undefined): Beginning {
  if (!kept?.unsent) return { use: "server" };
  if (kept.version === server.version) return { use: "kept", kept };
  return differing(kept.data, server.data).length === 0 ? { use: "server" } : { use: "ask", kept };
}

/** How what is on screen is kept. */
export type Keeping = "saved" | "saving" | "here";

interface Draft {
  data: Answers;
  step: number;
  version: number;
  /** Where the first values came from, and which they are. */
  source: Filled["source"];
  marked: ReadonlySet<string>;
}

const SOON_MS = 500;
const EMPTY: Answers = { personal: {}, contract: {}, statements: {} };

/** The data of a wizard: on this device at every change, on the server at every step. */
export function useDraft(owner: string, driver: string, language: Language, today: string) {
  const key = `${owner} ${driver}`;
  const [draft, setDraft] = useState<Draft>();
  const [filled, setFilled] = useState<Filled>();
  const [keeping, setKeeping] = useState<Keeping>("saved");
  const [conflict, setConflict] = useState<{ other: Filled; mine: Kept }>();
  const [problem, setProblem] = useState<Problem>();
  const [offline, setOffline] = useState(false);
  const now = useRef<Draft>(undefined);
  const unsent = useRef(false);
  const put = useCallback((next: Draft) => {
    now.current = next;
    setDraft(next);
  }, []);

  const taken = useCallback(
    (of: Filled): Draft => {
      const data = of.source === "contract" ? anew(of.data, today) : of.data;
      const marked = new Set(of.source === "draft" ? [] : filledPaths(data));
      return { data, step: of.version > 0 ? of.step : 1, version: of.version, source: of.source, marked };
    },
    [today],
  );
  const load = useEffectEvent(async (kept: Kept | undefined) => {
    setProblem(undefined);
    const ofKept = (one: Kept, source: Filled["source"]): Draft => ({ ...one, source, marked: new Set() });
    try {
      const server = await filledFor(driver, language);
      setFilled(server);
      setOffline(false);
      const begin = beginning(server, kept);
      if (begin.use === "server") {
        unsent.current = false;
        put(taken(server));
      } else {
        unsent.current = true;
        setKeeping("here");
        put(ofKept(begin.kept, "draft"));
        if (begin.use === "ask") setConflict({ other: server, mine: begin.kept });
      }
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      if (kept && reason.status === 0) {
        // Without a line the wizard goes on with what this device has.
        unsent.current = kept.unsent;
        setOffline(true);
        setKeeping("here");
        put(ofKept(kept, "draft"));
      } else setProblem(reason);
    }
  });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    void device.get(key).then((kept) => load(kept));
  }, [key, language, tries]);

  // On the device, a moment after each change and at once when the page is left.
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keep = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    if (!now.current) return;
    const { data, step, version } = now.current;
    void device.put({ key, data, step, version, unsent: unsent.current });
  }, [key]);
  useEffect(() => {
    const leave = () => timer.current !== undefined && keep();
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", leave);
    return () => {
      leave();
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", leave);
    };
  }, [keep]);

  const change = useCallback(
    (edit: (data: Answers) => Answers) => {
      const before = now.current;
      if (!before) return;
      const data = edit(before.data);
      const touched = differing(before.data, data);
      const marked = new Set([...before.marked].filter((path) => !touched.includes(path)));
      unsent.current = true;
      put({ ...before, data, marked });
      setKeeping("here");
      clearTimeout(timer.current);
      timer.current = setTimeout(keep, SOON_MS);
    },
    [keep, put],
  );

  /** Saves on the server what is typed, with the step to come back to. What the server makes of it; "cut": there is no line. */
  const save = async (step: number): Promise<Filled | "cut" | undefined> => {
    const sent = now.current;
    if (!sent) return undefined;
    unsent.current = true;
    keep();
    setKeeping("saving");
    try {
      const server = await saveDraft(driver, language, { step, version: sent.version, data: sent.data });
      unsent.current = now.current?.data !== sent.data;
      put({ ...(now.current ?? sent), version: server.version });
      keep();
      setFilled(server);
      setOffline(false);
      setKeeping(unsent.current ? "here" : "saved");
      return server;
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setKeeping("here");
      if (reason.code === "contracts.changed") {
        const other = await filledFor(driver, language);
        setConflict({ other, mine: { key, data: sent.data, step, version: sent.version, unsent: true } });
      } else if (reason.status === 0) {
        setOffline(true);
        return "cut";
      } else setProblem(reason);
      return undefined;
    }
  };
  const again = useEffectEvent(() => {
    if (unsent.current && now.current && !conflict) void save(now.current.step);
    else if (!filled) setTries(tries + 1);
  });
  useEffect(() => {
    const back = () => again();
    addEventListener("online", back);
    return () => removeEventListener("online", back);
  }, []);

  return {
    draft,
    filled,
    keeping,
    offline,
    problem,
    conflict,
    change,
    save,
    retry: () => setTries(tries + 1),
    /** Opens a step without saving. */
    open: (step: number) => {
      if (!now.current) return;
      put({ ...now.current, step });
      keep();
    },
    /** Goes on with one of two: what this device has is saved over the other, or left. */
    settle: (mine: boolean) => {
      if (!conflict || !now.current) return;
      const { other } = conflict;
      setConflict(undefined);
      if (mine) {
        put({ ...now.current, version: other.version });
        void save(now.current.step);
        return;
      }
      unsent.current = false;
      setFilled(other);
      put(taken(other));
      setKeeping("saved");
      keep();
    },
    /** Begins with what was signed last; what is typed is replaced. */
    takeOver: (last: Filled) => {
      const before = now.current ?? { data: EMPTY, step: 1, version: 0, source: "contract", marked: new Set<string>() };
      const data = anew(last.data, today);
      unsent.current = true;
      put({ ...before, data, source: "contract", marked: new Set(filledPaths(data)) });
      setKeeping("here");
      keep();
    },
    /** Forgets what this device has, once it is signed. */
    forget: () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      now.current = undefined;
      return device.remove(key);
    },
  };
}
