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
	"saldo/internal/questions"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
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
	if err := a.db.Write(ctx, clerk, a.demoMessage); err != nil {
		return err
	}
	return a.demoInvoices(ctx, clerk, p)
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
	if err := a.demoQuestions(tx, language); err != nil {
		return err
	}
	for _, id := range ids {
		if err := messages.ReadAll(tx, id); err != nil {
			return err
		}
	}
	return nil
}

// demoQuestions has two drivers ask about their newest settlement: the one who can sign in got an answer, another waits for it.
func (a *App) demoQuestions(tx *db.Tx, language i18n.Language) error {
	asked, err := db.Select[struct{ ID, DriverID string }](tx, `SELECT s.id, s.driver_id FROM settlements s
		JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id WHERE s.tenant_id = $1 AND s.shared_at <> ''
		ORDER BY CASE WHEN d.account_id = '' THEN 1 ELSE 0 END, s.last_on DESC, s.number LIMIT 1`)
	if err != nil || len(asked) == 0 {
		return err
	}
	waits, err := db.Select[struct{ ID, DriverID string }](tx, `SELECT id, driver_id FROM settlements WHERE tenant_id = $1 AND shared_at <> ''
		AND driver_id <> $2 ORDER BY last_on DESC, number LIMIT 1`, asked[0].DriverID)
	if err != nil {
		return err
	}
	for i, s := range append(asked, waits...) {
		e, err := a.settlements.Explain(tx, s.ID)
		if err != nil {
			return err
		}
		lines, err := e.Lines(engine.CashAsOne)
		if err != nil {
			return err
		}
		about := questions.Subject{SettlementID: s.ID}
		text, group := "notes:demo_question", engine.DeductionsGroup
		if i > 0 {
			text, group = "notes:demo_waiting", engine.EarningsGroup
		}
		for _, l := range lines {
			if l.Group == group {
				about.Figure, about.Provider = l.Name, l.Provider
			}
		}
		t, err := questions.Ask(tx, a.settlements, s.DriverID, about, i18n.Of(language, text))
		if err != nil || i > 0 {
			return err
		}
		reply := questions.Reply{Text: i18n.Of(language, "notes:demo_answer"), Seen: 1}
		if _, err := questions.Answer(tx, a.settings.Instance, t.ID, reply); err != nil {
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
	}](tx, `SELECT id, version FROM drivers WHERE tenant_id = $1 AND account_id = '' AND contract_number = $2`, contractPrefix+"000001")
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
