package questions_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/ledger"
	"saldo/internal/messages"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/questions"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

var anna, ctx = testkit.Anna, context.Background()

// fixture is a partner with drivers whose week is settled and shared.
type fixture struct {
	db       *db.DB
	clock    *testkit.Clock
	instance config.Instance
	settling *settlements.Service
	drivers  []string
	shared   []string // their settlements
	rows     []string // the only row of each
}

func each(t *testing.T, test func(t *testing.T, w *fixture)) {
	t.Helper()
	testkit.EachFleet(t, newFixture, test)
}

func newFixture(t *testing.T, engine string) *fixture {
	t.Helper()
	f := testkit.NewFleet(t, engine)
	w := &fixture{db: f.DB, clock: f.Clock, instance: f.Instance}
	w.settling = &settlements.Service{Instance: f.Instance, Imports: &imports.Service{DB: w.db, Instance: f.Instance}}
	w.write(t, func(tx *db.Tx) (err error) {
		book := drivers.Service{Vault: f.Vault, Country: "PL"}
		w.drivers, err = book.AddMany(tx, []drivers.NewDriver{
			{Details: drivers.Details{FirstName: "Paweł", LastName: "Żak", Email: "pawel@drivers.example"}},
			{Details: drivers.Details{FirstName: "Oleh", LastName: "Bondar", Email: "oleh@drivers.example"}}})
		if err != nil {
			return err
		}
		_, err = ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for _, driver := range w.drivers {
				w.rows = append(w.rows, tx.NewID())
				if !yield(&ledger.Transaction{ID: w.rows[len(w.rows)-1], DriverID: driver, Provider: "UBER", Type: "TRIP", OccurredOn: "2026-10-28",
					Amount: 1_234_56, Currency: "PLN", Source: "import"}) {
					return
				}
			}
		})
		return err
	})
	w.settle(t)
	for _, driver := range w.drivers {
		w.shared = append(w.shared, w.settlementOf(t, driver))
	}
	return w
}

// settle settles and shares the week of everybody.
func (w *fixture) settle(t *testing.T) {
	t.Helper()
	var p settlements.Preview
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
		p, err = w.settling.Preview(tx, settlements.Selection{Filter: settlements.PendingFilter{Period: "2026-W44"}, Drivers: w.drivers})
		return err
	})
	w.write(t, func(tx *db.Tx) error {
		if err := p.Keep(tx); err != nil {
			return err
		}
		_, err := w.settling.Start(tx, p.ID, settlements.StartOptions{Share: true})
		return err
	})
}

func (w *fixture) settlementOf(t *testing.T, driver string) (id string) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		page, err := settlements.List(tx, settlements.Filter{DriverID: driver, Page: 1, Size: 1})
		if err == nil {
			id = page.Items[0].ID
		}
		return err
	})
	return id
}

func (w *fixture) write(t *testing.T, fn func(tx *db.Tx) error) {
	t.Helper()
	testkit.Write(t, w.db, anna, fn)
}

func (w *fixture) refused(t *testing.T, want error, fn func(tx *db.Tx) error) {
	t.Helper()
	if err := w.db.Write(ctx, anna, fn); !errors.Is(err, want) {
		t.Fatalf("%v, not %v", err, want)
	}
}

// as is the driver who acts in the partner's tenant.
func (w *fixture) as(driver int) access.Actor {
	return access.Actor{Role: access.Driver, Tenant: "north", Person: w.drivers[driver], ID: w.drivers[driver], Name: "as the identity provider has it"}
}

func (w *fixture) ask(t *testing.T, driver int, figure, row, text string) (thread questions.Thread) {
	t.Helper()
	about := questions.Subject{SettlementID: w.shared[driver], Figure: figure, RowID: row}
	if figure == "revenue" {
		about.Provider = "UBER"
	}
	testkit.Write(t, w.db, w.as(driver), func(tx *db.Tx) (err error) {
		thread, err = questions.Ask(tx, w.settling, w.drivers[driver], about, text)
		return err
	})
	return thread
}

func (w *fixture) answer(t *testing.T, thread string, r questions.Reply) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error { _, err := questions.Answer(tx, w.instance, thread, r); return err })
}

func (w *fixture) opened(t *testing.T, id string) (o questions.Opened) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { o, err = questions.Of(tx, id); return err })
	return o
}

func (w *fixture) open(t *testing.T) (n int64) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { n, err = questions.CountOpen(tx); return err })
	return n
}

// noted are the kinds of unread notes of a driver about a question.
func (w *fixture) noted(t *testing.T, driver int, thread string) (kinds []messages.Kind) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		notes, err := messages.OnBoard(tx, w.drivers[driver], "pl", w.clock.Now().AddDate(1, 0, 0))
		for _, n := range notes {
			if n.ObjectID == thread && n.ReadAt.IsZero() {
				kinds = append(kinds, n.Kind)
			}
		}
		return err
	})
	return kinds
}

