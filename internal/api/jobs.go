package api

import (
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/web"
)

func (Settings) jobsRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/jobs", Name: "jobs", Permission: access.JobsRead,
		Summary: "Work in the background: running, failed and lately done"}, recentJobs)
	web.Write(r, web.Route{Method: post, Path: "/api/jobs/{id}/retry", Name: "retry-job", Permission: access.JobsWrite,
		Summary: "Give a failed job new tries"}, retryJob)
}

// Job is a job in JSON.
type Job struct {
	ID         string     `json:"id"`
	Kind       string     `json:"kind"`
	State      string     `json:"state" enum:"waiting,running,failed,done"`
	Done       int64      `json:"done"`
	Total      int64      `json:"total" doc:"0 while unknown"`
	Error      string     `json:"error" doc:"why the last try failed; empty if it did not"`
	CreatedAt  time.Time  `json:"createdAt"`
	FinishedAt *time.Time `json:"finishedAt" doc:"null while it is not finished"`
}

// JobList is the background work of a partner, newest first.
type JobList struct {
	Jobs []Job `json:"jobs" nullable:"false"`
}

func recentJobs(tx *db.Tx, _ *nothing) (list JobList, err error) {
	found, err := jobs.Recent(tx)
	list.Jobs = make([]Job, len(found))
	for i, j := range found {
		list.Jobs[i] = Job{ID: j.ID, Kind: j.Kind, State: string(j.State), Done: j.Done, Total: j.Total, Error: j.Error, CreatedAt: j.CreatedAt}
		if !j.FinishedAt.IsZero() {
			list.Jobs[i].FinishedAt = &j.FinishedAt
		}
	}
	return list, err
}

func retryJob(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, jobs.Retry(tx, in.ID)
}
