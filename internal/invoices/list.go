package invoices

import (
	"strconv"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// PageMax is how many invoices a page has.
const PageMax = 50

// Listed is an invoice with the name of its driver, who may have been merged into another since, and the number of its settlement.
type Listed struct {
	Invoice
	Canonical           string // the driver now
	FirstName, LastName string
	SettlementNumber    int64 // 0: none
}

// Filter chooses invoices. What is empty filters nothing.
type Filter struct {
	Driver   string // and whoever was merged into them
	States   []State
	WaitsFor Side
	From, To calendar.Date // by the day of issue; of those without one by the day of the upload
	Query    string        // words of the driver's name, the issuer, the number
	Settled  string        // open or taken
	Sort     string        // uploaded, issued, gross or driver
	Desc     bool
	Page     int64
}

// Sum is what the invoices of a filter are together.
type Sum struct {
	Count      int64
	Gross, VAT money.Amount
}

const listedFrom = ` FROM invoice_images i JOIN drivers d ON d.tenant_id = i.tenant_id AND d.id = i.driver_id
	LEFT JOIN settlements s ON s.tenant_id = i.tenant_id AND s.id = i.settlement_id AND i.settlement_id <> ''
	WHERE i.tenant_id = $1 AND i.deleted_at = ''`

// where is the filter in SQL.
func (f Filter) where() (text string, args []any) {
	add := func(condition string, values ...any) {
		for range values {
			condition = strings.Replace(condition, "?", "$"+strconv.Itoa(len(args)+2), 1)
			args = append(args, values[0])
			values = values[1:]
		}
		text += " AND " + condition
	}
	if f.Driver != "" {
		args = append(args, f.Driver)
		text += ` AND i.driver_id` + drivers.Those("$2")
	}
	if len(f.States) > 0 {
		in, states := db.Among(len(args)+2, f.States)
		text, args = text+` AND i.state`+in, append(args, states...)
	}
	if f.WaitsFor != "" {
		add(`i.waits_for = ?`, string(f.WaitsFor))
	}
	const day = `CASE WHEN i.issued_on = '' THEN SUBSTR(i.uploaded_at, 1, 10) ELSE i.issued_on END`
	if f.From != "" {
		add(day+` >= ?`, string(f.From))
	}
	if f.To != "" {
		add(day+` <= ?`, string(f.To))
	}
	switch f.Settled {
	case "open":
		text += ` AND i.settlement_id = ''`
	case "taken":
		text += ` AND i.settlement_id <> ''`
	}
	for _, word := range strings.Fields(f.Query) {
		add(`(d.search_key LIKE ? ESCAPE '!' OR i.number_key LIKE ? ESCAPE '!' OR LOWER(i.issuer_name) LIKE ? ESCAPE '!'
			OR i.issuer_tax_id LIKE ? ESCAPE '!')`, "%"+db.Literal(i18n.Fold(word))+"%", "%"+db.Literal(strings.ToUpper(word))+"%",
			"%"+db.Literal(strings.ToLower(word))+"%", "%"+db.Literal(strings.ToUpper(word))+"%")
	}
	return text, args
}

// orders are the ways to sort, the id last so that pages never overlap.
var orders = map[string]string{"uploaded": "i.uploaded_at", "issued": "i.issued_on", "gross": "i.gross", "driver": "d.search_key"}

// List is a page of invoices with what all of the filter are together.
func List(tx *db.Tx, f Filter) ([]Listed, Sum, error) {
	where, args := f.where()
	sum, err := db.One[Sum](tx, `SELECT COUNT(*) AS count, CAST(COALESCE(SUM(i.gross), 0) AS BIGINT) AS gross,
		CAST(COALESCE(SUM(i.vat_standard + i.vat_reduced), 0) AS BIGINT) AS vat`+listedFrom+where, args...)
	if err != nil {
		return nil, sum, err
	}
	by, known := orders[f.Sort]
	if !known {
		by = orders["uploaded"]
	}
	direction := ""
	if f.Desc {
		direction = " DESC"
	}
	n := len(args)
	items, err := db.Select[Listed](tx, `SELECT i.`+columns+`, `+drivers.CanonicalID("d")+` AS canonical, d.first_name, d.last_name,
		COALESCE(s.number, 0) AS settlement_number`+listedFrom+where+` ORDER BY `+by+direction+`, i.id`+direction+
		` LIMIT $`+strconv.Itoa(n+2)+` OFFSET $`+strconv.Itoa(n+3), append(args, PageMax, (max(1, f.Page)-1)*PageMax)...)
	return items, sum, err
}

// ListedOf is one invoice as lists have it. A driver finds their own.
func ListedOf(tx *db.Tx, id, driver string) (l Listed, err error) {
	if l.Invoice, err = Of(tx, id, driver); err != nil {
		return l, err
	}
	items, err := db.Select[Listed](tx, `SELECT i.`+columns+`, `+drivers.CanonicalID("d")+` AS canonical, d.first_name, d.last_name,
		COALESCE(s.number, 0) AS settlement_number`+listedFrom+` AND i.id = $2`, id)
	if err != nil || len(items) == 0 {
		return l, err
	}
	return items[0], nil
}

// CountAll counts the invoices of a filter by their state.
func CountAll(tx *db.Tx, driver string) (map[State]int64, error) {
	where, args := Filter{Driver: driver}.where()
	rows, err := db.Select[struct {
		State State
		Count int64
	}](tx, `SELECT i.state, COUNT(*) AS count FROM invoice_images i WHERE i.tenant_id = $1 AND i.deleted_at = ''`+where+` GROUP BY i.state`,
		args...)
	counts := map[State]int64{}
	for _, r := range rows {
		counts[r.State] = r.Count
	}
	return counts, err
}

// AskedFor are all invoices of a filter that were not rejected, as what they bring is computed from.
func AskedFor(tx *db.Tx, f Filter) ([]Asked, error) {
	where, args := f.where()
	return db.Select[Asked](tx, `SELECT `+openColumns+`, `+drivers.CanonicalID("d")+` AS canonical`+listedFrom+where+`
		AND i.state <> 'rejected'`, args...)
}

// Asked is the invoice as what it brings is computed from.
func (l *Listed) Asked() Asked {
	return Asked{ID: l.ID, SettlementID: l.SettlementID, Canonical: l.Canonical, SoldOn: l.SoldOn, IssuedOn: l.IssuedOn, Gross: l.Gross,
		VATStandard: l.VATStandard, VATReduced: l.VATReduced, DescribedBy: l.DescribedBy}
}

// CountOpen is how many invoices the partner has to describe or verify.
func CountOpen(tx *db.Tx) (int64, error) {
	return db.One[int64](tx, `SELECT COUNT(*) FROM invoice_images WHERE tenant_id = $1 AND state IN ('to_describe', 'to_verify')
		AND deleted_at = '' AND waits_for <> 'driver'`)
}
