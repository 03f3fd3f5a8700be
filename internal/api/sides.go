package api

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"saldo/internal/accounts"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/tracking"
)

// Some operations are the partner's and the driver's: the partner does them in its tenant, a driver in that of the partner of choice, with
// what is their own. They get the id of that driver, and nothing where the partner acts.

// scopeOf is who a unit of work of both sides begins as.
func scopeOf(c web.Call) access.Actor {
	if c.Actor.Role == access.Driver {
		return web.DriverScope(c.Actor)
	}
	return c.Actor
}

// asOwnDriver acts as the driver whom the partner of choice knows, in the partner's tenant. Whoever the partner has not accepted is
// answered none.
func asOwnDriver(tx *db.Tx, who access.Actor, none error, do func(driver string) error) error {
	partner, driver, err := accounts.OwnDriver(tx, who)
	if err != nil {
		return err
	}
	if driver == "" {
		return none
	}
	return tx.As(who.In(partner), func() error { return do(driver) })
}

// asSide acts as whichever of both asks.
func asSide(tx *db.Tx, c web.Call, none error, do func(driver string) error) error {
	if c.Actor.Role == access.Driver {
		return asOwnDriver(tx, c.Actor, none, do)
	}
	return do("")
}

// readAsSide reads as whichever of both asks.
func (s Settings) readAsSide(ctx context.Context, c web.Call, none error, do func(tx *db.Tx, driver string) error) error {
	return s.DB.Read(ctx, scopeOf(c), func(tx *db.Tx) error {
		return asSide(tx, c, none, func(driver string) error { return do(tx, driver) })
	})
}

// writeAsSide changes something as whichever of both asks, once for the key of the request.
func writeAsSide[Out any](s Settings, ctx context.Context, c web.Call, sum string, none error,
	do func(tx *db.Tx, driver string) (Out, error)) (out Out, replayed bool, err error) {
	err = s.DB.Write(ctx, scopeOf(c), func(tx *db.Tx) error {
		out, replayed, err = web.Once(tx, c.Key, sum, func() (out Out, err error) {
			err = asSide(tx, c, none, func(driver string) error { out, err = do(tx, driver); return err })
			return out, err
		})
		return err
	})
	return out, replayed, err
}

// PhoneForm is what a driver's phone says of an upload that may have waited there for days.
type PhoneForm struct {
	ID      string `form:"id" required:"false" maxLength:"36" doc:"a UUID in small letters, made by the phone: sent again it is the same"`
	Partner string `form:"partner" required:"false" maxLength:"64" doc:"partner that it was made for; empty: any"`
}

// sentFor is the tenant that an upload of a phone is for. One that was made for another partner is not taken.
func (s Settings) sentFor(ctx context.Context, c web.Call, sent PhoneForm) (tenant string, err error) {
	if c.Actor.Role != access.Driver || sent.ID == "" {
		return "", nil
	}
	if made, err := uuid.Parse(sent.ID); err != nil || made.String() != sent.ID {
		return "", tracking.ErrInvalid.Field("id", fault.WrongFormat)
	}
	err = s.DB.Read(ctx, scopeOf(c), func(tx *db.Tx) error {
		return asTracked(tx, c.Actor, sent.Partner, func(string) error { tenant = tx.Actor.Tenant; return nil })
	})
	return tenant, err
}

// stays says whether an uploaded file stays: a row names it, or an error leaves that open.
func stays(err error, named bool) bool {
	refused := new(fault.Fault)
	return named && err == nil || err != nil && !errors.As(err, &refused)
}

// InvoiceEvent is something that happened to an invoice or a document.
type InvoiceEvent struct {
	At     time.Time `json:"at"`
	By     string    `json:"by" enum:"driver,partner,system"`
	Name   string    `json:"name" doc:"of who did it; a partner's people are told to the partner alone"`
	Action string    `json:"action"`
	Reason string    `json:"reason"`
}

// shownTrail is a trail as one of both sides sees it: a driver does not see the names of a partner's people.
func shownTrail(entries []audit.Entry, toDriver bool) []InvoiceEvent {
	events := []InvoiceEvent{}
	for _, e := range entries {
		event := InvoiceEvent{e.At, e.ActorRole, e.ActorName, e.Action, e.Reason}
		if toDriver && e.ActorRole != string(access.Driver) {
			event.Name = ""
		}
		events = append(events, event)
	}
	return events
}
