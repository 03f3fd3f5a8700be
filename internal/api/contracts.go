package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/contracts"
	"saldo/internal/contracts/template"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
)

func (s Settings) contractsRoutes(r *web.Router) {
	const at = "/api/partner-documents"
	web.Plain(r, web.Route{Method: get, Path: at, Name: "contract-documents", Permission: access.ContractsRead,
		Summary: "The texts of contract documents: a partner's all, a driver's those in use"}, s.contractTemplates)
	web.Plain(r, web.Route{Method: post, Path: at + "/fill", Name: "fill-documents", Permission: access.ContractsWrite,
		Summary: "PDF of all documents with what is stored, marked as a draft"}, s.fillDocuments)
	web.Plain(r, web.Route{Method: post, Path: at + "/fill-data", Name: "fill-documents-with-data", Permission: access.ContractsWrite,
		Summary: "PDF of documents with the data of a wizard; what is signed later must have the sums of the header X-Document-Sums"},
		s.fillDocumentsWithData)
	web.Plain(r, web.Route{Method: post, Path: at + "/pages", Name: "contract-pages", Permission: access.ContractsWrite,
		Summary: "Sums, pages and words of the documents that the data of a wizard make"}, s.contractPages)
	web.Plain(r, web.Route{Method: get, Path: at + "/signed-data", Name: "contract-data", Permission: access.ContractsRead,
		Summary: "What a wizard begins with: the draft, else what was signed last, else what is known of the driver"}, s.contractData)
	web.Plain(r, web.Route{Method: get, Path: at + "/last-contract-data", Name: "last-contract-data", Permission: access.ContractsRead,
		Summary: "What was signed last, to be taken over"}, s.lastContractData)
	web.Plain(r, web.Route{Method: put, Path: at + "/draft", Name: "save-contract-draft", Permission: access.ContractsWrite,
		Summary: "Keep what is filled in, as it was typed, and say what is missing"}, s.saveContractDraft)
	web.Plain(r, web.Route{Method: del, Path: at + "/draft", Name: "drop-contract-draft", Permission: access.ContractsWrite,
		Summary: "Forget what was filled in and not signed"}, s.dropContractDraft)
	web.Plain(r, web.Route{Method: post, Path: at + "/signed", Name: "sign-contract", Permission: access.ContractsWrite,
		Status: http.StatusCreated, Timeout: time.Minute,
		Summary: "Sign all documents of a contract by one act"}, s.signContract)
	web.Plain(r, web.Route{Method: get, Path: at + "/signed", Name: "contracts", Permission: access.ContractsRead,
		Summary: "Contracts of a driver with their documents, newest first; without a driver the partner's list"}, s.contractsOf)
	web.Plain(r, web.Route{Method: get, Path: at + "/signed/{contractId}/{order}", Name: "contract-file", Permission: access.ContractsRead,
		Timeout: time.Minute, Summary: "The newest file of a document; X-Sealed says whether it is sealed already"}, s.contractFile)
	web.Plain(r, web.Route{Method: del, Path: at + "/delete", Name: "delete-contract", Permission: access.ContractsWrite,
		Summary: "Erase a contract that is not countersigned, or take one of its optional documents away"}, s.deleteContract)
	s.contractLifeRoutes(r)
}

// contractPerson is whoever acts, as contracts know them: a driver, or the partner.
func contractPerson(c web.Call, driver string) contracts.Person {
	if driver == "" {
		return contracts.OfPartner().From(c.Address, c.Agent)
	}
	return contracts.OfDriver(driver).From(c.Address, c.Agent)
}

func (s Settings) readContracts(ctx context.Context, c web.Call, do func(tx *db.Tx, who contracts.Person) error) error {
	return s.readAsSide(ctx, c, contracts.ErrNotFound, func(tx *db.Tx, driver string) error { return do(tx, contractPerson(c, driver)) })
}

