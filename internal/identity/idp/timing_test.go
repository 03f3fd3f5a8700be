package idp_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"saldo/internal/identity/idp"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// auc is how often a time of one kind is longer than a time of the other, ties counted half: 0.5 says that nobody can tell them apart.
func auc(one, other []time.Duration) float64 {
	longer := 0.0
	for _, a := range one {
		for _, b := range other {
			switch {
			case a > b:
				longer++
			case a == b:
				longer += 0.5
			}
		}
	}
	longer /= float64(len(one) * len(other))
	return max(longer, 1-longer)
}

// samples measures known and unknown addresses n times each, in an order by chance: what one leaves behind must not fall on the other alone.
func samples(n int, known, unknown func() time.Duration) (of [2][]time.Duration) {
	order := make([]int, 2*n)
	for i := range order {
		order[i] = i % 2
	}
	rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, which := range order {
		of[which] = append(of[which], []func() time.Duration{known, unknown}[which]())
	}
	return of
}

// TestSignInAndReset_TakeAsLongForUnknownAddresses compares times only in `make
// soak`, on 400 samples of each kind: with so many, equal ones are over the bar
// once in seventy times by chance, so only what is over it three times fails.
// In a plain run it goes the same ways once.
func TestSignInAndReset_TakeAsLongForUnknownAddresses(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, known := h.person(access.Driver)
		unknown, b := testkit.NewAddress(), h.browser()
		submit := func(form testkit.Form, want int) time.Duration {
			t.Helper()
			h.passing.Pass(20 * time.Minute) // nobody has to wait
			at := time.Now()
			answer := b.Submit(t, form)
			took := time.Since(at)
			if testkit.Text(t, answer); answer.StatusCode != want {
				t.Fatalf("%d", answer.StatusCode)
			}
			return took
		}
		reset := func(email string) func() time.Duration {
			return func() time.Duration {
				form := testkit.FormOf(t, b.Open(t, h.url+"/auth/realms/saldo/login-actions/reset-credentials"), "kc-reset-password-form")
				form.Fields.Set("username", email)
				return submit(form, 200)
			}
		}
		signIn := func(email string) func() time.Duration {
			return func() time.Duration {
				form := testkit.FormOf(t, b.Authorize(t, testkit.NewAsk(), nil), "kc-form-login")
				form.Fields.Set("username", email)
				form.Fields.Set("password", "not the password")
				return submit(form, 400)
			}
		}
		n := 1
		if testkit.Soak() > 1 {
			n = 400
		}
		for name, way := range map[string]func(string) func() time.Duration{"reset": reset, "sign-in": signIn} {
			worst := 1.0
			for try := 0; try < 3 && worst >= 0.55; try++ {
				of := samples(n, way(known), way(unknown))
				worst = min(worst, auc(of[0], of[1]))
				t.Logf("%s: AUC %.3f over %d samples of each kind", name, worst, n)
				if n == 1 {
					worst = 0
				}
			}
			if worst >= 0.55 {
				t.Errorf("%s tells known from unknown addresses by its time: AUC %.3f", name, worst)
			}
		}
	})
}

// What is written is the same too: that is why it takes as long.
func TestReset_LeavesTheSameForUnknownAddresses(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, known := h.person(access.Driver)
		unknown, b := testkit.NewAddress(), h.browser()
		for _, email := range []string{known, unknown} {
			form := testkit.FormOf(t, b.Open(t, h.url+"/auth/realms/saldo/login-actions/reset-credentials"), "kc-reset-password-form")
			form.Fields.Set("username", email)
			shows(t, b.Submit(t, form), 200, "Sprawdź pocztę")
			shows(t, login(t, b, testkit.NewAsk(), nil, email, "not the password"), 400, "Logowanie nie powiodło się")
		}
		h.mailTo(known, 1)
		testkit.Read(t, h.db, access.Program("test"), func(tx *db.Tx) error {
			jobs, err := db.One[int64](tx.Across(), `SELECT COUNT(*) FROM jobs WHERE kind = $1`, idp.ResetKind)
			if err != nil {
				return err
			}
			failures, err := db.One[int64](tx.Across(), `SELECT COUNT(*) FROM idp_events WHERE kind = 'failed to sign in'`)
			if jobs != 2 || failures != 2 {
				t.Errorf("%d jobs and %d failures of two addresses", jobs, failures)
			}
			return err
		})
		for _, m := range h.smtp.Taken() {
			if m.To == unknown {
				t.Error("an unknown address was mailed")
			}
		}
	})
}
