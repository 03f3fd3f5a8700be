package api

import (
	"context"
	"io"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/kernel/access"
	"saldo/internal/licences/invoicing"
	"saldo/internal/platform/db"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/platform/web"
)

func (s Settings) licenceFilesRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: get, Path: "/api/licences/orders/export", Name: "export-licence-orders", Permission: access.LicencesRead,
		Timeout: time.Minute, Summary: "All orders of a filter as a file"}, s.exportLicenceOrders)
	web.Plain(r, web.Route{Method: get, Path: "/api/licences/documents/{id}/pdf", Name: "licence-document-pdf",
		Permission: access.LicencesRead,
		Summary:    "An invoice of an order, or its correction, as a PDF"}, s.licenceDocumentPDF)
	web.Plain(r, web.Route{Method: get, Path: "/api/licences/documents/{id}/xml", Name: "licence-document-xml",
		Permission: access.LicencesRead,
		Summary:    "The same as machines read it"}, s.licenceDocumentXML)
}

// exportLicenceOrders hands out all orders of a filter as a file.
func (s Settings) exportLicenceOrders(ctx context.Context, c web.Call, in *struct {
	LicenceFilter
	Format   string   `query:"format" enum:"csv,xlsx" default:"csv"`
	Language Language `query:"lang"`
}) (func(huma.Context), error) {
	format, language := spreadsheet.Format(in.Format), s.wordsOf(in.Language)
	var count int64
	return s.serveExport(ctx, c, export{mediaType: format.MediaType(),
		write: func(tx *db.Tx, to io.Writer) (err error) {
			count, err = s.Licences.Export(tx, in.filter(), language, format, to)
			return err
		},
		record: func(tx *db.Tx) (string, error) { return s.Licences.RecordExport(tx, language, format, count) }})
}

func (s Settings) licenceDocumentPDF(ctx context.Context, c web.Call, in *named) (func(huma.Context), error) {
	var document *invoicing.PDFDocument
	if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) {
		document, err = s.LicenceInvoices.PDFDocument(tx, in.ID)
		return err
	}); err != nil {
		return nil, err
	}
	content, err := document.PDF()
	return saved(mediaPDF, document.FileName(), content), err
}

func (s Settings) licenceDocumentXML(ctx context.Context, c web.Call, in *named) (send func(huma.Context), err error) {
	err = s.DB.Read(ctx, c.Actor, func(tx *db.Tx) error {
		content, name, err := s.LicenceInvoices.File(tx, in.ID)
		send = saved("application/xml", name, content)
		return err
	})
	return send, err
}
