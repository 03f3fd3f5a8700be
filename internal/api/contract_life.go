package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"saldo/internal/contracts"
	"saldo/internal/contracts/template"
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) contractLifeRoutes(r *web.Router) {
	const at, one = "/api/partner-documents", "/api/partner-documents/contracts/{id}"
	web.Plain(r, web.Route{Method: post, Path: one + "/countersign", Name: "countersign-contract", Permission: access.ContractsDecide,
		Timeout: time.Minute, Mails: true,
		Summary: "The partner signs: the contract holds, gets its number, and what was agreed on goes to the driver"}, s.countersignContract)
	web.Plain(r, web.Route{Method: post, Path: at + "/contracts/countersign-check", Name: "check-countersignatures",
		Permission: access.ContractsDecide, Timeout: time.Minute,
		Summary: "What countersigning these contracts would do, or why it would not happen; nothing is kept"}, s.checkCountersignatures)
	web.Plain(r, web.Route{Method: post, Path: one + "/withdraw", Name: "withdraw-contract", Permission: access.ContractsWrite,
		Summary: "Take a signed contract back, with a reason; a driver until it is countersigned"}, s.withdrawContract)
	web.Plain(r, web.Route{Method: post, Path: one + "/end", Name: "end-contract", Permission: access.ContractsDecide,
		Summary: "End an active contract, with a reason"}, s.endContract)
	web.Plain(r, web.Route{Method: post, Path: one + "/scan", Name: "scan-contract", Permission: access.ContractsWrite,
		BodyLimit: contracts.ScanMax + 1<<20, Timeout: 2 * time.Minute,
		Summary: "Add the scan of a document that was signed by hand"}, s.scanContract)
	web.Plain(r, web.Route{Method: get, Path: one + "/evidence", Name: "contract-evidence", Permission: access.ContractsRead,
		Summary: "What happened around the signature, as a chain of sums"}, s.contractEvidence)
	web.Write(r, web.Route{Method: post, Path: at + "/templates", Name: "add-contract-template", Permission: access.ContractsDecide,
		Status: http.StatusCreated, Summary: "Write a text for contract documents"}, s.addContractTemplate)
	web.Read(r, web.Route{Method: get, Path: at + "/templates/{id}", Name: "contract-template", Permission: access.ContractsDecide,
		Summary: "A text for contract documents"}, s.contractTemplate)
	web.Write(r, web.Route{Method: put, Path: at + "/templates/{id}", Name: "save-contract-template", Permission: access.ContractsDecide,
		Summary: "Change a text; another text is another version, and what was signed keeps its own"}, s.saveContractTemplate)
	web.Write(r, web.Route{Method: del, Path: at + "/templates/{id}", Name: "remove-contract-template", Permission: access.ContractsDecide,
		Summary: "Take a text away; one that comes with the program is turned off"}, s.removeContractTemplate)
	web.Plain(r, web.Route{Method: post, Path: at + "/preview", Name: "preview-contract-template", Permission: access.ContractsDecide,
		Summary: "PDF of a text that is being written, with the data of a driver or without; X-Missing-Values names what stays empty"},
		s.previewContractTemplate)
	s.contractPDFRoutes(r)
	web.Read(r, web.Route{Method: get, Path: at + "/settings", Name: "contract-settings", Permission: access.ContractsDecide,
		Summary: "How the partner signs"}, s.contractSettings)
	web.Write(r, web.Route{Method: put, Path: at + "/settings", Name: "save-contract-settings", Permission: access.ContractsDecide,
		Fresh: true, Summary: "Change how the partner signs"}, s.saveContractSettings)
	web.Plain(r, web.Route{Method: get, Path: "/api/verify/{code}", Name: "verify-document", Permission: access.Public, MissesPerMinute: 30,
		Summary: "What anybody may know of a document whose code they have; its sums, to compare a file with"}, s.verifyDocument)
}

// ContractState is where a contract stands; the contract lists all of them.
type ContractState string

