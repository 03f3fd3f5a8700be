package idp

import (
	"context"
	"errors"
	"os"
)

// How many may wait for a hash, of all and of suspects.
const (
	MostWaiting  = mostWaiting
	MostSuspects = mostSuspects
)

var users = struct {
	memory, passes uint32
	keyBits        int
}{memory, passes, keyBits}

// Tests sign in hundreds of times, and four fifths of their work were hashes and keys of full strength. A longer run has those everywhere.
func init() {
	if soak := os.Getenv("SALDO_SOAK"); soak == "" || soak == "1" {
		memory, passes, keyBits = 64, 1, 1024
	}
}

// FullStrength makes hashes and keys as users have them until the test ends. Nothing of this package may run beside it.
func FullStrength(t interface{ Cleanup(func()) }) {
	m, p, b := memory, passes, keyBits
	memory, passes, keyBits = users.memory, users.passes, users.keyBits
	t.Cleanup(func() { memory, passes, keyBits = m, p, b })
}

// Turn takes a turn of the checking of passwords, as a request does.
func (p *Provider) Turn(ctx context.Context, suspect bool) (leave func(), err error) {
	return p.hasher.turn(ctx, suspect)
}

// Busy says whether a turn was refused because too many wait.
func Busy(err error) bool { return errors.Is(err, errBusy) }

// Waiting is how many wait for a turn: all who need one, and suspects for the one that they share.
func (p *Provider) Waiting() (all, suspects int64) {
	return p.hasher.waiting.Load(), p.hasher.waitingSuspected.Load()
}
