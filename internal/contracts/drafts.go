package contracts

import (
	"cmp"
	"encoding/json"
	"errors"
	"saldo/internal/contracts/answers"
	"slices"
	"time"

	"saldo/internal/contracts/template"
	"saldo/internal/drivers"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
)

// draftMax is how long what is filled in may be, and eventsMost how many steps of filling in are kept.
const (
	draftMax   = 20_000
	eventsMost = 60
)

// savedStep says which fields were saved when. It has no values.
type savedStep struct {
	At     time.Time `json:"at"`
	Step   int64     `json:"step"`
	Fields []string  `json:"fields"`
}

type draft struct {
	DriverID   string
	Side       Side
	Step       int64
	DataSealed string
	Events     string
	Version    int64
	UpdatedAt  time.Time
}

func draftOf(tx *db.Tx, driver string, side Side) (d draft, err error) {
	d, err = db.One[draft](tx, `SELECT driver_id, side, step, data_sealed, events, version, updated_at FROM contract_drafts
		WHERE tenant_id = $1 AND driver_id = $2 AND side = $3`, driver, string(side))
	if errors.Is(err, db.ErrNone) {
		return draft{DriverID: driver, Side: side}, nil
	}
	return d, err
}

// Filled is what a wizard begins with.
type Filled struct {
	Data    Data
	Version int64 // of the draft; 0: there is none
	Step    int64
	Source  string // draft, partner, contract or profile
}

// Missing lists the fields that are wrong or missing in the data, as the form names them.
func (s *Service) Missing(d Data) []fault.Field {
	_, err := d.Checked(s.country(), ErrInvalid)
	var refused *fault.Fault
	if errors.As(err, &refused) {
		return refused.Fields
	}
	return []fault.Field{}
}

// SaveDraft keeps what is filled in, as it was typed, over the version that it was read at. What is wrong with it is told, not refused:
// nothing that somebody typed is lost.
func (s *Service) SaveDraft(tx *db.Tx, who Person, driver string, step int64, data Data, version int64) (Filled, error) {
	driver, err := driverOf(tx, who, driver)
	if err != nil {
		return Filled{}, err
	}
	before, err := draftOf(tx, driver, who.Side)
	if err != nil {
		return Filled{}, err
	}
	if before.Version != version {
		return Filled{}, ErrChanged
	}
	var old Data
	if before.DataSealed != "" {
		if old, err = s.openData(tx, before.DataSealed); err != nil {
			return Filled{}, err
		}
	}
	events := stepsOf(before.Events)
	if fields := answers.Differing(old, data); len(fields) > 0 {
		events = append(events, savedStep{tx.Now, step, fields})
	}
	next := draft{DriverID: driver, Side: who.Side, Step: step, Events: db.JSON(events[max(0, len(events)-eventsMost):]), Version: version + 1,
		UpdatedAt: tx.Now}
	if next.DataSealed, err = s.sealData(tx, data); err != nil {
		return Filled{}, err
	}
	if len(next.DataSealed) > 2*draftMax {
		return Filled{}, ErrInvalid.Field("data", fault.TooLong, "max", "20000")
	}
	if version == 0 {
		err = db.Insert(tx, "contract_drafts", next)
		if db.Unique(err) {
			err = ErrChanged
		}
	} else {
		var n int64
		n, err = db.Update(tx, "contract_drafts", next, "driver_id = $2 AND side = $3 AND version = $4", driver, string(who.Side), version)
		if err == nil && n == 0 {
			err = ErrChanged
		}
	}
	return Filled{Data: data, Version: next.Version, Step: step, Source: "draft"}, err
}

func stepsOf(text string) (steps []savedStep) {
	if json.Unmarshal([]byte(text), &steps) != nil {
		return []savedStep{}
	}
	return steps
}

// DropDraft forgets what was filled in and not signed.
func (s *Service) DropDraft(tx *db.Tx, who Person, driver string) error {
	driver, err := driverOf(tx, who, driver)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`DELETE FROM contract_drafts WHERE tenant_id = $1 AND driver_id = $2 AND side = $3`, driver, string(who.Side))
	return err
}

// FilledFor is what a wizard begins with: the draft of who asks, else, for a driver, what the partner filled in for them, else what was
// signed last, else what is known of the driver. Nobody sees what a driver has not finished.
func (s *Service) FilledFor(tx *db.Tx, who Person, driver string) (f Filled, canonical string, err error) {
	if canonical, err = driverOf(tx, who, driver); err != nil {
		return f, canonical, err
	}
	d, err := draftOf(tx, canonical, who.Side)
	if err != nil {
		return f, canonical, err
	}
	if d.Version > 0 {
		f = Filled{Version: d.Version, Step: d.Step, Source: "draft"}
		f.Data, err = s.openData(tx, d.DataSealed)
		return f, canonical, err
	}
	if who.Side == template.Driver {
		of, err := draftOf(tx, canonical, template.Partner)
		if err != nil || of.Version > 0 {
			f = Filled{Step: 1, Source: "partner"}
			if err == nil {
				f.Data, err = s.openData(tx, of.DataSealed)
			}
			return f, canonical, err
		}
	}
	last, err := s.lastSigned(tx, canonical)
	if err != nil || last != nil {
		if last != nil {
			f = Filled{Data: *last, Step: 1, Source: "contract"}
		}
		return f, canonical, err
	}
	f = Filled{Step: 1, Source: "profile"}
	f.Data, err = s.known(tx, canonical)
	return f, canonical, err
}

// lastSigned are the data that a driver signed last; nil: none.
func (s *Service) lastSigned(tx *db.Tx, driver string) (*Data, error) {
	sealed, err := db.One[string](tx, `SELECT data_sealed FROM contracts WHERE tenant_id = $1 AND driver_id`+drivers.Those("$2")+`
		AND state <> 'deleted' ORDER BY created_at DESC, id DESC LIMIT 1`, driver)
	if errors.Is(err, db.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	k, err := s.openKept(tx, sealed)
	return &k.Data, err
}

// known is what the partner has of a driver already.
func (s *Service) known(tx *db.Tx, driver string) (d Data, err error) {
	of, err := drivers.Get(tx, s.Vault, driver)
	if err != nil {
		return d, err
	}
	d.Personal = answers.PersonalAnswers{FirstNames: of.FirstName, LastName: of.LastName, Email: of.Email, Phone: of.Phone}
	today := s.today(tx.Now)
	d.Contract = answers.TermsAnswers{IBANPayout: string(of.IBAN), Frequency: cmp.Or(of.SettlementFrequency, 1), Bailiff: of.Bailiff,
		Date: today, From: today,
		Company: answers.CompanyAnswers{TaxID: of.TaxID}}
	d.Statements.TaxResidence = s.country()
	return d, nil
}

// Listed are the documents that a contract with the data would have.
func (s *Service) Listed(tx *db.Tx, d Data) ([]Template, error) {
	all, err := s.applying(tx, &d)
	return slices.Clip(all), err
}

// mayBeSigned says whether any of the texts is signed on the screen.
func mayBeSigned(all []Made) bool {
	return slices.ContainsFunc(all, func(m Made) bool { return m.Form == template.Simple })
}

// Last are the data that a driver signed last.
func (s *Service) Last(tx *db.Tx, who Person, driver string) (Data, error) {
	driver, err := driverOf(tx, who, driver)
	if err != nil {
		return Data{}, err
	}
	last, err := s.lastSigned(tx, driver)
	if err != nil {
		return Data{}, err
	}
	if last == nil {
		return Data{}, ErrNotFound
	}
	return *last, nil
}