// Schema lists the states.
func (ContractState) Schema(huma.Registry) *huma.Schema { return listed(contracts.States) }

// ContractDocument is a document of a contract.
type ContractDocument struct {
	Order      int64  `json:"order"`
	Title      string `json:"title"`
	Kind       string `json:"kind"`
	Form       string `json:"form" enum:"simple,written"`
	Language   string `json:"language"`
	Required   bool   `json:"required"`
	Pages      int64  `json:"pages"`
	File       string `json:"file" enum:"signed,print,scan" doc:"what the newest file is"`
	Sealed     bool   `json:"sealed"`
	Stamp      string `json:"stamp" enum:"none,done,failed" doc:"of a time stamping authority"`
	Sum        string `json:"sum" doc:"SHA-256 of the newest file"`
	VerifyCode string `json:"verifyCode"`
}

// Contract is one act of signing with its documents.
type Contract struct {
	ID              string             `json:"contractId"`
	DriverID        string             `json:"driverUUID"`
	DriverName      string             `json:"driverName"`
	State           ContractState      `json:"state"`
	Kinds           []string           `json:"kinds" nullable:"false"`
	From            string             `json:"from"`
	To              string             `json:"to"`
	Number          string             `json:"number" doc:"empty until it is active"`
	Replaces        string             `json:"replaces"`
	Version         int64              `json:"version"`
	CreatedAt       time.Time          `json:"createdAt"`
	SignedAt        *time.Time         `json:"signedAt" doc:"null: all of it is signed by hand"`
	CountersignedAt *time.Time         `json:"countersignedAt"`
	EndedAt         *time.Time         `json:"endedAt"`
	EndedWhy        string             `json:"endedWhy"`
	Documents       []ContractDocument `json:"documents" nullable:"false"`
}

func (s Settings) oneContract(tx *db.Tx, c contracts.Contract) (Contract, error) {
	documents, err := contracts.DocumentsOf(tx, c.ID)
	if err != nil {
		return Contract{}, err
	}
	name, err := drivers.Named(tx, c.DriverID)
	return shownContract(c, documents, name.FullName()), err
}

func shownContract(c contracts.Contract, documents []contracts.Document, name string) Contract {
	out := Contract{ID: c.ID, DriverID: c.DriverID, DriverName: name, State: ContractState(c.State), Kinds: append([]string{}, c.Kinds...),
		From: string(c.FromOn), To: string(c.ToOn), Number: c.Number, Replaces: c.Replaces, Version: c.Version, CreatedAt: c.CreatedAt,
		SignedAt: instantOf(c.SignedAt), CountersignedAt: instantOf(c.CountersignedAt), EndedAt: instantOf(c.EndedAt), EndedWhy: c.EndedWhy,
		Documents: []ContractDocument{}}
	for _, d := range documents {
		sum := d.ContentHash
		if d.SealedHash != "" {
			sum = d.SealedHash
		}
		out.Documents = append(out.Documents, ContractDocument{d.Position, d.Name, d.Kind, string(d.Form), d.Language, d.Required, d.Pages,
			d.FileKind, d.SealedKey != "", d.Stamp, sum, d.VerifyCode})
	}
	return out
}

// replayedContract is the answer to a request that was answered before.
func replayedContract(s Settings, ctx context.Context, c web.Call, asked any) (out Contract, known bool, err error) {
	sum, err := web.Sum("contracts", asked)
	if err != nil {
		return out, false, err
	}
	err = s.DB.Read(ctx, scopeOf(c), func(tx *db.Tx) error {
		out, known, err = web.Answered[Contract](tx, c.Key, sum)
		return err
	})
	return out, known, err
}

// Contracts is a list of contracts.
type Contracts struct {
	Contracts []Contract       `json:"contracts" nullable:"false"`
	Total     int64            `json:"total" doc:"of all pages"`
	Counts    map[string]int64 `json:"counts" doc:"of the partner's whole list, by state as it is asked for"`
}

