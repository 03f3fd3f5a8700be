package revolut

import (
	"slices"
	"strings"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
)

// explained are the columns of all three generations that hold no money of their own.
var explained = []string{"Date completed (UTC)", "Reference", "Card state", "Orig currency", "Orig amount", "Exchange rate", "Fee currency",
	"Balance",
	"International account number", "Beneficiary sort code or routing number", "Beneficiary BIC", "Related transaction id", "Spend program",
	"Sender account", "Card references"}

// movements are the types as the file has them.
var movements = map[string]movement{"CARD_PAYMENT": cardPayment, "CARD_REFUND": cardRefund, "TRANSFER": transfer, "TOPUP": topUp,
	"TOP_UP": topUp, "TOP-UP": topUp, "DEPOSIT": topUp, "EXCHANGE": exchange, "FEE": fee}

// fuelCodes are the trades of stations: attended, unattended, and dealers in fuel.
var fuelCodes = map[string]bool{"5541": true, "5542": true, "5983": true}

func isBusiness(h statement.Head) bool {
	return h.Has("Date started (UTC)", "ID", "Payment currency", "Type", "Amount")
}

type business struct {
	checker                                                    statement.Checker
	own                                                        money.Currency
	started, completed, id, typ, state, text, reference, payer int
	card, label, currency, amount, total, fee, feeCurrency     int
	account, iban, number, beneficiary, mcc, sender            int
	others                                                     []int
}

func openBusiness(h statement.Head, given statement.Given) statement.Reader {
	var known []int
	find := func(name string) int {
		i := h.Find(name)
		known = append(known, i)
		return i
	}
	b := &business{checker: statement.Checker{Head: h}, own: given.Currency,
		started: find("Date started (UTC)"), completed: find("Date completed (UTC)"), id: find("ID"), typ: find("Type"), state: find("State"),
		text: find("Description"), reference: find("Reference"), payer: find("Payer"), card: find("Card number"), label: find("Card label"),
		currency: find("Payment currency"), amount: find("Amount"), total: find("Total amount"), fee: find("Fee"),
		feeCurrency: find("Fee currency"),
		account:     find("Account"), iban: find("Beneficiary IBAN"), number: find("Beneficiary account number"),
		beneficiary: find("Beneficiary name"),
		mcc:         find("MCC"), sender: find("Sender name")}
	for _, name := range explained {
		find(name)
	}
	b.others = h.Others(known)
	return b.read
}

func (b *business) read(r statement.Row, out statement.Out) {
	if !b.checker.Begin(r, out) {
		return
	}
	switch b.stateOf(r) {
	case undone:
		out.Skipped(r.Line, statement.SkippedCancelled)
		return
	case strange:
		b.checker.Refuse(statement.WrongType, b.state, "COMPLETED, PENDING, REVERTED, DECLINED, FAILED")
	}
	m := movements[strings.ReplaceAll(strings.ToUpper(r.At(b.typ)), " ", "_")]
	e := statement.Entry{Line: r.Line, Text: b.described(r), Label: strings.TrimSpace(r.At(b.typ) + " " + r.At(b.text))}
	e.Person = b.person(r, m)
	when(&b.checker, r, b.started, time.UTC, &e)
	amount, fees, rowWarnings := b.amounts(r)
	internal := m == exchange || m == transfer && b.between(r)
	var entries []statement.Entry
	add := func(column int, typ string, amount money.Amount, part string) {
		if amount == 0 {
			return
		}
		e.Column, e.Type, e.Amount, e.ExternalID = b.checker.Head.Names[column], typ, amount, b.key(r, part)
		entries = append(entries, e)
	}
	if !internal {
		if m == cardPayment && r.At(b.mcc) == "" && station(r.At(b.text)) {
			e.Guess = "FUEL"
		}
		add(b.amount, m.typeOf(amount, fuelCodes[r.At(b.mcc)]), amount, "")
		e.Guess = ""
	}
	if m != cardPayment && m != cardRefund && m != other {
		e.Person = statement.Person{}
	}
	add(b.feeColumn(), "CARD_FEE", fees, "/fee")
	for _, i := range b.others {
		if number, is := statement.Number(r.At(i)); is {
			e.Label = b.checker.Head.Names[i]
			add(i, kinds.Unknown, number, "/"+b.checker.Head.Keys()[i])
		}
	}
	if currency := r.At(b.currency); len(entries) > 0 && !strings.EqualFold(currency, string(b.own)) {
		b.checker.Refuse(statement.WrongCurrency, b.currency, string(b.own))
	}
	switch {
	case b.checker.Report(out):
		return
	case len(entries) == 0 && internal:
		out.Skipped(r.Line, statement.SkippedInternal)
	case len(entries) == 0:
		out.Skipped(r.Line, statement.SkippedEmpty)
	}
	for _, d := range rowWarnings {
		out.Warnings(d)
	}
	for _, e := range entries {
		out.Entries(e)
	}
}