// changeContracts does something once for the key of the request.
func changeContracts[Out any](s Settings, ctx context.Context, c web.Call, sum any, do func(tx *db.Tx, who contracts.Person) (Out, error)) (
	out Out, replayed bool, err error) {
	asked, err := web.Sum("contracts", sum)
	if err != nil {
		return out, false, err
	}
	return writeAsSide(s, ctx, c, asked, contracts.ErrNotFound, func(tx *db.Tx, driver string) (Out, error) {
		return do(tx, contractPerson(c, driver))
	})
}

// ContractTemplate is a text of a contract document.
type ContractTemplate struct {
	ID           string   `json:"id" required:"false" readOnly:"true"`
	Name         string   `json:"name" maxLength:"200"`
	Language     string   `json:"language" maxLength:"2" doc:"that binds"`
	Kind         string   `json:"kind" enum:"contract,rental,vehicle,statement,self_billing,privacy,bailiff,other"`
	Form         string   `json:"form" enum:"simple,written" doc:"written: signed by hand on the printed document"`
	Order        int64    `json:"order" minimum:"1" maximum:"1000"`
	For          []string `json:"for" nullable:"false" maxItems:"10" doc:"kinds of contracts that it belongs to; none: all"`
	Required     bool     `json:"required"`
	Active       bool     `json:"active"`
	Version      int64    `json:"version" required:"false" readOnly:"true" doc:"of the text"`
	Revision     int64    `json:"revision" required:"false" doc:"that was read; 0: it comes with the program as it is"`
	Ready        bool     `json:"ready" required:"false" readOnly:"true" doc:"it comes with the program"`
	Placeholders []string `json:"placeholders" required:"false" readOnly:"true" nullable:"false"`
	Body         string   `json:"body" required:"false" maxLength:"60000" doc:"absent in lists; empty: its pages are those of the PDF"`

	FileID     string               `json:"fileId" required:"false" maxLength:"64" doc:"a PDF that values are placed on; empty: a text"`
	File       *ContractPDF         `json:"file,omitempty" readOnly:"true" doc:"absent in lists"`
	Placements []template.Placement `json:"placements" required:"false" nullable:"false" maxItems:"300" doc:"empty in lists"`

	History []ContractTemplateVersion `json:"history,omitempty" readOnly:"true" nullable:"false" doc:"of one text, newest first"`
}

// ContractTemplateVersion is a text that was in use from a moment on.
type ContractTemplateVersion struct {
	Version int64     `json:"version"`
	At      time.Time `json:"at"`
	By      string    `json:"by"`
}

func contractTemplate(t contracts.Template, body bool) ContractTemplate {
	out := ContractTemplate{ID: t.ID, Name: t.Name, Language: t.Language, Kind: t.Kind, Form: string(t.Form), Order: t.Position,
		For: append([]string{}, t.ContractKinds...), Required: t.Required, Active: t.Active, Version: t.Version, Revision: t.Revision,
		Ready: t.Ready, Placeholders: append([]string{}, t.Placeholders...), FileID: t.FileID, Placements: []template.Placement{}}
	if body {
		out.Body, out.Placements = t.Body, append(out.Placements, t.Placements...)
	}
	return out
}

func (t ContractTemplate) text(id string) contracts.Template {
	return contracts.Template{ID: id, Name: t.Name, Language: t.Language, Kind: t.Kind, Form: template.Form(t.Form), Position: t.Order,
		ContractKinds: t.For, Required: t.Required, Active: t.Active, Revision: t.Revision, Body: t.Body,
		FileID: t.FileID, Placements: t.Placements}
}

// ContractTemplates are the texts, and what they may fill in.
type ContractTemplates struct {
	Documents    []ContractTemplate `json:"documents" nullable:"false"`
	Placeholders []string           `json:"placeholders" nullable:"false"`
	Boxes        []string           `json:"boxes" nullable:"false" doc:"what [check:…] may tick"`
}

