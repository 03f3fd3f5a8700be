// Package bolt reads Bolt's files about rides: earnings of each driver, the history of trips, and the weekly report of old.
package bolt

import (
	"saldo/internal/imports/grid"
	"saldo/internal/imports/statement"
	"saldo/internal/ledger/kinds"
)

const provider = "BOLT"

// Earnings is what to download in the place of files that settle nothing.
const Earnings = "bolt.earnings"

// Layouts are what this package reads.
var Layouts = []statement.Layout{
	{
		Provider: provider, Kind: "earnings", Details: []string{"trips", "weekly_legacy"},
		Recognise: func(h statement.Head) bool { return has(h, nameColumn, grossColumn, payoutColumn) },
		Span:      grid.FromName, Open: earnings.Open,
	},
	{
		Provider: provider, Kind: "trips", Details: []string{"earnings", "weekly_legacy"},
		Recognise: func(h statement.Head) bool { return has(h, timeColumn, priceColumn, statusColumn, individualColumn) },
		Span:      grid.FromName, Open: openTrips,
	},
	{
		Provider: provider, Kind: "weekly_legacy", Details: []string{"earnings", "trips"},
		Recognise: func(h statement.Head) bool { return h.Has("Kierowca", "Wartość brutto", "Tygodniowy bilans") },
		Span:      grid.FromName, Open: weekly.Open,
	},
	{
		Provider: provider, Kind: "rider_invoices", SuggestedReport: Earnings,
		Recognise: func(h statement.Head) bool {
			return h.Has("Numer faktury", "Data przejazdu", "NIP odbiorcy", "Cena (bez VAT)")
		},
	},
	{ // what campaigns brought stands in the earnings too
		Provider: provider, Kind: "campaigns", SuggestedReport: Earnings,
		Recognise: func(h statement.Head) bool { return h.Has("Name Fahrer:in", "Name der Kampagne", "Erzielter Umsatz") },
	},
}

// has says whether a head has each of the columns, by any of its names.
func has(h statement.Head, columns ...[]string) bool {
	for _, names := range columns {
		if h.Find(names...) < 0 {
			return false
		}
	}
	return true
}

// Names of columns in Polish, German, Portuguese and English.
var (
	nameColumn       = []string{"Kierowca", "Fahrer:in", "Motorista", "Driver"}
	individualColumn = []string{"Indywidualny numer identyfikacyjny", "Individueller Identifikator", "Identificador individual",
		"Individual identifier"}
	grossColumn  = []string{"Zarobki brutto (ogółem)", "Bruttoverdienst (insgesamt)", "Ganhos brutos (total)", "Gross earnings (total)"}
	payoutColumn = []string{"Przewidywana wypłata", "Voraussichtliche Auszahlung", "Pagamento previsto", "Projected payout"}
)

// dashes are what Bolt writes where there is no driver.
var dashes = []string{"—", "–", "-"}

