package api

import (
	"net/http"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/drivers/merge"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) mergesRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/{id}/merge-preview", Name: "merge-preview", Permission: access.DriversRead,
		Summary: "What merging two drivers would do"}, s.mergePreview)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/merge", Name: "merge-drivers", Mails: true,
		Permission: access.DriversWrite, Status: http.StatusCreated,
		Summary: "Make two drivers one; can be undone until something that moved is settled"}, s.mergeDrivers)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/{id}/merges", Name: "driver-merges", Permission: access.DriversRead,
		Summary: "Who gave way to a driver, and whether that can be undone"}, s.driverMerges)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-merges/{id}/undo", Name: "undo-merge", Mails: true,
		Permission: access.DriversWrite,
		Summary:    "Make two drivers of one again"}, s.undoMerge)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/possible-duplicates", Name: "possible-duplicates",
		Permission: access.DriversRead,
		Summary:    "Pairs of drivers who may be one person, with what speaks for it"}, possibleDuplicates)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/possible-duplicates/dismiss", Name: "dismiss-duplicate",
		Permission: access.DriversWrite,
		Summary:    "Dismiss a pair: the two drivers are different people"}, dismissDuplicate)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/possible-duplicates/propose-again", Name: "propose-again",
		Permission: access.DriversWrite,
		Summary:    "Take back that two drivers are two different people"}, proposeAgain)
}

// MergeSum is what is unsettled in one currency.
type MergeSum struct {
	Currency money.Currency `json:"currency"`
	Count    int64          `json:"count"`
	Sum      money.Amount   `json:"sum" doc:"minor units; what settlements will count"`
}

// MergeTotals are the transactions of one side.
type MergeTotals struct {
	Unsettled []MergeSum `json:"unsettled" nullable:"false"`
	Settled   int64      `json:"settled" doc:"how many transactions are in settlements"`
	SettledOn string     `json:"settledOn" doc:"last settlement; empty: none"`
}

func mergeTotalsOf(t merge.Totals) MergeTotals {
	out := MergeTotals{Unsettled: []MergeSum{}, Settled: t.Settled, SettledOn: t.SettledOn}
	for _, c := range t.Unsettled {
		out.Unsettled = append(out.Unsettled, MergeSum(c))
	}
	return out
}

// MergeSide is one of two drivers who may become one.
type MergeSide struct {
	DriverState
	FirstName string      `json:"firstName"`
	LastName  string      `json:"lastName"`
	Version   int64       `json:"version" doc:"to be sent with the merge"`
	Totals    MergeTotals `json:"totals"`
}

// MergeField is one thing of the two and whose stays.
type MergeField struct {
	Name      string `json:"name"`
	Kept      string `json:"kept" doc:"how it reads; of an account only its end; empty: none"`
	Other     string `json:"other"`
	Same      bool   `json:"same"`
	Choosable bool   `json:"choosable"`
	Stays     string `json:"stays" enum:"kept,other" doc:"unless chosen otherwise"`
}

// MergePreview is what a merge would do.
type MergePreview struct {
	Kept         MergeSide    `json:"kept"`
	Other        MergeSide    `json:"other"`
	Fields       []MergeField `json:"fields" nullable:"false"`
	Transactions int64        `json:"transactions" doc:"that would move: all unsettled ones of the other"`
	Tags         []DriverTag  `json:"tags" nullable:"false" doc:"that the kept one would get"`
	After        MergeTotals  `json:"after"`
	Warnings     []string     `json:"warnings" nullable:"false" enum:"iban,tax_id,schema,bailiff,blocked"`
	FreshLogin   bool         `json:"freshLogin" doc:"money of one would go to another account: a sign-in of the last five minutes is needed"`
	Refusal      string       `json:"refusal" doc:"the code of the fault with which it would be refused; empty: none"`
}

func codeOf(f *fault.Fault) string {
	if f == nil {
		return ""
	}
	return f.Code
}

func (s Settings) mergePreview(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	With string `query:"with" required:"true" minLength:"1" maxLength:"64" doc:"the driver who would give way"`
}) (out MergePreview, err error) {
	p, err := merge.PreviewOf(tx, s.driverBook(), in.ID, in.With)
	if err != nil {
		return out, err
	}
	side := func(d drivers.Driver, t merge.Totals) MergeSide {
		return MergeSide{stateOf(d), d.FirstName, d.LastName, d.Version, mergeTotalsOf(t)}
	}
	out = MergePreview{Kept: side(p.Kept, p.KeptTotals), Other: side(p.Other, p.OtherTotals), Fields: make([]MergeField, len(p.Fields)),
		Transactions: p.Transactions,
		Tags:         []DriverTag{}, After: mergeTotalsOf(p.After), Warnings: p.Warnings, FreshLogin: p.NeedsFreshLogin,
		Refusal: codeOf(p.Refusal)}
	for i, f := range p.Fields {
		out.Fields[i] = MergeField(f)
	}
	for _, t := range p.Tags {
		out.Tags = append(out.Tags, DriverTag{t.ID, t.Name})
	}
	return out, nil
}

