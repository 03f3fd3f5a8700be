import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import type { components } from "../../api/schema";
import { useWrite } from "../../api/write";
import type { Language } from "../../i18n/languages";

export type Account = Body<"/api/driver-accounts">;
export type NewAccount = components["schemas"]["NewDriverAccount"];
export type PartnerChoice = Body<"/api/driver-accounts/partners">["partners"][number];
export type Weeks = components["schemas"]["NewFrequency"]["frequency"];

const ACCOUNT = "/api/driver-accounts";
// What a driver changes of their account changes their menu and their colours too.
const OWN: ("/api/driver-accounts" | "/api/session")[] = [ACCOUNT, "/api/session"];

export const useAccount = (enabled = true) =>
  useQuery({
    queryKey: [ACCOUNT],
    queryFn: ({ signal }) => answer(api.GET(ACCOUNT, { signal })),
    enabled,
  });

/** Ties the account to who has signed in, with whoever brought them. */
export const useLinkAccount = () =>
  useWrite([], (id: string) => answer(api.POST("/api/driver-accounts/keycloak/{id}", { params: { path: { id } } })));

export const useOpenAccount = () =>
  useWrite(OWN, (account: NewAccount) => answer(api.POST(ACCOUNT, { body: account })));

export const useSaveAccount = () =>
  useWrite(OWN, ({ account, version }: { account: NewAccount; version: number }) =>
    answer(api.PUT(ACCOUNT, { body: { ...account, version } })),
  );

// Nothing is read again: nobody is left who could.
export const useCloseAccount = () => useWrite([], () => answer(api.DELETE(ACCOUNT)));

const TOLD = "/api/driver-accounts/note-choices";
export type Told = Body<typeof TOLD>;

/** How the driver is told beside the board; none where no partner knows them yet. */
export const useTold = (enabled: boolean) =>
  useQuery({ queryKey: [TOLD], queryFn: ({ signal }) => answer(api.GET(TOLD, { signal })), enabled, retry: false });

export const useChooseTold = () => useWrite(TOLD, (body: Partial<Told>) => answer(api.PUT(TOLD, { body })));

export const usePartnerChoices = (query: string, language: Language) =>
  useQuery({
    queryKey: ["/api/driver-accounts/partners", query, language],
    queryFn: ({ signal }) =>
      answer(
        api.GET("/api/driver-accounts/partners", {
          params: { query: { lang: language, ...(query && { q: query }) } },
          signal,
        }),
      ),
    select: ({ partners }) => partners,
    placeholderData: keepPreviousData,
  });

interface Choice {
  partnerUuid?: string;
  partnerName?: string;
  partnerEmail?: string;
  language: Language;
  consentToSendContactDetails: boolean;
}

/** Chooses a partner by its id, or invites one by its name and address. */
export const useInvite = () =>
  useWrite(OWN, (choice: Choice) => answer(api.POST("/api/driver-accounts/partners/invites", { body: choice })));

export const useLeavePartner = () => useWrite(OWN, () => answer(api.DELETE("/api/driver-accounts/partners")));

export const usePartnerCard = (enabled: boolean) =>
  useQuery({
    queryKey: ["/api/driver-accounts/partner-profile"],
    queryFn: ({ signal }) => answer(api.GET("/api/driver-accounts/partner-profile", { signal })),
    enabled,
  });

export const useFrequency = (enabled: boolean) =>
  useQuery({
    queryKey: ["/api/driver-accounts/settlement-frequency"],
    queryFn: ({ signal }) => answer(api.GET("/api/driver-accounts/settlement-frequency", { signal })),
    enabled,
  });

export const usePartnerFrequency = (enabled: boolean) =>
  useQuery({
    queryKey: ["/api/driver-accounts/partner-settlement-frequency"],
    queryFn: ({ signal }) => answer(api.GET("/api/driver-accounts/partner-settlement-frequency", { signal })),
    enabled,
  });

export const useSetFrequency = () =>
  useWrite(ACCOUNT, (frequency: Weeks) =>
    answer(api.PUT("/api/driver-accounts/settlement-frequency", { body: { frequency } })),
  );

/** Cities whose name begins so; the first letter alone says too little. */
export const useCities = (name: string) =>
  useQuery({
    queryKey: ["/api/suggestions/cities", name],
    queryFn: ({ signal }) => answer(api.GET("/api/suggestions/cities", { params: { query: { name } }, signal })),
    select: ({ cities }) => cities,
    enabled: name.length > 1,
    staleTime: Number.POSITIVE_INFINITY,
  });
