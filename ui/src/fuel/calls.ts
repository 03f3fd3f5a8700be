import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../api/client";
import { useWrite } from "../api/write";

const OWN = "/api/driver-accounts/fuel";
const OF = "/api/drivers/{id}/fuel";

export type DriverFuel = Body<typeof OWN>;
export type Card = DriverFuel["cards"][number];
export type CardLimits = Card["limits"];
export type Refuelling = DriverFuel["refuellings"][number];

/** Some days, both included. */
export interface Days {
  from: string;
  to: string;
}

/** The driver's own fuel. The days before stay on screen until these are here. */
export const useOwnFuel = (days: Days) =>
  useQuery({
    queryKey: [OWN, days],
    queryFn: ({ signal }) => answer(api.GET(OWN, { signal, params: { query: days } })),
    placeholderData: keepPreviousData,
  });

/** The fuel of a partner's driver, with what looks odd. */
export const useDriverFuel = (id: string, days: Days) =>
  useQuery({
    queryKey: [OF, id, days],
    queryFn: ({ signal }) => answer(api.GET(OF, { signal, params: { path: { id }, query: days } })),
  });

/** Saves what a partner types of a card. */
export const useSaveCard = (id: string, card: string) =>
  useWrite(OF, (body: CardLimits) =>
    answer(api.PUT("/api/drivers/{id}/fuel/cards/{card}", { params: { path: { id, card } }, body })),
  );
