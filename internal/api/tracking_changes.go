package api

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/tracking"
)

// SentEntry is what a phone says of an entry besides its content.
type SentEntry struct {
	Version   int64     `json:"version" required:"false" minimum:"0" doc:"that the person saw; 0: it is new"`
	Partner   string    `json:"partner" required:"false" maxLength:"64" doc:"partner that it was made for; empty: any"`
	Device    string    `json:"device" required:"false" maxLength:"100" doc:"an id by which the phone knows its own changes"`
	EnteredAt time.Time `json:"enteredAt,omitzero" doc:"by the clock of the device"`
	SentAt    time.Time `json:"sentAt,omitzero" doc:"now, by the clock of the device"`
	Reason    string    `json:"reason" required:"false" maxLength:"1000" doc:"of a partner's change, told to the driver"`
}

func (e *SentEntry) stated() tracking.Said {
	return tracking.Said{Version: e.Version, Device: e.Device, Phone: e.Device != "", EnteredAt: e.EnteredAt, SentAt: e.SentAt,
		Reason: e.Reason}
}

func (f *TripFields) details() tracking.TripDetails {
	return tracking.TripDetails{OccurredOn: f.OccurredOn, StartAt: f.StartAt, EndAt: f.EndAt, StartPlace: f.StartPlace,
		EndPlace: f.EndPlace, Amount: f.Amount, Payment: f.Payment}
}

func (f *WorkFields) details() tracking.TimeDetails {
	return tracking.TimeDetails{StartedAt: f.StartedAt, EndedAt: f.EndedAt, BreakMinutes: f.BreakMinutes, MileageStart: f.MileageStart,
		MileageEnd: f.MileageEnd, Plate: f.Plate, Note: f.Note}
}

// SentTrip is a trip as it is sent.
type SentTrip struct {
	SentEntry
	TripFields
}

// SentWork is working time as it is sent.
type SentWork struct {
	SentEntry
	WorkFields
}

// NewTrip is a trip with the id that its phone gave it.
type NewTrip struct {
	ID string `json:"id" format:"uuid" maxLength:"36" doc:"made by the phone, in small letters"`
	SentTrip
}

// NewWork is working time with the id that its phone gave it.
type NewWork struct {
	ID string `json:"id" format:"uuid" maxLength:"36"`
	SentWork
}

// standing adds to a refused change what stays at the server, so that a person can choose between both.
func standing[T any](err error, current func() (T, error)) error {
	for _, refusal := range []*fault.Fault{tracking.ErrChanged, tracking.ErrSettled} {
		if !errors.Is(err, refusal) {
			continue
		}
		entry, failed := current()
		if failed != nil {
			return failed
		}
		text, failed := json.Marshal(entry)
		if failed != nil {
			return failed
		}
		return refusal.With("current", string(text))
	}
	return err
}

func (s Settings) putTrip(tx *db.Tx, driver, id string, b *SentTrip) (out Trip, err error) {
	_, _, err = s.Tracking.SaveTrip(tx, trackingPerson(driver), id, b.TripFields.details(), b.stated())
	current := func() (Trip, error) { return s.oneTrip(tx, id) }
	if err != nil {
		return out, standing(err, current)
	}
	return current()
}

func (s Settings) putWork(tx *db.Tx, driver, id string, b *SentWork) (out WorkEntry, err error) {
	_, _, err = s.Tracking.SaveTime(tx, trackingPerson(driver), id, b.WorkFields.details(), b.stated())
	current := func() (WorkEntry, error) { return s.oneWork(tx, id) }
	if err != nil {
		return out, standing(err, current)
	}
	return current()
}

func (s Settings) addTrip(tx *db.Tx, who access.Actor, in *struct{ Body NewTrip }) (out Trip, err error) {
	err = asTracked(tx, who, in.Body.Partner, func(driver string) (err error) {
		out, err = s.putTrip(tx, driver, in.Body.ID, &in.Body.SentTrip)
		return err
	})
	return out, err
}

