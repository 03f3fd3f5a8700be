package api

import (
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/imports/unmatched"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) unmatchedRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/unmatched-drivers", Name: "unmatched-drivers", Permission: access.ImportsRead,
		Summary: "A page of the people whom files name and nobody knew"}, importIdentities)
	web.Write(r, web.Route{Method: post, Path: "/api/unmatched-drivers/create", Name: "create-from-unmatched",
		Permission: access.ImportsWrite, Timeout: time.Minute, Status: http.StatusOK,
		Summary: "Write new drivers down for many that have a name and look like nobody who is there"}, s.createFromIdentities)
	web.Write(r, web.Route{Method: post, Path: "/api/unmatched-drivers/undo", Name: "undo-unmatched-drivers",
		Permission: access.ImportsWrite, Timeout: time.Minute, Status: http.StatusOK,
		Summary: "Take the decisions about many back, while nothing of them is settled"}, s.undoIdentities)
	web.Write(r, web.Route{Method: post, Path: "/api/unmatched-drivers/{id}/assign", Name: "assign-unmatched-driver",
		Permission: access.ImportsWrite, Status: http.StatusOK,
		Summary: "Say which driver it is; the rows follow at once"}, s.assignIdentity)
	web.Write(r, web.Route{Method: post, Path: "/api/unmatched-drivers/{id}/create", Name: "create-from-unmatched-driver",
		Permission: access.ImportsWrite, Status: http.StatusCreated,
		Summary: "Write a new driver down for it; the rows follow at once"}, s.createFromIdentity)
	web.Write(r, web.Route{Method: post, Path: "/api/unmatched-drivers/{id}/ignore", Name: "ignore-unmatched-driver",
		Permission: access.ImportsWrite,
		Summary:    "Leave the rows to nobody, in later files too"}, ignoreIdentity)
	web.Write(r, web.Route{Method: post, Path: "/api/unmatched-drivers/{id}/undo", Name: "undo-unmatched-driver",
		Permission: access.ImportsWrite, Status: http.StatusOK,
		Summary: "Take a decision back, while nothing of it is settled; the rows wait again"}, s.undoIdentity)
}

// UnmatchedDriver is somebody whom files name and nobody knew.
type UnmatchedDriver struct {
	ID              string      `json:"id"`
	Provider        string      `json:"provider"`
	Keys            []ImportKey `json:"keys" nullable:"false" doc:"the surest first"`
	Name            string      `json:"name"`
	State           string      `json:"state" enum:"waiting,assigned,ignored"`
	DriverID        string      `json:"driverUUID" doc:"of an assigned one"`
	DriverFirstName string      `json:"driverFirstName"`
	DriverLastName  string      `json:"driverLastName"`
	Rows            int64       `json:"rows"`
	Sum             int64       `json:"sum"`
	FirstOn         string      `json:"firstOn" doc:"first day of the rows that wait; empty: none wait"`
	LastOn          string      `json:"lastOn"`
	CreatedAt       time.Time   `json:"createdAt"`
	DecidedAt       *time.Time  `json:"decidedAt" nullable:"true"`
	DecidedBy       string      `json:"decidedBy"`
}

// UnmatchedDrivers is a page of them, newest first.
type UnmatchedDrivers struct {
	Identities []UnmatchedDriver `json:"identities" nullable:"false"`
	Next       string            `json:"next"`
	Waiting    int64             `json:"waiting" doc:"how many wait, whatever the filter"`
	Assigned   int64             `json:"assigned"`
	Ignored    int64             `json:"ignored"`
}