func (s Settings) contractTemplates(ctx context.Context, c web.Call, _ *nothing) (out ContractTemplates, err error) {
	out = ContractTemplates{Documents: []ContractTemplate{}, Placeholders: template.Names, Boxes: template.Boxes}
	err = s.readContracts(ctx, c, func(tx *db.Tx, who contracts.Person) error {
		all, err := s.Contracts.Templates(tx)
		for _, t := range all {
			if t.Active || who.ID() == "" {
				out.Documents = append(out.Documents, contractTemplate(t, false))
			}
		}
		return err
	})
	return out, err
}

// fileAnswer hands a PDF out that is made for this request.
func fileAnswer(mediaType string, content []byte, header map[string]string) func(huma.Context) {
	return func(hc huma.Context) {
		for name, value := range header {
			hc.SetHeader(name, value)
		}
		hc.SetHeader("Content-Type", mediaType)
		hc.SetHeader("Content-Length", strconv.Itoa(len(content)))
		hc.SetHeader("Content-Security-Policy", "default-src 'none'; sandbox")
		hc.SetHeader("X-Content-Type-Options", "nosniff")
		hc.SetHeader("Cache-Control", "no-store")
		hand(hc.Context(), hc.BodyWriter(), bytes.NewReader(content))
	}
}

// DocumentFilling says which documents are made.
type DocumentFilling struct {
	Language    Language        `json:"language,omitempty" doc:"of the summary at the top of documents; part of what is signed"`
	TemplateIDs []string        `json:"templateIds,omitempty" nullable:"false" maxItems:"100" doc:"none: all"`
	Data        *contracts.Data `json:"data,omitempty" doc:"of a wizard; absent: what is stored"`
}

func (s Settings) fillDocuments(ctx context.Context, c web.Call, in *struct {
	Driver string `query:"driverUUID" maxLength:"64"`
	Body   DocumentFilling
}) (func(huma.Context), error) {
	content, _, err := s.madeOf(ctx, c, in.Body, true, func(tx *db.Tx, who contracts.Person) (contracts.Data, error) {
		filled, _, err := s.Contracts.FilledFor(tx, who, in.Driver)
		return filled.Data, err
	})
	return fileAnswer(mediaPDF, content, nil), err
}

// madeOf is one PDF of the documents of a contract. With data that are complete it says the sums that signing must repeat; others are
// shown as a draft.
func (s Settings) madeOf(ctx context.Context, c web.Call, f DocumentFilling, draft bool,
	data func(*db.Tx, contracts.Person) (contracts.Data, error)) (content []byte, sums string, err error) {
	made, wrong, together, err := s.finished(ctx, c, f, data)
	if err != nil {
		return nil, "", err
	}
	if len(made) == 0 {
		return nil, "", contracts.ErrNoDocuments
	}
	draft = draft || wrong
	if !draft {
		all := map[int64]string{}
		for _, m := range made {
			all[m.Order] = m.Hash
		}
		sums = db.JSON(all)
	}
	return together(draft), sums, nil
}

// finished makes the documents of a contract: what they are made of is read in one unit of work, and their pages are made after it.
func (s Settings) finished(ctx context.Context, c web.Call, f DocumentFilling,
	data func(*db.Tx, contracts.Person) (contracts.Data, error)) (
	made []contracts.Made, wrong bool, together func(draft bool) []byte, err error) {
	finish := func() error { return nil }
	err = s.readContracts(ctx, c, func(tx *db.Tx, who contracts.Person) error {
		d, err := data(tx, who)
		if err != nil {
			return err
		}
		checked, refused := d.Checked(s.country(), contracts.ErrInvalid)
		if wrong = refused != nil; !wrong {
			d = checked
		}
		all, k, err := s.Contracts.Make(tx, d, i18n.Language(f.Language), f.TemplateIDs)
		made = all
		finish = func() error { return s.Contracts.Finish(ctx, made, k) }
		together = func(draft bool) []byte { return s.Contracts.Together(made, k, draft) }
		return err
	})
	if err == nil {
		err = finish()
	}
	return made, wrong, together, err
}

