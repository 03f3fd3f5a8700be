// Package stuart reads what Stuart pays couriers. No file of theirs has been seen: the columns are assumed, so everything is
// added up and whatever is off gets a warning.
package stuart

import (
	"saldo/internal/imports/grid"
	"saldo/internal/imports/statement"
	"saldo/internal/ledger/kinds"
)

// Layouts are what this package reads.
var Layouts = []statement.Layout{{
	Provider: "STUART", Kind: "payments",
	Recognise: func(h statement.Head) bool { return h.Has("Courier ID", "Deliveries amount", "Total net") },
	Span:      grid.FromName, Open: payments.Open,
}}

// payments has one row for each courier and week. Cash is negative in the file already; VAT comes on top with the invoice.
var payments = grid.Sheet{
	Keys: []grid.Key{
		{Kind: statement.ByID, Names: []string{"Courier ID"}},
		{Kind: statement.ByEmail, Names: []string{"Email"}},
		{Kind: statement.ByPhone, Names: []string{"Phone"}},
	},
	Name: []string{"Courier name"},
	From: []string{"Period start"},
	To:   []string{"Period end"},
	Money: []grid.Money{
		{ID: "deliveries", Type: "DELIVERY", Names: []string{"Deliveries amount"}},
		{ID: "slots", Type: "INCREASE", Names: []string{"Guaranteed slots top-up"}},
		{ID: "bonus", Type: "BONUS", Names: []string{"Bonus"}},
		{ID: "tips", Type: "TIP", Names: []string{"Tips"}},
		{ID: "waiting", Type: "WAITING_TIME", Names: []string{"Waiting time"}},
		{ID: "collected", Type: kinds.CashCollected, Names: []string{"Cash on delivery collected"}},
		{ID: "adjusted", Type: "ADJUSTMENT", Names: []string{"Adjustments"}},
	},
	Totals: []grid.Total{
		{Names: []string{"Total net"}, Of: net},
		{Names: []string{"Total gross"}, Of: append([]string{"vat"}, net...)},
	},
	Info:  []grid.Info{{ID: "vat", About: []string{"deliveries"}, Names: []string{"VAT"}}},
	Plain: []string{"Zone", "Deliveries"},
}

var net = []string{"deliveries", "slots", "bonus", "tips", "waiting", "collected", "adjusted"}
