import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Problem } from "./problem";
import type { paths } from "./schema";

/**
 * A write that, done or failed, has everything read under its path prefixes read again before it
 * counts as finished: after it nothing on screen is stale.
 */
export function useWrite<Input, Output>(
  prefix: keyof paths | (keyof paths)[],
  write: (input: Input) => Promise<Output>,
) {
  const cache = useQueryClient();
  return useMutation<Output, Problem, Input>({
    mutationFn: write,
    onSettled: () =>
      cache.invalidateQueries({
        predicate: ({ queryKey }) => [prefix].flat().some((path) => String(queryKey[0]).startsWith(path)),
      }),
  });
}