// given are the data that a wizard sent.
func given(f DocumentFilling) func(*db.Tx, contracts.Person) (contracts.Data, error) {
	return func(*db.Tx, contracts.Person) (contracts.Data, error) { return *f.Data, nil }
}

func (s Settings) fillDocumentsWithData(ctx context.Context, c web.Call, in *struct {
	PagePicture
	Body DocumentFilling
}) (func(huma.Context), error) {
	if in.Body.Data == nil {
		return nil, contracts.ErrInvalid.Field("data", fault.Required)
	}
	content, sums, err := s.madeOf(ctx, c, in.Body, false, given(in.Body))
	if err != nil {
		return nil, err
	}
	return s.pageAnswer(ctx, in.PagePicture, mediaPDF, content, map[string]string{"X-Document-Sums": sums})
}

// ContractPages are the documents that data make.
type ContractPages struct {
	Documents []ContractShown `json:"documents" nullable:"false"`
}

// ContractShown is a document as it is shown.
type ContractShown struct {
	Order int64    `json:"order"`
	Sum   string   `json:"sum" doc:"that signing must repeat; empty: data are missing"`
	Pages int64    `json:"pages"`
	Lines []string `json:"lines" nullable:"false" doc:"words to be read aloud; headings begin with #"`
}

func (s Settings) contractPages(ctx context.Context, c web.Call, in *struct {
	Body DocumentFilling
}) (out ContractPages, err error) {
	out.Documents = []ContractShown{}
	if in.Body.Data == nil {
		return out, contracts.ErrInvalid.Field("data", fault.Required)
	}
	made, wrong, _, err := s.finished(ctx, c, in.Body, given(in.Body))
	if err != nil {
		return out, err
	}
	for _, m := range made {
		shown := ContractShown{m.Order, m.Hash, m.Pages, append([]string{}, m.Lines()...)}
		if wrong {
			shown.Sum = ""
		}
		out.Documents = append(out.Documents, shown)
	}
	return out, nil
}

// ContractField is a field of the wizard that is missing or wrong.
type ContractField struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

// ContractText is a text that is confirmed by its sum.
type ContractText struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Sum  string `json:"sum" doc:"SHA-256 of the text"`
}

// ContractToSign is a document of the contract that the data make.
type ContractToSign struct {
	Order    int64  `json:"order"`
	ID       string `json:"id" doc:"of the text"`
	Name     string `json:"name"`
	Language string `json:"language"`
	Kind     string `json:"kind"`
	Form     string `json:"form" enum:"simple,written"`
	Required bool   `json:"required"`
	Version  int64  `json:"version"`
}

// ContractData is what a wizard works on.
type ContractData struct {
	Data         contracts.Data   `json:"data"`
	Version      int64            `json:"version" doc:"of the draft; 0: there is none"`
	Step         int64            `json:"step"`
	Source       string           `json:"source" enum:"draft,partner,contract,profile"`
	Documents    []ContractToSign `json:"documents" nullable:"false"`
	Missing      []ContractField  `json:"missing" nullable:"false" doc:"fields that are missing or wrong, as data names them"`
	Consent      ContractText     `json:"consent"`
	Declarations []ContractText   `json:"declarations" nullable:"false"`
}

// shownData adds what the data make of a contract.
func (s Settings) shownData(tx *db.Tx, f contracts.Filled, in i18n.Language) (out ContractData, err error) {
	out = ContractData{Data: f.Data, Version: f.Version, Step: f.Step, Source: f.Source, Documents: []ContractToSign{},
		Missing: []ContractField{}, Consent: contractText("consent", contracts.ConsentText(in)), Declarations: []ContractText{}}
	for _, id := range contracts.Declarations {
		out.Declarations = append(out.Declarations, contractText(id, contracts.DeclarationText(in, id)))
	}
	for _, m := range s.Contracts.Missing(f.Data) {
		out.Missing = append(out.Missing, ContractField{m.Name, string(m.Code)})
	}
	all, err := s.Contracts.Listed(tx, f.Data)
	for i, t := range all {
		out.Documents = append(out.Documents, ContractToSign{int64(i + 1), t.ID, t.Name, t.Language, t.Kind, string(t.Form), t.Required,
			t.Version})
	}
	return out, err
}

