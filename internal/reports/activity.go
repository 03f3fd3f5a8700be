package reports

import (
	"cmp"
	"slices"
	"time"

	"saldo/internal/imports"
	"saldo/internal/licences/orders"
	"saldo/internal/messages"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/settlements"
	"saldo/internal/summaries"
)

// ActivityKind is what a person started.
type ActivityKind string

// The kinds.
const (
	Sending  ActivityKind = "sending"  // of settlements to their drivers
	Settling ActivityKind = "settling" // of drivers
	Import   ActivityKind = "import"   // of a file
	OneMail  ActivityKind = "mail"     // that belongs to no sending
	Other    ActivityKind = "other"
)

// Activity is something that was started lately and goes on without its person, or went on. A sending of a thousand mails is one.
type Activity struct {
	Kind        ActivityKind
	About       string // id of the sending, the run or the import
	Job         string // that can be tried again where it failed; empty: none
	Name        string // of the file
	State       jobs.State
	Done, Total int64
	Failed      int64
	Error       string
	CreatedAt   time.Time
	FinishedAt  time.Time
}

type settledRun struct {
	ID                    string
	State                 settlements.RunState
	Drivers, Settled      int64
	StartedAt, FinishedAt time.Time
}

// activitiesSince is for how long sendings and runs are told of.
const activitiesSince = 24 * time.Hour

// Activities are those of the partner, newest first.
func Activities(tx *db.Tx) ([]Activity, error) {
	since := tx.Now.Add(-activitiesSince)
	list := []Activity{}
	sendings, err := summaries.Recent(tx, since)
	if err != nil {
		return nil, err
	}
	for _, s := range sendings {
		one := Activity{Kind: Sending, About: s.ID, State: jobs.Running, Done: s.Sent, Total: s.Recipients, Failed: s.Failed,
			CreatedAt: s.StartedAt}
		if s.Written && s.Queued == 0 {
			one.State, one.FinishedAt = jobs.Done, s.StartedAt
		}
		list = append(list, one)
	}
	runs, err := db.Select[settledRun](tx, `SELECT id, state, drivers, settled, started_at, finished_at FROM settlement_runs
		WHERE tenant_id = $1 AND started_at > $2 AND state <> 'preview' ORDER BY started_at DESC LIMIT 20`, since)
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		one := Activity{Kind: Settling, About: r.ID, State: jobs.Running, Done: r.Settled, Total: r.Drivers, CreatedAt: r.StartedAt}
		switch r.State {
		case settlements.RunRunning:
		case settlements.RunDone:
			one.State, one.FinishedAt, one.Failed = jobs.Done, r.FinishedAt, r.Drivers-r.Settled
		default:
			one.State, one.FinishedAt, one.Failed = jobs.Failed, r.FinishedAt, r.Drivers
		}
		list = append(list, one)
	}
	others, err := otherJobs(tx)
	list = append(list, others...)
	slices.SortStableFunc(list, func(a, b Activity) int { return cmp.Compare(b.CreatedAt.UnixNano(), a.CreatedAt.UnixNano()) })
	return list, err
}

// otherJobs are the recent jobs that no sending and no run tells of.
func otherJobs(tx *db.Tx) (list []Activity, err error) {
	// those of messages are in their list, and those of payments are the program's and the operator's
	recent, err := jobs.Recent(tx, append([]string{messages.SMSKind, messages.PushKind}, orders.Kinds...)...)
	if err != nil {
		return nil, err
	}
	mails, files := []string{}, []string{}
	for _, j := range recent {
		switch j.Kind {
		case mail.SendKind:
			mails = append(mails, j.Key)
		case imports.AnalyzeKind, imports.ConfirmKind, imports.RemoveKind:
			files = append(files, j.Key)
		}
	}
	sent, err := summaries.AreOf(tx, mails)
	if err != nil {
		return nil, err
	}
	names, err := imports.NamesOf(tx, files)
	for _, j := range recent {
		one := Activity{Kind: Other, About: j.Key, Job: j.ID, State: j.State, Done: j.Done, Total: j.Total, Error: j.Error,
			CreatedAt: j.CreatedAt, FinishedAt: j.FinishedAt}
		switch j.Kind {
		case settlements.SettleKind, summaries.SendKind:
			continue
		case mail.SendKind:
			if sent[j.Key] {
				continue
			}
			one.Kind = OneMail
		case imports.AnalyzeKind, imports.ConfirmKind, imports.RemoveKind:
			one.Kind, one.Name = Import, names[j.Key]
		}
		list = append(list, one)
	}
	return list, err
}