func (b *business) described(r statement.Row) string {
	text := r.At(b.text)
	for _, i := range []int{b.reference, b.label} {
		if more := r.At(i); more != "" {
			text += "; " + more
		}
	}
	return text
}

// stateOf is how far a movement got. The oldest files say it only by the day of completion.
func (b *business) stateOf(r statement.Row) state {
	if b.state >= 0 {
		return states[strings.ToLower(r.At(b.state))]
	}
	if b.completed >= 0 && r.At(b.completed) == "" {
		return undone
	}
	return done
}

// amounts reads what moved and what it cost. Generations write fees with different signs, so the fee is what the total has
// beyond the amount; in files without totals it is positive and comes on top.
func (b *business) amounts(r statement.Row) (amount, fees money.Amount, rowWarnings []statement.RowWarning) {
	amount, there := b.checker.Amount(b.amount, money.AnyDecimal)
	if !there && r.At(b.amount) == "" {
		b.checker.Refuse(statement.WrongAmount, b.amount, "-231.40")
	}
	fees, _ = b.checker.Amount(b.fee, money.AnyDecimal)
	total, whole := b.checker.Amount(b.total, money.AnyDecimal)
	if !whole {
		return amount, -fees, nil
	}
	named := r.At(b.feeCurrency) == "" || strings.EqualFold(r.At(b.feeCurrency), r.At(b.currency))
	if off := abs(total-amount) - abs(fees); named && (off > statement.Tolerance || off < -statement.Tolerance) {
		rowWarnings = append(rowWarnings, statement.RowWarning{Line: r.Line, Column: b.checker.Head.Names[b.total], Says: total,
			Adds: amount - abs(fees)})
	}
	return amount, total - amount, rowWarnings
}

func abs(amount money.Amount) money.Amount { return max(amount, -amount) }

// feeColumn is where the fee stands; the oldest files without any have none to add.
func (b *business) feeColumn() int {
	if b.fee >= 0 {
		return b.fee
	}
	return max(b.total, b.amount)
}

// key is the id of one amount of a movement. The same id stands in every account of the fleet that the movement touches.
func (b *business) key(r statement.Row, part string) string {
	id := r.At(b.id)
	if id == "" {
		return ""
	}
	return id + "/" + r.At(b.account) + part
}

// person is who held the card, or who was paid. What comes from outside, and fees of the account, are the fleet's.
func (b *business) person(r statement.Row, m movement) statement.Person {
	switch m {
	case cardPayment, cardRefund, other:
		return statement.Person{Keys: b.cardKeys(r), Name: r.At(b.payer)}
	case transfer:
		p := statement.Person{Name: r.At(b.beneficiary)}
		if p.Name == "" {
			p.Name = r.At(b.sender)
		}
		if p.Name == "" {
			p.Name = counterpart(r.At(b.text))
		}
		for _, i := range []int{b.iban, b.number} {
			if account := strings.Join(strings.Fields(r.At(i)), ""); account != "" {
				p.Keys = append(p.Keys, statement.Key{Kind: statement.ByID, Value: account})
			}
		}
		return p
	}
	return statement.Person{}
}

// cardKeys are the masked number of a card and its last digits. What the fleet calls a card is no key: several may be called
// the same, so it stays with the description.
func (b *business) cardKeys(r statement.Row) (keys []statement.Key) {
	number := strings.Join(strings.Fields(r.At(b.card)), "")
	if number != "" {
		keys = append(keys, statement.Key{Kind: statement.ByCard, Value: number})
	}
	if len(number) > 4 && strings.Trim(number[len(number)-4:], "0123456789") == "" {
		keys = append(keys, statement.Key{Kind: statement.ByCard, Value: number[len(number)-4:]})
	}
	return keys
}

// counterpart is whom a transfer's description names.
func counterpart(text string) string {
	for _, before := range []string{"To ", "From ", "Payment from ", "Money added from "} {
		if name, found := strings.CutPrefix(text, before); found {
			return name
		}
	}
	return ""
}

// accounts are the words in the names of own accounts: money that goes from one to another stays in the house.
var accounts = []string{"main", "pocket", "savings", "pln", "eur", "usd", "gbp", "chf", "czk", "uah", "sek", "nok", "dkk", "huf", "ron"}

// between says whether a transfer went between own accounts: nobody outside is named.
func (b *business) between(r statement.Row) bool {
	if r.At(b.iban)+r.At(b.number)+r.At(b.beneficiary)+r.At(b.sender) != "" {
		return false
	}
	for word := range strings.FieldsSeq(strings.ToLower(counterpart(r.At(b.text)))) {
		if slices.Contains(accounts, word) {
			return true
		}
	}
	return false
}
