package orders

import (
	"io"

	"saldo/internal/kernel/calendar"
	"saldo/internal/licences/invoicing"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/spreadsheet"
)

// exportColumns are the texts over the columns.
var exportColumns = []string{"number", "ordered", "package", "quantity", "units", "net", "vat", "gross", "state", "paid", "refunded",
	"invoice",
	"corrections"}

// Export writes all orders that a filter chooses, newest first, and says how many they are.
func (s *Service) Export(tx *db.Tx, f Filter, language i18n.Language, format spreadsheet.Format, to io.Writer) (int64, error) {
	where, args, err := s.where(f)
	if err != nil {
		return 0, err
	}
	rows, err := many(tx, where+` ORDER BY o.created_at DESC, o.id DESC`, args...)
	if err != nil {
		return 0, err
	}
	heads := make([]string, len(exportColumns))
	for i, name := range exportColumns {
		heads[i] = i18n.Of(language, "licence-documents:export."+name)
	}
	table, err := spreadsheet.New(format, to, i18n.Of(language, "licence-documents:export.name"), heads)
	if err != nil {
		return 0, err
	}
	zone := s.Instance.Location()
	for start := 0; start < len(rows); start += db.Most {
		part := rows[start:min(start+db.Most, len(rows))]
		ids := make([]string, len(part))
		for i := range part {
			ids[i] = part[i].ID
		}
		documents, err := invoicing.Of(tx, ids)
		if err != nil {
			return 0, err
		}
		for i := range part {
			o := &part[i]
			invoice, corrections := "", ""
			for _, d := range documents[o.ID] {
				switch {
				case d.Kind == invoicing.Invoice:
					invoice = d.Number
				case corrections != "":
					corrections += ", " + d.Number
				default:
					corrections = d.Number
				}
			}
			paid := spreadsheet.Cell{}
			if !o.PaidAt.IsZero() {
				paid = spreadsheet.Day(calendar.DateOf(o.PaidAt, zone, 0))
			}
			if err := table.Row([]spreadsheet.Cell{spreadsheet.Text(o.Number), spreadsheet.Day(calendar.DateOf(o.CreatedAt, zone, 0)),
				spreadsheet.Text(o.PackageNames[language]), spreadsheet.Count(o.Quantity), spreadsheet.Count(o.Units), spreadsheet.Amount(o.Net),
				spreadsheet.Amount(o.VAT), spreadsheet.Amount(o.Gross),
				spreadsheet.Text(i18n.Of(language, "licence-documents:state."+string(o.State))), paid, spreadsheet.Amount(o.Refunded),
				spreadsheet.Text(invoice), spreadsheet.Text(corrections)}); err != nil {
				return 0, err
			}
		}
	}
	return int64(len(rows)), table.Close()
}

// RecordExport leaves in the trail that the list was handed out, and names the file.
func (s *Service) RecordExport(tx *db.Tx, language i18n.Language, format spreadsheet.Format, count int64) (string, error) {
	return i18n.Of(language, "licence-documents:export.name") + "-" + s.today(tx.Now) + "." + string(format),
		audit.Record(tx, audit.Change{Action: "licences.export", Kind: "licence_order", After: map[string]any{"format": format, "orders": count}})
}
