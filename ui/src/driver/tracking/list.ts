import { useQuery } from "@tanstack/react-query";
import { keepList, keptList } from "../../device/kept";
import type { Waiting } from "../../device/outbox";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { today } from "../../format/date";
import { readTimes, readTrips, TIMES, TRIPS } from "../../tracking/calls";
import { addDays, mondayOf, type Trip, type TripFields, type Work, type WorkFields } from "../../tracking/entries";
import { useShown } from "../../waiting/outbox";

/** An entry as the driver sees it: what waits on the device, over what the server has. */
export interface Seen<Fields, Theirs> {
  id: string;
  fields: Fields;
  theirs: Theirs | undefined;
  waiting: Waiting<Fields> | undefined;
}

export type SeenTrip = Seen<TripFields, Trip>;
export type SeenWork = Seen<WorkFields, Work>;

interface Kept<Theirs> {
  items: Theirs[];
  /** When the server was asked. */
  at: string;
}

/** What waits on this device, of one kind, over what the server has; what is to be deleted stays visible until it is. */
function together<Fields extends object, Theirs extends Fields & { id: string }>(
  items: readonly Theirs[],
  waiting: readonly Waiting<Fields>[],
): Seen<Fields, Theirs>[] {
  const changes = new Map(waiting.map((one) => [one.id, one]));
  const seen: Seen<Fields, Theirs>[] = items.map((theirs) => {
    const mine = changes.get(theirs.id);
    changes.delete(theirs.id);
    return { id: theirs.id, fields: mine ? mine.entry : theirs, theirs, waiting: mine };
  });
  for (const mine of changes.values())
    seen.push({ id: mine.id, fields: mine.entry, theirs: mine.theirs as Theirs | undefined, waiting: mine });
  return seen;
}

/** How many weeks are shown at first. */
export const WEEKS = 4;

/** What the server has since some weeks, or had when it was last asked. */
function useTheirs<Theirs>(name: string, path: string, weeks: number, fetch: (from: string) => Promise<Theirs[]>) {
  const session = useSession();
  const { timeZone } = useConfig();
  const owner = session.user.id;
  const from = addDays(mondayOf(today(timeZone)), -7 * (weeks - 1));
  const found = useQuery<Kept<Theirs>>({
    queryKey: [path, "own", from],
    queryFn: async () => {
      const list = { items: await fetch(from), at: new Date().toISOString() };
      void keepList(owner, name, list).catch(() => undefined);
      return list;
    },
    enabled: !session.offline,
    // It fails at once where there is no line, so that what is kept is shown.
    networkMode: "always",
  });
  const kept = useQuery({
    queryKey: ["device", owner, name],
    queryFn: async () => (await keptList<Kept<Theirs>>(owner, name).catch(() => undefined)) ?? null,
    enabled: !found.data,
    networkMode: "always",
    staleTime: Number.POSITIVE_INFINITY,
  });
  const list = found.data ?? kept.data ?? undefined;
  return {
    list,
    /** Since when the list is old, where the server could not be asked. */
    asOf: !found.data && (session.offline || found.isError) ? kept.data?.at : undefined,
    problem: found.error,
    retry: () => void found.refetch(),
    loading: !list && !(kept.isFetched && (found.isError || session.offline)),
  };
}

/** The trips of the driver. */
export function useTrips(weeks = WEEKS) {
  const { list, ...state } = useTheirs<Trip>("trips", TRIPS, weeks, readTrips);
  const { waiting, read } = useShown();
  const mine = waiting.filter((one): one is Waiting<TripFields> => one.kind === "trip");
  return { ...state, ready: read, entries: together<TripFields, Trip>(list?.items ?? [], mine) };
}

/** The working time of the driver. */
export function useTimes(weeks = WEEKS) {
  const { list, ...state } = useTheirs<Work>("times", TIMES, weeks, readTimes);
  const { waiting, read } = useShown();
  const mine = waiting.filter((one): one is Waiting<WorkFields> => one.kind === "time");
  return { ...state, ready: read, entries: together<WorkFields, Work>(list?.items ?? [], mine) };
}
