package settlements

import (
	"fmt"
	"slices"
	"time"

	"saldo/internal/invoices"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/ledger/kinds"
	"saldo/internal/messages"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
	"saldo/internal/settlements/sums"
	"saldo/internal/tracking"
)

// writing gathers the settlements of one unit of work and writes them together.
type writing struct {
	tx      *db.Tx
	book    *book
	run     *Run
	terms   map[string]string
	rows    []*kept
	carries []carry
	taken   int64
	counted int64
	payout  money.Amount
}

// kept is a settlement as it is about to be stored.
type kept struct {
	id, driver, absorbedInto, terms string
	ordinal, taken                  int64
	carryIn                         money.Amount
	s                               *engine.Settlement
	sums                            sums.Kept
	bases, invoices, trips          []string
	texts                           snapshot.Texts
}

type carry struct {
	engine.Carry
	id, settlement, driver, transaction string
}

// add settles a chain's period with the older negative ones that it absorbs.
func (w *writing) add(c *chain, at int) error {
	closing, err := engine.Close(c.periods, at)
	if err != nil {
		return err
	}
	id := w.tx.NewID()
	for _, place := range closing.Absorbed {
		if err := w.keep(c, place, w.tx.NewID(), id); err != nil {
			return err
		}
	}
	if err := w.keep(c, at, id, ""); err != nil {
		return err
	}
	for _, one := range closing.Carries {
		made := carry{Carry: one, id: w.tx.NewID(), settlement: id, driver: c.ID}
		if !closing.Waits {
			made.transaction = w.tx.NewID()
		}
		w.carries = append(w.carries, made)
	}
	w.counted++
	w.payout, err = w.payout.Add(c.periods[at].Figures[engine.Payout])
	return err
}

func (w *writing) keep(c *chain, at int, id, absorbedInto string) (err error) {
	s := &c.periods[at]
	if err := s.Explained(); err != nil {
		return err
	}
	k := &kept{id: id, driver: c.ID, absorbedInto: absorbedInto, s: s}
	for _, r := range s.Takes() {
		switch r.Kind {
		case engine.OfInvoice:
			k.invoices = append(k.invoices, r.ID)
		case engine.OfTrip:
			k.trips = append(k.trips, r.ID)
		default:
			k.taken++
		}
	}
	if len(s.CarriedFrom) > 0 {
		k.carryIn = c.periods[at-1].Figures[engine.Due]
	}
	k.bases, k.ordinal = c.basesOf(s)
	t, err := w.book.keptTerms(s)
	if err != nil {
		return err
	}
	if w.terms == nil {
		w.terms = map[string]string{}
	}
	k.terms, w.terms[t.ID] = t.ID, t.Text
	if k.texts, err = snapshot.Write(s); err != nil {
		return err
	}
	if k.sums, err = sums.Of(&s.Figures); err != nil {
		return err
	}
	w.rows, w.taken = append(w.rows, k), w.taken+k.taken
	return nil
}