func contractText(id, text string) ContractText {
	return ContractText{id, text, contracts.TextHash(text)}
}

type askedData struct {
	Driver   string   `query:"driverUUID" maxLength:"64" doc:"of a partner: whose"`
	Language Language `query:"language" doc:"of the texts that are confirmed; empty: that of the instance"`
}

func (s Settings) languageOf(l Language) i18n.Language {
	return i18n.ParseOr(string(l), i18n.Language(s.Instance.Language))
}

func (s Settings) contractData(ctx context.Context, c web.Call, in *askedData) (out ContractData, err error) {
	err = s.readContracts(ctx, c, func(tx *db.Tx, who contracts.Person) error {
		filled, _, err := s.Contracts.FilledFor(tx, who, in.Driver)
		if err != nil {
			return err
		}
		out, err = s.shownData(tx, filled, s.languageOf(in.Language))
		return err
	})
	return out, err
}

func (s Settings) lastContractData(ctx context.Context, c web.Call, in *askedData) (out ContractData, err error) {
	err = s.readContracts(ctx, c, func(tx *db.Tx, who contracts.Person) error {
		last, err := s.Contracts.Last(tx, who, in.Driver)
		if err != nil {
			return err
		}
		out, err = s.shownData(tx, contracts.Filled{Data: last, Step: 1, Source: "contract"}, s.languageOf(in.Language))
		return err
	})
	return out, err
}

// ContractDraft is what is filled in so far.
type ContractDraft struct {
	Step    int64          `json:"step" minimum:"1" maximum:"4"`
	Version int64          `json:"version" minimum:"0" doc:"that was read; 0: there was none"`
	Data    contracts.Data `json:"data"`
}

func (s Settings) saveContractDraft(ctx context.Context, c web.Call, in *struct {
	Driver   string   `query:"driverUUID" maxLength:"64"`
	Language Language `query:"language"`
	Body     ContractDraft
}) (out ContractData, err error) {
	out, _, err = changeContracts(s, ctx, c, []any{"draft", in.Driver, in.Body}, func(tx *db.Tx, who contracts.Person) (ContractData, error) {
		filled, err := s.Contracts.SaveDraft(tx, who, in.Driver, in.Body.Step, in.Body.Data, in.Body.Version)
		if err != nil {
			return ContractData{}, err
		}
		out, err := s.shownData(tx, filled, s.languageOf(in.Language))
		out.Data = contracts.Data{} // what is kept of the answer is not sealed; whoever sent it has it
		return out, err
	})
	if err == nil {
		out.Data = in.Body.Data
	}
	return out, err
}

func (s Settings) dropContractDraft(ctx context.Context, c web.Call, in *askedData) (web.None, error) {
	_, _, err := changeContracts(s, ctx, c, []any{"drop", in.Driver}, func(tx *db.Tx, who contracts.Person) (web.None, error) {
		return web.None{}, s.Contracts.DropDraft(tx, who, in.Driver)
	})
	return web.None{}, err
}

