package documents

import (
	"slices"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/messages"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// Acceptance is what the partner saw on a document.
type Acceptance struct {
	Version int64
	Number  string
	ValidTo calendar.Date
	NoEnd   bool
}

// Accept takes a document as it is, or as the partner read it. An older one of its kind is replaced. Accepted already, only what was read
// is changed.
func (s *Service) Accept(tx *db.Tx, id string, a Acceptance) (Document, error) {
	d, err := Of(tx, Partner, id)
	if err != nil {
		return d, err
	}
	t, err := s.typeOf(tx, d.TypeID)
	if err != nil {
		return d, err
	}
	switch {
	case d.Version != a.Version:
		return d, ErrChanged
	case d.State == Replaced:
		return d, ErrState.With("state", string(d.State))
	case !d.ErasedAt.IsZero():
		return d, ErrErased
	}
	f := validate.New(ErrInvalid)
	details := Details{TypeID: d.TypeID, Vehicle: d.Vehicle, Number: a.Number, ValidTo: a.ValidTo, NoEnd: a.NoEnd}.normal(f, &t)
	if err := f.Err(); err != nil {
		return d, err
	}
	before := d.view()
	d.State, d.ValidTo, d.NumberSealed, d.Note, d.EraseAt = Accepted, details.ValidTo, s.sealed(tx, details.Number), "", time.Time{}
	d.DecidedAt, d.DecidedBy = tx.Now, tx.Actor.Name
	if err := replace(tx, &d, []State{Accepted}); err != nil {
		return d, err
	}
	if err := d.store(tx); err != nil {
		return d, err
	}
	if err := messages.TakeBack(tx, d.ID, messages.DocumentRejected); err != nil {
		return d, err
	}
	return d, audit.Record(tx, audit.Change{Action: "documents.accept", Kind: kindOfDocument, ID: id, Before: before, After: d.view()})
}

// Reject refuses a document, also one that was accepted before, and tells the driver why.
func (s *Service) Reject(tx *db.Tx, id string, version int64, text string) (Document, error) {
	d, err := Of(tx, Partner, id)
	if err != nil {
		return d, err
	}
	f := validate.New(ErrInvalid)
	if text = strings.TrimSpace(text); text == "" {
		f.Wrong("text", fault.Required)
	} else if len([]rune(text)) > NoteMax {
		f.Wrong("text", fault.TooLong)
	}
	if err := f.Err(); err != nil {
		return d, err
	}
	switch {
	case d.State == Rejected && d.Note == text:
		return d, nil
	case d.Version != version:
		return d, ErrChanged
	case d.State == Replaced:
		return d, ErrState.With("state", string(d.State))
	}
	before := d.view()
	d.State, d.Note, d.DecidedAt, d.DecidedBy, d.EraseAt = Rejected, text, tx.Now, tx.Actor.Name, tx.Now.Add(erasedAfter)
	if err := d.store(tx); err != nil {
		return d, err
	}
	if err := audit.Record(tx, audit.Change{Action: "documents.reject", Kind: kindOfDocument, ID: id, Before: before, After: d.view(),
		Reason: text}); err != nil {
		return d, err
	}
	t, err := s.typeOf(tx, d.TypeID)
	if err != nil {
		return d, err
	}
	return d, tell(tx, messages.DocumentRejected, d.DriverID, d.ID, &t, map[string]string{"text": text, "vehicle": d.Vehicle})
}

// Remove takes a document away: a driver what waits, the partner anything. It is erased later.
func (s *Service) Remove(tx *db.Tx, who Person, id string, version int64) error {
	d, err := Of(tx, who, id)
	if err != nil {
		return err
	}
	switch {
	case d.Version != version:
		return ErrChanged
	case d.State == Replaced || who.Side == ByDriver && d.State != Waiting:
		return ErrState.With("state", string(d.State))
	}
	before := d.view()
	d.State, d.EraseAt = Replaced, tx.Now.Add(erasedAfter)
	if err := d.store(tx); err != nil {
		return err
	}
	if err := messages.TakeBack(tx, id, messages.DocumentRejected); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "documents.remove", Kind: kindOfDocument, ID: id, Before: before, After: d.view()})
}

// Keep says why a document is not erased when its time comes; without a reason it is erased then.
func Keep(tx *db.Tx, id string, version int64, reason string) (Document, error) {
	d, err := Of(tx, Partner, id)
	if err != nil {
		return d, err
	}
	f := validate.New(ErrInvalid)
	reason = f.Text("reason", reason, 200, false)
	if err := f.Err(); err != nil {
		return d, err
	}
	switch {
	case !d.ErasedAt.IsZero():
		return d, ErrErased
	case d.KeptFor == reason:
		return d, nil
	case d.Version != version:
		return d, ErrChanged
	}
	d.KeptFor = reason
	if err := d.store(tx); err != nil {
		return d, err
	}
	return d, audit.Record(tx, audit.Change{Action: "documents.keep", Kind: kindOfDocument, ID: id, After: d.view(), Reason: reason})
}

// Looked leaves in the trail that somebody of the partner looked at a document.
func Looked(tx *db.Tx, action, id string) error {
	return audit.Record(tx, audit.Change{Action: action, Kind: kindOfDocument, ID: id})
}

// Trail is what happened to a document, oldest first.
func Trail(tx *db.Tx, id string) ([]audit.Entry, error) { return audit.Of(tx, kindOfDocument, id) }

// tell puts something about a document on the driver's board. A type of the partner's own brings its names along.
func tell(tx *db.Tx, kind messages.Kind, driver, object string, t *Type, params map[string]string) error {
	params["type"], params["document"] = t.ID, t.ID
	if !t.Ready {
		params["document"] = ""
		for _, language := range i18n.Languages {
			params["document."+string(language)] = t.Named(language)
		}
	}
	return messages.Tell(tx, messages.Notice{Kind: kind, DriverID: driver, ObjectID: object, Params: params})
}

// ImageOf is one side of a document that a person may see.
func ImageOf(tx *db.Tx, who Person, document, image string) (Document, Image, error) {
	d, err := Of(tx, who, document)
	if err != nil {
		return d, Image{}, err
	}
	if !d.ErasedAt.IsZero() {
		return d, Image{}, ErrErased
	}
	all, err := ImagesOf(tx, document)
	at := slices.IndexFunc(all, func(i Image) bool { return i.ID == image })
	if err == nil && at < 0 {
		err = ErrNotFound
	}
	if err != nil {
		return d, Image{}, err
	}
	return d, all[at], nil
}
