package sandbox

import (
	"context"
	"time"

	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
)

// Action is what the provider does with a payment, as chosen on its page.
type Action string

// The actions.
const (
	Pay    Action = "pay"
	Refuse Action = "refuse"
	Later  Action = "later"  // the money arrives 30 seconds later
	Silent Action = "silent" // paid, and no event is posted
	Twice  Action = "twice"  // paid, and the event is posted twice
	Wrong  Action = "wrong"  // more is paid than was asked for
	Expire Action = "expire"
	Arrive Action = "arrive" // money arrives after the payment has ended
)

// actions are those that the page offers, in its order.
var actions = []Action{Pay, Refuse, Later, Silent, Twice, Wrong, Expire}

// wait is how long the money of a late payment is on its way.
const wait = 30 * time.Second

// Decide does what the page does. It says whether that was possible: what is decided stays, except that money may arrive late.
func (s *Sandbox) Decide(ctx context.Context, ref string, a Action) (decided bool, err error) {
	err = s.write(ctx, func(tx *db.Tx) (err error) {
		decided, err = decide(tx, ref, a)
		return err
	})
	return decided, err
}

func decide(tx *db.Tx, ref string, a Action) (bool, error) {
	p, err := find(tx, ref)
	if err != nil {
		return false, err
	}
	amount, at, kind, times := p.Amount, tx.Now, "paid", 1
	switch a {
	case Pay, Arrive:
	case Later:
		at = tx.Now.Add(wait)
	case Silent:
		times = 0
	case Twice:
		times = 2
	case Wrong:
		amount++
	case Refuse:
		kind = "failed"
	case Expire:
		kind = "expired"
	default:
		return false, nil
	}
	done, err := p.become(tx, a, kind, amount, at)
	if err != nil || !done {
		return false, err
	}
	for range times {
		if err := note(tx, p, kind, at); err != nil {
			return false, err
		}
	}
	return true, nil
}

// become writes the decision in one guarded statement.
func (p payment) become(tx *db.Tx, a Action, state string, amount money.Amount, at time.Time) (bool, error) {
	var n int64
	var err error
	switch {
	case a == Arrive:
		n, err = tx.Across().Exec(`UPDATE sandbox_payments SET state = 'paid', paid_at = $2, paid_amount = $3, paid_currency = currency
			WHERE ref = $1 AND (state = 'expired' OR state = 'pending' AND expires_at <= $2)`, p.Ref, at, amount)
	case state == "paid":
		n, err = tx.Across().Exec(`UPDATE sandbox_payments SET state = 'paid', paid_at = $2, paid_amount = $3, paid_currency = currency
			WHERE ref = $1 AND state = 'pending' AND expires_at > $4`, p.Ref, at, amount, tx.Now)
	default:
		n, err = tx.Across().Exec(`UPDATE sandbox_payments SET state = $2 WHERE ref = $1 AND state = 'pending'`, p.Ref, state)
	}
	return n == 1, err
}