func TestQuestion_IsAskedAnsweredAskedAgainAndClosed(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		thread := w.ask(t, 0, "revenue", "", " Why so little?\r\nI drove more. ")
		if thread.Amount != 1_234_56 || w.open(t) != 1 {
			t.Fatalf("%+v, %d open", thread, w.open(t))
		}
		again := w.ask(t, 0, "revenue", "", "And the bonus?")
		if again.ID != thread.ID || w.open(t) != 1 {
			t.Fatalf("a second thread about the same line: %+v", again)
		}
		o := w.opened(t, thread.ID)
		if o.Entries != 2 || o.Written[0].Content != "Why so little?\nI drove more." || o.Written[0].AuthorName != "Paweł Żak" ||
			o.LastText != "And the bonus?" || o.FirstOn != "2026-10-26" || o.Revoked || !o.WaitingSince.Equal(o.Written[0].CreatedAt) {
			t.Fatalf("%+v", o)
		}
		w.answer(t, thread.ID, questions.Reply{Text: "Uber has not sent it yet.", Seen: 2})
		o = w.opened(t, thread.ID)
		if o.State != questions.Answered || !o.WaitingSince.IsZero() || w.open(t) != 0 || o.Written[2].AuthorName != anna.Name {
			t.Fatalf("%+v", o)
		}
		if told := w.noted(t, 0, thread.ID); len(told) != 1 || told[0] != messages.QuestionAnswered {
			t.Fatalf("told %v", told)
		}
		testkit.Write(t, w.db, w.as(0), func(tx *db.Tx) error { return questions.AskMore(tx, w.drivers[0], thread.ID, "When?") })
		if o = w.opened(t, thread.ID); o.State != questions.Open || w.open(t) != 1 {
			t.Fatalf("%+v", o)
		}
		w.answer(t, thread.ID, questions.Reply{Seen: 4, Close: true})
		if o = w.opened(t, thread.ID); o.State != questions.Closed || o.Written[4].Kind != "closed" || o.LastText != "When?" {
			t.Fatalf("%+v", o)
		}
		if told := w.noted(t, 0, thread.ID); len(told) != 2 {
			t.Fatalf("told %v", told)
		}
		// after closing the driver writes again: it is open again, not another
		if again = w.ask(t, 0, "revenue", "", "Still wrong."); again.ID != thread.ID || again.State != questions.Open {
			t.Fatalf("%+v", again)
		}
		for range 2 { // and says that it is clear, twice
			testkit.Write(t, w.db, w.as(0), func(tx *db.Tx) error { return questions.CloseOwn(tx, w.drivers[0], thread.ID) })
		}
		if o = w.opened(t, thread.ID); o.State != questions.Closed || o.Entries != 7 {
			t.Fatalf("%+v", o)
		}
	})
}

func TestQuestion_OfTheWholeOfALineAndOfARowAreThree(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		whole, line, row := w.ask(t, 0, "", "", "a"), w.ask(t, 0, "revenue", "", "b"), w.ask(t, 0, "revenue", w.rows[0], "c")
		if whole.ID == line.ID || line.ID == row.ID || w.open(t) != 3 || row.RowType != "TRIP" || row.RowOn != "2026-10-28" {
			t.Fatalf("%+v %+v %+v", whole, line, row)
		}
		var own []questions.Listed
		testkit.Read(t, w.db, w.as(0), func(tx *db.Tx) (err error) {
			own, err = questions.Own(tx, w.drivers[0], w.shared[0])
			return err
		})
		if len(own) != 3 {
			t.Fatalf("%d of their own", len(own))
		}
	})
}

