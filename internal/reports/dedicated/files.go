package dedicated

import (
	"fmt"
	"io"
	"strings"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/pdf"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/reports/query"
)

// MediaType is what a format is called on the wire.
func (f Format) MediaType() string {
	if f == PDF {
		return "application/pdf"
	}
	return spreadsheet.Format(f).MediaType()
}

// Made is a file that was made.
type Made struct {
	ID, Code string
	From, To calendar.Date
	Format   Format
	Rows     int
}

// FileName is what the file is saved as. It names no driver.
func (m Made) FileName() string {
	name := m.Code
	if m.From != "" {
		name += "-" + string(m.From) + "-" + string(m.To)
	}
	return name + "." + string(m.Format)
}

// Record leaves in the trail that the file was handed out.
func (m Made) Record(tx *db.Tx) error {
	return audit.Record(tx, audit.Change{Action: "reports.generate", Kind: kindOfReport, ID: m.ID,
		After: map[string]any{"code": m.Code, "from": m.From, "to": m.To, "format": m.Format, "rows": m.Rows}})
}

// Write writes a report as a file: all of its rows, or nothing.
func (s *Service) Write(tx *db.Tx, a Asking, f Format, to io.Writer) (m Made, err error) {
	r, err := find(tx, a.Report)
	if err != nil {
		return m, err
	}
	return s.write(tx, &r, a, f, to, s.today(tx))
}

func (s *Service) write(tx *db.Tx, r *Report, a Asking, f Format, to io.Writer, today calendar.Date) (m Made, err error) {
	a.Page, a.Size = 1, query.RowsMost
	shown, err := s.run(tx, r, a, today)
	if err != nil {
		return m, err
	}
	if shown.LeftOut > 0 && !r.Parsed.Limited() {
		return m, ErrTooLarge.With("rows", query.RowsMost)
	}
	m = Made{ID: r.ID, Code: r.Code, From: shown.From, To: shown.To, Format: f, Rows: len(shown.Rows)}
	if f == PDF {
		return m, s.page(tx, shown, a.Language, to)
	}
	return m, s.sheet(tx, shown, a.Language, spreadsheet.Format(f), to)
}

// sheetName is a title as spreadsheets take one.
func sheetName(title string) string {
	name := []rune(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\'`, r) {
			return ' '
		}
		return r
	}, title))
	return strings.TrimSpace(string(name[:min(len(name), 31)]))
}

func (s *Service) sheet(tx *db.Tx, shown *Shown, l i18n.Language, f spreadsheet.Format, to io.Writer) error {
	heads := make([]string, len(shown.Columns))
	for i, c := range shown.Columns {
		heads[i] = c.Title
		switch c.Kind {
		case query.Money:
			heads[i] += ", " + string(s.Instance.Currency)
		case query.Percent:
			heads[i] += ", %"
		case query.Minutes:
			heads[i] += ", min"
		default: // it says itself what it is
		}
	}
	table, err := spreadsheet.New(f, to, sheetName(shown.Title), heads)
	if err != nil {
		return err
	}
	for i, row := range shown.Rows {
		if i%256 == 0 {
			tx.Yield()
		}
		if err := table.Row(cells(shown.Columns, row)); err != nil {
			return err
		}
	}
	if shown.Totals != nil {
		foot := cells(shown.Columns, shown.Totals)
		if shown.Totals[0] == nil && len(foot) > 1 {
			foot[0] = spreadsheet.Text(totalWord(shown, l))
		}
		if err := table.Foot(foot); err != nil {
			return err
		}
	}
	return table.Close()
}

// totalWord says what the last row is: where drivers of several rows count once in it, it says that.
func totalWord(shown *Shown, l i18n.Language) string {
	if shown.Once {
		return i18n.Of(l, "report-model:total_once")
	}
	return i18n.Of(l, "exports:payouts.total")
}

func cells(columns []query.Term, row []any) []spreadsheet.Cell {
	cells := make([]spreadsheet.Cell, len(row))
	for i, value := range row {
		switch v := value.(type) {
		case string:
			cells[i] = spreadsheet.Text(v)
			if columns[i].Kind == query.Day {
				cells[i] = spreadsheet.Day(calendar.Date(v))
			}
		case int64:
			switch columns[i].Kind {
			case query.Money:
				cells[i] = spreadsheet.Amount(money.Amount(v))
			case query.Percent:
				cells[i] = spreadsheet.Amount(money.Amount(v * 10)) // tenths as hundredths: written with two decimals
			default:
				cells[i] = spreadsheet.Count(v)
			}
		}
	}
	return cells
}

