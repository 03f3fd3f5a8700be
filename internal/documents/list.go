package documents

import (
	"cmp"
	"slices"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
)

// Slot is the place of one document of a driver: a type, for types of vehicles each vehicle.
type Slot struct {
	Type    *Type
	Vehicle string
	Current *Document // accepted
	Waiting *Document // uploaded and not decided
	Refused *Document // rejected, with nothing uploaded since
	State   State     // the most urgent of these; Missing where there is nothing
}

// standing is the state of a slot: what is to be done about it.
func (s *Slot) standing(today calendar.Date) State {
	switch {
	case s.Current != nil && s.Current.Standing(today) == Accepted:
		return Accepted
	case s.Waiting != nil:
		return Waiting
	case s.Current != nil:
		return s.Current.Standing(today)
	case s.Refused != nil:
		return Rejected
	}
	return Missing
}

// OfDriver are the slots of one driver: one for every type that is used, and those of other types that something is in.
func (s *Service) OfDriver(tx *db.Tx, driver string) ([]Slot, error) {
	types, err := s.Types(tx)
	if err != nil {
		return nil, err
	}
	all, err := db.Select[Document](tx, `SELECT i.`+columns+` FROM driver_documents i WHERE i.tenant_id = $1
		AND i.driver_id`+drivers.Those("$2")+` AND i.state <> 'replaced' ORDER BY i.entered_at, i.id`, driver)
	if err != nil {
		return nil, err
	}
	return slotsOf(types, all, s.Today(tx)), nil
}

func slotsOf(types []Type, all []Document, today calendar.Date) []Slot {
	var slots []Slot
	for i := range types {
		t := &types[i]
		first := len(slots)
		for j := range all {
			if d := &all[j]; d.TypeID == t.ID {
				at := slices.IndexFunc(slots[first:], func(s Slot) bool { return s.Vehicle == d.Vehicle })
				if at < 0 {
					at = len(slots) - first
					slots = append(slots, Slot{Type: t, Vehicle: d.Vehicle})
				}
				slots[first+at].put(d)
			}
		}
		if first == len(slots) && t.Active {
			slots = append(slots, Slot{Type: t})
		}
	}
	for i := range slots {
		slots[i].State = slots[i].standing(today)
	}
	return slots
}

// put puts a document into its slot; they come oldest first.
func (s *Slot) put(d *Document) {
	switch d.State {
	case Accepted:
		s.Current = d
	case Waiting:
		s.Waiting, s.Refused = d, nil
	case Rejected:
		s.Refused = d
	}
	if s.Refused != nil && s.Current != nil && !s.Current.DecidedAt.Before(s.Refused.DecidedAt) {
		s.Refused = nil
	}
}

// Row is a driver with the slots that the partner looks at.
type Row struct {
	drivers.Name
	Linked bool // the driver can upload
	Slots  []Slot
}

// Filter chooses rows. What is empty filters nothing.
type Filter struct {
	Query string
	State State // some slot is in it; Accepted: all are
	Type  string
}

// fleetDriver is somebody who drives for the partner now.
type fleetDriver struct {
	drivers.Name
	AccountID string
	SearchKey string
}

// Rows are all drivers who are not blocked with the slots of required types and of those that something is in, by name.
func (s *Service) Rows(tx *db.Tx, f Filter) ([]Row, []Type, error) {
	types, err := s.Types(tx)
	if err != nil {
		return nil, nil, err
	}
	types = slices.DeleteFunc(types, func(t Type) bool { return !t.Active || f.Type != "" && t.ID != f.Type })
	fleet, err := db.Select[fleetDriver](tx, `SELECT id, first_name, last_name, account_id, search_key FROM drivers WHERE tenant_id = $1
		AND merged_into = '' AND NOT blocked`)
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(fleet, func(a, b fleetDriver) int {
		return cmp.Or(cmp.Compare(a.SearchKey, b.SearchKey), cmp.Compare(a.ID, b.ID))
	})
	stored, err := db.Select[struct {
		Document
		Canonical string
	}](tx, `SELECT i.`+columns+`, `+drivers.CanonicalID("d")+` AS canonical FROM driver_documents i
		JOIN drivers d ON d.tenant_id = i.tenant_id AND d.id = i.driver_id
		WHERE i.tenant_id = $1 AND i.state <> 'replaced' ORDER BY i.entered_at, i.id`)
	if err != nil {
		return nil, nil, err
	}
	of := map[string][]Document{}
	for _, d := range stored {
		of[d.Canonical] = append(of[d.Canonical], d.Document)
	}
	today := s.Today(tx)
	words := searched(f.Query)
	var rows []Row
	for _, d := range fleet {
		if !d.matches(words) {
			continue
		}
		slots := slices.DeleteFunc(slotsOf(types, of[d.ID], today), func(s Slot) bool { return s.State == Missing && !s.Type.Required })
		if f.holds(slots) {
			rows = append(rows, Row{Name: d.Name, Linked: d.AccountID != "", Slots: slots})
		}
	}
	return rows, types, nil
}

