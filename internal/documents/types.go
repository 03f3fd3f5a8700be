package documents

import (
	"cmp"
	"slices"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// typesMost is how many types of its own a partner can have.
const typesMost = 50

// ForDriver and ForVehicle are whom a type of document is for.
const (
	ForDriver  = "driver"
	ForVehicle = "vehicle"
)

// Type is a kind of document that drivers show.
type Type struct {
	ID      string
	Ready   bool   // it comes with the program; its name is among the texts
	Names   Names  // of a type of the partner's own
	Subject string // driver or vehicle
	Sides   int64
	// Required: whoever has none is listed. Expires: it is asked to which day it is valid. Warns: before settling.
	Required, Expires, Warns bool
	RemindDays               Days // before the last one
	Active                   bool
	Position                 int64
	Version                  int64 // 0: it is as it came
}

// Named is the name of a type in a language; of one of the partner's own that has none in it, another.
func (t *Type) Named(language i18n.Language) string {
	if t.Ready {
		return i18n.Of(language, "document-types:type."+t.ID)
	}
	if name := t.Names[string(language)]; name != "" {
		return name
	}
	for _, other := range i18n.Languages {
		if name := t.Names[string(other)]; name != "" {
			return name
		}
	}
	return t.ID
}

var usualDays = Days{30, 14, 7, 1}

// ready are the types that come with the program, by the country of the instance.
func ready(instance string) []Type {
	made := []Type{{ID: "driving_licence", Sides: 2, Required: true, Expires: true, Warns: true}}
	add := func(subject string, sides int64, expires bool, ids ...string) {
		for _, id := range ids {
			made = append(made, Type{ID: id, Subject: subject, Sides: sides, Expires: expires})
		}
	}
	if instance == "de" {
		made = append(made, Type{ID: "passenger_licence", Sides: 2, Required: true, Expires: true, Warns: true})
	} else {
		add(ForDriver, 1, true, "taxi_licence", "medical_exam", "psychological_exam")
		add(ForDriver, 1, false, "criminal_record")
	}
	add(ForDriver, 2, true, "identity_card", "residence_card")
	add(ForDriver, 1, true, "work_permit")
	add(ForVehicle, 2, false, "registration_certificate")
	add(ForVehicle, 1, true, "insurance", "technical_inspection")
	for i := range made {
		made[i].Ready, made[i].Active, made[i].Position = true, true, int64(i+1)
		made[i].Subject = cmp.Or(made[i].Subject, ForDriver)
		if made[i].Expires {
			made[i].RemindDays = slices.Clone(usualDays)
		}
	}
	return made
}

// Names are the names of a type by language.
type Names map[string]string

// Scan reads stored names.
func (n *Names) Scan(value any) error { return db.ScanJSON(value, n) }

// Days are days before the last one.
type Days []int64

// Scan reads stored days.
func (d *Days) Scan(value any) error { return db.ScanJSON(value, d) }

// Types are all types of the partner in their order, those that are not used any more too.
func (s *Service) Types(tx *db.Tx) ([]Type, error) {
	all := ready(s.Instance.Code)
	stored, err := db.Select[Type](tx, `SELECT id, names, subject, sides, required, expires, warns, remind_days, active, position, version
		FROM document_types WHERE tenant_id = $1 ORDER BY position, id`)
	if err != nil {
		return nil, err
	}
	for _, t := range stored {
		if at := slices.IndexFunc(all, func(known Type) bool { return known.ID == t.ID }); at >= 0 {
			t.Ready, t.Names = true, nil
			all[at] = t
		} else {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b Type) int { return cmp.Compare(a.Position, b.Position) })
	return all, nil
}

// typeOf is one of the partner's types.
func (s *Service) typeOf(tx *db.Tx, id string) (Type, error) {
	all, err := s.Types(tx)
	at := slices.IndexFunc(all, func(t Type) bool { return t.ID == id })
	if err != nil || at < 0 {
		return Type{}, cmp.Or(err, error(ErrNotFound))
	}
	return all[at], nil
}

// SaveType changes a type, or adds one of the partner's own where it has no id. What is there of a type stays when it is not used any
// more, and comes back with it.
func (s *Service) SaveType(tx *db.Tx, t Type) (Type, error) {
	all, err := s.Types(tx)
	if err != nil {
		return t, err
	}
	at := slices.IndexFunc(all, func(known Type) bool { return known.ID == t.ID })
	var before any
	switch {
	case t.ID == "":
		if len(all) >= typesMost {
			return t, ErrTypes.With("max", typesMost)
		}
		t.ID, t.Ready, t.Position = tx.NewID(), false, all[len(all)-1].Position+1
	case at < 0:
		return t, ErrNotFound
	case all[at].Version != t.Version:
		return t, ErrChanged
	default:
		before = all[at].view()
		t.Ready, t.Position = all[at].Ready, all[at].Position
	}
	if err := t.check(); err != nil {
		return t, err
	}
	was := t.Version
	t.Version++
	n, err := tx.Exec(`INSERT INTO document_types (tenant_id, id, names, subject, sides, required, expires, warns, remind_days, active,
		position, version, changed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
		ON CONFLICT (tenant_id, id) DO UPDATE SET names = excluded.names, subject = excluded.subject, sides = excluded.sides,
		required = excluded.required, expires = excluded.expires, warns = excluded.warns, remind_days = excluded.remind_days,
		active = excluded.active, version = excluded.version, changed_at = excluded.changed_at WHERE document_types.version = $14`,
		t.ID, db.JSON(t.Names), t.Subject, t.Sides, t.Required, t.Expires, t.Warns, db.JSON(t.RemindDays), t.Active, t.Position, t.Version,
		tx.Now, was)
	if err == nil && n == 0 {
		err = ErrChanged
	}
	if err != nil {
		return t, err
	}
	return t, audit.Record(tx, audit.Change{Action: "documents.type", Kind: kindOfType, ID: t.ID, Before: before, After: t.view()})
}

func (t *Type) view() map[string]any {
	return map[string]any{"names": t.Names, "subject": t.Subject, "sides": t.Sides, "required": t.Required, "expires": t.Expires,
		"warns": t.Warns, "remindDays": t.RemindDays, "active": t.Active}
}

// check brings a type into its one form.
func (t *Type) check() error {
	f := validate.New(ErrInvalid)
	t.Subject = f.OneOf("subject", t.Subject, []string{ForDriver, ForVehicle})
	if t.Sides != 1 && t.Sides != 2 {
		f.Wrong("sides", fault.NotOneOf)
	}
	names := Names{}
	for _, language := range i18n.Languages {
		if name := f.Text("names", t.Names[string(language)], 80, false); name != "" && !t.Ready {
			names[string(language)] = name
		}
	}
	if t.Names = names; !t.Ready && len(names) == 0 {
		f.Wrong("names", fault.Required)
	}
	if !t.Expires {
		t.RemindDays = nil
	}
	days := Days{}
	for _, n := range t.RemindDays {
		if n < 1 || n > 365 {
			f.Wrong("remindDays", fault.NotOneOf)
		} else if !slices.Contains(days, n) {
			days = append(days, n)
		}
	}
	if len(days) > 6 {
		f.Wrong("remindDays", fault.TooLong, "max", "6")
	}
	slices.SortFunc(days, func(a, b int64) int { return cmp.Compare(b, a) })
	t.RemindDays = days
	return f.Err()
}
