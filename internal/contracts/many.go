package contracts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// PageSize is how many contracts one page of the partner's list holds.
const PageSize = 50

// Groups are the states that a partner looks at together.
var Groups = map[string][]State{
	"waiting": {SignedByDriver, ScanUploaded}, // for the partner
	"paper":   {Printed},                      // for something signed by hand
	"active":  {Active},
	"closed":  {Ended, Withdrawn, Replaced},
}

// Filter chooses contracts of a partner.
type Filter struct {
	Group string // one of Groups; empty: all
	Query string // every word of it is a part of the driver's name, e-mail or number
	Page  int64  // from 1
}

// Page is one page of contracts, with how many there are of each group.
type Page struct {
	Contracts []Contract
	Total     int64
	Counts    map[string]int64
}

// List is a page of the partner's contracts: what waits the longest stands first, of the others the newest.
func List(tx *db.Tx, f Filter) (p Page, err error) {
	where, args := `c.tenant_id = $1 AND c.state <> 'deleted'`, []any{}
	for _, word := range strings.Fields(i18n.Fold(f.Query))[:min(6, len(strings.Fields(i18n.Fold(f.Query))))] {
		args = append(args, "%"+db.Literal(word)+"%")
		where += fmt.Sprintf(` AND d.search_key LIKE $%d ESCAPE '!'`, len(args)+1)
	}
	const from = ` FROM contracts c JOIN drivers d ON d.tenant_id = c.tenant_id AND d.id = c.driver_id WHERE `
	found, err := db.Select[struct {
		State State
		N     int64
	}](tx, `SELECT c.state, COUNT(*) AS n`+from+where+` GROUP BY c.state`, args...)
	if err != nil {
		return p, err
	}
	p.Counts = map[string]int64{}
	for name, states := range Groups {
		for _, one := range found {
			if slices.Contains(states, one.State) {
				p.Counts[name] += one.N
			}
		}
		if name == f.Group || f.Group == "" {
			p.Total += p.Counts[name]
		}
	}
	order := ` ORDER BY c.created_at DESC, c.id DESC`
	if states := Groups[f.Group]; states != nil {
		quoted := make([]string, len(states))
		for i, s := range states {
			quoted[i] = `'` + string(s) + `'`
		}
		where += ` AND c.state IN (` + strings.Join(quoted, `, `) + `)`
		if f.Group == "waiting" || f.Group == "paper" {
			order = ` ORDER BY c.created_at, c.id`
		}
	}
	n := len(args) + 2
	p.Contracts, err = db.Select[Contract](tx,
		fmt.Sprintf(`SELECT %s%s%s%s LIMIT $%d OFFSET $%d`, contractColumns, from, where, order, n, n+1),
		append(args, int64(PageSize), (max(f.Page, 1)-1)*PageSize)...)
	return p, err
}

// Trial is what a countersignature would do, or why there would be none.
type Trial struct {
	Contract       Contract
	Refused        *fault.Fault
	Account        string // that the driver would be paid to; masked
	AccountBefore  string
	AccountChanges bool
}

var errTried = errors.New("nothing is kept of a trial")

// TryCountersign says what a countersignature would do. It does everything that signing does, in a unit that is then taken back: what it
// says is what signing would say at this moment.
func (s *Service) TryCountersign(ctx context.Context, write func(func(tx *db.Tx, who Person) error) error, id string) (t Trial, err error) {
	bases, err := s.basesOf(ctx, write, id)
	if err != nil {
		return t, err
	}
	err = write(func(tx *db.Tx, who Person) error {
		t = Trial{}
		c, k, err := s.Open(tx, who, id)
		if err != nil {
			return err
		}
		t.Contract = c
		driver, err := driverOf(tx, who, c.DriverID)
		if err != nil {
			return err
		}
		of, err := drivers.Get(tx, s.Vault, driver)
		if err != nil {
			return err
		}
		t.AccountBefore, t.AccountChanges = drivers.MaskIBAN(of.IBAN), string(of.IBAN) != k.Data.Contract.IBANPayout
		g, err := s.prepareCountersign(tx, who, id, Countersign{Version: c.Version}, bases, map[string][]byte{})
		if err == nil {
			_, err = s.CountersignNow(tx, who, g)
		}
		if err != nil {
			return err
		}
		if of, err = drivers.Get(tx, s.Vault, driver); err != nil {
			return err
		}
		t.Account = drivers.MaskIBAN(of.IBAN)
		return errTried
	})
	refused := new(fault.Fault)
	switch {
	case errors.Is(err, errTried):
		return t, nil
	case errors.As(err, &refused) && !errors.Is(err, ErrNotFound):
		t.Refused = refused
		return t, nil
	}
	return t, err
}
