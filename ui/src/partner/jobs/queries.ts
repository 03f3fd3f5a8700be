import { useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import { useWrite } from "../../api/write";

export type Job = Body<"/api/jobs">["jobs"][number];

const BUSY_MS = 10_000;
const QUIET_MS = 60_000;

export const isActive = (job: Job) => job.state === "running" || job.state === "waiting";

/** The partner's jobs, asked for more often while one is under way. */
export function useJobs() {
  return useQuery({
    queryKey: ["/api/jobs"],
    queryFn: ({ signal }) => answer(api.GET("/api/jobs", { signal })),
    select: ({ jobs }) => jobs,
    refetchInterval: ({ state }) => (state.data?.jobs.some(isActive) ? BUSY_MS : QUIET_MS),
  });
}

export const useRetryJob = () =>
  useWrite("/api/jobs", (job: Job) => answer(api.POST("/api/jobs/{id}/retry", { params: { path: { id: job.id } } })));

const LICENCE = "/api/licences";

/** How many settlements are left, and what the partner is told of them. */
export const useLicence = () =>
  useQuery({ queryKey: [LICENCE], queryFn: ({ signal }) => answer(api.GET(LICENCE, { signal })) });

export const useSeen = () => useWrite(LICENCE, () => answer(api.POST("/api/licences/seen")));
