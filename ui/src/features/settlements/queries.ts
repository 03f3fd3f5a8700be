import { useQuery } from "@tanstack/react-query";
import { answer, api } from "../../api/client";

/** How many settlements the partner's licence still allows. */
export function useLimits() {
  return useQuery({
    queryKey: ["/api/settlements/limits"],
    queryFn: ({ signal }) => answer(api.GET("/api/settlements/limits", { signal })),
  });
}
