import { useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import { useWrite } from "../../api/write";
import { useLanguage } from "../../i18n";

export type Terms = Body<"/api/partners/terms">;

/** The newest terms, in the language on screen. */
export function useTerms() {
  const lang = useLanguage();
  return useQuery({
    queryKey: ["/api/partners/terms", lang],
    queryFn: ({ signal }) => answer(api.GET("/api/partners/terms", { params: { query: { lang } }, signal })),
    placeholderData: (before) => before,
  });
}

/** Accepts the version that was shown, and no newer one. */
export const useAcceptTerms = () =>
  useWrite("/api/partners/terms", (version: string) =>
    answer(api.PUT("/api/partners/terms/acceptNewTerms", { params: { query: { version } } })),
  );