func (f Filter) holds(slots []Slot) bool {
	switch f.State {
	case "":
		return true
	case Accepted:
		return !slices.ContainsFunc(slots, func(s Slot) bool { return s.State != Accepted && s.State != Expiring })
	}
	return slices.ContainsFunc(slots, func(s Slot) bool { return s.State == f.State })
}

// Due is a slot that somebody has to do something about: it is missing, or its last day is over or near.
type Due struct {
	drivers.Name
	Linked bool
	Slot   Slot
	Days   int    // to the last day; below 0: it is over
	Group  string // expired, 7, 14, 30, later or missing
	// Reminded is when the driver was last reminded of it; zero: never.
	Reminded time.Time
}

// Groups are the columns of the expiry board.
var Groups = []string{"expired", "7", "14", "30", "later", "missing"}

func groupOf(days int) string {
	switch {
	case days < 0:
		return "expired"
	case days <= 7:
		return "7"
	case days <= 14:
		return "14"
	case days <= 30:
		return "30"
	}
	return "later"
}

// Expiring is the board: what has expired, what does so within some days, and what is missing, the most urgent first.
func (s *Service) Expiring(tx *db.Tx, within int) ([]Due, error) {
	rows, _, err := s.Rows(tx, Filter{})
	if err != nil {
		return nil, err
	}
	reminders, err := db.Select[struct {
		DriverID, TypeID, Vehicle, ValidTo string
		RemindedAt                         time.Time
	}](tx, `SELECT driver_id, type_id, vehicle, valid_to, MAX(reminded_at) AS reminded_at FROM document_reminders WHERE tenant_id = $1
		GROUP BY driver_id, type_id, vehicle, valid_to`)
	if err != nil {
		return nil, err
	}
	last := map[[4]string]time.Time{}
	for _, r := range reminders {
		last[[4]string{r.DriverID, r.TypeID, r.Vehicle, r.ValidTo}] = r.RemindedAt
	}
	today := s.Today(tx)
	var due []Due
	for _, r := range rows {
		for _, slot := range r.Slots {
			d := Due{Name: r.Name, Linked: r.Linked, Slot: slot}
			until := ""
			switch {
			case slot.State == Missing || slot.State == Rejected && slot.Type.Required:
				d.Group = "missing"
			case slot.Current != nil && slot.Current.ValidTo != "" && slot.Current.ValidTo.DaysSince(today) <= within:
				d.Days = slot.Current.ValidTo.DaysSince(today)
				d.Group, until = groupOf(d.Days), string(slot.Current.ValidTo)
			default:
				continue
			}
			d.Reminded = last[[4]string{r.ID, slot.Type.ID, slot.Vehicle, until}]
			due = append(due, d)
		}
	}
	slices.SortStableFunc(due, func(a, b Due) int {
		return cmp.Or(cmp.Compare(slices.Index(Groups, a.Group), slices.Index(Groups, b.Group)), cmp.Compare(a.Days, b.Days))
	})
	return due, nil
}

// CountWaiting is how many documents the partner has to look at.
func CountWaiting(tx *db.Tx) (int64, error) {
	return db.One[int64](tx, `SELECT COUNT(*) FROM driver_documents i JOIN drivers d ON d.tenant_id = i.tenant_id AND d.id = i.driver_id
		WHERE i.tenant_id = $1 AND i.state = 'waiting' AND NOT d.blocked`)
}

// Warned are those of some drivers, or of all, with an expired or missing document of a type that warns before settling, with how many
// these are. Where nobody has ever uploaded one of a type, the fleet does not keep it here and nobody is warned.
func (s *Service) Warned(tx *db.Tx, some []string) (map[string]int, error) {
	used, err := db.Select[string](tx, `SELECT DISTINCT type_id FROM driver_documents WHERE tenant_id = $1 AND state <> 'replaced'`)
	if err != nil || len(used) == 0 {
		return nil, err
	}
	warned, today := map[string]int{}, s.Today(tx)
	count := func(driver string, slots []Slot) {
		for i := range slots {
			if t := slots[i].Type; t.Warns && t.Active && slots[i].lacks(today) && slices.Contains(used, t.ID) {
				warned[driver]++
			}
		}
	}
	if len(some) > 0 && len(some) <= fewDrivers {
		for _, driver := range some {
			slots, err := s.OfDriver(tx, driver)
			if err != nil {
				return nil, err
			}
			count(driver, slots)
		}
		return warned, nil
	}
	rows, _, err := s.Rows(tx, Filter{})
	for _, r := range rows {
		count(r.ID, r.Slots)
	}
	return warned, err
}

// fewDrivers are asked for one by one; for more the whole fleet is read.
const fewDrivers = 20

// lacks says whether a driver has no valid document where one is needed.
func (s *Slot) lacks(today calendar.Date) bool {
	if s.Current != nil {
		return s.Current.Standing(today) == Expired
	}
	return s.Type.Required
}
