import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import type { components } from "../../api/schema";
import { useWrite } from "../../api/write";

export type Profile = Body<"/api/partners">;

/** What a partner may set of its profile. */
export type Changes = components["schemas"]["PartnerChanges"];

export type DriverFunctions = Body<"/api/partners/driver-functions">;

export function useProfile() {
  return useQuery({
    queryKey: ["/api/partners"],
    queryFn: ({ signal }) => answer(api.GET("/api/partners", { signal })),
  });
}

export function useDriverFunctions() {
  return useQuery({
    queryKey: ["/api/partners/driver-functions"],
    queryFn: ({ signal }) => answer(api.GET("/api/partners/driver-functions", { signal })),
  });
}

// The frame shows the partner's name, colour and logo too, from the session.
function useBrandWrite<Input>(write: (input: Input) => Promise<unknown>) {
  const cache = useQueryClient();
  return useWrite("/api/partners", async (input: Input) => {
    await write(input);
    await cache.invalidateQueries({ queryKey: ["/api/session"] });
  });
}

/** Saves the profile. What was saved counts as read, also when reading it again fails. */
export function useSaveProfile() {
  const cache = useQueryClient();
  return useBrandWrite(async (changes: Changes) => {
    await answer(api.PUT("/api/partners", { body: changes }));
    cache.setQueryData<Profile>(
      ["/api/partners"],
      (before) => before && { ...before, ...changes, version: changes.version + 1 },
    );
  });
}

export const useSetDriverFunctions = () =>
  useWrite("/api/partners", (functions: DriverFunctions) =>
    answer(api.PUT("/api/partners/driver-functions", { body: functions })),
  );

export const useSetLogo = () =>
  useBrandWrite((picture: Blob) =>
    answer(
      api.PUT("/api/partners/logo", {
        // The contract calls bytes a string.
        body: picture as unknown as string,
        bodySerializer: (body) => body,
        headers: { "Content-Type": "application/octet-stream" },
      }),
    ),
  );

export const useRemoveLogo = () => useBrandWrite(() => answer(api.DELETE("/api/partners/logo")));

type People = Body<"/api/partners/people">;
export type Person = People["people"][number];
export type TwoPerson = Body<"/api/payout-settings/two-person">;

const PEOPLE = "/api/partners/people";
const SETTINGS = "/api/payout-settings";
const TWO = "/api/payout-settings/two-person";

export const usePeople = () =>
  useQuery({ queryKey: [PEOPLE], queryFn: ({ signal }) => answer(api.GET(PEOPLE, { signal })) });

export const useTwoPerson = () =>
  useQuery({ queryKey: [TWO], queryFn: ({ signal }) => answer(api.GET(TWO, { signal })) });

export type Invitation = components["schemas"]["PersonInvitation"];

export const useInvite = () => useWrite(PEOPLE, (body: Invitation) => answer(api.POST(PEOPLE, { body })));

type PersonStep = "resend" | "withdraw" | "block" | "unblock";

/** A step of one person; blocking also ends what they asked for. */
export const usePersonStep = () =>
  useWrite([PEOPLE, SETTINGS], ({ id, step }: { id: string; step: PersonStep }) =>
    answer(api.POST(`${PEOPLE}/{id}/${step}`, { params: { path: { id } } })),
  );

export const useTurnOn = () => useWrite(SETTINGS, () => answer(api.POST(`${TWO}/turn-on`)));

export const useAskOff = () => useWrite(SETTINGS, () => answer(api.POST(`${TWO}/requests`)));

export type Decision = "confirm" | "reject" | "withdraw";

export const useDecide = () =>
  useWrite(SETTINGS, ({ id, decision }: { id: string; decision: Decision }) =>
    answer(api.POST(`${TWO}/requests/{id}/${decision}`, { params: { path: { id } } })),
  );

export type SMSSettings = Body<"/api/sms-settings">;

export const useSMS = () =>
  useQuery({
    queryKey: ["/api/sms-settings"],
    queryFn: ({ signal }) => answer(api.GET("/api/sms-settings", { signal })),
  });

export const useSaveSMS = () =>
  useWrite("/api/sms-settings", (body: components["schemas"]["SMSChange"]) =>
    answer(api.PUT("/api/sms-settings", { body })),
  );

export const useRemoveSMS = () => useWrite("/api/sms-settings", () => answer(api.DELETE("/api/sms-settings")));

const SERVICES = "/api/partner-services";

export type Connection = components["schemas"]["PartnerService"];
export type Service = Connection["kind"];

export const useConnections = () =>
  useQuery({
    queryKey: [SERVICES],
    queryFn: ({ signal }) => answer(api.GET(SERVICES, { signal })),
    refetchInterval: ({ state }) => (state.data?.services.some((one) => one.fetching) ? 2000 : false),
  });

export const useConnect = () =>
  useWrite(SERVICES, ({ kind, body }: { kind: Service; body: components["schemas"]["ServiceChange"] }) =>
    answer(api.PUT(`${SERVICES}/{kind}`, { params: { path: { kind } }, body })),
  );

/** Goes to the page of Google on which Saldo is let in. */
export const useGoogle = () =>
  useMutation({
    mutationFn: async () => {
      const { address } = await answer(api.GET("/api/partner-services/google/start"));
      window.location.assign(address);
    },
  });

export const useTestConnection = () =>
  useWrite(SERVICES, (kind: Service) => answer(api.POST(`${SERVICES}/{kind}/test`, { params: { path: { kind } } })));

export const useDeliverSince = () =>
  useWrite(SERVICES, ({ kind, from }: { kind: Service; from: string }) =>
    answer(api.POST(`${SERVICES}/{kind}/deliver`, { params: { path: { kind } }, body: { from } })),
  );

export const useFetchNow = () =>
  useWrite(SERVICES, (kind: Service) => answer(api.POST(`${SERVICES}/{kind}/fetch`, { params: { path: { kind } } })));

export const useRemoveConnection = () =>
  useWrite(SERVICES, (kind: Service) => answer(api.DELETE(`${SERVICES}/{kind}`, { params: { path: { kind } } })));
