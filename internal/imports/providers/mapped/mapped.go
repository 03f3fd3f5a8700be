// Package mapped reads files whose columns a partner described: fuel cards, whose layouts differ by contract, and whatever no
// other layout knows.
package mapped

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
)

// Kind is that of files which a mapping reads.
const Kind = "mapped"

// Role is what a column of a file holds.
type Role string

// The roles. Several columns may describe; every other role has one at most.
const (
	Date        Role = "date"
	Time        Role = "time"
	DriverID    Role = "driver_id"
	Card        Role = "card"
	Plate       Role = "plate"
	Name        Role = "name"
	Email       Role = "email"
	Phone       Role = "phone"
	Amount      Role = "amount"
	Currency    Role = "currency"
	Type        Role = "type"
	Description Role = "description"
	Document    Role = "document"
)

// Roles lists all of them.
func Roles() []Role {
	return []Role{Date, Time, DriverID, Card, Plate, Name, Email, Phone, Amount, Currency, Type, Description, Document}
}

// keys are the roles by which a driver is known, the surest first.
var keys = []struct {
	role Role
	kind string
}{{DriverID, statement.ByID}, {Card, statement.ByCard}, {Email, statement.ByEmail}, {Phone, statement.ByPhone}, {Plate, statement.ByPlate}}

// Column gives a column, by its head, a role.
type Column struct {
	Header string `json:"header"`
	Role   Role   `json:"role"`
}

// The signs of amounts: as the file has them, or the other way round where it writes as positive what the driver owes.
const (
	AsIs    = "as_is"
	Negated = "negated"
)

// forms are how days may be written, with the form by which each is read. Empty: whichever is clear.
var forms = map[string]string{"": "", "YYYY-MM-DD": "2006-01-02", "DD.MM.YYYY": "2.1.2006", "DD/MM/YYYY": "2/1/2006",
	"MM/DD/YYYY": "1/2/2006", "DD-MM-YYYY": "2-1-2006", "YYYYMMDD": "20060102", "YYYY/MM/DD": "2006/1/2"}

// DateForms lists how days may be written.
func DateForms() []string { return slices.Sorted(maps.Keys(forms)) }

// Mapping is what a partner says of the files of one provider. Columns without a role are left out: the partner has seen them.
type Mapping struct {
	Provider string   `json:"provider"`
	Columns  []Column `json:"columns"`
	Decimal  string   `json:"decimal"`  // a dot or a comma; empty: whichever is clear
	DateForm string   `json:"dateForm"` // of the forms; empty: whichever is clear
	Sign     string   `json:"sign"`     // as_is, negated
	Type     string   `json:"type"`     // of all rows; empty: a column has it
}

// Limits of a mapping.
const (
	ColumnsMax  = 100
	headerMax   = 500 // bytes
	HeaderShown = 120 // letters
)

// Check finds everything that is wrong with a mapping, by field. Only one without any can be read with.
func (m Mapping) Check() (problems []fault.Field) {
	add := func(name string, code fault.FieldCode) {
		problems = append(problems, fault.Field{Name: name, Code: code})
	}
	if _, known := kinds.ProviderOf(m.Provider); m.Provider == "" {
		add("provider", fault.Required)
	} else if !known {
		add("provider", fault.NotOneOf)
	}
	problems = append(problems, m.checkColumns()...)
	if m.Decimal != "" && m.Decimal != "." && m.Decimal != "," {
		add("decimal", fault.NotOneOf)
	}
	if _, known := forms[m.DateForm]; !known {
		add("dateForm", fault.NotOneOf)
	}
	if m.Sign != AsIs && m.Sign != Negated {
		add("sign", fault.NotOneOf)
	}
	switch typ, known := kinds.Of(m.Type); {
	case m.Type == "" && !m.has(Type):
		add("type", fault.Required)
	case m.Type != "" && m.has(Type):
		add("type", fault.Duplicate)
	case m.Type != "" && (!known || !typ.CarriedBy(m.Provider)):
		add("type", fault.NotOneOf)
	}
	return problems
}

