package connections

import (
	"time"

	"saldo/internal/platform/drive"
)

// patient is how long a service may be away before somebody must look.
const patient = 5 * 24 * time.Hour

// The pauses between tries of a service that is away: each twice the one before.
const (
	pauseFirst = time.Minute
	pauseMost  = 4 * time.Hour
)

// after is the connection once something was tried; no problem: it worked. It says whether somebody must be told: once for each time that
// a connection stops.
func (c *Connection) after(p drive.Problem, free int64, now time.Time) (tell bool) {
	was := c.State
	c.LastTryAt = now
	if p == "" {
		c.State, c.Reason, c.Failures, c.LastOKAt, c.NextAt = Working, "", 0, now, time.Time{}
		if free != drive.Unknown {
			c.Free = free
		}
		if was != Working {
			c.Since = now
		}
		return false
	}
	c.Reason, c.Failures = p, c.Failures+1
	if was != Failing && was != Stopped {
		c.Since = now
	}
	if was == Stopped || !(p.Passing() || p == drive.Unexpected) || was == Failing && now.Sub(c.Since) >= patient {
		c.State, c.NextAt = Stopped, time.Time{}
		if was == Failing {
			c.Since = now
		}
		return was != Stopped
	}
	c.State = Failing
	c.NextAt = now.Add(min(pauseFirst<<min(c.Failures-1, 20), pauseMost))
	return false
}