func (s Settings) addTime(tx *db.Tx, who access.Actor, in *struct{ Body NewWork }) (out WorkEntry, err error) {
	err = asTracked(tx, who, in.Body.Partner, func(driver string) (err error) {
		out, err = s.putWork(tx, driver, in.Body.ID, &in.Body.SentWork)
		return err
	})
	return out, err
}

// changeEntry changes an entry as the partner, or as the driver, whose entry may be for another partner; once for the key of the request.
func changeEntry[Out any](s Settings, ctx context.Context, c web.Call, partner, sum string, do func(tx *db.Tx, driver string) (Out,
	error)) (out Out, err error) {
	err = s.DB.Write(ctx, scopeOf(c), func(tx *db.Tx) error {
		out, _, err = web.Once(tx, c.Key, sum, func() (out Out, err error) {
			if c.Actor.Role != access.Driver {
				return do(tx, "")
			}
			err = asTracked(tx, c.Actor, partner, func(driver string) error { out, err = do(tx, driver); return err })
			return out, err
		})
		return err
	})
	return out, err
}

func (s Settings) saveTrip(ctx context.Context, c web.Call, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body SentTrip
}) (out Trip, err error) {
	sum, err := web.Sum("save-trip", in)
	if err != nil {
		return out, err
	}
	return changeEntry(s, ctx, c, in.Body.Partner, sum, func(tx *db.Tx, driver string) (Trip, error) {
		return s.putTrip(tx, driver, in.ID, &in.Body)
	})
}

func (s Settings) saveTime(ctx context.Context, c web.Call, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body SentWork
}) (out WorkEntry, err error) {
	sum, err := web.Sum("save-time-entry", in)
	if err != nil {
		return out, err
	}
	return changeEntry(s, ctx, c, in.Body.Partner, sum, func(tx *db.Tx, driver string) (WorkEntry, error) {
		return s.putWork(tx, driver, in.ID, &in.Body)
	})
}

// seenEntry names an entry as a person saw it.
type seenEntry struct {
	ID      string `path:"id" maxLength:"64"`
	Version int64  `query:"version" required:"true" minimum:"1"`
	Partner string `query:"partner" maxLength:"64"`
}

func (s Settings) removeTrip(tx *db.Tx, who access.Actor, in *seenEntry) (out Trip, err error) {
	err = asTracked(tx, who, in.Partner, func(driver string) error {
		_, err := tracking.DeleteTrip(tx, tracking.Driver(driver), in.ID, in.Version)
		current := func() (Trip, error) { return s.oneTrip(tx, in.ID) }
		if err == nil {
			out, err = current()
		}
		return standing(err, current)
	})
	return out, err
}

func (s Settings) removeTime(tx *db.Tx, who access.Actor, in *seenEntry) (out WorkEntry, err error) {
	err = asTracked(tx, who, in.Partner, func(driver string) error {
		_, err := tracking.DeleteTime(tx, tracking.Driver(driver), in.ID, in.Version)
		current := func() (WorkEntry, error) { return s.oneWork(tx, in.ID) }
		if err == nil {
			out, err = current()
		}
		return standing(err, current)
	})
	return out, err
}

// EntryRefusal says why an entry does not count.
type EntryRefusal struct {
	Version int64  `json:"version" minimum:"1"`
	Reason  string `json:"reason" maxLength:"1000" doc:"told to the driver; empty: it counts again"`
}

type refusedEntry struct {
	ID   string `path:"id" maxLength:"64"`
	Body EntryRefusal
}

func (s Settings) refuseTrip(tx *db.Tx, in *refusedEntry) (out Trip, err error) {
	current := func() (Trip, error) { return s.oneTrip(tx, in.ID) }
	if _, err := tracking.RefuseTrip(tx, in.ID, in.Body.Version, in.Body.Reason); err != nil {
		return out, standing(err, current)
	}
	return current()
}

func (s Settings) refuseTime(tx *db.Tx, in *refusedEntry) (out WorkEntry, err error) {
	current := func() (WorkEntry, error) { return s.oneWork(tx, in.ID) }
	if _, err := tracking.RefuseTime(tx, in.ID, in.Body.Version, in.Body.Reason); err != nil {
		return out, standing(err, current)
	}
	return current()
}

