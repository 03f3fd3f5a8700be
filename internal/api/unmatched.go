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
		Summary: "A page of the people whom files name and nobody knew"}, s.importIdentities)
	web.Read(r, web.Route{Method: get, Path: "/api/unmatched-drivers/people", Name: "unmatched-people", Permission: access.ImportsRead,
		Summary: "A page of those who wait for a decision, one for each person, with the driver whom each probably is"}, s.unmatchedPeople)
	web.Write(r, web.Route{Method: post, Path: "/api/unmatched-drivers/assign", Name: "assign-unmatched-drivers",
		Permission: access.ImportsWrite, Timeout: time.Minute, Status: http.StatusOK,
		Summary: "Say of many which driver each is; the rows follow at once"}, s.assignIdentities)
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
	People     int64             `json:"people" doc:"how many people wait, whatever the filter: several of these may be one"`
	Waiting    int64             `json:"waiting" doc:"how many wait, whatever the filter"`
	Assigned   int64             `json:"assigned"`
	Ignored    int64             `json:"ignored"`
}

func (s Settings) importIdentities(tx *db.Tx, in *struct {
	State    string `query:"state" enum:",waiting,assigned,ignored"`
	Provider string `query:"provider" maxLength:"30"`
	After    string `query:"after" maxLength:"64" doc:"next of the page before"`
	Limit    int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}) (out UnmatchedDrivers, err error) {
	box, err := unmatched.IdentitiesOf(tx, unmatched.IdentityFilter{State: in.State, Provider: in.Provider, After: in.After, Limit: in.Limit})
	out = UnmatchedDrivers{Identities: []UnmatchedDriver{}, Next: box.Next, Waiting: box.Counts[unmatched.Unmatched],
		Assigned: box.Counts[unmatched.Assigned], Ignored: box.Counts[unmatched.Ignored]}
	for _, i := range box.Identities {
		out.Identities = append(out.Identities, unmatchedDriverOf(i))
	}
	if err == nil && out.Waiting > 0 {
		out.People, err = unmatched.Count(tx, s.driverBook().Country)
	}
	return out, err
}

func unmatchedDriverOf(i unmatched.Identity) UnmatchedDriver {
	return UnmatchedDriver{i.ID, i.Provider, keysOf(i.Keys), i.FullName(), i.State, i.DriverID, i.DriverFirstName, i.DriverLastName, i.Rows,
		int64(i.Sum), i.FirstOn, i.LastOn, i.CreatedAt, instantOf(i.DecidedAt), i.DecidedBy}
}

// ImportMoved says how many rows followed a decision.
type ImportMoved struct {
	Rows int64 `json:"rows"`
}

func (s Settings) unmatched() unmatched.Service { return unmatched.Service{Drivers: s.driverBook()} }

// UnmatchedPersonMatch is the driver whom somebody probably is.
type UnmatchedPersonMatch struct {
	DriverID  string   `json:"driverUUID"`
	FirstName string   `json:"firstName"`
	LastName  string   `json:"lastName"`
	By        []string `json:"by" nullable:"false" enum:"identity,email,phone,name" doc:"what is the same, the surest first"`
	Certain   bool     `json:"certain" doc:"nothing speaks for another driver"`
}

// UnmatchedPerson is somebody whom files name, of however many files and providers.
type UnmatchedPerson struct {
	Identities []UnmatchedDriver     `json:"identities" nullable:"false" doc:"the newest first"`
	FirstName  string                `json:"firstName" doc:"as a driver would be stored"`
	LastName   string                `json:"lastName"`
	Email      string                `json:"email"`
	Phone      string                `json:"phone"`
	Rows       int64                 `json:"rows"`
	Sum        int64                 `json:"sum"`
	FirstOn    string                `json:"firstOn"`
	LastOn     string                `json:"lastOn"`
	Creatable  bool                  `json:"creatable" doc:"a driver can be made of what files say, and nobody who is there looks alike"`
	Match      *UnmatchedPersonMatch `json:"match,omitempty" doc:"absent: nobody looks alike"`
}

// UnmatchedPeople is a page of them, newest first.
type UnmatchedPeople struct {
	People  []UnmatchedPerson `json:"people" nullable:"false"`
	Next    string            `json:"next"`
	All     int64             `json:"all" doc:"of all pages"`
	New     int64             `json:"new" doc:"of them: creatable"`
	Certain int64             `json:"certain" doc:"of them: who certainly are a driver who is there"`
}