func (m Mapping) checkColumns() (problems []fault.Field) {
	add := func(i int, part string, code fault.FieldCode) {
		problems = append(problems, fault.Field{Name: "columns." + strconv.Itoa(i) + "." + part, Code: code})
	}
	if len(m.Columns) > ColumnsMax {
		return []fault.Field{{Name: "columns", Code: fault.TooLong}}
	}
	headers, roles := map[string]bool{}, map[Role]bool{}
	for i, c := range m.Columns {
		header := statement.Fold(c.Header)
		switch {
		case header == "":
			add(i, "header", fault.Required)
		case len(c.Header) > headerMax:
			add(i, "header", fault.TooLong)
		case headers[header]:
			add(i, "header", fault.Duplicate)
		}
		switch {
		case !slices.Contains(Roles(), c.Role):
			add(i, "role", fault.NotOneOf)
		case roles[c.Role] && c.Role != Description:
			add(i, "role", fault.Duplicate)
		}
		headers[header], roles[c.Role] = true, true
	}
	for _, must := range []struct {
		name  string
		there bool
	}{{"amount", roles[Amount]}, {"date", roles[Date]}, {"driver", m.named()}} {
		if !must.there {
			problems = append(problems, fault.Field{Name: must.name, Code: fault.Required})
		}
	}
	return problems
}

func (m Mapping) has(role Role) bool { return m.header(role) != "" }

// named says whether some column tells whose a row is.
func (m Mapping) named() bool {
	for _, k := range keys {
		if m.has(k.role) {
			return true
		}
	}
	return m.has(Name)
}

func (m Mapping) header(role Role) string {
	for _, c := range m.Columns {
		if c.Role == role {
			return c.Header
		}
	}
	return ""
}

// Layout reads files with the mapping. A row of titles is never taken for the head, which has every column of the mapping.
func (m Mapping) Layout() statement.Layout {
	return statement.Layout{Provider: m.Provider, Kind: Kind, ByLabel: true, Open: m.open,
		Recognise: func(h statement.Head) bool {
			for _, c := range m.Columns {
				if !h.Has(c.Header) {
					return false
				}
			}
			return len(m.Columns) > 0
		}}
}

// Signature is the same for heads with the same columns, in whatever order.
func Signature(head []string) string {
	keys := []string{}
	for _, name := range head[:min(len(head), ColumnsMax)] {
		if key := statement.Fold(shortened(name)); key != "" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	sum := sha256.Sum256([]byte(strings.Join(keys, "\x1f")))
	return hex.EncodeToString(sum[:])
}

// shortened is as much of a column's name as a partner is shown.
func shortened(name string) string {
	letters := []rune(name)
	return string(letters[:min(len(letters), HeaderShown)])
}

// CheckHead finds every column with a role that the head does not have, or has twice: nobody could say which of them is meant.
func (m Mapping) CheckHead(head []string) (problems []fault.Field) {
	for i, c := range m.Columns {
		code := fault.FieldCode("")
		switch n := count(head, c.Header); {
		case n == 0:
			code = fault.NotOneOf
		case n > 1:
			code = fault.Duplicate
		default:
			continue
		}
		problems = append(problems, fault.Field{Name: "columns." + strconv.Itoa(i) + ".header", Code: code})
	}
	return problems
}

func count(head []string, header string) (n int) {
	for _, name := range head {
		if statement.Fold(name) == statement.Fold(header) {
			n++
		}
	}
	return n
}

// Remembered reads files with this head and no other: what the partner said of the columns without a role holds only for those
// they have seen.
func (m Mapping) Remembered(head []string) statement.Layout {
	l, signature := m.Layout(), Signature(head)
	has := l.Recognise
	l.Recognise = func(h statement.Head) bool { return has(h) && Signature(h.Names) == signature }
	return l
}

func (m Mapping) decimal() money.DecimalSign {
	switch m.Decimal {
	case ".":
		return money.DotDecimal
	case ",":
		return money.CommaDecimal
	}
	return money.AnyDecimal
}

// currencies are how files write them.
var currencies = map[string]money.Currency{"zł": money.PLN, "pln": money.PLN, "€": money.EUR, "eur": money.EUR}

func currencyOf(cell string) money.Currency {
	return currencies[strings.ToLower(strings.Trim(cell, " ."))]
}
