package payouts

import (
	"cmp"
	"slices"

	"saldo/internal/kernel/official"
)

// WarningCode names a warning.
type WarningCode string

// The warnings.
const (
	OwnAccount    WarningCode = "own_account"    // a driver's account is the fleet's own
	SharedAccount WarningCode = "shared_account" // several drivers are paid to one account
	PayDateMoved  WarningCode = "pay_date_moved" // banks do not work on the day that was wanted
	NoKSeFNumber  WarningCode = "no_ksef_number" // a transfer must name the invoice's number at KSeF, and there is none
)

// Warning is something that a person should look at before a bank is told. It keeps nobody from being paid.
type Warning struct {
	Code    WarningCode
	Drivers []WarnedDriver
}

// WarnedDriver is whom a warning is about.
type WarnedDriver struct{ ID, FirstName, LastName string }

// warnOfAccounts finds accounts that are the fleet's own or those of several drivers among the transfers of a plan.
func (p *Plan) warnOfAccounts() {
	owners := map[official.Account][]WarnedDriver{}
	for _, draft := range p.Drafts {
		for _, t := range draft.Transfers {
			one := WarnedDriver{t.DriverID, t.FirstName, t.LastName}
			if draft.Way != Cash && !slices.Contains(owners[t.Account], one) {
				owners[t.Account] = append(owners[t.Account], one)
			}
		}
	}
	var own, shared []WarnedDriver
	for account, drivers := range owners {
		if account == p.payer.Account {
			own = append(own, drivers...)
		}
		if len(drivers) > 1 {
			shared = append(shared, drivers...)
		}
	}
	p.warn(OwnAccount, own)
	p.warn(SharedAccount, shared)
}

// warnOfTitles names whose transfers lack the number at KSeF, given the settlements of such transfers. Cash has no title.
func (p *Plan) warnOfTitles(unnamed map[string]bool) {
	var found []WarnedDriver
	for _, draft := range p.Drafts {
		for _, t := range draft.Transfers {
			one := WarnedDriver{t.DriverID, t.FirstName, t.LastName}
			if draft.Way != Cash && unnamed[t.SettlementID] && !slices.Contains(found, one) {
				found = append(found, one)
			}
		}
	}
	p.warn(NoKSeFNumber, found)
}

func (p *Plan) warn(code WarningCode, drivers []WarnedDriver) {
	if len(drivers) == 0 {
		return
	}
	slices.SortFunc(drivers, func(a, b WarnedDriver) int {
		return cmp.Or(cmp.Compare(a.LastName, b.LastName), cmp.Compare(a.FirstName, b.FirstName), cmp.Compare(a.ID, b.ID))
	})
	p.Warnings = append(p.Warnings, Warning{code, drivers})
}