// TrackingBatch is what a phone has collected, in its order.
type TrackingBatch struct {
	Partner string        `json:"partner" required:"false" maxLength:"64"`
	Device  string        `json:"device" required:"false" maxLength:"100"`
	SentAt  time.Time     `json:"sentAt,omitzero"`
	Entries []BatchedItem `json:"entries" nullable:"false" minItems:"1" maxItems:"50"`
}

// BatchedItem is a change of one entry: with a trip or working time it is saved, with neither it is taken away.
type BatchedItem struct {
	ID        string      `json:"id" maxLength:"36"`
	Kind      string      `json:"kind" enum:"trip,time"`
	Version   int64       `json:"version" required:"false" minimum:"0"`
	EnteredAt time.Time   `json:"enteredAt,omitzero"`
	Trip      *TripFields `json:"trip,omitempty"`
	Time      *WorkFields `json:"time,omitempty"`
}

// BatchAnswers has an answer for each entry, in their order.
type BatchAnswers struct {
	Answers    []BatchAnswer `json:"answers" nullable:"false"`
	ServerTime time.Time     `json:"serverTime"`
}

// BatchAnswer is what became of an entry.
type BatchAnswer struct {
	ID     string             `json:"id"`
	Result string             `json:"result" enum:"done,same,conflict,refused" doc:"conflict: somebody else changed it, or it is settled"`
	Code   web.FaultCode      `json:"code,omitempty" doc:"of a conflict or a refusal"`
	Fields []web.ProblemField `json:"fields,omitempty" nullable:"false"`
	Trip   *Trip              `json:"trip,omitempty" doc:"as it is at the server now"`
	Time   *WorkEntry         `json:"time,omitempty" doc:"the same"`
}

func (s Settings) sendTracking(tx *db.Tx, who access.Actor, in *struct{ Body TrackingBatch }) (out BatchAnswers, err error) {
	out.Answers, out.ServerTime = []BatchAnswer{}, tx.Now
	err = asTracked(tx, who, in.Body.Partner, func(driver string) error {
		for i := range in.Body.Entries {
			answer, err := s.sendOne(tx, tracking.Driver(driver), &in.Body, &in.Body.Entries[i])
			if err != nil {
				return err
			}
			out.Answers = append(out.Answers, answer)
		}
		return nil
	})
	return out, err
}

// sendOne does what one entry of a batch asks for. What is refused has written nothing, so that the others go on.
func (s Settings) sendOne(tx *db.Tx, who tracking.Person, batch *TrackingBatch, item *BatchedItem) (a BatchAnswer, err error) {
	said := tracking.Said{Version: item.Version, Device: batch.Device, Phone: true, EnteredAt: item.EnteredAt, SentAt: batch.SentAt}
	same := false
	switch ofTrip := item.Kind == string(tracking.OfTrip); {
	case ofTrip && item.Trip != nil:
		_, same, err = s.Tracking.SaveTrip(tx, who, item.ID, item.Trip.details(), said)
	case ofTrip:
		_, err = tracking.DeleteTrip(tx, who, item.ID, item.Version)
	case item.Time != nil:
		_, same, err = s.Tracking.SaveTime(tx, who, item.ID, item.Time.details(), said)
	default:
		_, err = tracking.DeleteTime(tx, who, item.ID, item.Version)
	}
	a = BatchAnswer{ID: item.ID, Result: map[bool]string{true: "same", false: "done"}[same]}
	refused := new(fault.Fault)
	if errors.As(err, &refused) {
		a.Code = web.FaultCode(refused.Code)
		for _, f := range refused.Fields {
			a.Fields = append(a.Fields, web.ProblemField{Name: f.Name, Code: web.FieldCode(f.Code), Params: f.Params})
		}
		if a.Result = "refused"; !errors.Is(err, tracking.ErrChanged) && !errors.Is(err, tracking.ErrSettled) {
			return a, nil
		}
		a.Result = "conflict"
	} else if err != nil {
		return a, err
	}
	if item.Kind == string(tracking.OfTrip) {
		t, err := s.oneTrip(tx, item.ID)
		a.Trip = &t
		return a, err
	}
	t, err := s.oneWork(tx, item.ID)
	a.Time = &t
	return a, err
}