// percent writes tenths with one decimal.
func percent(l i18n.Language, tenths int64) string {
	text := i18n.Amount(l, money.Amount(tenths*10))
	return text[:len(text)-1] + "\u00a0%"
}

// words is a cell as people of a language read it.
func words(l i18n.Language, kind query.Kind, value any) string {
	switch v := value.(type) {
	case string:
		if kind == query.Day {
			return i18n.Day(l, calendar.Date(v))
		}
		return v
	case int64:
		switch kind {
		case query.Money:
			return i18n.Amount(l, money.Amount(v))
		case query.Percent:
			return percent(l, v)
		case query.Minutes:
			return fmt.Sprintf("%d:%02d", v/60, v%60)
		default:
			text := i18n.Amount(l, money.Amount(v)*100)
			return text[:len(text)-3]
		}
	}
	return ""
}

// rowsOfPage is how many rows a PDF has at most: what is longer is read in a spreadsheet.
const rowsOfPage = 2000

func (s *Service) page(tx *db.Tx, shown *Shown, l i18n.Language, to io.Writer) error {
	if len(shown.Rows) > rowsOfPage {
		return ErrTooLarge.With("rows", rowsOfPage)
	}
	name, err := db.One[string](tx, `SELECT name FROM partners WHERE tenant_id = $1`)
	if err != nil {
		return err
	}
	at := tx.Now.In(s.Instance.Location())
	d := pdf.New(pdf.Heading{Title: shown.Title, Author: name, Language: string(l), At: at, Foot: name + " · " + shown.Title})
	d.Paragraph(pdf.Style{Size: 15, Bold: true, Head: 1}, shown.Title)
	about := name
	if shown.From != "" {
		about += " · " + i18n.Days(l, shown.From, shown.To)
	}
	d.Paragraph(pdf.Style{Colour: pdf.Grey}, about+" · "+i18n.Of(l, "report-model:made", "at",
		i18n.Day(l, calendar.DateOf(at, at.Location(), 0))+" "+at.Format("15:04")))
	if shown.LeftOut > 0 {
		d.Paragraph(pdf.Style{Colour: pdf.Grey}, i18n.Of(l, "report-model:left_out", "count", int(shown.LeftOut)))
	}
	d.Y += 3
	columns := make([]pdf.Column, len(shown.Columns))
	for i, c := range shown.Columns {
		columns[i] = pdf.Column{Title: c.Title, Right: isNumber(c.Kind), Names: i == 0}
		if c.Kind == query.Money {
			columns[i].Title += ", " + s.Instance.Currency.Sign()
		}
	}
	widths(columns)
	rows := make([]pdf.Row, 0, len(shown.Rows)+1)
	for i, row := range shown.Rows {
		if i%256 == 0 {
			tx.Yield()
		}
		rows = append(rows, pdfRow(l, shown.Columns, row))
	}
	if shown.Totals != nil {
		total := pdfRow(l, shown.Columns, shown.Totals)
		if shown.Totals[0] == nil && len(total.Cells) > 1 {
			total.Cells[0].Text = totalWord(shown, l)
		}
		total.Total = true
		rows = append(rows, total)
	}
	d.Table(columns, rows)
	content := d.Bytes()
	_, err = to.Write(content)
	return err
}

func isNumber(k query.Kind) bool {
	return k == query.Count || k == query.Money || k == query.Minutes || k == query.Percent
}

// widths gives texts twice the room of numbers.
func widths(columns []pdf.Column) {
	parts := 0.0
	for _, c := range columns {
		parts += room(c)
	}
	for i := range columns {
		columns[i].Width = pdf.Width * room(columns[i]) / parts
	}
}

func room(c pdf.Column) float64 {
	if c.Right {
		return 1
	}
	return 1.6
}

func pdfRow(l i18n.Language, columns []query.Term, row []any) pdf.Row {
	r := pdf.Row{Cells: make([]pdf.Cell, len(row))}
	for i, value := range row {
		r.Cells[i] = pdf.Cell{Text: words(l, columns[i].Kind, value), Style: pdf.Style{Size: 7.5}}
	}
	return r
}