func TestQuestion_NothingIsWrittenAboutWhatIsNotTheirs(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		thread := w.ask(t, 0, "revenue", "", "mine")
		asks := func(s questions.Subject, text string) func(tx *db.Tx) error {
			return func(tx *db.Tx) error { _, err := questions.Ask(tx, w.settling, w.drivers[0], s, text); return err }
		}
		w.refused(t, settlements.ErrNotFound, asks(questions.Subject{SettlementID: w.shared[1]}, "another's"))
		w.refused(t, questions.ErrInvalid, asks(questions.Subject{SettlementID: w.shared[0], Figure: "bribe"}, "no such line"))
		w.refused(t, questions.ErrInvalid, asks(questions.Subject{SettlementID: w.shared[0], Figure: "revenue", Provider: "BOLT"}, "not driven"))
		w.refused(t, questions.ErrInvalid, asks(questions.Subject{SettlementID: w.shared[0], Provider: "UBER"}, "an app of no line"))
		w.refused(t, questions.ErrInvalid, asks(questions.Subject{SettlementID: w.shared[0], RowID: w.rows[1]}, "another's row"))
		w.refused(t, questions.ErrInvalid, asks(questions.Subject{SettlementID: w.shared[0]}, " \n "))
		w.refused(t, questions.ErrInvalid, asks(questions.Subject{SettlementID: w.shared[0]}, strings.Repeat("ż", 2001)))
		w.refused(t, questions.ErrNotFound, func(tx *db.Tx) error { return questions.AskMore(tx, w.drivers[1], thread.ID, "me too") })
		w.refused(t, questions.ErrNotFound, func(tx *db.Tx) error { return questions.CloseOwn(tx, w.drivers[1], thread.ID) })
		w.refused(t, questions.ErrNotFound, func(tx *db.Tx) error { _, err := questions.OfDriver(tx, w.drivers[1], thread.ID); return err })
		other := access.Actor{Role: access.Partner, Tenant: "south", ID: "marek"}
		if err := w.db.Read(ctx, other, func(tx *db.Tx) error { _, err := questions.Of(tx, thread.ID); return err }); !errors.Is(err, questions.ErrNotFound) {
			t.Fatalf("another partner: %v", err)
		}
		if o := w.opened(t, thread.ID); o.Entries != 1 || w.open(t) != 1 {
			t.Fatalf("%+v", o)
		}
	})
}

// A driver asks about the same line on two devices at once: one thread holds both texts.
func TestQuestion_AskedTwiceAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				err := w.db.Write(ctx, w.as(0), func(tx *db.Tx) error {
					_, err := questions.Ask(tx, w.settling, w.drivers[0], questions.Subject{SettlementID: w.shared[0]}, "Why?")
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		var own []questions.Listed
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { own, err = questions.Own(tx, w.drivers[0], ""); return err })
		if len(own) != 1 || own[0].Entries != 2 {
			t.Fatalf("%+v", own)
		}
	})
}

// Two people answer at once: the second is told, and a correction is entered once.
func TestAnswer_OfTwoPeopleAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		thread := w.ask(t, 0, "revenue", "", "Why?")
		correction := &ledger.Entry{Kind: ledger.KindInternal, Amount: 50_00, Payment: "card", OccurredOn: "2026-11-03", Name: "Bonus of last week"}
		errs := make([]error, 2)
		var both sync.WaitGroup
		for i := range errs {
			both.Go(func() {
				errs[i] = w.db.Write(ctx, anna, func(tx *db.Tx) error {
					_, err := questions.Answer(tx, w.instance, thread.ID, questions.Reply{Text: "Entered.", Seen: 1, Correction: correction})
					return err
				})
			})
		}
		both.Wait()
		if (errs[0] == nil) == (errs[1] == nil) || !errors.Is(errors.Join(errs...), questions.ErrChanged) {
			t.Fatalf("%v", errs)
		}
		o := w.opened(t, thread.ID)
		c := o.Written[1].Correction
		if o.Entries != 2 || c == nil || c.Amount != 50_00 || c.Removed || c.Settlement != 0 {
			t.Fatalf("%+v", o)
		}
		var page ledger.Page
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
			page, err = ledger.List(tx, ledger.Filter{DriverID: w.drivers[0], Limit: 10})
			return err
		})
		if page.Count != 2 {
			t.Fatalf("%d transactions", page.Count)
		}
		// removed later, it is called so; the answer stands
		w.write(t, func(tx *db.Tx) error { return ledger.Remove(tx, c.ID, 1) })
		if c = w.opened(t, thread.ID).Written[1].Correction; c == nil || !c.Removed {
			t.Fatalf("%+v", c)
		}
	})
}

// A correction that cannot be entered leaves no answer behind, and an answer without a text none either.
func TestAnswer_IsWholeOrNothing(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		thread := w.ask(t, 0, "", "", "Why?")
		answers := func(r questions.Reply) func(tx *db.Tx) error {
			return func(tx *db.Tx) error { _, err := questions.Answer(tx, w.instance, thread.ID, r); return err }
		}
		w.refused(t, ledger.ErrInvalid, answers(questions.Reply{Text: "Here.", Seen: 1, Correction: &ledger.Entry{Kind: ledger.KindCost}}))
		w.refused(t, questions.ErrInvalid, answers(questions.Reply{Seen: 1}))
		w.refused(t, questions.ErrChanged, answers(questions.Reply{Text: "Late.", Seen: 0}))
		if o := w.opened(t, thread.ID); o.Entries != 1 || o.State != questions.Open || len(w.noted(t, 0, thread.ID)) != 0 {
			t.Fatalf("%+v", o)
		}
	})
}