func (s Settings) contractsOf(ctx context.Context, c web.Call, in *struct {
	Account string `query:"driverAccountUuid" maxLength:"64" doc:"of a partner: the account of a driver"`
	Driver  string `query:"driverUuid" maxLength:"64" doc:"of a partner: the driver; neither: all, in pages of 50"`
	State   string `query:"state" enum:"waiting,paper,active,closed" doc:"of the partner's whole list; absent: all"`
	Query   string `query:"query" maxLength:"100" doc:"words of the driver's name, e-mail or number"`
	Page    int64  `query:"page" minimum:"1" maximum:"100000" default:"1"`
}) (out Contracts, err error) {
	out.Contracts, out.Counts = []Contract{}, map[string]int64{}
	err = s.readContracts(ctx, c, func(tx *db.Tx, who contracts.Person) error {
		driver := in.Driver
		if who.ID() == "" && driver == "" && in.Account != "" {
			if driver, err = db.One[string](tx, `SELECT id FROM drivers WHERE tenant_id = $1 AND account_id = $2 AND merged_into = ''`,
				in.Account); errors.Is(err, db.ErrNone) {
				return drivers.ErrNotFound
			} else if err != nil {
				return err
			}
		}
		var all []contracts.Contract
		if who.ID() == "" && driver == "" {
			var page contracts.Page
			page, err = contracts.List(tx, contracts.Filter{Group: in.State, Query: in.Query, Page: in.Page})
			all, out.Total, out.Counts = page.Contracts, page.Total, page.Counts
		} else {
			all, _, err = s.Contracts.Of(tx, who, driver)
			out.Total = int64(len(all))
		}
		if err != nil {
			return err
		}
		for _, one := range all {
			shown, err := s.oneContract(tx, one)
			if err != nil {
				return err
			}
			out.Contracts = append(out.Contracts, shown)
		}
		return nil
	})
	return out, err
}

func (s Settings) contractFile(ctx context.Context, c web.Call, in *struct {
	PagePicture
	ID    string `path:"contractId" maxLength:"64"`
	Order int64  `path:"order" minimum:"1" maximum:"1000"`
}) (func(huma.Context), error) {
	var d contracts.Document
	if err := s.DB.Write(ctx, scopeOf(c), func(tx *db.Tx) error {
		return asSide(tx, c, contracts.ErrNotFound, func(driver string) (err error) {
			d, err = s.Contracts.FileOf(tx, contractPerson(c, driver), in.ID, in.Order, in.Page > 1)
			return err
		})
	}); err != nil {
		return nil, err
	}
	content, err := s.Contracts.Content(ctx, d)
	if err != nil {
		return nil, damage(err)
	}
	sealed, kind := "false", mediaPDF
	if d.SealedKey != "" {
		sealed = "true"
	}
	if bytes.HasPrefix(content, []byte("\xff\xd8")) {
		kind = "image/jpeg"
	}
	return s.pageAnswer(ctx, in.PagePicture, kind, content, map[string]string{"X-Sealed": sealed})
}

func (s Settings) deleteContract(ctx context.Context, c web.Call, in *struct {
	Contract string `query:"contractId" required:"true" maxLength:"64"`
	Order    int64  `query:"order" minimum:"0" maximum:"1000" doc:"0: the whole contract"`
	Driver   string `query:"driverUUID" maxLength:"64"`
}) (web.None, error) {
	_, _, err := changeContracts(s, ctx, c, []any{"delete", in}, func(tx *db.Tx, who contracts.Person) (web.None, error) {
		return web.None{}, s.Contracts.Delete(tx, who, in.Contract, in.Order, "")
	})
	return web.None{}, err
}

func (s Settings) countersignContract(ctx context.Context, c web.Call, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Version   int64  `json:"version" minimum:"1"`
		TypedName string `json:"typedName" required:"false" maxLength:"200"`
		Signature []byte `json:"signature" required:"false" maxLength:"280000" doc:"PNG as base64; neither: the set name"`
	}
}) (Contract, error) {
	asked := []any{"countersign", in.ID, in.Body}
	out, replayed, err := replayedContract(s, ctx, c, asked)
	if err != nil || replayed {
		return out, err
	}
	signed := contracts.Countersign{Version: in.Body.Version, Picture: in.Body.Signature, Typed: in.Body.TypedName}
	for range countersignTries {
		if out, err = s.countersignOnce(ctx, c, asked, in.ID, signed); !errors.Is(err, contracts.ErrMeanwhile) {
			return out, err
		}
	}
	return out, contracts.ErrChanged
}

