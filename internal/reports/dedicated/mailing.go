package dedicated

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/reports/query"
)

// The jobs of this package. DueKind is to be run every few minutes; SendKind alone.
const (
	DueKind  = "reports.due"
	SendKind = "reports.send"
)

// DueEvery is how often schedules are looked at.
const DueEvery = 5 * time.Minute

// attachedMost is what every mail server takes, also as text, which is a third more.
const attachedMost = 5 << 20

// slotsKept is how often a schedule is due, at least as its slots are remembered.
const slotsKept = 31 * 24 * time.Hour

// sending is the payload of a job of SendKind.
type sending struct {
	Schedule string    `json:"schedule"`
	Slot     time.Time `json:"slot"`
}

// Due leaves a job for each schedule that is due. Whatever was missed meanwhile is sent once, as of the last slot.
func (s *Service) Due(ctx context.Context, run *jobs.Run) error {
	var tenants []string
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		tenants, err = db.Select[string](tx.Across(), `SELECT DISTINCT tenant_id FROM report_schedules WHERE next_at <> '' AND next_at <= $1
			ORDER BY tenant_id`, tx.Now)
		return err
	}); err != nil {
		return err
	}
	for _, tenant := range tenants {
		if err := run.Write(ctx, func(tx *db.Tx) error {
			return tx.As(Scope(tenant), func() error { return s.leave(tx) })
		}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) leave(tx *db.Tx) error {
	due, err := db.Select[keptSchedule](tx, `SELECT `+scheduleColumns+` FROM report_schedules WHERE tenant_id = $1 AND next_at <> ''
		AND next_at <= $2 ORDER BY id`, tx.Now)
	if err != nil {
		return err
	}
	for i := range due {
		k := &due[i]
		kept, err := k.schedule()
		if err != nil {
			return err
		}
		slot := kept.due(tx.Now, s.Instance.Location(), false)
		if slot.Before(k.NextAt) {
			slot = k.NextAt
		}
		taken, err := jobs.TakeSlot(tx, "report "+k.ID, slot, slotsKept)
		if err != nil {
			return err
		}
		if taken {
			order := jobs.Order{Kind: SendKind, Payload: sending{k.ID, slot}, Key: k.ID + "@" + db.Instant(slot)}
			if err := jobs.Enqueue(tx, order); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(`UPDATE report_schedules SET next_at = $3 WHERE tenant_id = $1 AND id = $2`, k.ID,
			kept.due(tx.Now, s.Instance.Location(), true)); err != nil {
			return err
		}
	}
	return nil
}

// prepared is what a slot of a schedule would send.
type prepared struct {
	keptSchedule
	plan       Plan
	report     Report
	recipients []identity.Person
	asking     Asking
	day        calendar.Date // of the slot
}

// prepare reads what a slot sends now; a reason says why it can not. Whoever is no member any more gets nothing.
func (s *Service) prepare(tx *db.Tx, schedule string, slot time.Time) (p prepared, why Reason, err error) {
	if p.keptSchedule, err = keptByID(tx, schedule); err != nil {
		return p, "", err
	}
	kept, err := p.schedule()
	if err != nil {
		return p, "", err
	}
	p.plan, p.day = kept.Plan, calendar.DateOf(slot, s.Instance.Location(), 0)
	p.report, err = find(tx, p.ReportID)
	if errors.Is(err, ErrNotFound) || err == nil && (!p.report.Enabled || p.report.Parsed == nil || p.report.Audience != query.ForPartner) {
		return p, Definition, nil
	}
	if err != nil {
		return p, "", err
	}
	p.asking = Asking{Report: p.report.ID, Audience: query.ForPartner, Parameters: p.plan.Parameters}
	if _, err := s.question(p.report.Parsed, p.plan.Parameters, p.day, i18n.Default); err != nil {
		return p, Definition, nonFault(err)
	}
	members, err := activeMembers(tx)
	for _, m := range members {
		if slices.Contains(p.plan.Recipients, m.ID) {
			p.recipients = append(p.recipients, m)
		}
	}
	if err == nil && len(p.recipients) == 0 {
		why = Recipients
	}
	return p, why, err
}

// nonFault is an error that says nothing to people.
func nonFault(err error) error {
	if f := new(fault.Fault); errors.As(err, &f) {
		return nil
	}
	return err
}

func (s *Service) languageOf(m identity.Person) i18n.Language {
	return i18n.ParseOr(m.Language, i18n.Language(s.Instance.Language))
}

// jobMost is how long a report of a job may take: it lets people go first.
const jobMost = 3 * statementMost

// made makes the file of a slot in a language.
func (s *Service) made(ctx context.Context, run *jobs.Run, p *prepared, l i18n.Language) (m Made, file bytes.Buffer, err error) {
	a := p.asking
	a.Language = l
	err = timed(ctx, cmp.Or(s.Limit, jobMost), func(ctx context.Context) error {
		return run.Read(ctx, func(tx *db.Tx) (err error) {
			file.Reset()
			m, err = s.write(tx, &p.report, a, p.Format, &file, p.day)
			return err
		})
	})
	return m, file, err
}

// Send is the handler of SendKind: it mails the report of a slot to whoever may have it.
func (s *Service) Send(ctx context.Context, run *jobs.Run) error {
	var o sending
	if err := run.Into(&o); err != nil {
		return jobs.Permanent(err)
	}
	var p prepared
	var why Reason
	err := run.Read(ctx, func(tx *db.Tx) (err error) { p, why, err = s.prepare(tx, o.Schedule, o.Slot); return err })
	if errors.Is(err, ErrScheduleUnknown) {
		return nil // removed meanwhile
	}
	if err != nil {
		return err
	}
	sizes := map[i18n.Language]int{}
	for _, m := range p.recipients {
		l := s.languageOf(m)
		if _, known := sizes[l]; known || why != "" {
			continue
		}
		_, file, err := s.made(ctx, run, &p, l)
		switch {
		case errors.Is(err, ErrTooLarge), errors.Is(err, ErrTooSlow) && run.Attempts > 1:
			why = Size
		case err != nil:
			return err
		}
		sizes[l] = file.Len()
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		if err := s.conclude(tx, o, why, sizes); err != nil {
			return err
		}
		return run.Finish(tx)
	})
}

// conclude writes the mails of a slot, or pauses its schedule, by how things are in the unit of work that does so.
func (s *Service) conclude(tx *db.Tx, o sending, why Reason, sizes map[i18n.Language]int) error {
	p, now, err := s.prepare(tx, o.Schedule, o.Slot)
	if errors.Is(err, ErrScheduleUnknown) || err == nil && p.Paused {
		return nil
	}
	if err != nil {
		return err
	}
	if why = cmp.Or(now, why); why != "" {
		return s.pause(tx, &p, o.Slot, why)
	}
	brand, err := partners.MailBrand(tx)
	if err != nil {
		return err
	}
	for _, m := range p.recipients {
		l := s.languageOf(m)
		if _, err := s.Mails.Enqueue(tx, s.mail(&p, brand, m, l, o, sizes[l] <= attachedMost)); err != nil {
			return err
		}
	}
	if s.Delivered != nil {
		if err := s.Delivered(tx, s.slotFile(&p, o)); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(`UPDATE report_schedules SET last_at = $3, sent = $4 WHERE tenant_id = $1 AND id = $2`, p.ID, o.Slot,
		len(p.recipients)); err != nil {
		return err
	}
	to := []string{}
	for _, m := range p.recipients {
		to = append(to, m.ID)
	}
	return audit.Record(tx, audit.Change{Action: "reports.mail", Kind: kindOfSchedule, ID: p.ID,
		After: map[string]any{"report": p.report.Code, "slot": db.Instant(o.Slot), "format": p.Format, "recipients": to}})
}

func (s *Service) mail(p *prepared, brand mail.Brand, m identity.Person, l i18n.Language, o sending, attached bool) mail.Message {
	title, link := p.report.Title(l), s.PublicURL+"/app/report/"+p.report.Code
	subject := i18n.Of(l, "report-model:mail.subject_undated", "title", title)
	if p.report.Parsed.Dated() {
		if from, to, err := days(p.plan.Parameters, p.day); err == nil {
			link += "?from=" + string(from) + "&to=" + string(to)
			between := strings.ReplaceAll(i18n.Days(l, from, to), "\u00a0", " ")
			subject = i18n.Of(l, "report-model:mail.subject", "title", title, "days", between)
		}
	}
	key := "report-model:mail.linked"
	if attached {
		key = "report-model:mail.attached"
	}
	return mail.Message{To: mail.Address{Name: m.Name, Address: m.Email}, Brand: brand,
		Actions: []mail.Action{{Address: link, Label: i18n.Of(l, "report-model:mail.open")}}, Subject: subject,
		Text:     i18n.Of(l, key, "name", m.Name, "title", title, "partner", brand.Name, "link", link, "owner", p.OwnerName),
		Language: string(l), FileOf: filePrefix + db.JSON(attachment{o.Schedule, o.Slot, m.ID, attached}), Counted: true,
		Key: "report " + o.Schedule + " " + db.Instant(o.Slot) + " " + m.ID}
}

// pause stops a schedule and tells its owner why.
func (s *Service) pause(tx *db.Tx, p *prepared, slot time.Time, why Reason) error {
	n, err := tx.Exec(`UPDATE report_schedules SET paused = TRUE, reason = $3, next_at = '', version = version + 1, changed_at = $4
		WHERE tenant_id = $1 AND id = $2 AND NOT paused`, p.ID, string(why), tx.Now)
	if err != nil || n == 0 {
		return err
	}
	if err := audit.Record(tx, audit.Change{Action: "reports.pause", Kind: kindOfSchedule, ID: p.ID,
		After: map[string]any{"reason": why, "slot": db.Instant(slot)}}); err != nil {
		return err
	}
	members, err := activeMembers(tx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(members, func(m identity.Person) bool { return m.ID == p.Owner })
	if at < 0 {
		return nil // nobody to tell: the list of schedules says it
	}
	brand, err := partners.MailBrand(tx)
	if err != nil {
		return err
	}
	m := members[at]
	l, link := s.languageOf(m), s.PublicURL+"/app/reports"
	title := cmp.Or(p.report.Title(l), p.ReportID)
	_, err = s.Mails.Enqueue(tx, mail.Message{To: mail.Address{Name: m.Name, Address: m.Email}, Brand: brand, Language: string(l),
		Counted: true, Actions: []mail.Action{{Address: link, Label: i18n.Of(l, "report-model:mail.open")}},
		Subject: i18n.Of(l, "report-model:mail.paused_subject", "title", title),
		Text: i18n.Of(l, "report-model:mail.paused", "name", m.Name, "title", title, "partner", brand.Name, "link", link,
			"reason", i18n.Of(l, "report-model:mail.reason_"+string(why))),
		Key: "report " + p.ID + " " + db.Instant(slot) + " paused"})
	return err
}

// filePrefix is what the files of these mails begin with.
const filePrefix = "report "

type attachment struct {
	Schedule string    `json:"schedule"`
	Slot     time.Time `json:"slot"`
	Member   string    `json:"member"`
	Attached bool      `json:"attached"`
}

// Attaches says whether a file of a mail is made here.
func Attaches(of string) bool { return strings.HasPrefix(of, filePrefix) }

// Attach makes the file of a mail while it is sent. A mail to somebody who is no recipient any more, or no member, is not sent.
func (s *Service) Attach(ctx context.Context, run *jobs.Run, of string) (*mail.Attachment, error) {
	var a attachment
	if err := json.Unmarshal([]byte(strings.TrimPrefix(of, filePrefix)), &a); err != nil {
		return nil, err
	}
	var p prepared
	var why Reason
	err := run.Read(ctx, func(tx *db.Tx) (err error) { p, why, err = s.prepare(tx, a.Schedule, a.Slot); return err })
	at := slices.IndexFunc(p.recipients, func(m identity.Person) bool { return m.ID == a.Member })
	if errors.Is(err, ErrScheduleUnknown) || err == nil && (why != "" || at < 0) {
		return nil, mail.ErrWithdrawn
	}
	if err != nil || !a.Attached {
		return nil, err
	}
	m, file, err := s.made(ctx, run, &p, s.languageOf(p.recipients[at]))
	if err != nil || file.Len() > attachedMost {
		return nil, err
	}
	return &mail.Attachment{Name: m.FileName(), Type: p.Format.MediaType(), Data: file.Bytes()}, nil
}
