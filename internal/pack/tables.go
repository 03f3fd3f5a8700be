package pack

import (
	"archive/zip"
	"bytes"
	"cmp"
	"slices"
	"strings"

	"saldo/internal/billing"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/reports"
	"saldo/internal/settlements/export"
)

func (m *making) language() i18n.Language { return i18n.Language(m.Instance.Language) }

func (m *making) word(key string, params ...any) string { return i18n.Of(m.language(), key, params...) }

// tablesOf makes the tables of the month as the exports do.
func (m *making) tablesOf(tx *db.Tx) error {
	m.tables, m.documents = nil, nil
	settled := export.File{Filter: filter(m.first, m.last), Language: m.language(), Zone: m.Instance.Location()}
	for _, format := range []spreadsheet.Format{spreadsheet.CSV, spreadsheet.XLSX} {
		var file bytes.Buffer
		if _, err := settled.Write(tx, format, &file); err != nil {
			return err
		}
		m.tables = append(m.tables, table{"settlements." + string(format), file.Bytes()})
		var register bytes.Buffer
		if err := m.register(tx, format, &register); err != nil {
			return err
		}
		m.tables = append(m.tables, table{"documents." + string(format), register.Bytes()})
	}
	var paid bytes.Buffer
	payout := reports.Payout{From: m.first, To: m.last, Language: m.language(), Currency: m.Instance.Currency}
	if _, _, err := payout.Write(tx, &paid); err != nil {
		return err
	}
	content, err := ordered(paid.Bytes())
	m.tables = append(m.tables, table{"payouts.xlsx", content})
	return err
}

// ordered is a workbook with its parts in the order of their names: several sheets come in any.
func ordered(workbook []byte) ([]byte, error) {
	from, err := zip.NewReader(bytes.NewReader(workbook), int64(len(workbook)))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(from.File, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for _, part := range from.File {
		if err := to.Copy(part); err != nil {
			return nil, err
		}
	}
	err = to.Close()
	return out.Bytes(), err
}

// register writes the register of the month's documents, newest first as on the screen, with its totals.
func (m *making) register(tx *db.Tx, format spreadsheet.Format, to *bytes.Buffer) error {
	heads := []string{}
	for _, key := range []string{"pack:head_number", "pack:kind", "pack:issuedOn", "pack:state", "pack:net", "pack:vat", "pack:gross",
		"exports:settlements.currency", "exports:tracking.settlement", "settlement-fields:period", "driver-fields:lastName",
		"exports:settlements.firstName", "pack:ksef", "pack:corrects", "pack:correctedBy"} {
		heads = append(heads, m.word(key))
	}
	t, err := spreadsheet.New(format, to, m.word("pack:documents"), heads)
	if err != nil {
		return err
	}
	first := format == spreadsheet.CSV
	if err := eachDocument(tx, m.first, m.last, func(_ *billing.Register, d *billing.Document) error {
		if first {
			m.documents = append(m.documents, document{d.ID, strings.TrimSuffix(d.FileName("pdf"), ".pdf"), d.HasFile()})
		}
		return t.Row([]spreadsheet.Cell{spreadsheet.Text(d.Number), spreadsheet.Text(m.word("pack:kind_" + string(d.Kind))),
			spreadsheet.Day(d.IssuedOn), spreadsheet.Text(m.word("pack:state_" + string(d.State))), spreadsheet.Amount(d.Net),
			spreadsheet.Amount(d.VAT), spreadsheet.Amount(d.Gross), spreadsheet.Text(string(d.Currency)),
			spreadsheet.Count(d.SettlementNumber), spreadsheet.Text(string(d.Period)), spreadsheet.Text(d.LastName),
			spreadsheet.Text(d.FirstName), spreadsheet.Text(d.AuthorityNumber), spreadsheet.Text(d.CorrectsNumber),
			spreadsheet.Text(d.CorrectedBy)})
	}); err != nil {
		return err
	}
	f := m.contents.Figures
	if err := t.Foot([]spreadsheet.Cell{spreadsheet.Text(m.word("exports:payouts.total")), {}, {}, {}, spreadsheet.Amount(f.Net),
		spreadsheet.Amount(f.VAT), spreadsheet.Amount(f.Gross)}); err != nil {
		return err
	}
	return t.Close()
}

// changesTable lists every difference to the version before.
func (m *making) changesTable() ([]byte, error) {
	var file bytes.Buffer
	heads := []string{}
	for _, key := range []string{"what", "number", "change", "stateBefore", "stateAfter", "dayBefore", "dayAfter", "amountBefore",
		"amountAfter"} {
		heads = append(heads, m.word("pack:head_"+key))
	}
	t, err := spreadsheet.New(spreadsheet.CSV, &file, "changes", heads)
	if err != nil {
		return nil, err
	}
	for _, c := range m.differences {
		cells := make([]spreadsheet.Cell, len(heads))
		cells[0], cells[1] = spreadsheet.Text(m.word("pack:sort_"+string(c.Sort))), spreadsheet.Text(c.Number)
		cells[2] = spreadsheet.Text(m.word("pack:change_" + c.Kind()))
		for i, fact := range []*Fact{c.Before, c.After} {
			if fact == nil {
				continue
			}
			if fact.State != "" {
				cells[3+i] = spreadsheet.Text(m.word("pack:state_" + fact.State))
			}
			cells[5+i], cells[7+i] = spreadsheet.Day(fact.On), spreadsheet.Amount(fact.Amount)
		}
		if err := t.Row(cells); err != nil {
			return nil, err
		}
	}
	err = t.Close()
	return file.Bytes(), err
}

// Kind says what became of an entry.
func (c *Change) Kind() string {
	switch {
	case c.Before == nil:
		return "added"
	case c.After == nil:
		return "removed"
	}
	return "changed"
}

// page says what is in the file, and what it comes to.
func (m *making) page() []byte {
	var b strings.Builder
	line := func(key string, params ...any) { b.WriteString(m.word("pack:page_"+key, params...) + "\r\n") }
	sum := func(a money.Amount) string { return i18n.Amount(m.language(), a) + " " + string(m.Instance.Currency) }
	count := number
	f := m.contents.Figures
	line("title", "days", i18n.Days(m.language(), m.first, m.last))
	b.WriteString(m.partner.Name + "\r\n")
	line("version", "version", count(m.Version))
	b.WriteString("\r\n")
	line("about_settlements", "count", count(f.Settlements), "revoked", count(f.Revoked), "revenue", sum(f.Revenue), "due", sum(f.Due),
		"payout", sum(f.Payout))
	line("about_payouts", "count", count(f.Payments), "paid", sum(f.Paid))
	line("about_documents", "count", count(f.Documents), "net", sum(f.Net), "vat", sum(f.VAT), "gross", sum(f.Gross))
	line("about_sums")
	if m.former.Version > 0 {
		b.WriteString("\r\n")
		line("about_changes", "version", count(m.former.Version), "count", count(int64(len(m.differences))))
		for _, v := range []struct {
			key           string
			before, after money.Amount
		}{{"revenue", m.Changes.Before.Revenue, f.Revenue}, {"due", m.Changes.Before.Due, f.Due}, {"payout", m.Changes.Before.Payout, f.Payout},
			{"paid", m.Changes.Before.Paid, f.Paid}, {"gross", m.Changes.Before.Gross, f.Gross}} {
			if v.before != v.after {
				line("figure", "figure", m.word("pack:sum_"+v.key), "before", sum(v.before), "after", sum(v.after))
			}
		}
	}
	return []byte("\ufeff" + b.String())
}