// countersignTries is how often a countersignature is prepared anew because the contract was sealed or taken meanwhile.
const countersignTries = 10

func (s Settings) countersignOnce(ctx context.Context, c web.Call, asked []any, id string, in contracts.Countersign) (Contract, error) {
	read := func(do func(*db.Tx, contracts.Person) error) error { return s.readContracts(ctx, c, do) }
	g, err := s.Contracts.PrepareCountersign(ctx, read, id, in)
	if err != nil {
		return Contract{}, err
	}
	used := false
	out, _, err := changeContracts(s, ctx, c, asked, func(tx *db.Tx, who contracts.Person) (Contract, error) {
		made, err := s.Contracts.CountersignNow(tx, who, g)
		if err != nil {
			return Contract{}, err
		}
		used = true
		return s.oneContract(tx, made)
	})
	s.unusedContract(ctx, err, used && err == nil, func() { s.Contracts.DropCountersign(ctx, g) })
	return out, err
}

// CountersignChecks are what countersigning contracts would do.
type CountersignChecks struct {
	Items []CountersignCheck `json:"items" nullable:"false"`
}

// CountersignCheck is what countersigning one contract would do, or why it would not happen.
type CountersignCheck struct {
	Contract       Contract `json:"contract"`
	Refused        string   `json:"refused" doc:"code of the refusal; empty: it would be countersigned"`
	FreshLogin     bool     `json:"freshLogin" doc:"only a sign-in of the last minutes is missing"`
	AccountChanges bool     `json:"accountChanges" doc:"the driver would be paid to another account"`
	AccountBefore  string   `json:"accountBefore" doc:"masked"`
	Account        string   `json:"account" doc:"masked"`
}

func (s Settings) checkCountersignatures(ctx context.Context, c web.Call, in *struct {
	Body struct {
		IDs []string `json:"ids" nullable:"false" minItems:"1" maxItems:"100"`
	}
}) (CountersignChecks, error) {
	out := CountersignChecks{Items: []CountersignCheck{}}
	for _, id := range in.Body.IDs {
		tried, err := s.Contracts.TryCountersign(ctx, func(do func(*db.Tx, contracts.Person) error) error {
			return s.DB.Write(ctx, scopeOf(c), func(tx *db.Tx) error { return do(tx, contractPerson(c, "")) })
		}, id)
		if err != nil {
			return out, err
		}
		shown := CountersignCheck{Refused: codeOf(tried.Refused), AccountChanges: tried.AccountChanges, AccountBefore: tried.AccountBefore,
			Account: tried.Account}
		if shown.Refused == web.ErrFreshLogin.Code {
			shown.Refused, shown.FreshLogin = "", true
		}
		if err := s.readContracts(ctx, c, func(tx *db.Tx, _ contracts.Person) error {
			shown.Contract, err = s.oneContract(tx, tried.Contract)
			return err
		}); err != nil {
			return out, err
		}
		out.Items = append(out.Items, shown)
	}
	return out, nil
}

// ContractEnding is why a contract ends.
type ContractEnding struct {
	Reason  string `json:"reason" maxLength:"500"`
	Version int64  `json:"version" minimum:"1"`
}

type endedContract struct {
	ID   string `path:"id" maxLength:"64"`
	Body ContractEnding
}

func (s Settings) withdrawContract(ctx context.Context, c web.Call, in *endedContract) (Contract, error) {
	return s.endingContract(ctx, c, "withdraw", in, s.Contracts.Withdraw)
}

