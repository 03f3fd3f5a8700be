package orders

import (
	"context"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
)

// AlarmKind is the job that tells the operator of something that a person must look at.
const AlarmKind = "licences.alarm"

// alarmKind is what happened.
type alarmKind string

const (
	alarmReview   alarmKind = "review"   // another amount or currency was paid
	alarmOverpaid alarmKind = "overpaid" // an order was paid twice; the second payment goes back
	alarmRefund   alarmKind = "refund"   // a provider did not give money back
	alarmRefused  alarmKind = "refused"  // KSeF refused an invoice
)

// alarm is what the operator is told. It names no person.
type alarm struct {
	Kind     alarmKind
	Order    string // number
	Provider string
	Ref      string
	Amount   money.Amount
	Currency money.Currency
}

// alarm leaves the job that tells the operator.
func (s *Service) alarm(tx *db.Tx, a alarm) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: AlarmKind, Payload: a})
}

// Tell is the handler of AlarmKind: a line in the log and, where the operator has an address, a mail.
func (s *Service) Tell(ctx context.Context, run *jobs.Run) error {
	var a alarm
	if err := run.Into(&a); err != nil {
		return jobs.Permanent(err)
	}
	s.Log.Error("a payment needs a look: see docs/operate/licences.md", "what", string(a.Kind), "order", a.Order, "provider", a.Provider,
		"ref", a.Ref,
		"amount", a.Amount.String(), "currency", string(a.Currency))
	return run.Write(ctx, func(tx *db.Tx) error {
		if err := run.Finish(tx); err != nil {
			return err
		}
		to := s.Invoices.OperatorAddress()
		if to == "" {
			return nil
		}
		return tx.As(access.ProgramFor(operatorTenant, "licences"), func() error { return s.mailAlarm(tx, to, a, run.ID) })
	})
}

// operatorTenant has the mails to the operator: they are no partner's. The ids of partners are UUIDs.
const operatorTenant = "operator"

func (s *Service) mailAlarm(tx *db.Tx, to string, a alarm, id string) error {
	language := s.Invoices.Language()
	params := []any{"order", a.Order}
	if a.Kind != alarmRefused {
		params = append(params, "provider", a.Provider, "ref", a.Ref, "amount", i18n.Amount(language, a.Amount)+"\u00a0"+a.Currency.Sign())
	}
	_, err := s.Mails.Enqueue(tx, mail.Message{To: mail.Address{Address: to}, Language: string(language), Counted: true,
		Key: "licence-alarm-" + id, Subject: i18n.Of(language, "licence-documents:alarm.subject", "order", a.Order),
		Text: i18n.Of(language, "licence-documents:alarm."+string(a.Kind), params...)})
	return err
}

// TellRefused tells the operator of a document that the office, or the form of it, refused.
func (s *Service) TellRefused(tx *db.Tx, number string) error {
	return s.alarm(tx, alarm{Kind: alarmRefused, Order: number})
}