func importIdentities(tx *db.Tx, in *struct {
	State    string `query:"state" enum:",waiting,assigned,ignored"`
	Provider string `query:"provider" maxLength:"30"`
	After    string `query:"after" maxLength:"64" doc:"next of the page before"`
	Limit    int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}) (out UnmatchedDrivers, err error) {
	box, err := unmatched.IdentitiesOf(tx, unmatched.IdentityFilter{State: in.State, Provider: in.Provider, After: in.After, Limit: in.Limit})
	out = UnmatchedDrivers{Identities: []UnmatchedDriver{}, Next: box.Next, Waiting: box.Counts[unmatched.Unmatched],
		Assigned: box.Counts[unmatched.Assigned], Ignored: box.Counts[unmatched.Ignored]}
	for _, i := range box.Identities {
		out.Identities = append(out.Identities,
			UnmatchedDriver{i.ID, i.Provider, keysOf(i.Keys), i.FullName(), i.State, i.DriverID, i.DriverFirstName, i.DriverLastName, i.Rows,
				int64(i.Sum), i.FirstOn, i.LastOn, i.CreatedAt, instantOf(i.DecidedAt), i.DecidedBy})
	}
	return out, err
}

// ImportMoved says how many rows followed a decision.
type ImportMoved struct {
	Rows int64 `json:"rows"`
}

func (s Settings) unmatched() unmatched.Service { return unmatched.Service{Drivers: s.driverBook()} }

func (s Settings) assignIdentity(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		DriverID string `json:"driverUUID" minLength:"1" maxLength:"64"`
	}
}) (ImportMoved, error) {
	rows, err := s.unmatched().Assign(tx, in.ID, in.Body.DriverID)
	return ImportMoved{rows}, err
}

// ImportNewDriver is the driver that was made of an identity.
type ImportNewDriver struct {
	DriverID string `json:"driverUUID"`
	Rows     int64  `json:"rows"`
}

func (s Settings) createFromIdentity(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		FirstName string `json:"firstName" required:"false" maxLength:"150" doc:"both names empty: as the file has them"`
		LastName  string `json:"lastName" required:"false" maxLength:"150"`
	}
}) (ImportNewDriver, error) {
	driver, rows, err := s.unmatched().Create(tx, in.ID, in.Body.FirstName, in.Body.LastName)
	return ImportNewDriver{driver, rows}, err
}

func ignoreIdentity(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, unmatched.Ignore(tx, in.ID)
}

func (s Settings) undoIdentity(tx *db.Tx, in *named) (ImportMoved, error) {
	rows, err := s.unmatched().Undo(tx, in.ID)
	return ImportMoved{rows}, err
}

// UnmatchedDriverIDs are ids of many unmatched drivers.
type UnmatchedDriverIDs struct {
	IDs []string `json:"ids" nullable:"false" maxItems:"500"`
}

// ImportOutcomeCode is what became of one of many; the contract lists all of them.
type ImportOutcomeCode string

// Schema lists the codes.
func (ImportOutcomeCode) Schema(huma.Registry) *huma.Schema { return listed(unmatched.ManyOutcomes()) }

// ImportOutcome is what became of one of many.
type ImportOutcome struct {
	ID       string            `json:"id"`
	Outcome  ImportOutcomeCode `json:"outcome"`
	DriverID string            `json:"driverUUID" doc:"who was made, or who has the same already; empty: nobody, or several"`
	Rows     int64             `json:"rows" doc:"that followed"`
}

// ImportOutcomes say of each what became of it, in the order asked for.
type ImportOutcomes struct {
	Outcomes []ImportOutcome `json:"outcomes" nullable:"false"`
}

func outcomesOf(outcomes []unmatched.IdentityOutcome, err error) (ImportOutcomes, error) {
	out := ImportOutcomes{Outcomes: make([]ImportOutcome, len(outcomes))}
	for i, o := range outcomes {
		out.Outcomes[i] = ImportOutcome{o.ID, ImportOutcomeCode(o.Outcome), o.DriverID, o.Rows}
	}
	return out, err
}

func (s Settings) createFromIdentities(tx *db.Tx, in *struct{ Body UnmatchedDriverIDs }) (ImportOutcomes, error) {
	return outcomesOf(s.unmatched().CreateMany(tx, in.Body.IDs))
}

func (s Settings) undoIdentities(tx *db.Tx, in *struct{ Body UnmatchedDriverIDs }) (ImportOutcomes, error) {
	return outcomesOf(s.unmatched().UndoMany(tx, in.Body.IDs))
}
