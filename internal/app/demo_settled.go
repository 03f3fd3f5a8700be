package app

import (
	"context"
	"errors"
	"time"

	"saldo/internal/accounts"
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/messages"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/settlements"
)

// demoSettledMost is how large a fleet may be for the demo to settle its past.
const demoSettledMost = 50

// demoSettled settles the weeks before the last one, pays the older of them,
// and makes the driver of the demo one who was settled, where none of it was
// done yet. The last week is left for whoever tries the demo.
func (a *App) demoSettled(ctx context.Context, p demoPartner, size int) error {
	if size == 0 || size > demoSettledMost {
		return nil
	}
	clerk := access.Actor{Role: access.System, Tenant: p.TenantID, ID: "demo", Name: p.people[0].first + " " + p.people[0].last}
	done := false
	err := a.db.Read(ctx, clerk, func(tx *db.Tx) error {
		n, err := db.One[int64](tx, `SELECT COUNT(*) FROM settlements WHERE tenant_id = $1`)
		done = n > 0
		return err
	})
	if err != nil || done {
		return err
	}
	if err := a.db.Write(ctx, clerk, func(tx *db.Tx) error { return a.demoLink(tx) }); err != nil {
		return err
	}
	weeks := calendar.Recent(calendar.DateOf(a.db.Now(), a.settings.Instance.Location(), 0), demoWeeks+1)
	for n := demoWeeks; n > 1; n-- {
		if err := a.db.Write(ctx, clerk, func(tx *db.Tx) error { return a.demoWeek(tx, weeks[n], n > 2) }); err != nil {
			return err
		}
	}
	return a.db.Write(ctx, clerk, a.demoMessage)
}

// demoMessage writes to everybody what a fleet writes. The drivers have read it, and what they were told of their payouts.
func (a *App) demoMessage(tx *db.Tx) error {
	ids, err := drivers.IDs(tx, drivers.Filter{State: "active"})
	if err != nil {
		return err
	}
	language := i18n.Language(a.settings.Instance.Language)
	_, err = a.messages.Commission(tx, messages.Draft{Channels: []messages.Channel{messages.Board}, Pinned: true,
		To: messages.Audience{Drivers: ids},
		Text: messages.Text{Language: language, Topic: i18n.Of(language, "notes:demo_topic"),
			Content: i18n.Of(language, "notes:demo_content", "name", "{first_name}", "partner", "{partner}")}})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := messages.ReadAll(tx, id); err != nil {
			return err
		}
	}
	return nil
}

// demoWeek settles a week and, where it is long ago, pays it.
func (a *App) demoWeek(tx *db.Tx, week calendar.Period, paid bool) error {
	p, err := a.settlements.Preview(tx, settlements.Selection{Filter: settlements.PendingFilter{Period: week}})
	if errors.Is(err, settlements.ErrNothing) || err == nil && p.Drivers == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if err := p.Keep(tx); err != nil {
		return err
	}
	if _, err := a.settlements.Start(tx, p.ID, settlements.StartOptions{Share: true, Partial: true, Unfinished: true}); err != nil || !paid {
		return err
	}
	made, err := settlements.List(tx, settlements.Filter{RunID: p.ID, Page: 1, Size: 1000})
	if err != nil {
		return err
	}
	today := calendar.DateOf(tx.Now, a.settings.Instance.Location(), 0)
	for _, s := range made.Items {
		if s.AbsorbedInto != "" {
			continue
		}
		if err := a.settlements.MarkPaid(tx, s.ID, 0, today); err != nil {
			return err
		}
	}
	return nil
}

// demoLink makes the first driver the one who can sign in.
func (a *App) demoLink(tx *db.Tx) error {
	profile, err := db.One[struct {
		ID        string
		UpdatedAt time.Time
	}](tx, `SELECT id, updated_at FROM driver_profiles WHERE tenant_id = $1 AND state = 'new' ORDER BY id LIMIT 1`)
	if errors.Is(err, db.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	driver, err := db.One[struct {
		ID      string
		Version int64
	}](tx, `SELECT id, version FROM drivers WHERE tenant_id = $1 AND account_id = '' AND contract_number = $2`, contracts+"000001")
	if errors.Is(err, db.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = accounts.LinkProfile(tx, a.demoBook(), profile.ID,
		accounts.Link{DriverID: driver.ID, Version: driver.Version, ProfileAt: profile.UpdatedAt,
			Take: []string{accounts.TakeName, accounts.TakeEmail, accounts.TakePhone}})
	return err
}