func (s Settings) unmatchedPeople(tx *db.Tx, in *struct {
	After string `query:"after" maxLength:"64" doc:"next of the page before"`
	Limit int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}) (out UnmatchedPeople, err error) {
	page, err := s.unmatched().PeopleOf(tx, in.After, in.Limit)
	out = UnmatchedPeople{People: []UnmatchedPerson{}, Next: page.Next, All: page.All, New: page.New, Certain: page.Certain}
	for _, p := range page.People {
		person := UnmatchedPerson{Identities: []UnmatchedDriver{}, FirstName: p.First, LastName: p.Last, Email: p.Email, Phone: p.Phone,
			Rows: p.Rows, Sum: int64(p.Sum), FirstOn: p.FirstOn, LastOn: p.LastOn, Creatable: p.Creatable()}
		for _, i := range p.Identities {
			person.Identities = append(person.Identities, unmatchedDriverOf(i))
		}
		if m := p.Suggested; m != nil {
			person.Match = &UnmatchedPersonMatch{m.DriverID, m.Driver.First, m.Driver.Last, m.By, m.Certain}
		}
		out.People = append(out.People, person)
	}
	return out, err
}

func (s Settings) assignIdentity(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		DriverID string   `json:"driverUUID" minLength:"1" maxLength:"64"`
		Also     []string `json:"also" required:"false" nullable:"false" maxItems:"100" doc:"other identities of the same person"`
	}
}) (ImportMoved, error) {
	rows, err := s.unmatched().AssignAll(tx, append([]string{in.ID}, in.Body.Also...), in.Body.DriverID)
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
		FirstName string   `json:"firstName" required:"false" maxLength:"150" doc:"both names empty: as the file has them"`
		LastName  string   `json:"lastName" required:"false" maxLength:"150"`
		Email     string   `json:"email" required:"false" maxLength:"254" doc:"empty: as the file has it"`
		Phone     string   `json:"phone" required:"false" maxLength:"50" doc:"empty: as the file has it"`
		Also      []string `json:"also" required:"false" nullable:"false" maxItems:"100" doc:"other identities of the same person"`
	}
}) (ImportNewDriver, error) {
	driver, rows, err := s.unmatched().Create(tx, append([]string{in.ID}, in.Body.Also...),
		unmatched.NewDriver{Name: unmatched.Name{First: in.Body.FirstName, Last: in.Body.LastName}, Email: in.Body.Email, Phone: in.Body.Phone})
	return ImportNewDriver{driver, rows}, err
}

// ignoreIdentity may be sent without a body.
func ignoreIdentity(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body *struct {
		Also []string `json:"also" required:"false" nullable:"false" maxItems:"100" doc:"other identities of the same person"`
	}
}) (web.None, error) {
	ids := []string{in.ID}
	if in.Body != nil {
		ids = append(ids, in.Body.Also...)
	}
	return web.None{}, unmatched.IgnoreAll(tx, ids)
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
	DriverID string            `json:"driverUUID" doc:"who was made or chosen, or who has the same already; empty: nobody, or several"`
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

// UnmatchedToCreate is one of many people of whom drivers are made.
type UnmatchedToCreate struct {
	IDs       []string `json:"ids" nullable:"false" minItems:"1" maxItems:"100" doc:"identities that are this person"`
	FirstName string   `json:"firstName" required:"false" maxLength:"150" doc:"both names empty: as the files have them"`
	LastName  string   `json:"lastName" required:"false" maxLength:"150"`
}

func (s Settings) createFromIdentities(tx *db.Tx, in *struct {
	Body struct {
		People []UnmatchedToCreate `json:"people" nullable:"false" maxItems:"500"`
	}
}) (ImportOutcomes, error) {
	people := []unmatched.Decision{}
	for _, p := range in.Body.People {
		people = append(people, unmatched.Decision{IDs: p.IDs, Name: unmatched.Name{First: p.FirstName, Last: p.LastName}})
	}
	return outcomesOf(s.unmatched().CreateMany(tx, people))
}

// UnmatchedToAssign is one of many people who are given to drivers.
type UnmatchedToAssign struct {
	IDs      []string `json:"ids" nullable:"false" minItems:"1" maxItems:"100" doc:"identities that are this person"`
	DriverID string   `json:"driverUUID" minLength:"1" maxLength:"64"`
}

func (s Settings) assignIdentities(tx *db.Tx, in *struct {
	Body struct {
		People []UnmatchedToAssign `json:"people" nullable:"false" maxItems:"500"`
	}
}) (ImportOutcomes, error) {
	people := []unmatched.Decision{}
	for _, p := range in.Body.People {
		people = append(people, unmatched.Decision{IDs: p.IDs, DriverID: p.DriverID})
	}
	return outcomesOf(s.unmatched().AssignMany(tx, people))
}

func (s Settings) undoIdentities(tx *db.Tx, in *struct{ Body UnmatchedDriverIDs }) (ImportOutcomes, error) {
	return outcomesOf(s.unmatched().UndoMany(tx, in.Body.IDs))
}
