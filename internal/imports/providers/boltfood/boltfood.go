// Package boltfood reads what Bolt Food tells fleets of couriers each week.
package boltfood

import (
	"saldo/internal/imports/grid"
	"saldo/internal/imports/statement"
	"saldo/internal/ledger/kinds"
)

// Layouts are what this package reads.
var Layouts = []statement.Layout{{
	Provider: "BOLT_FOOD", Kind: "earnings",
	Recognise: func(h statement.Head) bool { return h.Has("Courier UID") && h.Find(earned...) >= 0 },
	Span:      grid.FromName, Open: balances.Open,
}}

var earned = []string{"Courier Earnings (Without VAT)", "Courier Earnings"}

// balances has one row for each courier and week. Amounts are without VAT, which the invoice to Bolt adds; the debt that is
// overdue stands in the balance already.
var balances = grid.Sheet{
	Keys: []grid.Key{
		{Kind: statement.ByID, Names: []string{"Courier UID"}},
		{Kind: statement.ByEmail, Names: []string{"Email"}},
		{Kind: statement.ByPhone, Names: []string{"Phone"}},
	},
	First:    []string{"First Name"},
	Last:     []string{"Last Name"},
	Currency: []string{"Currency"},
	Money: []grid.Money{
		{ID: "earned", Type: "DELIVERY", Names: earned},
		{ID: "waited", Type: "WAITING_TIME", Names: []string{"Waiting time compensations (Without VAT)", "Waiting time compensations"}},
		{ID: "adjusted", Type: "ADJUSTMENT", Names: []string{"Courier Adjustments"}},
		{ID: "campaigns", Type: "BONUS", Names: []string{"Campaign Bonus"}},
		{ID: "tips", Type: "TIP", Names: []string{"Courier Tips (Without VAT)", "Courier Tips"}},
		{ID: "collected", Type: kinds.CashCollected, Minus: true, Names: []string{"Cash received from clients"}},
		{ID: "paid", Type: "REFUND", Names: []string{"Cash paid to providers"}},
		{ID: "before", Type: "PREV_PERIOD_TRANSFER", Names: []string{"Balance before period"}},
	},
	Totals: []grid.Total{
		{Names: []string{"Adjusted Earnings (Without VAT)"}, Of: []string{"earned", "waited", "adjusted", "campaigns"}},
		{Names: []string{"Adjusted Earnings (With VAT)"}, Of: []string{"earned", "waited", "adjusted", "campaigns", "vat"}},
		{Names: []string{"Courier Tips (With VAT)"}, Of: []string{"tips", "tips vat"}},
		{Names: []string{"Adjusted Earnings with Courier Tips (Without VAT)"}, Of: []string{"earned", "waited", "adjusted", "campaigns", "tips"}},
		{Names: []string{"Balance after period"},
			Of: []string{"earned", "waited", "adjusted", "campaigns", "tips", "collected", "paid", "before"}},
	},
	Info: []grid.Info{
		{ID: "vat", About: []string{"earned"}, Names: []string{"VAT"}},
		{ID: "tips vat", About: []string{"tips"}, Names: []string{"Courier Tips VAT"}},
		{About: []string{"collected", "before"}, Names: []string{"Overdue courier cash debt"}},
	},
	Plain: []string{"City", "Personal Code"},
}
