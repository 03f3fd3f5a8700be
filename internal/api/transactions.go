package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"mime"
	"net/http"
	"path"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) transactionsRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/transactions", Name: "transactions", Permission: access.TransactionsRead,
		Summary: "A driver's transactions, newest first, with the totals of the filter"}, transactions)
	web.Write(r, web.Route{Method: post, Path: "/api/transactions", Name: "add-transaction",
		Permission: access.TransactionsWrite, Status: http.StatusCreated,
		Summary: "Enter a cost, an internal transaction or an invoice of a driver; in cash it gets its twin"}, s.addTransaction)
	web.Plain(r, web.Route{Method: get, Path: "/api/transactions/types", Name: "transaction-types", Permission: access.TransactionsRead,
		Summary: "All types of transactions"}, transactionTypes)
	web.Write(r, web.Route{Method: post, Path: "/api/transactions/retype", Name: "retype-transactions",
		Permission: access.TransactionsWrite,
		Summary:    "Give a type to rows that came without one, and remember it"}, retype)
	web.Write(r, web.Route{Method: put, Path: "/api/transactions/{id}", Name: "save-transaction", Permission: access.TransactionsWrite,
		Summary: "Change what was entered by hand, while it is unsettled"}, s.saveTransaction)
	web.Write(r, web.Route{Method: del, Path: "/api/transactions/{id}", Name: "remove-transaction", Permission: access.TransactionsWrite,
		Summary: "Delete what was entered by hand, while it is unsettled"}, removeTransaction)
	web.Write(r, web.Route{Method: post, Path: "/api/transactions/{id}/restore", Name: "restore-transaction",
		Permission: access.TransactionsWrite,
		Summary:    "Bring back what was deleted"}, restoreTransaction)
	web.Read(r, web.Route{Method: get, Path: "/api/transactions/{id}/history", Name: "transaction-history",
		Permission: access.TransactionsRead,
		Summary:    "Who changed a transaction, when and how"}, transactionHistory)
	web.Plain(r, web.Route{Method: put, Path: "/api/transactions/{id}/evidence", Name: "set-evidence",
		Permission: access.TransactionsWrite, BodyLimit: ledger.EvidencePDFMax,
		Summary: "Attach a photo or a PDF"}, s.setEvidence)
	web.Plain(r, web.Route{Method: get, Path: "/api/transactions/{id}/evidence", Name: "evidence", Permission: access.TransactionsRead,
		Summary: "The attached file"}, s.evidence)
	web.Plain(r, web.Route{Method: del, Path: "/api/transactions/{id}/evidence", Name: "remove-evidence",
		Permission: access.TransactionsWrite,
		Summary:    "Take the attached file away"}, s.removeEvidence)
}

// TypeCode is a type of transactions; the contract lists all of them.
type TypeCode string

// Schema lists the types, once for all who name one.
func (TypeCode) Schema(r huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, t := range kinds.Types() {
		s.Enum = append(s.Enum, t.Name)
	}
	r.Map()["TypeCode"] = s
	return &huma.Schema{Ref: "#/components/schemas/TypeCode"}
}

// CategoryCode is where a transaction is counted; the contract lists all of them.
type CategoryCode string

// Schema lists the categories.
func (CategoryCode) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, c := range kinds.Categories() {
		s.Enum = append(s.Enum, string(c))
	}
	return s
}

// Transaction is a transaction in JSON. Amounts are minor units; minus is less
// for the driver.
type Transaction struct {
	ID           string       `json:"id"`
	Provider     string       `json:"provider"`
	Type         TypeCode     `json:"type"`
	Category     CategoryCode `json:"category"`
	Kind         string       `json:"kind" enum:",cost,internal,invoice" doc:"what it was entered as; empty: not entered by hand"`
	Amount       int64        `json:"amount"`
	Currency     string       `json:"currency"`
	OccurredOn   string       `json:"occurredOn" format:"date"`
	OccurredAt   *time.Time   `json:"occurredAt" nullable:"true" doc:"null: only the day is known"`
	SpanFrom     string       `json:"spanFrom" doc:"first day that the row sums up; empty: its own day"`
	SpanTo       string       `json:"spanTo"`
	Name         string       `json:"name"`
	Description  string       `json:"description"`
	Payment      string       `json:"payment" enum:",cash,card"`
	TwinID       string       `json:"twinId" doc:"of what was paid in cash: the cash; of the cash: what was paid"`
	Source       string       `json:"source" enum:"hand,import,trip,carry"`
	SourceFile   string       `json:"sourceFile"`
	SourceRow    int64        `json:"sourceRow" doc:"0: none"`
	SourceColumn string       `json:"sourceColumn"`
	ExternalID   string       `json:"externalId"`
	Reason       string       `json:"reason"`
	Evidence     string       `json:"evidence" doc:"name of the attached file; empty: none"`
	EvidenceType string       `json:"evidenceType"`
	SettlementID string       `json:"settlementUUID" doc:"empty: unsettled"`
	Corrects     string       `json:"corrects" doc:"the settled transaction of which this is the difference; empty: none"`
	Corrected    int64        `json:"correctedAmount" doc:"of that one"`
	Editable     bool         `json:"editable"`
	Retypable    bool         `json:"retypable" doc:"it came without a type and may be given one"`
	Version      int64        `json:"version"`
	CreatedAt    time.Time    `json:"createdAt"`
}