// earnings has one row for each driver. Tolls, booking fees and VAT are contained in the fares, discounts of the commission
// in the commission. What the fees hold beyond the named ones is a booking fee that Bolt keeps.
var earnings = grid.Sheet{
	Keys: []grid.Key{
		{Kind: statement.ByID, Names: []string{"Identyfikator kierowcy", "Fahrer-ID", "Identificador do motorista", "Driver identifier"}},
		{Kind: statement.ByID, Names: individualColumn},
		{Kind: statement.ByEmail, Names: []string{"Adres e-mail", "E-Mail-Adresse", "Email"}},
		{Kind: statement.ByPhone, Names: []string{"Numer telefonu", "Handynummer", "Telemóvel", "Driver's Phone"}},
	},
	Name:   nameColumn,
	Nobody: dashes,
	Money: []grid.Money{
		{ID: "app", Type: kinds.Trip, Names: []string{"Zarobki brutto (płatności w aplikacji)", "Bruttoeinnahmen (In-App-Zahlung)",
			"Ganhos brutos (pagamentos na app)", "Gross earnings (in-app payment)"}},
		{ID: "cash", Type: kinds.Trip, Names: []string{"Zarobki brutto (płatności gotówkowe)", "Bruttoeinnahmen (Barzahlung)",
			"Ganhos brutos (pagamentos em dinheiro)", "Gross earnings (cash payment)"}},
		{ID: "collected", Type: kinds.CashCollected, Minus: true,
			Names: []string{"Pobrana gotówka", "Erhaltenes Bargeld", "Dinheiro recebido", "Collected cash"}},
		{ID: "tips", Type: "TIP", Names: []string{"Napiwki od pasażerów", "Trinkgelder von Fahrgästen", "Gorjetas dos passageiros",
			"Rider tips"}},
		{ID: "campaigns", Type: "BONUS", Names: []string{"Zarobki z kampanii", "Kampagneneinnahmen", "Ganhos da campanha", "Campaign earnings"}},
		{ID: "expenses", Type: "REFUND", Names: []string{"Zwroty wydatków", "Kostenerstattungen", "Reembolsos de despesas", "Expense refunds"}},
		{ID: "cancelled", Type: "CANCELLATION",
			Names: []string{"Opłaty za anulowanie", "Stornogebühren", "Taxas de cancelamento", "Cancellation fees"}},
		{ID: "commission", Type: "FEE", Minus: true, Names: []string{"Prowizje", "Provision", "Comissões", "Commissions"}},
		{ID: "riders", Type: "ADJUSTMENT", Minus: true,
			Names: []string{"Zwroty dla pasażerów", "Rückerstattungen an Fahrgäste", "Reembolsos aos passageiros", "Refunds to riders"}},
		{ID: "charges", Type: "CHARGE", Minus: true, Names: []string{"Inne opłaty", "Sonstige Gebühren", "Outras taxas", "Other fees"}},
	},
	Rest: grid.Rest{
		ID: "kept", Type: "FEE", Minus: true, Less: []string{"commission", "riders", "charges"},
		Names: []string{"Opłaty ogółem", "Gesamtgebühren", "Total de taxas", "Total fees"},
	},
	Totals: []grid.Total{
		{Names: grossColumn, Of: gross},
		{Names: []string{"Zarobki netto", "Umsatz netto", "Ganhos líquidos", "Net earnings"}, Of: append(fees, gross...)},
		{Names: payoutColumn, Of: append(append(fees, gross...), "collected")},
	},
	Info: []grid.Info{
		{About: fares, Names: []string{"Opłaty drogowe", "Mautgebühren", "Portagens", "Toll fees"}},
		{About: fares, Names: []string{"Opłaty rezerwacyjne", "Buchungsgebühren", "Taxas de reserva", "Booking fees"}},
		{About: fares, Names: []string{"MwSt. auf Buchungsgebühren", "IVA das taxas de reserva"}},
		{About: []string{"app"}, Names: []string{"Bruttoeinnahmen (In-App-Zahlung) MwSt.", "IVA sobre os ganhos brutos (pagamentos na app)"}},
		{About: []string{"cash"}, Names: []string{"Bruttoeinnahmen (Barzahlung) MwSt.", "IVA sobre os ganhos brutos (pagamentos em dinheiro)"}},
		{About: []string{"cancelled"}, Names: []string{"Stornogebühren MwSt.", "IVA das taxas de cancelamento"}},
		{About: []string{"commission"}, Names: []string{"Desconto de comissão (in-app)"}},
		{About: []string{"commission"}, Names: []string{"Desconto da comissão (dinheiro)"}},
	},
	Plain: []string{
		"Zarobki brutto na godzinę", "Zarobki netto na godzinę", "Bruttoverdienst pro Stunde", "Nettoverdienst pro Stunde",
		"Ganhos brutos por hora", "Ganhos líquidos por hora", "Gross earnings per hour", "Net earnings per hour",
	},
}

var (
	fares = []string{"app", "cash"}
	gross = []string{"app", "cash", "tips", "campaigns", "expenses", "cancelled"}
	fees  = []string{"commission", "riders", "charges", "kept"}
)

// weekly is the report until 2023: amounts have the driver's signs already, and the balance is the plain sum of the row.
var weekly = grid.Sheet{
	Keys:   []grid.Key{{Kind: statement.ByPhone, Names: []string{"Telefon"}}},
	Name:   []string{"Kierowca"},
	Nobody: dashes,
	Span:   []string{"Okres"},
	Money: []grid.Money{
		{Type: kinds.Trip, Names: []string{"Wartość brutto"}},
		{Type: "CANCELLATION", Names: []string{"Opłata za anulowanie"}},
		{Type: kinds.Trip, Names: []string{"Opłata rezerwacyjna (płatność)"}},
		{Type: "FEE", Names: []string{"Opłata rezerwacyjna (odliczenie)"}},
		{Type: "FEE", Names: []string{"Opłata Bolt"}},
		{Type: kinds.CashCollected, Names: []string{"Przejazdy gotówkowe (przyjęta gotówka)"}},
		{Type: "PROMO", Names: []string{"Zniżki gotówkowe zrekompensowane przez Bolt"}},
		{Type: "BONUS", Names: []string{"Bonus"}},
		{Type: "ADJUSTMENT", Names: []string{"Rekompensaty"}},
		{Type: "REFUND", Names: []string{"Zwroty"}},
		{Type: "TIP", Names: []string{"Napiwek"}},
	},
	Totals: []grid.Total{{Names: []string{"Tygodniowy bilans"}, Of: []string{grid.All}}},
}