func (w *writing) write() error {
	if len(w.rows) == 0 {
		return nil
	}
	tx := w.tx
	for id, text := range w.terms {
		if _, err := tx.Exec(`INSERT INTO settlement_terms (tenant_id, id, terms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, id,
			text); err != nil {
			return err
		}
	}
	last, err := db.One[int64](tx, `INSERT INTO settlement_numbers (tenant_id, last) VALUES ($1, $2)
		ON CONFLICT (tenant_id) DO UPDATE SET last = settlement_numbers.last + excluded.last RETURNING last`, len(w.rows))
	if err != nil {
		return err
	}
	first := last - int64(len(w.rows)) + 1
	if err := w.insert(first); err != nil {
		return err
	}
	if err := sums.Came(tx, first, last); err != nil {
		return err
	}
	taken, err := w.take()
	if err != nil {
		return err
	}
	if taken != w.taken {
		return fmt.Errorf("settlement: %d transactions were taken, not %d", taken, w.taken)
	}
	for _, k := range w.rows {
		if err := invoices.Take(tx, k.id, k.invoices); err != nil {
			return err
		}
		if err := tracking.Take(tx, k.id, k.trips); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(`UPDATE drivers SET settled_on = s.last_on FROM settlements s
		WHERE drivers.tenant_id = $1 AND s.tenant_id = $1 AND s.number BETWEEN $2 AND $3 AND s.absorbed_into = '' AND drivers.id = s.driver_id
		AND drivers.settled_on < s.last_on`, first, last); err != nil {
		return err
	}
	return w.insertCarries()
}

// take gives the settlements their transactions: all that are open from the first to the last day, or those of the days that are theirs
// where another settled period has days in between. Each is a statement of its own: for many at once PostgreSQL reads the open rows
// of everybody until it has counted them, once for each settlement.
func (w *writing) take() (taken int64, err error) {
	for _, k := range w.rows {
		in, args := ` BETWEEN $4 AND $5`, []any{string(k.s.First), string(k.s.Last)}
		if k.s.Days != nil {
			in, args = db.Among(4, k.s.Days)
		}
		n, err := w.tx.Exec(`UPDATE transactions SET settlement_id = $2 WHERE tenant_id = $1 AND driver_id = $3 AND settlement_id = ''
			AND deleted_at = '' AND type <> '`+kinds.Unknown+`' AND occurred_on`+in, append([]any{k.id, k.driver}, args...)...)
		if err != nil {
			return taken, err
		}
		taken += n
	}
	return taken, nil
}

// newSettlement is a settlement as the table first has it.
type newSettlement struct {
	ID                                                                               string
	Number                                                                           int64
	DriverID                                                                         string
	Period                                                                           calendar.Period
	Ordinal, Weeks                                                                   int64
	FirstOn, LastOn                                                                  calendar.Date
	AbsorbedInto, TermsID                                                            string
	Transactions                                                                     int64
	CarryIn, Revenue, CashCollected, Fee, Due, Payout, NextPeriodTransfer, TaxExcess money.Amount
	snapshot.Texts
	RunID               string
	State               State
	Currency            money.Currency
	SettledAt, SharedAt time.Time
	SettledBy           string
	sums.Kept
	PaidOn, PaidAt, PaidBy             string // not paid
	RevokedAt, RevokedBy, RevokeReason string // not revoked
}

func (w *writing) insert(first int64) error {
	tx := w.tx
	var shared time.Time
	if w.run.Share {
		shared = tx.Now
	}
	_, err := db.InsertAll(tx, "settlements", func(yield func(newSettlement) bool) {
		for i, k := range w.rows {
			f := &k.s.Figures
			if !yield(newSettlement{ID: k.id, Number: first + int64(i), DriverID: k.driver, Period: k.s.Period, Ordinal: k.ordinal,
				Weeks: int64(k.s.Weeks), FirstOn: k.s.First, LastOn: k.s.Last, AbsorbedInto: k.absorbedInto, TermsID: k.terms,
				Transactions: k.taken, CarryIn: k.carryIn, Revenue: f[engine.Revenue], CashCollected: f[engine.CashCollected], Fee: f[engine.Fee],
				Due: f[engine.Due], Payout: f[engine.Payout], NextPeriodTransfer: f[engine.NextPeriodTransfer], TaxExcess: f[engine.TaxExcess],
				Texts: k.texts, RunID: w.run.ID, State: Settled, Currency: w.book.instance.Currency,
				SettledAt: tx.Now, SettledBy: w.run.StartedBy, SharedAt: shared, Kept: k.sums}) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	if err := w.tell(); err != nil {
		return err
	}
	if supplementary := slices.ContainsFunc(w.rows, func(k *kept) bool { return len(k.bases) > 0 }); !supplementary {
		return w.record(first)
	}
	if _, err := tx.Insert("settlement_bases", []string{"settlement_id", "base_id"}, func(yield func([]any) bool) {
		for _, k := range w.rows {
			for _, base := range k.bases {
				if !yield([]any{k.id, base}) {
					return
				}
			}
		}
	}); err != nil {
		return err
	}
	return w.record(first)
}

// tell puts settlements that their drivers may see at once on the drivers' boards.
func (w *writing) tell() error {
	if !w.run.Share {
		return nil
	}
	return messages.TellNew(w.tx, func(yield func(messages.Notice) bool) {
		for _, k := range w.rows {
			if k.absorbedInto == "" && !yield(notice(messages.SettlementShared, k.id, k.driver, k.s.First, k.s.Last, k.s.Figures[engine.Payout])) {
				return
			}
		}
	})
}

// record writes the settlements into the trail.
func (w *writing) record(first int64) error {
	return audit.RecordAll(w.tx, func(yield func(audit.Change) bool) {
		for i, k := range w.rows {
			if !yield(audit.Change{Action: "settlements.settle", Kind: kindOfSettlement, ID: k.id,
				After: map[string]any{"number": first + int64(i), "period": k.s.Period, "payout": k.s.Figures[engine.Payout]}}) {
				return
			}
		}
	})
}

func (w *writing) insertCarries() error {
	if len(w.carries) == 0 {
		return nil
	}
	tx := w.tx
	_, err := tx.Insert("settlement_carries",
		[]string{"id", "settlement_id", "driver_id", "type", "amount", "occurred_on", "from_period", "transaction_id", "carried_at",
			"carried_by"},
		func(yield func([]any) bool) {
			for _, c := range w.carries {
				at, by := "", ""
				if c.transaction != "" {
					at, by = db.Instant(tx.Now), w.run.StartedBy
				}
				if !yield([]any{c.id, c.settlement, c.driver, c.Type, int64(c.Amount), string(c.On), string(c.From), c.transaction, at, by}) {
					return
				}
			}
		})
	if err != nil {
		return err
	}
	_, err = ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
		for _, c := range w.carries {
			if c.transaction != "" && !yield(carried(c.transaction, c.driver, c.Type, c.Amount, c.On, c.From, w.book.instance.Currency)) {
				return
			}
		}
	})
	return err
}

// carried is what a settlement leaves, as a transaction of the next period.
func carried(id, driver, typ string, amount money.Amount, on calendar.Date, from calendar.Period,
	currency money.Currency) *ledger.Transaction {
	return &ledger.Transaction{ID: id, DriverID: driver, Provider: "INTERNAL", Type: typ, Amount: amount, Currency: currency, OccurredOn: on,
		Source: "carry", ExternalID: string(from)}
}

// Title is what a bank is told a transfer of the settlement is for, in the
// language of the instance: the driver's statement says the same words.
func (s *Settlement) Title(language i18n.Language, purpose engine.Purpose) string {
	return i18n.Of(language, "billing:transferTitle."+string(purpose), "number", fmt.Sprint(s.Number), "from", string(s.FirstOn), "to",
		string(s.LastOn))
}