// MergeOrder is a merge as a person decided it.
type MergeOrder struct {
	With        string            `json:"with" minLength:"1" maxLength:"64" doc:"the driver who gives way"`
	Version     int64             `json:"version" doc:"of the kept driver, as it was seen"`
	WithVersion int64             `json:"withVersion" doc:"of the other one, as it was seen"`
	Choices     map[string]string `json:"choices" required:"false" doc:"field → kept or other; what is not here is as the preview proposes"`
	Reason      string            `json:"reason" required:"false" doc:"at most 500 characters"`
}

func (s Settings) mergeDrivers(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body MergeOrder
}) (Made, error) {
	o := in.Body
	id, err := merge.Drivers(tx, s.driverBook(), merge.Order{Kept: in.ID, Other: o.With, KeptVersion: o.Version, OtherVersion: o.WithVersion,
		Choices: o.Choices, Reason: o.Reason})
	return Made{id}, err
}

func (s Settings) undoMerge(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, merge.Undo(tx, s.driverBook(), in.ID)
}

// DriverMerge is one merge that stands.
type DriverMerge struct {
	ID           string    `json:"id"`
	OtherID      string    `json:"otherId"`
	FirstName    string    `json:"firstName" doc:"of the one who gave way"`
	LastName     string    `json:"lastName"`
	At           time.Time `json:"at"`
	By           string    `json:"by" doc:"empty: Saldo itself"`
	Reason       string    `json:"reason"`
	Transactions int64     `json:"transactions" doc:"how many moved"`
	Stays        []string  `json:"stays" nullable:"false" doc:"fields that were changed by hand since: undoing leaves them as they are"`
	FreshLogin   bool      `json:"freshLogin" doc:"undoing it needs a sign-in of the last five minutes"`
	Refusal      string    `json:"refusal" doc:"the code of the fault with which undoing it would be refused; empty: none"`
}

// DriverMerges are the merges of a driver that stand, newest first.
type DriverMerges struct {
	Merges []DriverMerge `json:"merges" nullable:"false"`
}

func (s Settings) driverMerges(tx *db.Tx, in *named) (out DriverMerges, err error) {
	merges, err := merge.List(tx, s.driverBook(), in.ID)
	out.Merges = make([]DriverMerge, len(merges))
	for i, m := range merges {
		out.Merges[i] = DriverMerge{m.ID, m.Other.ID, m.Other.FirstName, m.Other.LastName, m.At, m.By, m.Reason, m.Transactions, m.Stays,
			m.NeedsFreshLogin, codeOf(m.Refusal)}
	}
	return out, err
}

// PossibleDuplicate is a driver who may be the same person as another.
type PossibleDuplicate struct {
	ID        string `json:"id"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
	Email     string `json:"email"`
	Phone     string `json:"phone"`
}

// DuplicatePair is two drivers who may be one person.
type DuplicatePair struct {
	One            PossibleDuplicate `json:"one"`
	Two            PossibleDuplicate `json:"two"`
	Evidence       []string          `json:"evidence" nullable:"false" enum:"taxId,account,name,email,phone" doc:"the strongest first"`
	DifferentTaxID bool              `json:"differentTaxId" doc:"speaks against it"`
}

// DuplicatePairs is one page of pairs, the most alike first.
type DuplicatePairs struct {
	Pairs []DuplicatePair `json:"pairs" nullable:"false"`
	Total int64           `json:"total"`
}

func possibleDuplicates(tx *db.Tx, in *struct {
	Dismissed bool  `query:"dismissed" doc:"those that were dismissed, instead of those that are proposed"`
	Page      int64 `query:"page" minimum:"1" maximum:"1000000" default:"1"`
	Size      int64 `query:"size" minimum:"1" maximum:"50" default:"20"`
}) (out DuplicatePairs, err error) {
	p, err := merge.Duplicates(tx, in.Dismissed, in.Page, in.Size)
	out = DuplicatePairs{Pairs: make([]DuplicatePair, len(p.Pairs)), Total: p.Total}
	one := func(n merge.Candidate) PossibleDuplicate {
		return PossibleDuplicate{n.ID, n.FirstName, n.LastName, n.Email, n.Phone}
	}
	for i, n := range p.Pairs {
		out.Pairs[i] = DuplicatePair{one(n.One), one(n.Two), n.Evidence, n.Against}
	}
	return out, err
}

// TwoDrivers names a pair, in either order.
type TwoDrivers struct {
	One string `json:"one" minLength:"1" maxLength:"64"`
	Two string `json:"two" minLength:"1" maxLength:"64"`
}

func dismissDuplicate(tx *db.Tx, in *struct{ Body TwoDrivers }) (web.None, error) {
	return web.None{}, merge.Dismiss(tx, in.Body.One, in.Body.Two)
}

func proposeAgain(tx *db.Tx, in *struct{ Body TwoDrivers }) (web.None, error) {
	return web.None{}, merge.ProposeAgain(tx, in.Body.One, in.Body.Two)
}
