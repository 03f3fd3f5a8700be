package web

import (
	"time"

	"saldo/internal/kernel/access"
)

// freshFor is how long ago somebody may have signed in whose word changes where money goes.
const freshFor = 5 * time.Minute

// FreshLogin refuses people who signed in too long ago to change where money goes, or who may decide on it: whoever finds
// a screen open, or takes a token away, cannot. The program itself does not sign in.
func FreshLogin(who access.Actor, now time.Time) error {
	if who.Role != access.System && now.Sub(who.Proof.SignedInAt) > freshFor {
		return ErrFreshLogin
	}
	return nil
}
