package revolut

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
)

// Names of the columns in the languages of the accounts.
var (
	typeColumn      = []string{"Rodzaj", "Art", "Type", "Typ", "Тип"}
	productColumn   = []string{"Produkt", "Product", "Продукт"}
	startedColumn   = []string{"Data rozpoczęcia", "Datum des Beginns", "Startdatum", "Started Date", "Дата початку", "Дата начала"}
	completedColumn = []string{"Data zrealizowania", "Datum des Abschlusses", "Abschlussdatum", "Completed Date", "Дата завершення",
		"Дата завершения"}
	textColumn     = []string{"Opis", "Beschreibung", "Description", "Опис", "Описание"}
	amountColumn   = []string{"Kwota", "Betrag", "Amount", "Сума", "Сумма"}
	feeColumn      = []string{"Opłata", "Gebühr", "Fee", "Комісія", "Комиссия"}
	currencyColumn = []string{"Waluta", "Währung", "Currency", "Валюта"}
	stateColumn    = []string{"State", "Status", "Stan", "Стан", "Статус", "Состояние"}
	balanceColumn  = []string{"Saldo", "Kontostand", "Balance", "Баланс", "Залишок", "Остаток"}
)

// personalMovements are the types in the languages of the accounts.
var personalMovements = map[string]movement{
	"płatność kartą": cardPayment, "kartenzahlung": cardPayment, "card payment": cardPayment,
	"zwrot na kartę": cardRefund, "kartenrückerstattung": cardRefund, "kartenerstattung": cardRefund, "card refund": cardRefund,
	"przelew": transfer, "überweisung": transfer, "transfer": transfer,
	"zasilenie": topUp, "doładowanie": topUp, "wpłata": topUp, "doładowanie konta": topUp, "aufladung": topUp, "einzahlung": topUp,
	"guthabenaufladung": topUp, "deposit": topUp, "поповнення": topUp, "поповнення рахунку": topUp, "пополнение": topUp,
	"пополнение счёта": topUp, "пополнение счета": topUp,
	"recarga": topUp, "rechargement": topUp, "recharge": topUp, "ricarica": topUp, "opwaardering": topUp, "dobití": topUp, "dobitie": topUp,
	"papildymas": topUp, "topup": topUp, "top-up": topUp, "top up": topUp,
	"wymiana": exchange, "umtausch": exchange, "währungsumtausch": exchange, "exchange": exchange,
	"оплата карткою": cardPayment, "оплата картой": cardPayment, "платіж карткою": cardPayment, "платёж картой": cardPayment,
	"повернення на картку": cardRefund, "возврат на карту": cardRefund, "переказ": transfer, "перевод": transfer, "обмін": exchange,
	"обмен":   exchange,
	"комісія": fee, "комиссия": fee,
	"opłata": fee, "gebühr": fee, "fee": fee,
}

func isPersonal(h statement.Head) bool {
	for _, names := range [][]string{typeColumn, productColumn, startedColumn, textColumn, amountColumn, feeColumn, currencyColumn,
		stateColumn, balanceColumn} {
		if h.Find(names...) < 0 {
			return false
		}
	}
	return true
}

type personal struct {
	checker                                                            statement.Checker
	own                                                                money.Currency
	zone                                                               *time.Location
	typ, product, started, text, amount, fee, currency, state, balance int
	others                                                             []int
}

func openPersonal(h statement.Head, given statement.Given) statement.Reader {
	p := &personal{checker: statement.Checker{Head: h}, own: given.Currency, zone: given.Zone,
		typ: h.Find(typeColumn...), product: h.Find(productColumn...), started: h.Find(startedColumn...), text: h.Find(textColumn...),
		amount: h.Find(amountColumn...),
		fee:    h.Find(feeColumn...), currency: h.Find(currencyColumn...), state: h.Find(stateColumn...), balance: h.Find(balanceColumn...)}
	p.others = h.Others([]int{p.typ, p.product, p.started, h.Find(completedColumn...), p.text, p.amount, p.fee, p.currency, p.state,
		p.balance})
	return p.read
}

func (p *personal) read(r statement.Row, out statement.Out) {
	if !p.checker.Begin(r, out) {
		return
	}
	switch states[strings.ToLower(r.At(p.state))] {
	case undone:
		out.Skipped(r.Line, statement.SkippedCancelled)
		return
	case strange:
		p.checker.Refuse(statement.WrongType, p.state, "ZAKOŃCZONO, ABGESCHLOSSEN, COMPLETED")
	}
	m := personalMovements[strings.ReplaceAll(strings.ToLower(r.At(p.typ)), "_", " ")]
	e := statement.Entry{Line: r.Line, Text: r.At(p.text), Label: strings.TrimSpace(r.At(p.typ) + " " + r.At(p.text))}
	when(&p.checker, r, p.started, p.zone, &e)
	amount, there := p.checker.Amount(p.amount, money.AnyDecimal)
	if !there && r.At(p.amount) == "" {
		p.checker.Refuse(statement.WrongAmount, p.amount, "-13.19")
	}
	fees, _ := p.checker.Amount(p.fee, money.AnyDecimal)
	balance, _ := p.checker.Amount(p.balance, money.AnyDecimal)
	key := p.key(r, e, m, amount, fees, balance)
	var entries []statement.Entry
	add := func(column int, typ string, amount money.Amount, part string) {
		if amount != 0 {
			e.Column, e.Type, e.Amount, e.ExternalID = p.checker.Head.Names[column], typ, amount, key+part
			entries = append(entries, e)
		}
	}
	if m != exchange {
		add(p.amount, m.typeOf(amount, station(r.At(p.text))), amount, "")
	}
	add(p.fee, "CARD_FEE", -fees, "/fee")
	for _, i := range p.others {
		if number, is := statement.Number(r.At(i)); is {
			e.Label = p.checker.Head.Names[i]
			add(i, kinds.Unknown, number, "/"+p.checker.Head.Keys()[i])
		}
	}
	if len(entries) > 0 && !strings.EqualFold(r.At(p.currency), string(p.own)) {
		p.checker.Refuse(statement.WrongCurrency, p.currency, string(p.own))
	}
	switch {
	case p.checker.Report(out):
		return
	case len(entries) == 0 && m == exchange:
		out.Skipped(r.Line, statement.SkippedInternal)
	case len(entries) == 0:
		out.Skipped(r.Line, statement.SkippedEmpty)
	}
	for _, e := range entries {
		out.Entries(e)
	}
}

// key stands for the id that these files do not have: what a row says, and the balance after it, which no two rows share. It
// is the same in every language and hides what was bought.
func (p *personal) key(r statement.Row, e statement.Entry, m movement, amount, fees, balance money.Amount) string {
	cells := []string{e.At.UTC().Format(time.RFC3339), string(e.On), r.At(p.text), amount.String(), fees.String(),
		strings.ToUpper(r.At(p.currency)), balance.String()}
	if m == other {
		cells = append(cells, strings.ToLower(r.At(p.typ)))
	}
	sum := sha256.Sum256([]byte(strings.Join(cells, "|")))
	return hex.EncodeToString(sum[:16])
}
