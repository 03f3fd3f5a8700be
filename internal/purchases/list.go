package purchases

import (
	"strconv"
	"strings"
	"time"

	"saldo/internal/invoices"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
)

// PageMax is how many purchases a page has.
const PageMax = 50

// Show chooses purchases by what is known of them.
type Show string

// The choices.
const (
	All       Show = "all"
	Unmatched Show = "unmatched" // they back no invoice of a driver
	Matched   Show = "matched"
	Unknown   Show = "strange"
)

// Shows are all there are.
func Shows() []Show { return []Show{All, Unmatched, Matched, Unknown} }

// Filter chooses purchases. What is empty filters nothing.
type Filter struct {
	Show     Show
	From, To calendar.Date // by the day of issue
	Query    string        // words of the seller's name, tax id, number, number of KSeF
	Page     int64
}

// Listed is a purchase with the invoice of a driver that it backs, or that is proposed.
type Listed struct {
	Purchase
	Match     *Uploaded `db:"-"`
	numberKey string
}

type listedRow struct {
	Purchase
	NumberKey                                                            string
	InvoiceID, DriverID, FirstName, LastName, FileName, State, MatchedBy string
	MatchedAt                                                            time.Time
}

const fromPurchases = ` FROM purchases p LEFT JOIN purchase_matches m ON m.tenant_id = p.tenant_id AND m.environment = p.environment
	AND m.ksef_number = p.ksef_number` + live + `
	LEFT JOIN invoice_images u ON u.tenant_id = m.tenant_id AND u.id = m.invoice_id
	LEFT JOIN drivers d ON d.tenant_id = u.tenant_id AND d.id = u.driver_id
	WHERE p.tenant_id = $1 AND p.environment = $2`

func (f Filter) where() (text string, args []any) {
	add := func(condition string, values ...any) {
		for _, v := range values {
			args = append(args, v)
			condition = strings.Replace(condition, "?", "$"+strconv.Itoa(len(args)+2), 1)
		}
		text += " AND " + condition
	}
	switch f.Show {
	case Unmatched:
		add(`m.invoice_id IS NULL`)
	case Matched:
		add(`m.invoice_id IS NOT NULL`)
	case Unknown:
		add(`p.checked = 'strange'`)
	}
	if f.From != "" {
		add(`p.issued_on >= ?`, string(f.From))
	}
	if f.To != "" {
		add(`p.issued_on <= ?`, string(f.To))
	}
	for _, word := range strings.Fields(f.Query) {
		low, high := "%"+db.Literal(strings.ToLower(word))+"%", "%"+db.Literal(strings.ToUpper(word))+"%"
		add(`(LOWER(p.seller_name) LIKE ? ESCAPE '!' OR p.number_key LIKE ? ESCAPE '!' OR p.ksef_number LIKE ? ESCAPE '!'
			OR p.seller_tax_id LIKE ? ESCAPE '!')`, low, high, high, high)
	}
	return text, args
}

// List is a page of purchases, the newest first, and how many there are.
func (s *Service) List(tx *db.Tx, f Filter) (list []Listed, count int64, err error) {
	where, args := f.where()
	args = append([]any{s.KSeF.Environment}, args...)
	if count, err = db.One[int64](tx, `SELECT COUNT(*)`+fromPurchases+where, args...); err != nil {
		return nil, 0, err
	}
	n := len(args)
	rows, err := db.Select[listedRow](tx, `SELECT p.`+strings.ReplaceAll(columns, ", ", ", p.")+`, p.number_key,
		COALESCE(m.invoice_id, '') AS invoice_id, COALESCE(u.driver_id, '') AS driver_id, COALESCE(d.first_name, '') AS first_name,
		COALESCE(d.last_name, '') AS last_name, COALESCE(u.file_name, '') AS file_name, COALESCE(u.state, '') AS state,
		COALESCE(m.matched_by, '') AS matched_by, COALESCE(m.matched_at, '') AS matched_at`+fromPurchases+where+`
		ORDER BY p.issued_on DESC, p.ksef_number DESC LIMIT $`+strconv.Itoa(n+2)+` OFFSET $`+strconv.Itoa(n+3),
		append(args, PageMax, (max(1, f.Page)-1)*PageMax)...)
	if err != nil {
		return nil, 0, err
	}
	list = make([]Listed, len(rows))
	for i, r := range rows {
		list[i] = Listed{Purchase: r.Purchase, numberKey: r.NumberKey}
		if r.InvoiceID != "" {
			list[i].Match = &Uploaded{ID: r.InvoiceID, DriverID: r.DriverID, FirstName: r.FirstName, LastName: r.LastName, FileName: r.FileName,
				State: invoices.State(r.State), MatchedBy: r.MatchedBy, MatchedAt: r.MatchedAt}
		}
	}
	return list, count, s.propose(tx, list)
}
