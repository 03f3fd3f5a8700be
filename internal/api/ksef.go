package api

import (
	"context"
	"errors"
	"strings"
	"time"

	"saldo/internal/billing"
	"saldo/internal/connections"
	"saldo/internal/kernel/calendar"
	"saldo/internal/ksef/login"
	"saldo/internal/ksef/renewal"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/web"
)

// ksefKind is KSeF among the services that a partner can be connected to: by a certificate instead of a password.
const ksefKind = "ksef"

// ksefProblems are why signing in at KSeF fails, besides the problems that all services have.
func ksefProblems() []drive.Problem {
	return []drive.Problem{drive.Problem(login.Refused), drive.Problem(login.Blocked), drive.Problem(login.Expired),
		drive.Problem(login.OtherNIP), announcedProblem(wire.Maintenance), announcedProblem(wire.Failure), announcedProblem(wire.TotalFailure)}
}

// announcedProblem is what KSeF says of itself as a problem.
func announcedProblem(w wire.Weather) drive.Problem { return drive.Problem(strings.ToLower(string(w))) }

// listedKSeF is how the partner signs in at KSeF, and that KSeF says itself that it does not work.
func (s Settings) listedKSeF(tx *db.Tx) (PartnerService, error) {
	out, err := s.shownKSeF(tx)
	if err != nil || out.State != ServiceState(connections.Working) {
		return out, err
	}
	now, err := s.KSeFAvailable.Now(tx)
	if now.Status != "" && now.Status != wire.Available {
		out.State, out.Reason, out.Since = ServiceState(connections.Failing), ServiceProblem(announcedProblem(now.Status)), instantOf(now.Since)
	}
	return out, err
}

// shownKSeF is how the partner signs in at KSeF; never a key. The operator must have turned it on.
func (s Settings) shownKSeF(tx *db.Tx) (PartnerService, error) {
	out := PartnerService{Kind: ksefKind, Available: true, Environment: s.KSeF.Environment}
	n, err := s.Sending.Count(tx)
	if err != nil {
		return out, err
	}
	out.Delivered, out.Waiting, out.GivenUp, out.Refused = n.Accepted, n.OnTheWay, n.Held, n.Late
	a, err := s.KSeF.Of(tx)
	if errors.Is(err, login.ErrNone) {
		return out, nil
	}
	out.Version, out.Since, out.LastTryAt, out.Serial = a.Version, instantOf(a.Since), instantOf(a.TriedAt), a.Serial
	out.Days = max(0, int64(a.ValidTo.Sub(tx.Now)/(24*time.Hour)))
	out.Settings.Account = a.Subject
	out.RenewsOn = string(calendar.DateOf(a.ValidTo, s.Instance.Location(), 0).AddDays(-renewal.DaysBefore))
	refused, code, problem := s.Renewal.Problem(tx)
	if !refused.IsZero() {
		out.RenewalRefusedAt, out.RenewalCode = &refused, code
	}
	err = errors.Join(err, problem)
	switch a.State {
	case login.Working:
		out.State, out.LastOKAt = ServiceState(connections.Working), out.LastTryAt
	case login.Away:
		out.State, out.Reason = ServiceState(connections.Failing), ServiceProblem(a.State)
	default:
		out.State, out.Reason = ServiceState(connections.Stopped), ServiceProblem(a.State)
	}
	return out, err
}

func (s Settings) connectKSeF(ctx context.Context, c web.Call, b *ServiceChange) (out PartnerService, err error) {
	// Key and password are in no sum: sums are kept.
	sum, err := web.Sum("connect-service", []any{ksefKind, b.Version, b.Certificate, b.Password != ""})
	if err != nil {
		return out, err
	}
	var tried login.Prepared
	lost := false
	out, err = asked(ctx, s, c, sum, func() (func(*db.Tx) (PartnerService, error), error) {
		var err error
		tried, err = s.KSeF.Prepare(ctx, c.Actor, login.Upload{Version: b.Version, Certificate: b.Certificate, Key: b.Key, Password: b.Password})
		return func(tx *db.Tx) (PartnerService, error) {
			err := s.KSeF.Keep(tx, tried)
			if lost = err != nil; lost {
				return PartnerService{}, err
			}
			if err := billing.EnqueueSend(tx); err != nil {
				return PartnerService{}, err
			}
			return s.shownKSeF(tx)
		}, err
	})
	if lost { // somebody else was faster
		s.KSeF.Discard(ctx, c.Actor, tried)
	}
	return out, err
}

func (s Settings) testKSeF(ctx context.Context, c web.Call) (PartnerService, error) {
	return asked(ctx, s, c, "test-service "+ksefKind, func() (func(*db.Tx) (PartnerService, error), error) {
		return s.shownKSeF, s.KSeF.Try(ctx, c.Actor)
	})
}

// ksefSoon is how many days before a certificate ends the partner is warned.
const ksefSoon = 30

// ksefNeedsALook is 1 where a person should look at how the partner signs in at KSeF.
func (s Settings) ksefNeedsALook(tx *db.Tx) (int64, error) {
	if s.KSeF.Environment == "" {
		return 0, nil
	}
	shown, err := s.shownKSeF(tx)
	if err != nil || shown.Version == 0 || shown.State == ServiceState(connections.Working) && shown.Days > ksefSoon {
		return 0, err
	}
	return 1, nil
}
