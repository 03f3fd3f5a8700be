package api

import (
	"time"

	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/web"
)

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
