package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/payouts"
	"saldo/internal/payouts/bankstatement"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) bankStatementsRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/bank-statements", Name: "bank-statements", Permission: access.PayoutsRead,
		Summary: "The newest statements of the bank that were confirmed"}, bankStatements)
	web.Plain(r, web.Route{Method: post, Path: "/api/bank-statements/plan", Name: "plan-bank-statement",
		Permission: access.PayoutsRead, Timeout: time.Minute, BodyLimit: statementLimit,
		Summary: "A dry run: what a statement of the bank says of transfers; nothing is noted"}, s.planStatement)
	web.Write(r, web.Route{Method: post, Path: "/api/bank-statements", Name: "confirm-bank-statement",
		Permission: access.PayoutsWrite, Status: http.StatusCreated, Timeout: time.Minute, BodyLimit: statementLimit,
		Summary: "Note exactly what a dry run showed, or nothing: what was paid is marked, what came back can be paid anew"},
		s.confirmStatement)
}

// MatchReason is why a line of a statement was taken for a transfer, or was not.
type MatchReason string

// Schema lists the reasons.
func (MatchReason) Schema(huma.Registry) *huma.Schema {
	return oneOf("id", "title", "account", "one_sum", "other_amount", "other_account", "several", "loose_return")
}

// statementLimit is how large a request with a statement may be: it stands in
// it in base64.
const statementLimit = bankstatement.SizeMost*4/3 + 4<<20

// BankStatementFile is a statement as a bank wrote it.
type BankStatementFile struct {
	Name    string `json:"name" maxLength:"200" doc:"of the file"`
	Content []byte `json:"content" doc:"MT940 or CAMT.053"`
}

// TransferOutcome is what a statement says of one transfer.
type TransferOutcome struct {
	Batch        int64        `json:"batch"`
	Place        int64        `json:"place"`
	SettlementID string       `json:"settlementId"`
	Number       int64        `json:"number" doc:"of the settlement"`
	DriverID     string       `json:"driverId"`
	FirstName    string       `json:"firstName"`
	LastName     string       `json:"lastName"`
	Holder       string       `json:"holder"`
	Account      string       `json:"account" doc:"covered"`
	Title        string       `json:"title"`
	Amount       money.Amount `json:"amount"`
	Outcome      string       `json:"outcome" enum:"paid,returned,unclear"`
	Why          MatchReason  `json:"why" doc:"what decided, or why nothing could be decided"`
	Day          string       `json:"day" doc:"on which it was paid or came back; empty: unclear"`
	Reason       string       `json:"reason" doc:"why it came back, in the bank's words"`
	Cancelled    bool         `json:"cancelled" doc:"its batch was cancelled, and yet the bank paid"`
}

// BankStatementPlan is what confirming a statement would do.
type BankStatementPlan struct {
	Accounts    []string          `json:"accounts" nullable:"false" doc:"covered"`
	FirstDay    string            `json:"firstDay"`
	LastDay     string            `json:"lastDay"`
	Entries     int64             `json:"entries"`
	Outcomes    []TransferOutcome `json:"outcomes" nullable:"false"`
	Known       int64             `json:"known" doc:"transfers of which an earlier statement said the same"`
	Missing     int64             `json:"missing" doc:"transfers of which no statement says anything yet"`
	ConfirmedAt *time.Time        `json:"confirmedAt" doc:"when this file was confirmed before"`
	ConfirmedBy string            `json:"confirmedBy"`
	Token       string            `json:"token" doc:"to be given back when it is confirmed"`
}

func (s Settings) planStatement(ctx context.Context, c web.Call, in *struct{ Body BankStatementFile }) (out BankStatementPlan, err error) {
	var p payouts.StatementPlan
	if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) {
		p,
			err = s.Payouts.PlanStatement(tx, in.Body.Content)
		return err
	}); err != nil {
		return out, err
	}
	out = BankStatementPlan{p.Accounts, string(p.First), string(p.Last), p.Entries, make([]TransferOutcome, len(p.Sayings)), p.Known,
		p.Missing, instantOf(p.ConfirmedAt), p.ConfirmedBy, p.Token}
	for n, o := range p.Sayings {
		out.Outcomes[n] = TransferOutcome{o.Batch, o.Place, o.SettlementID, o.Number, o.DriverID, o.FirstName, o.LastName, o.Holder,
			drivers.MaskIBAN(o.Account), o.Title, o.Amount, string(o.Outcome),
			MatchReason(o.Why), string(o.Day), o.Reason, o.Cancelled}
	}
	return out, nil
}

// ConfirmedStatement says what a confirmed statement did.
type ConfirmedStatement struct {
	Paid     int64 `json:"paid" doc:"settlements that are paid now"`
	Returned int64 `json:"returned" doc:"settlements whose money came back"`
}

func (s Settings) confirmStatement(tx *db.Tx, in *struct {
	Body struct {
		BankStatementFile
		Token  string `json:"token" maxLength:"64"`
		Except []struct {
			Batch int64 `json:"batch"`
			Place int64 `json:"place"`
		} `json:"except,omitempty" maxItems:"20000" doc:"transfers of which nothing is noted"`
	}
}) (ConfirmedStatement, error) {
	except := make([]payouts.Place, len(in.Body.Except))
	for n, one := range in.Body.Except {
		except[n] = payouts.Place(one)
	}
	done, err := s.Payouts.ConfirmStatement(tx, in.Body.Name, in.Body.Content, in.Body.Token, except)
	return ConfirmedStatement(done), err
}

// BankStatement is one that was confirmed.
type BankStatement struct {
	ID          string    `json:"id"`
	FileName    string    `json:"fileName"`
	FirstDay    string    `json:"firstDay"`
	LastDay     string    `json:"lastDay"`
	Entries     int64     `json:"entries"`
	Paid        int64     `json:"paid" doc:"transfers"`
	Returned    int64     `json:"returned" doc:"transfers"`
	ConfirmedAt time.Time `json:"confirmedAt"`
	ConfirmedBy string    `json:"confirmedBy"`
}

// BankStatements are the newest of those that were confirmed.
type BankStatements struct {
	Items []BankStatement `json:"items" nullable:"false"`
}

// statementsMax is how many confirmed statements are listed.
const statementsMax = 20

func bankStatements(tx *db.Tx, _ *nothing) (out BankStatements, err error) {
	found, err := payouts.Statements(tx, statementsMax)
	out.Items = make([]BankStatement, len(found))
	for n, f := range found {
		out.Items[n] = BankStatement{f.ID, f.FileName, string(f.FirstDay), string(f.LastDay), f.Entries, f.Paid, f.Returned, f.ConfirmedAt,
			f.ConfirmedBy}
	}
	return out, err
}
