package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"saldo/internal/contracts"
	"saldo/internal/contracts/pdfs"
	"saldo/internal/contracts/template"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) contractPDFRoutes(r *web.Router) {
	const at = "/api/partner-documents/template-files"
	web.Plain(r, web.Route{Method: post, Path: at, Name: "add-contract-pdf", Permission: access.ContractsDecide, Status: http.StatusCreated,
		BodyLimit: pdfs.Max + 1<<20, Timeout: 2 * time.Minute,
		Summary: "Upload a PDF that contract documents are made of; it is used within a day, or goes"}, s.addContractPDF)
	web.Plain(r, web.Route{Method: get, Path: at + "/{id}", Name: "contract-pdf", Permission: access.ContractsDecide,
		Summary: "An uploaded PDF as it is printed, or one of its pages as a picture"}, s.contractPDF)
}

// ContractPDF is a partner's PDF.
type ContractPDF struct {
	ID         string               `json:"id"`
	Name       string               `json:"name"`
	Pages      []pdfs.SheetSize     `json:"pages" nullable:"false" doc:"in mm, as they are shown"`
	Placements []template.Placement `json:"placements" nullable:"false" doc:"that its form fields propose; no name: that is not known"`
}

func shownPDF(f pdfs.File) *ContractPDF {
	return &ContractPDF{f.ID, f.Name, f.Pages, append([]template.Placement{}, f.Fields...)}
}

// ContractPDFUpload is a PDF of a partner.
type ContractPDFUpload struct {
	File huma.FormFile `form:"file" required:"true" contentType:"application/octet-stream" doc:"PDF to 10 MB and 40 pages"`
}

func (s Settings) addContractPDF(ctx context.Context, c web.Call, in *struct {
	RawBody huma.MultipartFormFiles[ContractPDFUpload]
}) (ContractPDF, error) {
	form := in.RawBody.Data()
	defer form.File.Close()
	tenant := ""
	if err := s.readContracts(ctx, c, func(tx *db.Tx, _ contracts.Person) error { tenant = tx.Actor.Tenant; return nil }); err != nil {
		return ContractPDF{}, err
	}
	service := s.Contracts.PDFs()
	g, err := service.Receive(ctx, tenant, uuid.Must(uuid.NewV7()).String(), form.File.Filename, form.File)
	if err != nil {
		return ContractPDF{}, err
	}
	used := false
	out, _, err := changeContracts(s, ctx, c, []any{"pdf", g.Sum()}, func(tx *db.Tx, _ contracts.Person) (ContractPDF, error) {
		f, err := pdfs.Add(tx, g)
		used = err == nil
		return *shownPDF(f), err
	})
	s.unusedContract(ctx, err, used && err == nil, func() { service.Drop(ctx, g) })
	return out, err
}

func (s Settings) contractPDF(ctx context.Context, c web.Call, in *struct {
	PagePicture
	ID string `path:"id" maxLength:"64"`
}) (func(huma.Context), error) {
	var f pdfs.File
	if err := s.readContracts(ctx, c, func(tx *db.Tx, _ contracts.Person) (err error) {
		f, err = pdfs.ByID(tx, in.ID)
		return err
	}); err != nil {
		return nil, err
	}
	content, err := s.Contracts.PDFs().Content(ctx, &f)
	if err != nil {
		return nil, damage(err)
	}
	return s.pageAnswer(ctx, in.PagePicture, mediaPDF, content, nil)
}
