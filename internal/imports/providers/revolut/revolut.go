// Package revolut reads accounts at Revolut: those of fleets, whose cards drivers pay with, and drivers' own.
package revolut

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

const provider = "REVOLUT"

// Layouts are what this package reads.
var Layouts = []statement.Layout{
	{Provider: provider, Kind: "business", ByLabel: true, Recognise: isBusiness, Span: span, Open: openBusiness},
	{Provider: provider, Kind: "personal", ByLabel: true, OneDriver: true, Recognise: isPersonal, Span: span, Open: openPersonal},
}

var days = regexp.MustCompile(`([0-9]{4}-[0-9]{2}-[0-9]{2})[_ -]+([0-9]{4}-[0-9]{2}-[0-9]{2})`)

// span reads both days from the name of a file. Rows have their own, so it only narrows what a person is asked.
func span(name string, _ [][]string) (statement.Span, bool) {
	found := days.FindStringSubmatch(name)
	if found == nil {
		return statement.Span{}, false
	}
	from, err := calendar.ParseDate(found[1])
	to, also := calendar.ParseDate(found[2])
	return statement.Span{From: from, To: to}, err == nil && also == nil && from <= to
}

// movement is what a row of an account is, whatever its language.
type movement int

const (
	other movement = iota
	cardPayment
	cardRefund
	transfer
	topUp
	exchange
	fee
)

// state is how far a movement got.
type state int

const (
	strange state = iota
	done
	undone // declined, pending or taken back: it moved nothing
)

// states are the words for both, in the languages of the accounts.
var states = map[string]state{
	"completed": done, "zakończono": done, "zakończona": done, "abgeschlossen": done, "завершено": done, "виконано": done, "выполнено": done,
	"pending": undone, "oczekujące": undone, "oczekująca": undone, "ausstehend": undone, "очікується": undone, "в очікуванні": undone,
	"ожидается": undone,
	"reverted":  undone, "cofnięto": undone, "rückgängig gemacht": undone, "zurückgesetzt": undone, "скасовано": undone, "отменено": undone,
	"declined": undone, "odrzucono": undone, "abgelehnt": undone, "відхилено": undone, "отклонено": undone,
	"failed": undone, "nieudane": undone, "fehlgeschlagen": undone,
}

// typeOf is the ledger's type of the amount of a movement. Money that comes in by a transfer may be a payout that came back or
// a driver's payment: a person decides.
func (m movement) typeOf(amount money.Amount, fuel bool) string {
	switch {
	case m == cardPayment && fuel:
		return "FUEL"
	case m == cardPayment:
		return "COST"
	case m == cardRefund:
		return "REFUND"
	case m == transfer && amount < 0, m == topUp:
		return "PAYOUT"
	case m == fee:
		return "CARD_FEE"
	}
	return "UNKNOWN"
}

// stations are the beginnings of shops' names that sell fuel. Personal accounts do not tell a shop's trade, and files of companies not
// always.
var stations = []string{"orlen", "circle k", "shell", "bp ", "bp-", "moya", "amic", "lotos", "aral", "esso", "total ", "totalenergies",
	"jet ", "avia", "star ",
	"mol ", "slovnaft", "eni ", "q8 ", "omv", "okko", "wog "}

// parcels share a name with a station.
var parcels = []string{"paczka", "paczk"}

// station says whether the name of a shop is that of a petrol station.
func station(name string) bool { return wordIn(name+" ", stations) && !wordIn(name, parcels) }

// when puts the moment of a cell into an entry, or its day where it says no time.
func when(j *statement.Checker, r statement.Row, column int, zone *time.Location, e *statement.Entry) {
	at, ok := statement.Instant(r.At(column), zone)
	if ok {
		e.At = at
		return
	}
	if e.On, ok = statement.Date(r.At(column)); !ok {
		j.Refuse(statement.WrongDate, column, "2026-09-21")
	}
}

// wordIn says whether one of the words stands in a text, at the start of one of its words.
func wordIn(text string, words []string) bool {
	text = " " + strings.ToLower(text)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, " "+word) })
}
