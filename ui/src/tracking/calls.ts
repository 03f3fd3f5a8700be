import { answer, api } from "../api/client";
import { Problem } from "../api/problem";
import { transfer } from "../api/transfer";
import type { Trip, Work } from "./entries";

export const TRIPS = "/api/trips";
export const TIMES = "/api/time-entries";

/** How many entries are read at most; who has more looks at fewer weeks. */
const PAGES = 20;

/** All trips from a day on; a driver's own, or those of a partner's driver. */
export async function readTrips(from: string, to = "", driverUUID = ""): Promise<Trip[]> {
  const found: Trip[] = [];
  for (let page = 1; page <= PAGES; page++) {
    const query = { from, page, ...(to && { to }), ...(driverUUID && { driverUUID }) };
    const { items, pageSize } = await answer(api.GET(TRIPS, { params: { query } }));
    found.push(...(items as Trip[]));
    if (items.length < pageSize) break;
  }
  return found;
}

/** All working time from a day on. */
export async function readTimes(from: string, to = "", driverUUID = ""): Promise<Work[]> {
  const found: Work[] = [];
  for (let page = 1; page <= PAGES; page++) {
    const query = { from, page, ...(to && { to }), ...(driverUUID && { driverUUID }) };
    const { items, pageSize } = await answer(api.GET(TIMES, { params: { query } }));
    found.push(...(items as Work[]));
    if (items.length < pageSize) break;
  }
  return found;
}

const photoPath = (kind: "trip" | "time", id: string, side: string) =>
  kind === "trip" ? `${TRIPS}/${id}/photo` : `${TIMES}/${id}/photos/${side}`;

/** Sends a photo of an entry. */
export function sendPhoto(kind: "trip" | "time", id: string, side: string, photo: Blob) {
  const body = new FormData();
  body.append("photo", photo, "photo.jpg");
  return transfer({ method: "PUT", path: photoPath(kind, id, side), body, key: crypto.randomUUID() });
}

/** Takes a photo of an entry away. */
export const removePhoto = (kind: "trip" | "time", id: string, side: string) =>
  kind === "trip"
    ? answer(api.DELETE("/api/trips/{id}/photo", { params: { path: { id } } }))
    : answer(
        api.DELETE("/api/time-entries/{id}/photos/{side}", {
          params: { path: { id, side: side === "end" ? "end" : "start" } },
        }),
      );

/** A photo of an entry as the server has it; undefined: there is none. */
export async function readPhoto(kind: "trip" | "time", id: string, side: string): Promise<Blob | undefined> {
  try {
    return await (await transfer({ method: "GET", path: photoPath(kind, id, side) })).blob();
  } catch (reason) {
    if (reason instanceof Problem && reason.status === 404) return undefined;
    throw reason;
  }
}
