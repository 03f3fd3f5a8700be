package billing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"saldo/internal/billing/einvoice"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// AuthorityState is what the office said of an invoice.
type AuthorityState string

// The states. Until one is accepted its PDF says OFFLINE.
const (
	NotSent  AuthorityState = "" // no gateway was set when it was issued, or it needs none
	Waiting  AuthorityState = "waiting"
	Accepted AuthorityState = "accepted"
	Refused  AuthorityState = "refused"

	Pending   AuthorityState = "pending"   // a correction: the corrected invoice has no answer yet
	Withdrawn AuthorityState = "withdrawn" // a correction of an invoice that was refused: there is nothing to correct
)

// SendKind is the job that hands an invoice to the office.
const SendKind = "billing.send"

// sendAttempts last about a week: an office may be closed for days.
const sendAttempts = 180

type sending struct {
	Document string `json:"document"`
}

// Receipt is what the office says of an invoice: its number, or why it is refused.
type Receipt struct{ Number, Refused string }

// KSeFClient is the way to the office. An error says that the office said nothing: the same invoice is sent again later, and
// what the office has already is answered with the number it got.
type KSeFClient interface {
	Send(ctx context.Context, file []byte) (Receipt, error)
}

// KSeF is the gateway that speaks HTTP: a connector that holds the certificates of KSeF takes the file as the body of a POST
// and answers {"number": …} with 200, 201 or, for what is there already, 409; or {"reason": …} with 400 or 422.
type KSeF struct {
	URL    string
	Client *http.Client
}

// maxAnswer is as much as an office is listened to.
const maxAnswer = 64 << 10

// Send posts the file.
func (k KSeF) Send(ctx context.Context, file []byte) (Receipt, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	rq, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(k.URL, "/")+"/invoices", bytes.NewReader(file))
	if err != nil {
		return Receipt{}, err
	}
	rq.Header.Set("Content-Type", "application/xml")
	resp, err := k.Client.Do(rq)
	if err != nil {
		return Receipt{}, err
	}
	defer resp.Body.Close()
	var receipt struct{ Number, Reason string }
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&receipt); err != nil {
		return Receipt{}, fmt.Errorf("KSeF answers %d without a receipt", resp.StatusCode)
	}
	switch resp.StatusCode {
	case http.StatusOK, http.StatusCreated, http.StatusConflict:
		if !einvoice.IsNumber(receipt.Number) {
			return Receipt{}, errors.New("KSeF gave a number that is none of its own")
		}
		return Receipt{Number: receipt.Number}, nil
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		if receipt.Reason == "" {
			receipt.Reason = http.StatusText(resp.StatusCode)
		}
		return Receipt{Refused: cut(receipt.Reason)}, nil
	}
	return Receipt{}, fmt.Errorf("KSeF answers %d", resp.StatusCode)
}

func cut(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), 500)])
}

// sends says whether a document goes to the office: invoices of the Polish instance, where there is a gateway.
func (d *Service) sends(doc *Document) bool {
	return d.KSeFClient != nil && doc.Kind != Bill && d.Instance.Code == "pl"
}

// Send is the handler of SendKind. What was issued is sent, also when its settlement was revoked meanwhile: its correction follows when it
// has its number.
func (d *Service) Send(ctx context.Context, run *jobs.Run) error {
	var p sending
	if err := run.Into(&p); err != nil {
		return jobs.Permanent(err)
	}
	if d.KSeFClient == nil {
		return jobs.Permanent(errors.New("SALDO_KSEF_URL is not set"))
	}
	var doc Document
	var file []byte
	err := run.Read(ctx, func(tx *db.Tx) (err error) {
		if doc, err = one(tx, ` AND b.id = $2`, p.Document); err != nil {
			return err
		}
		file, _, err = d.File(tx, p.Document)
		return err
	})
	if errors.Is(err, ErrNotFound) {
		return jobs.Permanent(err)
	}
	if err != nil || doc.AuthorityState != Waiting {
		return err
	}
	receipt, err := d.KSeFClient.Send(ctx, file)
	if err != nil {
		return err
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		state := Accepted
		if receipt.Number == "" {
			state = Refused
		}
		n, err := tx.Exec(`UPDATE billing_documents SET authority_state = $3, authority_number = $4, authority_reason = $5, authority_at = $6
			WHERE tenant_id = $1 AND id = $2 AND authority_state = 'waiting'`,
			doc.ID, string(state), receipt.Number, receipt.Refused, tx.Now)
		if err != nil {
			return err
		}
		if n == 1 {
			if err := audit.Record(tx, audit.Change{Action: "billing.office", Kind: kindOfDocument, ID: doc.ID,
				After: map[string]any{"state": state, "number": receipt.Number, "reason": receipt.Refused}}); err != nil {
				return err
			}
			doc.AuthorityNumber = receipt.Number
			if err := d.answered(tx, &doc); err != nil {
				return err
			}
		}
		return run.Finish(tx)
	})
}
