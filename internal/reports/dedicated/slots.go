package dedicated

import (
	"context"
	"errors"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
)

// SlotFile is the report of a slot, as it goes elsewhere than into mails: in the language of the instance.
type SlotFile struct {
	Schedule string
	Slot     time.Time
	Day      calendar.Date // of the slot
	Name     string        // without the ending
	Format   Format
}

func (s *Service) slotFile(p *prepared, o sending) SlotFile {
	f := SlotFile{Schedule: o.Schedule, Slot: o.Slot, Day: p.day, Name: p.report.Title(i18n.Language(s.Instance.Language)), Format: p.Format}
	if p.report.Parsed.Dated() {
		if from, to, err := days(p.plan.Parameters, p.day); err == nil {
			f.Name += " " + string(from) + " " + string(to)
		}
	}
	return f
}

// MakeSlot makes the report of a slot. Where the schedule is gone, or its report cannot be made any more, it is ErrScheduleUnknown.
func (s *Service) MakeSlot(ctx context.Context, run *jobs.Run, schedule string, slot time.Time) ([]byte, Format, error) {
	var p prepared
	var why Reason
	if err := run.Read(ctx, func(tx *db.Tx) (err error) { p, why, err = s.prepare(tx, schedule, slot); return err }); err != nil {
		return nil, "", err
	}
	if why != "" {
		return nil, "", ErrScheduleUnknown
	}
	_, file, err := s.made(ctx, run, &p, i18n.Language(s.Instance.Language))
	if errors.Is(err, ErrTooLarge) {
		err = ErrScheduleUnknown
	}
	return file.Bytes(), p.Format, err
}
