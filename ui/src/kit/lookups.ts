import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api } from "../api/client";

/** The first drivers whom a search finds, to choose from. */
export const useDriverChoices = (q: string) =>
  useQuery({
    queryKey: ["/api/drivers", "choices", q],
    queryFn: ({ signal }) => answer(api.GET("/api/drivers", { signal, params: { query: { q, size: 10 } } })),
    select: ({ drivers }) => drivers,
    placeholderData: keepPreviousData,
  });

/** All tags that a driver can have, to choose from. */
export const useTagChoices = () =>
  useQuery({
    queryKey: ["/api/tags"],
    queryFn: ({ signal }) => answer(api.GET("/api/tags", { signal })),
    select: ({ tags }) => tags.map(({ id, name }) => ({ value: id, label: name })),
  });
