// Package statement is what providers' files say, in Saldo's words: whose money, of which type, how much, when, and from
// which cell. Layouts of single providers stand on it.
package statement

import (
	"cmp"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

// Key is one thing by which a file knows a driver.
type Key struct {
	Kind  string // of the constants below
	Value string
}

// Compared is a key as rows are compared by it, in every country. Card numbers lose their leading zeros.
func (k Key) Compared() string {
	value := strings.ToLower(Plain(k.Value))
	switch k.Kind {
	case ByCard:
		return strings.TrimLeft(value, "0")
	case ByPlate:
		return strings.ReplaceAll(value, "-", "")
	}
	return value
}

// The kinds of keys, the surest first. A name alone never decides.
const (
	ByID    = "id" // the provider's own: a UUID, a courier number
	ByCard  = "card"
	ByEmail = "email"
	ByPhone = "phone"
	ByPlate = "plate"
)

// Person is a driver as a file knows them. Nobody at all is the fleet itself.
type Person struct {
	Keys      []Key // the surest first
	FirstName string
	LastName  string
	Name      string // where the file does not say which part is which
}

// FullName is what the file calls them.
func (p Person) FullName() string {
	return cmp.Or(strings.TrimSpace(p.FirstName+" "+p.LastName), strings.TrimSpace(p.Name))
}

// Nobody says whether a row is the fleet's and no driver's.
func (p Person) Nobody() bool {
	return len(p.Keys) == 0 && p.FirstName == "" && p.LastName == "" && p.Name == ""
}

// Entry is one amount of a file: what becomes one transaction.
type Entry struct {
	Line       int64
	Column     string // head of the column that the amount stood in
	Person     Person
	Provider   string // empty: that of the layout
	Type       string // of the ledger; UNKNOWN where nobody knows
	Amount     money.Amount
	Currency   money.Currency // empty: that of the instance
	At         time.Time      // zero: the file says no instant
	On         calendar.Date  // empty and no instant: the period of the file
	From, To   calendar.Date  // what a row that says its own span covers
	Payment    string         // cash, card, or empty
	ExternalID string         // what the provider calls the movement; unique in all its files
	Name       string
	Text       string // description, document number
	// Label is what tells an unknown amount from others of the same column: a product, a description. A type that a person gives it is
	// remembered by this; empty: by the column.
	Label string
	// Guess is the type that the amount probably has, told by a name such as a petrol station's. It is booked so and shown as a guess; empty:
	// Type is certain.
	Guess string
	Fuel  *Fuel // of a fuel card's purchase; nil: it is none
}

// RowError is something in a file that could not be understood. A row with an error is not imported.
type RowError struct {
	Code     RowErrorCode
	Line     int64 // 0: the whole file
	Column   string
	Found    string // as the file has it, cut
	Expected string // an example or a list, not a sentence
}

// RowErrorCode says what is wrong with a row; each has a text that says what to do.
type RowErrorCode = string

// The codes of row errors.
const (
	WrongAmount   RowErrorCode = "wrong_amount"
	WrongDate     RowErrorCode = "wrong_date"
	NoDate        RowErrorCode = "no_date" // neither the row nor the file nor the person says when
	NoDriver      RowErrorCode = "no_driver"
	WrongType     RowErrorCode = "wrong_type"
	WrongCurrency RowErrorCode = "wrong_currency"
	WrongPayment  RowErrorCode = "wrong_payment"
	TooFewCells   RowErrorCode = "too_few_cells"
	TooManyCells  RowErrorCode = "too_many_cells"
	NotInFile     RowErrorCode = "not_in_file" // a column that the layout needs
)

// RowWarning is a row whose own total is not what its parts add up to. It is imported, and shown.
type RowWarning struct {
	Line   int64
	Column string       // head of the total
	Says   money.Amount // the file
	Adds   money.Amount // the parts
}

// Tolerance is how far a row's total may be off before there is a warning: providers' own figures are off by a grosz.
const Tolerance money.Amount = 2

// Out takes what a layout finds. Every money cell of a row must end in one of these, or be named by Informs.
type Out struct {
	Entries  func(Entry)
	Errors   func(RowError)
	Warnings func(RowWarning)
	// Skipped counts rows that hold no money: totals of the file, repeated heads, drivers without movement.
	Skipped func(line int64, why string)
}

// Why rows are skipped.
const (
	SkippedTotal     = "total"
	SkippedHead      = "repeated_head"
	SkippedEmpty     = "empty"
	SkippedCancelled = "cancelled" // what did not happen: declined, pending
	SkippedInternal  = "internal"  // between own accounts
)

// Given is what is known besides the file.
type Given struct {
	Zone     *time.Location
	Currency money.Currency
	Provider string // chosen by the person; empty: the layout's
}

// Span is the days that a file covers, both included.
type Span struct{ From, To calendar.Date }

// Row is one row below the head.
type Row struct {
	Line  int64
	Cells []string
}

// At is a cell of the row; empty where the row is shorter or the column is missing.
func (r Row) At(column int) string {
	if column < 0 || column >= len(r.Cells) {
		return ""
	}
	return r.Cells[column]
}

// Reader makes entries of one row after the other.
type Reader func(Row, Out)

// Layout is one kind of file that a provider hands out.
type Layout struct {
	Provider string // empty: the person chooses among Choices
	Kind     string // earnings, trips, payments …: the file type
	Choices  []string
	// SuggestedReport names the file to download instead of one that is no statement; empty: this is one.
	SuggestedReport string
	// Refuses says which files are no statement where only the name of a file, or of its part in an archive, tells it. Nil: names tell
	// nothing.
	Refuses func(name string) bool
	// Details are kinds of the same provider that describe the same money: only one of them counts.
	Details []string
	// DayStarts is how long after midnight the provider's day begins.
	DayStarts time.Duration
	// ByLabel says that the column of amounts tells nothing of them: what came unknown without a label is never given a remembered type.
	ByLabel bool
	// OneDriver says that a file is one driver's whom it does not name: the person chooses whose, and entries have nobody.
	OneDriver bool
	// Recognise says whether a head is this layout's.
	Recognise func(Head) bool
	// Span reads the days from the name of the file, or from the rows above the head.
	Span func(name string, above [][]string) (Span, bool)
	// Open makes a reader for a table with this head.
	Open func(Head, Given) Reader
}

// Instead is the file to download in the place of one with such a name; empty: it is a statement.
func (l Layout) Instead(name string) string {
	if l.Refuses != nil && !l.Refuses(name) {
		return ""
	}
	return l.SuggestedReport
}