// ContractSigning is a signature with everything that it signs.
type ContractSigning struct {
	Data         string        `form:"data" required:"true" maxLength:"30000" doc:"what the documents were shown with, as JSON"`
	Version      int64         `form:"version" required:"false" minimum:"0" doc:"of the draft; 0: none was saved"`
	Language     Language      `form:"language" required:"false" doc:"of the screen"`
	Sums         string        `form:"sums" required:"true" maxLength:"10000" doc:"{order: sum} of X-Document-Sums"`
	Shown        string        `form:"shown" required:"true" maxLength:"10000" doc:"[{order, pages, ms}] of documents that were opened"`
	Declarations string        `form:"declarations" required:"true" maxLength:"4000" doc:"[{id, textSum}]"`
	ConsentSum   string        `form:"consentSum" required:"true" maxLength:"64"`
	TypedName    string        `form:"typedName" required:"false" maxLength:"200" doc:"instead of a drawn signature"`
	DriverID     string        `form:"driverUUID" required:"false" maxLength:"64" doc:"who signs on a device of the partner"`
	Replaces     string        `form:"replaces" required:"false" maxLength:"64" doc:"contract that ends with this one"`
	Signature    huma.FormFile `form:"signature" required:"false" contentType:"image/png" doc:"PNG to 200 KB"`
}

func (f *ContractSigning) submission(s Settings) (sub contracts.Submission, err error) {
	sub = contracts.Submission{Driver: f.DriverID, Version: f.Version, Language: s.languageOf(f.Language), Typed: f.TypedName,
		Consent: f.ConsentSum, Replaces: f.Replaces, Declarations: map[string]string{}}
	var shown []struct {
		Order int64 `json:"order"`
		Pages int64 `json:"pages"`
		Ms    int64 `json:"ms"`
	}
	var declared []struct {
		ID      string `json:"id"`
		TextSum string `json:"textSum"`
	}
	for _, part := range []struct {
		name, text string
		into       any
	}{{"data", f.Data, &sub.Data}, {"sums", f.Sums, &sub.Hashes}, {"shown", f.Shown, &shown}, {"declarations", f.Declarations, &declared}} {
		if json.Unmarshal([]byte(part.text), part.into) != nil {
			return sub, contracts.ErrInvalid.Field(part.name, fault.WrongFormat)
		}
	}
	for _, o := range shown {
		sub.Shown = append(sub.Shown, contracts.Shown{Order: o.Order, Pages: o.Pages, Milliseconds: o.Ms})
	}
	for _, d := range declared {
		sub.Declarations[d.ID] = d.TextSum
	}
	if f.Signature.IsSet {
		sub.Picture, err = io.ReadAll(io.LimitReader(f.Signature, template.PictureMax+1))
	}
	return sub, err
}

func (s Settings) signContract(ctx context.Context, c web.Call, in *struct {
	RawBody huma.MultipartFormFiles[ContractSigning]
}) (Contract, error) {
	form := in.RawBody.Data()
	if form.Signature.IsSet {
		defer form.Signature.Close()
	}
	sub, err := form.submission(s)
	if err != nil {
		return Contract{}, err
	}
	asked := []any{"sign", sub.Hashes, contracts.TextHash(string(sub.Picture) + sub.Typed), sub.Driver, sub.Version}
	out, replayed, err := replayedContract(s, ctx, c, asked)
	if err != nil || replayed {
		return out, err
	}
	g, err := s.Contracts.Prepare(ctx, func(do func(*db.Tx, contracts.Person) error) error { return s.readContracts(ctx, c, do) }, sub)
	if err != nil {
		return Contract{}, err
	}
	used := ""
	out, _, err = changeContracts(s, ctx, c, asked, func(tx *db.Tx, who contracts.Person) (Contract, error) {
		made, err := s.Contracts.Sign(tx, who, g)
		if err != nil {
			return Contract{}, err
		}
		used = made.ID
		return s.oneContract(tx, made)
	})
	s.unusedContract(ctx, err, used == out.ID && err == nil, func() { s.Contracts.Drop(ctx, g) })
	return out, err
}

// unusedContract deletes files that no row names, unless an error leaves this open.
func (s Settings) unusedContract(_ context.Context, err error, used bool, drop func()) {
	refused := new(fault.Fault)
	if !used && (err == nil || errors.As(err, &refused)) {
		drop()
	}
}