func transactionOf(t ledger.Transaction) Transaction {
	out := Transaction{ID: t.ID, Provider: t.Provider, Type: TypeCode(t.Type), Category: CategoryCode(t.Category()), Kind: t.Kind(),
		Amount:   int64(t.Amount),
		Currency: string(t.Currency), OccurredOn: string(t.OccurredOn), SpanFrom: string(t.SpanFrom), SpanTo: string(t.SpanTo), Name: t.Name,
		Description: t.Description, Payment: t.Payment, TwinID: t.TwinID, Source: t.Source, SourceFile: t.SourceFile, SourceRow: t.SourceRow,
		SourceColumn: t.SourceColumn, ExternalID: t.ExternalID, Reason: t.Reason, Evidence: t.EvidenceName, EvidenceType: t.EvidenceType,
		SettlementID: t.SettlementID, Corrects: t.Corrects, Corrected: int64(t.CorrectedAmount), Editable: t.Editable(), Retypable: t.Retypable(),
		Version: t.Version, CreatedAt: t.CreatedAt}
	if !t.OccurredAt.IsZero() {
		out.OccurredAt = &t.OccurredAt
	}
	return out
}

// TransactionTotal is what a filter holds of one category.
type TransactionTotal struct {
	Category CategoryCode `json:"category"`
	Counted  bool         `json:"counted" doc:"whether it is part of the sum"`
	Count    int64        `json:"count"`
	Sum      int64        `json:"sum"`
}

