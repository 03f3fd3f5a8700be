package api

import (
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/web"
	"saldo/internal/reports"
)

func (Settings) jobsRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/jobs", Name: "jobs", Permission: access.JobsRead,
		Summary: "Work in the background: running, failed and lately done"}, recentJobs)
	web.Write(r, web.Route{Method: post, Path: "/api/jobs/{id}/retry", Name: "retry-job", Permission: access.JobsWrite,
		Summary: "Give a failed job new tries"}, retryJob)
}

// Job is something that goes on in the background. A sending of many mails is one, and so is a run that settles many drivers.
type Job struct {
	ID         string     `json:"id" doc:"of what can be tried again where it failed; empty: nothing can"`
	Kind       string     `json:"kind" enum:"sending,settling,import,mail,other"`
	About      string     `json:"about" doc:"id of the sending, the run or the import"`
	Name       string     `json:"name" doc:"of the file"`
	State      string     `json:"state" enum:"waiting,running,failed,done"`
	Done       int64      `json:"done"`
	Total      int64      `json:"total" doc:"0 while unknown"`
	Failed     int64      `json:"failed" doc:"mails that no server took; drivers who were not settled"`
	Error      string     `json:"error" doc:"why the last try failed; empty if it did not"`
	CreatedAt  time.Time  `json:"createdAt"`
	FinishedAt *time.Time `json:"finishedAt" doc:"null while it is not finished"`
}

// JobList is the background work of a partner, newest first.
type JobList struct {
	Jobs []Job `json:"jobs" nullable:"false"`
}

func recentJobs(tx *db.Tx, _ *nothing) (list JobList, err error) {
	found, err := reports.Activities(tx)
	list.Jobs = make([]Job, len(found))
	for i, a := range found {
		list.Jobs[i] = Job{a.Job, string(a.Kind), a.About, a.Name, string(a.State), a.Done, a.Total, a.Failed, a.Error, a.CreatedAt,
			instantOf(a.FinishedAt)}
	}
	return list, err
}

func retryJob(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, jobs.Retry(tx, in.ID)
}