func (s Settings) endContract(ctx context.Context, c web.Call, in *endedContract) (Contract, error) {
	return s.endingContract(ctx, c, "end", in, s.Contracts.End)
}

func (s Settings) endingContract(ctx context.Context, c web.Call, how string, in *endedContract,
	do func(*db.Tx, contracts.Person, string, string, int64) (contracts.Contract, error)) (Contract, error) {
	out, _, err := changeContracts(s, ctx, c, []any{how, in}, func(tx *db.Tx, who contracts.Person) (Contract, error) {
		ended, err := do(tx, who, in.ID, in.Body.Reason, in.Body.Version)
		if err != nil {
			return Contract{}, err
		}
		return s.oneContract(tx, ended)
	})
	return out, err
}

// ContractScan is the scan of a document that was signed by hand.
type ContractScan struct {
	File    huma.FormFile `form:"file" required:"true" contentType:"application/octet-stream" doc:"PDF, JPEG or PNG to 10 MB"`
	Order   int64         `form:"order" required:"true" minimum:"1" maximum:"1000"`
	Version int64         `form:"version" required:"true" minimum:"1"`
}

func (s Settings) scanContract(ctx context.Context, c web.Call, in *struct {
	ID      string `path:"id" maxLength:"64"`
	RawBody huma.MultipartFormFiles[ContractScan]
}) (Contract, error) {
	form := in.RawBody.Data()
	defer form.File.Close()
	tenant := ""
	if err := s.readContracts(ctx, c, func(tx *db.Tx, who contracts.Person) error {
		tenant = tx.Actor.Tenant
		_, _, err := s.Contracts.Open(tx, who, in.ID)
		return err
	}); err != nil {
		return Contract{}, err
	}
	content, err := io.ReadAll(io.LimitReader(form.File, contracts.ScanMax+1))
	if err != nil {
		return Contract{}, err
	}
	scan, err := s.Contracts.ReceiveScan(ctx, tenant, uuid.Must(uuid.NewV7()).String(), bytes.NewReader(content))
	if err != nil {
		return Contract{}, err
	}
	used := false
	out, _, err := changeContracts(s, ctx, c, []any{"scan", in.ID, form.Order, form.Version, contracts.TextHash(string(content))},
		func(tx *db.Tx, who contracts.Person) (Contract, error) {
			made, err := s.Contracts.AddScan(tx, who, in.ID, form.Order, form.Version, scan)
			if err != nil {
				return Contract{}, err
			}
			used = true
			return s.oneContract(tx, made)
		})
	s.unusedContract(ctx, err, used && err == nil, func() { s.Contracts.DropScan(ctx, scan) })
	return out, err
}

// ContractEvent is something that happened around a signature.
type ContractEvent struct {
	N       int64     `json:"n"`
	At      time.Time `json:"at"`
	Role    string    `json:"role" enum:"driver,partner,system"`
	Kind    string    `json:"kind"`
	Address string    `json:"address" doc:"without its end"`
	Agent   string    `json:"agent"`
	Detail  string    `json:"detail" doc:"JSON, without values of fields"`
	Sum     string    `json:"sum"`
}

// ContractEvidence is how a contract was signed.
type ContractEvidence struct {
	Events []ContractEvent `json:"events" nullable:"false"`
	Broken int64           `json:"broken" doc:"number of the first event that is not as it was written; 0: all are"`
}

func (s Settings) contractEvidence(ctx context.Context, c web.Call, in *named) (out ContractEvidence, err error) {
	out.Events = []ContractEvent{}
	err = s.readContracts(ctx, c, func(tx *db.Tx, who contracts.Person) error {
		if _, _, err := s.Contracts.Open(tx, who, in.ID); err != nil {
			return err
		}
		all, err := contracts.EventsOf(tx, in.ID)
		out.Broken = contracts.Broken(in.ID, all)
		for _, e := range all {
			out.Events = append(out.Events, ContractEvent{e.N, e.At, e.Role, e.Kind, template.ShortAddress(e.Address), e.Agent, e.Detail, e.Sum})
		}
		return err
	})
	return out, err
}
