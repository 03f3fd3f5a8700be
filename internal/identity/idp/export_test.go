package idp

import (
	"context"
	"errors"
)

// How many may wait for a hash, of all and of suspects.
const (
	MostWaiting  = mostWaiting
	MostSuspects = mostSuspects
)

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