// TransactionDriver is whose transactions they are.
type TransactionDriver struct {
	ID        string `json:"id"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

// TransactionList is a page of a driver's transactions, newest first.
type TransactionList struct {
	Driver       TransactionDriver  `json:"driver"`
	Transactions []Transaction      `json:"transactions" nullable:"false"`
	Next         string             `json:"next" doc:"what to ask for after this page; empty: it is the last"`
	Count        int64              `json:"count" doc:"of the whole filter"`
	Totals       []TransactionTotal `json:"totals" nullable:"false" doc:"of the whole filter"`
	Sum          int64              `json:"sum" doc:"of what is counted, over the whole filter"`
}

func transactions(tx *db.Tx, in *struct {
	DriverID     string   `query:"driverUUID" required:"true" minLength:"1" maxLength:"64"`
	Type         TypeCode `query:"type"`
	Provider     string   `query:"provider" maxLength:"30"`
	From         string   `query:"from" maxLength:"10" doc:"first day"`
	To           string   `query:"to" maxLength:"10" doc:"last day"`
	State        string   `query:"state" enum:",settled,unsettled"`
	SettlementID string   `query:"settlementUUID" maxLength:"64"`
	Query        string   `query:"q" maxLength:"100"`
	After        string   `query:"after" maxLength:"100" doc:"next of the page before"`
	Limit        int      `query:"limit" minimum:"1" maximum:"200" default:"50"`
}) (list TransactionList, err error) {
	page, err := ledger.List(tx, ledger.Filter{DriverID: in.DriverID, Type: string(in.Type), Provider: in.Provider,
		From: in.From, To: in.To,
		State: in.State, SettlementID: in.SettlementID, Query: in.Query, After: in.After, Limit: in.Limit})
	list = TransactionList{Driver: TransactionDriver(page.Driver), Transactions: []Transaction{}, Next: page.Next, Count: page.Count,
		Totals: []TransactionTotal{}, Sum: int64(page.Sum)}
	for _, t := range page.Transactions {
		list.Transactions = append(list.Transactions, transactionOf(t))
	}
	for _, t := range page.Totals {
		list.Totals = append(list.Totals, TransactionTotal{CategoryCode(t.Category), t.Category.Counted(), t.Count, int64(t.Sum)})
	}
	return list, err
}

// TransactionType is one line of the table of types.
type TransactionType struct {
	Type     TypeCode     `json:"type"`
	Category CategoryCode `json:"category" doc:"from a provider of rides or deliveries"`
	ByHand   bool         `json:"byHand"`
	Carriers []string     `json:"carriers" nullable:"false" doc:"providers whose rows may have it"`
}

// TransactionTypes is the whole table.
type TransactionTypes struct {
	Types []TransactionType `json:"types" nullable:"false"`
}

func transactionTypes(context.Context, web.Call, *nothing) (all TransactionTypes, err error) {
	for _, t := range kinds.Types() {
		line := TransactionType{Type: TypeCode(t.Name), Category: CategoryCode(t.Category), ByHand: t.ByHand, Carriers: []string{}}
		for _, p := range kinds.Providers {
			if t.CarriedBy(p.Code) {
				line.Carriers = append(line.Carriers, p.Code)
			}
		}
		all.Types = append(all.Types, line)
	}
	return all, nil
}

// TransactionEntry is what a partner writes down. The rules give the bounds;
// those here only keep nonsense out.
type TransactionEntry struct {
	Amount      int64  `json:"amount" doc:"minor units; a cost is entered positive"`
	Payment     string `json:"payment" doc:"cash or card"`
	OccurredOn  string `json:"occurredOn" maxLength:"10"`
	Name        string `json:"name" maxLength:"1000"`
	Description string `json:"description" required:"false" maxLength:"5000"`
	Reason      string `json:"reason" required:"false" maxLength:"5000" doc:"a cost needs one"`
}

func (e TransactionEntry) entry(kind string) ledger.Entry {
	return ledger.Entry{Kind: kind, Amount: money.Amount(e.Amount), Payment: e.Payment, OccurredOn: e.OccurredOn, Name: e.Name,
		Description: e.Description, Reason: e.Reason}
}

// NewTransaction is a transaction to enter.
type NewTransaction struct {
	DriverID string `json:"driverUUID" minLength:"1" maxLength:"64"`
	Kind     string `json:"kind" doc:"cost, internal or invoice"`
	TransactionEntry
}

// EnteredTransaction is what became of an entry.
type EnteredTransaction struct {
	Transaction Transaction `json:"transaction"`
	Warnings    []string    `json:"warnings" nullable:"false" enum:"future_date" doc:"what should be looked at again; nothing was refused"`
}

func (s Settings) addTransaction(tx *db.Tx, in *struct{ Body NewTransaction }) (out EnteredTransaction, err error) {
	t, warnings, err := ledger.Add(tx, s.Instance, in.Body.DriverID, in.Body.entry(in.Body.Kind))
	return EnteredTransaction{transactionOf(t), warnings}, err
}

// ChangedTransaction is a transaction as it should be.
type ChangedTransaction struct {
	Version int64 `json:"version" doc:"that of the transaction the change was made from"`
	TransactionEntry
}

func (s Settings) saveTransaction(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body ChangedTransaction
}) (out EnteredTransaction, err error) {
	t, warnings, err := ledger.Save(tx, s.Instance, in.ID, in.Body.Version, in.Body.entry(""))
	return EnteredTransaction{transactionOf(t), warnings}, err
}

func removeTransaction(tx *db.Tx, in *struct {
	ID      string `path:"id" maxLength:"64"`
	Version int64  `query:"version" required:"true" doc:"that of the transaction as it was seen"`
}) (web.None, error) {
	return web.None{}, ledger.Remove(tx, in.ID, in.Version)
}

func restoreTransaction(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, ledger.Restore(tx, in.ID)
}

// SeenTransaction is a transaction in the version that a person saw.
type SeenTransaction struct {
	ID      string `json:"id" minLength:"1" maxLength:"64"`
	Version int64  `json:"version"`
}

// Retyping gives a type to rows that came without one.
type Retyping struct {
	Transactions []SeenTransaction `json:"transactions" nullable:"false" minItems:"1" maxItems:"500"`
	Type         TypeCode          `json:"type"`
}

// RetypeOutcome is what became of one row.
type RetypeOutcome struct {
	ID   string `json:"id"`
	Done bool   `json:"done"`
	Code string `json:"code" enum:",transactions.settled,transactions.not_unknown,transactions.changed,transactions.type_refused"`
}

// RetypeResult is what became of every row, in the order in which they were sent.
type RetypeResult struct {
	Outcomes []RetypeOutcome `json:"outcomes" nullable:"false"`
}

func retype(tx *db.Tx, in *struct{ Body Retyping }) (result RetypeResult, err error) {
	rows := make([]ledger.Seen, len(in.Body.Transactions))
	for i, t := range in.Body.Transactions {
		rows[i] = ledger.Seen(t)
	}
	outcomes, err := ledger.Retype(tx, rows, string(in.Body.Type))
	result.Outcomes = []RetypeOutcome{}
	for _, o := range outcomes {
		line := RetypeOutcome{ID: o.ID, Done: o.Fault == nil}
		if o.Fault != nil {
			line.Code = o.Fault.Code
		}
		result.Outcomes = append(result.Outcomes, line)
	}
	return result, err
}

// HistoryLine is one change: who, when, what and why.
type HistoryLine struct {
	At      time.Time       `json:"at"`
	Who     string          `json:"who"`
	Action  string          `json:"action"`
	Reason  string          `json:"reason"`
	Changes []HistoryChange `json:"changes" nullable:"false"`
}

// History is the trail of one object, oldest first.
type History struct {
	Lines []HistoryLine `json:"lines" nullable:"false"`
}

func transactionHistory(tx *db.Tx, in *named) (h History, err error) {
	entries, err := ledger.History(tx, in.ID)
	h.Lines = []HistoryLine{}
	for _, e := range entries {
		changes, err := changesOf(e)
		if err != nil {
			return h, err
		}
		h.Lines = append(h.Lines, HistoryLine{At: e.At, Who: e.ActorName, Action: e.Action, Reason: e.Reason, Changes: changes})
	}
	return h, err
}

// setEvidence keeps a file and attaches it. The blob is there before the row
// names it, and a former one is removed after no row names it.
func (s Settings) setEvidence(ctx context.Context, c web.Call, in *struct {
	ID       string `path:"id" maxLength:"64"`
	FileName string `query:"fileName" maxLength:"300"`
	RawBody  []byte `contentType:"application/octet-stream" doc:"PDF of at most 10 MB, PNG or JPEG of at most 1 MB"`
}) (web.None, error) {
	kind, ending, err := ledger.CheckEvidence(in.RawBody)
	if err != nil {
		return web.None{}, err
	}
	key := path.Join(c.Actor.Tenant, "evidence", uuid.Must(uuid.NewV7()).String()+ending)
	if _, err := s.Blobs.Put(ctx, key, bytes.NewReader(in.RawBody), int64(len(in.RawBody))); err != nil {
		return web.None{}, err
	}
	content := sha256.Sum256(in.RawBody)
	sum := "set-evidence " + in.ID + " " + strconv.Quote(in.FileName) + " " + hex.EncodeToString(content[:])
	return web.None{}, s.changeEvidence(ctx, c, in.ID, ledger.Evidence{Key: key, Type: kind, Name: ledger.EvidenceName(in.FileName, ending)},
		sum)
}

func (s Settings) removeEvidence(ctx context.Context, c web.Call, in *named) (web.None, error) {
	return web.None{}, s.changeEvidence(ctx, c, in.ID, ledger.Evidence{}, "remove-evidence "+in.ID)
}

func (s Settings) changeEvidence(ctx context.Context, c web.Call, id string, e ledger.Evidence, sum string) error {
	var unneeded string
	err := s.DB.Write(ctx, c.Actor, func(tx *db.Tx) error {
		_, replayed, err := web.Once(tx, c.Key, sum, func() (none web.None, err error) {
			unneeded, err = ledger.SetEvidence(tx, id, e)
			return none, err
		})
		if replayed {
			unneeded = e.Key
		}
		return err
	})
	if refused := new(fault.Fault); errors.As(err, &refused) {
		unneeded = e.Key // certainly no row names it
	} else if err != nil {
		unneeded = ""
	}
	if unneeded != "" {
		_ = s.Blobs.Delete(context.WithoutCancel(ctx), unneeded) // one that stays behind costs its bytes and nothing else
	}
	return err
}

// evidence hands out the file to be saved, never to be run: whatever a
// stranger put into a PDF stays in it.
func (s Settings) evidence(ctx context.Context, c web.Call, in *named) (write func(huma.Context), err error) {
	var e ledger.Evidence
	err = s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) {
		e, err = ledger.EvidenceOf(tx, in.ID)
		return err
	})
	if err != nil {
		return nil, err
	}
	content, size, err := kept(s.Blobs.Get(ctx, e.Key))
	if err != nil {
		return nil, err
	}
	return func(hc huma.Context) {
		defer content.Close()
		hc.SetHeader("Content-Type", e.Type)
		hc.SetHeader("Content-Length", strconv.FormatInt(size, 10))
		hc.SetHeader("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": e.Name}))
		hc.SetHeader("Content-Security-Policy", "default-src 'none'; sandbox")
		hand(hc.Context(), hc.BodyWriter(), content)
	}, nil
}
