// Package snapshot has the forms in which a settlement keeps by value what it was made of: its figures, apps, transfers and terms.
package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"saldo/internal/kernel/money"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
)

// Named are all figures by name.
func Named(f *engine.Figures) map[string]money.Amount {
	named := make(map[string]money.Amount, len(engine.AllFigures()))
	for _, one := range engine.AllFigures() {
		named[one.String()] = f[one]
	}
	return named
}

// Figures are figures as they are kept: those that are not zero.
func Figures(f *engine.Figures) map[string]money.Amount {
	kept := map[string]money.Amount{}
	for _, one := range engine.AllFigures() {
		if f[one] != 0 {
			kept[one.String()] = f[one]
		}
	}
	return kept
}

// ParseFigures reads figures as they were kept.
func ParseFigures(text string) (f engine.Figures, err error) {
	named := map[string]money.Amount{}
	if err := json.Unmarshal([]byte(text), &named); err != nil {
		return f, err
	}
	for _, one := range engine.AllFigures() {
		f[one] = named[one.String()]
	}
	return f, nil
}

// App is what a settlement kept of one app.
type App struct {
	Provider      string       `json:"provider"`
	Income        money.Amount `json:"income"`
	Bonus         money.Amount `json:"bonus"`
	Tips          money.Amount `json:"tips"`
	CashCollected money.Amount `json:"cashCollected"`
	Fee           money.Amount `json:"fee"`
	WorkingDays   int          `json:"workingDays"`
}

// Apps are apps as they are kept.
func Apps(apps []engine.App) []App {
	list := make([]App, len(apps))
	for i, a := range apps {
		list[i] = App{a.Provider, a.Income, a.Bonus, a.Tips, a.CashCollected, a.Fees, a.WorkingDays}
	}
	return list
}

// ParseApps reads apps as they were kept.
func ParseApps(text string) (apps []App, err error) {
	err = json.Unmarshal([]byte(text), &apps)
	return apps, err
}

// EngineApps are kept apps as the engine lists them.
func EngineApps(kept []App) []engine.App {
	apps := make([]engine.App, len(kept))
	for i, a := range kept {
		apps[i] = engine.App{Provider: a.Provider, Income: a.Income, Bonus: a.Bonus, Tips: a.Tips, CashCollected: a.CashCollected, Fees: a.Fee,
			WorkingDays: a.WorkingDays}
	}
	return apps
}

// Transfer is a part of the payout as a settlement kept it.
type Transfer struct {
	Purpose engine.Purpose `json:"purpose"`
	Amount  money.Amount   `json:"amount"`
	VAT     money.Amount   `json:"vat"`
	NameVAT bool           `json:"nameVat"`
}

// Transfers are transfers as they are kept.
func Transfers(transfers []engine.Transfer) []Transfer {
	list := make([]Transfer, len(transfers))
	for i, t := range transfers {
		list[i] = Transfer{t.Purpose, t.Amount, t.VAT, t.NameVAT}
	}
	return list
}

// ParseTransfers reads transfers as they were kept.
func ParseTransfers(text string) (transfers []Transfer, err error) {
	err = json.Unmarshal([]byte(text), &transfers)
	return transfers, err
}

// Texts are the figures, apps and transfers of a settlement as they are kept.
type Texts struct{ Figures, Apps, Transfers string }

// Write gives the texts of a settlement.
func Write(s *engine.Settlement) (t Texts, err error) {
	for _, one := range []struct {
		text *string
		of   any
	}{{&t.Figures, Figures(&s.Figures)}, {&t.Apps, Apps(s.Apps)}, {&t.Transfers, Transfers(s.Transfers)}} {
		text, err := json.Marshal(one.of)
		if err != nil {
			return t, err
		}
		*one.text = string(text)
	}
	return t, nil
}

// Terms are what a settlement was made by, by value.
type Terms struct {
	Rules         rules.Rules          `json:"rules"`
	Schema        engine.SchemaVersion `json:"schema"`
	Weeks         int                  `json:"weeks"`
	VAT           engine.VAT           `json:"vat"`
	Commission    money.Rate           `json:"commission"`
	DescribedOnly bool                 `json:"describedOnly"`
	SmallBusiness bool                 `json:"smallBusiness,omitempty"`
}

// KeptTerms are terms as they are kept: the id is the sum of the text, so that equal terms are kept once.
type KeptTerms struct{ ID, Text string }

// Keep are terms as they are kept.
func Keep(t Terms) (KeptTerms, error) {
	text, err := json.Marshal(t)
	sum := sha256.Sum256(text)
	return KeptTerms{hex.EncodeToString(sum[:16]), string(text)}, err
}

// ParseTerms reads terms as they were kept. Rules that an older release did not have are those by default.
func ParseTerms(text string) (t Terms, err error) {
	t.Rules = rules.Default()
	err = json.Unmarshal([]byte(text), &t)
	return t, err
}

// InvoiceRate is the rate of VAT on the driver's invoice; 0: it has none.
func (t *Terms) InvoiceRate() money.Rate {
	switch {
	case t.Rules.ContractType != rules.B2BVAT || t.SmallBusiness || t.Rules.InvoiceVAT == rules.Exempt:
		return 0
	case t.Rules.InvoiceVAT == rules.Standard:
		return t.VAT.Standard
	}
	return t.VAT.Reduced
}

// Engine are the terms as the engine takes them.
func (t Terms) Engine() engine.Terms {
	return engine.Terms{Rules: t.Rules, Schema: t.Schema, Weeks: t.Weeks, VAT: t.VAT, Commission: t.Commission, DescribedOnly: t.DescribedOnly,
		SmallBusiness: t.SmallBusiness}
}