// The settlement is revoked and settled anew: the question stays readable, says so, and the new settlement is asked about for itself.
func TestQuestion_OfARevokedSettlementStays(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		thread := w.ask(t, 0, "revenue", "", "Why?")
		w.write(t, func(tx *db.Tx) error { return w.settling.Revoke(tx, w.shared[0], "wrong file") })
		w.answer(t, thread.ID, questions.Reply{Text: "You are right, it is settled anew.", Seen: 1})
		if o := w.opened(t, thread.ID); !o.Revoked || o.Entries != 2 {
			t.Fatalf("%+v", o)
		}
		w.refused(t, settlements.ErrNotFound, func(tx *db.Tx) error {
			_, err := questions.Ask(tx, w.settling, w.drivers[0], questions.Subject{SettlementID: w.shared[0], Figure: "revenue", Provider: "UBER"}, "And?")
			return err
		})
		testkit.Write(t, w.db, w.as(0), func(tx *db.Tx) error { return questions.AskMore(tx, w.drivers[0], thread.ID, "Thank you.") })
		w.settle(t)
		w.shared[0] = w.settlementOf(t, w.drivers[0])
		if anew := w.ask(t, 0, "revenue", "", "Now?"); anew.ID == thread.ID {
			t.Fatal("the question of the revoked settlement went on")
		}
	})
}

// Somebody merged into another driver keeps their questions, and the kept driver reads and goes on with them.
func TestQuestion_IsReadByTheKeptDriver(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		thread := w.ask(t, 1, "", "", "Why?")
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET merged_into = $3 WHERE tenant_id = $1 AND id = $2`, w.drivers[1], w.drivers[0])
			return err
		})
		w.answer(t, thread.ID, questions.Reply{Text: "Because.", Seen: 1})
		if told := w.noted(t, 0, thread.ID); len(told) != 1 {
			t.Fatalf("the kept driver was told %v", told)
		}
		testkit.Write(t, w.db, w.as(0), func(tx *db.Tx) error { return questions.AskMore(tx, w.drivers[0], thread.ID, "I see.") })
		if o := w.opened(t, thread.ID); o.Canonical != w.drivers[0] || o.Entries != 3 {
			t.Fatalf("%+v", o)
		}
	})
}

func TestList_OldestOpenFirst(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		first := w.ask(t, 0, "", "", "one")
		w.clock.Pass(time.Hour)
		second := w.ask(t, 1, "", "", "two")
		w.clock.Pass(time.Hour)
		w.ask(t, 0, "", "", "more of one") // does not make it younger
		list := func(f questions.Filter) (ids []string) {
			testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
				items, total, err := questions.List(tx, f)
				for _, i := range items {
					ids = append(ids, i.ID)
				}
				if err == nil && int(total) != len(ids) {
					t.Errorf("%d of %d", len(ids), total)
				}
				return err
			})
			return ids
		}
		if got := list(questions.Filter{State: questions.Open}); len(got) != 2 || got[0] != first.ID {
			t.Fatalf("%v", got)
		}
		if got := list(questions.Filter{Query: "bond ol"}); len(got) != 1 || got[0] != second.ID {
			t.Fatalf("%v", got)
		}
		w.answer(t, first.ID, questions.Reply{Text: "So.", Seen: 2})
		if got := list(questions.Filter{State: questions.Answered}); len(got) != 1 || got[0] != first.ID {
			t.Fatalf("%v", got)
		}
		if got := list(questions.Filter{}); len(got) != 2 || got[0] != first.ID {
			t.Fatalf("%v", got)
		}
	})
}

func TestQuestion_DailyLimit(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		thread := w.ask(t, 0, "", "", "0")
		more := func(tx *db.Tx) error { return questions.AskMore(tx, w.drivers[0], thread.ID, "more") }
		for range 39 {
			testkit.Write(t, w.db, w.as(0), more)
		}
		var refused *fault.Fault
		if err := w.db.Write(ctx, w.as(0), more); !errors.Is(err, questions.ErrTooMany) || !errors.As(err, &refused) {
			t.Fatalf("%v", err)
		}
		w.clock.Pass(25 * time.Hour)
		testkit.Write(t, w.db, w.as(0), more)
	})
}

func TestEntries_StandAsTheyWereWritten(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.ask(t, 0, "", "", "Why?")
		for _, text := range []string{`UPDATE thread_entries SET content = 'x' WHERE tenant_id = $1`, `DELETE FROM thread_entries WHERE tenant_id = $1`,
			`UPDATE threads SET amount = 1 WHERE tenant_id = $1`} {
			if err := w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := tx.Exec(text); return err }); err == nil {
				t.Errorf("%s went through", text)
			}
		}
	})
}
