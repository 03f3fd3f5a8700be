package bolt

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"saldo/internal/imports/grid"
	"saldo/internal/imports/statement"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
)

// The German names are those that were seen; others of that language count as unknown until they are.
var (
	timeColumn    = []string{"Data", "Datum"}
	routeColumn   = []string{"Trasa"}
	priceColumn   = []string{"Cena przejazdu", "Fahrtpreis"}
	statusColumn  = []string{"Status"}
	paymentColumn = []string{"Rodzaj płatności"}
)

// trips has one row for each order, and no number of it. Tolls and booking fees are contained in the price.
var trips = grid.Sheet{
	Keys: []grid.Key{
		{Kind: statement.ByID, Names: individualColumn},
		{Kind: statement.ByPhone, Names: []string{"Telefon"}},
		{Kind: statement.ByPlate, Names: []string{"Numer rejestracyjny", "Kfz-Kennzeichen"}},
	},
	Name:    nameColumn,
	Instant: timeColumn,
	Money: []grid.Money{
		{ID: "price", Type: kinds.Trip, Names: priceColumn},
		{ID: "tip", Type: "TIP", Names: []string{"Napiwki od pasażerów"}},
		{ID: "cancelled", Type: "CANCELLATION", Names: []string{"Opłaty za anulowanie"}},
	},
	Info: []grid.Info{
		{About: []string{"price"}, Names: []string{"Opłata rezerwacyjna"}},
		{About: []string{"price"}, Names: []string{"Opłaty drogowe"}},
	},
	Plain: []string{
		"Stawka sfinalizowana", "Utworzono przez", "Model samochodu", "Trasa", "Przybycie do miejsca odbioru", "Przybycie do miejsca docelowego",
		"Czas trwania odbioru (min)", "Czas trwania przejazdu (min)", "Kategoria", "Status", "Opcjonalny przejazd", "Odległość",
		"Rodzaj płatności", "Typ",
	},
}

// finished are the states in which a ride took place; a price in any other state is UNKNOWN.
var finished = []string{"ukończone"}

// The ways to pay, in small letters.
var (
	inCash    = []string{"gotówką", "gotówka"}
	notInCash = []string{"w aplikacji", "konto biznes"}
)

// openTrips reads the history. A ride that was paid in cash makes two entries of one price: the driver has it already.
func openTrips(h statement.Head, given statement.Given) statement.Reader {
	rows := trips.Rows(h, given)
	price, status, payment := h.Find(priceColumn...), h.Find(statusColumn...), h.Find(paymentColumn...)
	driver, at, route := h.Find(individualColumn...), h.Find(timeColumn...), h.Find(routeColumn...)
	return func(r statement.Row, out statement.Out) {
		entries, ok := rows.Read(r, out)
		switch {
		case !ok:
			return
		case len(entries) == 0 && slices.Contains(finished, strings.ToLower(r.At(status))):
			out.Skipped(r.Line, statement.SkippedEmpty)
			return
		case len(entries) == 0:
			out.Skipped(r.Line, statement.SkippedCancelled)
			return
		case entries[0].At.IsZero():
			out.Errors(statement.RowError{Code: statement.WrongDate, Line: r.Line, Column: h.Names[at], Expected: "2026-09-21 05:14"})
			return
		}
		key := keyOf(r.At(driver), entries[0].At.UTC().Format(time.RFC3339), r.At(route), priceOf(entries, h.Names[price]).String(), r.At(status))
		var cash *statement.Entry
		for i := range entries {
			e := &entries[i]
			e.ExternalID = key + "/" + strings.ToLower(e.Type)
			if e.Type == kinds.Unknown {
				e.ExternalID = key + "/" + statement.Fold(e.Column)
			}
			if e.Type != kinds.Trip {
				continue
			}
			if !slices.Contains(finished, strings.ToLower(r.At(status))) {
				e.Type, e.Label = kinds.Unknown, e.Column+": "+r.At(status)
				continue
			}
			switch how := strings.ToLower(r.At(payment)); {
			case slices.Contains(inCash, how):
				taken := *e
				taken.Type, taken.Amount, taken.Text, taken.ExternalID = kinds.CashCollected, -e.Amount, "", key+"/cash_collected"
				cash = &taken
			case !slices.Contains(notInCash, how):
				out.Errors(wrongPayment(h, r, payment))
				return
			}
		}
		for _, e := range entries {
			out.Entries(e)
		}
		if cash != nil {
			out.Entries(*cash)
		}
	}
}

// wrongPayment refuses a ride of which nobody can say who has its money.
func wrongPayment(h statement.Head, r statement.Row, payment int) statement.RowError {
	if payment < 0 {
		return statement.RowError{Code: statement.NotInFile, Line: r.Line, Column: paymentColumn[0], Expected: paymentColumn[0]}
	}
	return statement.RowError{Code: statement.WrongPayment, Line: r.Line, Column: h.Names[payment], Found: r.At(payment),
		Expected: "W aplikacji, Gotówką, Konto Biznes"}
}

// keyOf stands for the number that Bolt does not tell: the same ride has the same in every file, also in one that another
// program wrote anew. It hides the addresses.
func keyOf(content ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(content, "|")))
	return hex.EncodeToString(sum[:16])
}

func priceOf(entries []statement.Entry, column string) money.Amount {
	for _, e := range entries {
		if e.Column == column {
			return e.Amount
		}
	}
	return 0
}
