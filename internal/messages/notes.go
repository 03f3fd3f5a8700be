package messages

import (
	"iter"
	"strconv"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// Kind is what a note is about.
type Kind string

// The kinds of notes.
const (
	OfMessage        Kind = "message"
	SettlementShared Kind = "settlement_shared"
	SettlementPaid   Kind = "settlement_paid"
	PayoutReturned   Kind = "payout_returned"
	QuestionAnswered Kind = "question_answered"
	QuestionClosed   Kind = "question_closed"
	InvoiceRejected  Kind = "invoice_rejected"
	InvoiceReturned  Kind = "invoice_returned" // to be described again
	InvoiceFeedback  Kind = "invoice_feedback"
	DocumentRejected Kind = "document_rejected"
	DocumentExpires  Kind = "document_expires"
	DocumentExpired  Kind = "document_expired"
	DocumentMissing  Kind = "document_missing"
	EntryRefused     Kind = "entry_refused" // a trip or working time
	EntryChanged     Kind = "entry_changed"
	KSeFPermission   Kind = "ksef_permission" // the driver has to give one
)

// Kinds are the kinds of notes that the program writes.
var Kinds = []Kind{SettlementShared, SettlementPaid, PayoutReturned, QuestionAnswered, QuestionClosed, InvoiceRejected, InvoiceReturned,
	InvoiceFeedback, DocumentRejected, DocumentExpires, DocumentExpired, DocumentMissing, EntryRefused, EntryChanged, KSeFPermission}

// mails says whether a note of this kind is mailed by a driver's choices. Mails of notes are asked for; those of documents and permissions
// come unless the driver wants none at all.
func (k Kind) mails(c Choices) bool {
	return c.NoteMails || c.MessageMails && (k == DocumentExpires || k == DocumentExpired || k == DocumentMissing || k == KSeFPermission)
}

// Notice is something that a driver is told by the program.
type Notice struct {
	Kind     Kind
	DriverID string
	ObjectID string            // of what: a settlement, a question
	Params   map[string]string // what its text says: days, amounts
}

// Tell puts a notice on the board of its driver. What happens again to the same object, such as a transfer that is paid, returned and
// paid again, is told again, by the same note.
func Tell(tx *db.Tx, n Notice) error {
	id, err := db.One[string](tx, `INSERT INTO notes (tenant_id, id, driver_id, message_id, kind, object_id, params, pinned, placed_at,
		read_at, confirmed_at, hidden_at) VALUES ($1, $2, $3, '', $4, $5, $6, FALSE, $7, '', '', '')
		ON CONFLICT (tenant_id, object_id, kind, driver_id) WHERE message_id = ''
		DO UPDATE SET params = excluded.params, placed_at = excluded.placed_at, read_at = '', hidden_at = '', taken_back = FALSE RETURNING id`,
		tx.NewID(), n.DriverID, string(n.Kind), n.ObjectID, db.JSON(n.Params), tx.Now)
	if err != nil {
		return err
	}
	return remind(tx, n.Kind, n.DriverID, id)
}

// TellNew puts notices of objects that are new, of which nothing was told, on the boards of their drivers.
func TellNew(tx *db.Tx, notices iter.Seq[Notice]) error {
	columns := db.Columns("id, driver_id, message_id, kind, object_id, params, pinned, placed_at, read_at, confirmed_at, hidden_at")
	told := map[string]Notice{} // by note
	_, err := tx.Insert("notes", columns, func(yield func([]any) bool) {
		for n := range notices {
			id := tx.NewID()
			told[id] = n
			if !yield([]any{id, n.DriverID, "", string(n.Kind), n.ObjectID, db.JSON(n.Params), false, db.Instant(tx.Now), "", "", ""}) {
				return
			}
		}
	})
	for note, n := range told {
		if err == nil {
			err = remind(tx, n.Kind, n.DriverID, note)
		}
	}
	return err
}

// TakeBack removes what was told of an object and holds no longer, from every board.
func TakeBack(tx *db.Tx, object string, kinds ...Kind) error {
	in, args := db.Among(4, kinds)
	_, err := tx.Exec(`UPDATE notes SET hidden_at = $2, taken_back = TRUE WHERE tenant_id = $1 AND message_id = '' AND object_id = $3
		AND NOT taken_back AND kind`+in, append([]any{tx.Now, object}, args...)...)
	return err
}

// says lists what the topic and the content of a note name.
var says = map[Kind][2][]string{
	SettlementShared: {{"days"}, {"days", "amount"}},
	SettlementPaid:   {{}, {"days", "amount", "paid"}},
	PayoutReturned:   {{}, {"days"}},
	QuestionAnswered: {{}, {"days"}}, QuestionClosed: {{}, {"days"}},
	InvoiceRejected:  {{"invoice"}, {"invoice", "reason", "text"}},
	InvoiceReturned:  {{"invoice"}, {"invoice", "text"}},
	InvoiceFeedback:  {{"invoice"}, {"invoice", "text"}},
	DocumentRejected: {{"document"}, {"document", "text"}}, DocumentMissing: {{"document"}, {"document"}},
	DocumentExpires: {{"document"}, {"document", "until"}}, DocumentExpired: {{"document"}, {"document", "until"}},
	EntryRefused: {{"entry"}, {"entry", "text"}}, EntryChanged: {{"entry"}, {"entry", "text"}},
	KSeFPermission: {{}, {"partner", "nip"}},
}

// placeholderOf is how the values of notes are named in texts that people write.
var placeholderOf = map[string]string{"days": "period", "amount": "payout", "paid": "paid_on", "nip": "nip", "partner": "partner",
	"invoice": "invoice", "reason": "reason", "text": "comment", "document": "document", "until": "valid_to", "entry": "entry"}

// Values are what the placeholders of a note stand for, beside those of its driver.
func (n *Note) Values(language i18n.Language, currency money.Currency) map[string]string {
	values := map[string]string{}
	day := func(name string) string { return i18n.Day(language, calendar.Date(n.Params[name])) }
	if n.Params["first"] != "" && n.Params["last"] != "" {
		values["period"] = day("first") + "–" + day("last")
	}
	if n.Params["paid"] != "" {
		values["paid_on"] = day("paid")
	}
	for _, name := range []string{"invoice", "nip"} {
		if n.Params[name] != "" {
			values[name] = n.Params[name]
		}
	}
	if text, has := n.Params["text"]; has {
		values["comment"] = text
	}
	if n.Params["until"] != "" {
		values["valid_to"] = day("until")
	}
	if document, has := n.Params["document"]; has {
		if values["document"] = n.Params["document."+string(language)]; document != "" {
			values["document"] = i18n.Of(language, "document-types:type."+document)
		}
	}
	if entry := n.Params["entry"]; entry != "" {
		values["entry"] = i18n.Of(language, "notes:entry_"+entry, "day", day("day"))
	}
	if reason := n.Params["reason"]; reason != "" {
		values["reason"] = i18n.Of(language, "notes:reason."+reason)
	}
	if amount, err := strconv.ParseInt(n.Params["amount"], 10, 64); err == nil {
		values["payout"] = i18n.Amount(language, money.Amount(amount)) + "\u00a0" + currency.Sign()
	}
	return values
}

// ValuesFor is what placeholders in the messages of a driver stand for.
func ValuesFor(tx *db.Tx, driver string) (map[string]string, error) {
	d, err := drivers.Named(tx, driver)
	if err != nil {
		return nil, err
	}
	p, err := partners.Own(tx)
	return map[string]string{"first_name": d.FirstName, "partner": p.Name}, err
}
