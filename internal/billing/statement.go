package billing

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/pdf"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
)

// Statement is everything that the PDF of a settlement says.
type Statement struct {
	LogoKey string // of the partner's picture among the files; empty: none

	words
	figures      engine.Figures
	apps         []snapshot.App
	lines        []engine.Line
	settled      *settlements.Settlement
	explanations []engine.Explanation // none: it is revoked
	terms        *snapshot.Terms
	partner      Party
	colour       string
	partnerTax   string
	driver       string
	about        []string // of the driver, a line each
	transfers    []snapshot.Transfer
	zone         *time.Location
	bank         i18n.Language // of the words that banks are told
	currencySign string
}

// Statement gathers what the statement of a settlement says, in the driver's language. Personal numbers are masked: it is
// sent, printed and left lying about.
func (d *Service) Statement(tx *db.Tx, id string) (*Statement, error) {
	return d.statement(tx, id, "", func(driver drivers.Driver) string { return driver.FirstName + " " + driver.LastName })
}

// Revoked says whether the settlement was revoked.
func (s *Statement) Revoked() bool { return s.settled.State == settlements.Revoked }

// LinkedStatement is the same for whoever has a link to it, who need not be
// the driver: it has no surname. An empty language is the driver's.
func (d *Service) LinkedStatement(tx *db.Tx, id string, language i18n.Language) (*Statement, error) {
	return d.statement(tx, id, language, func(driver drivers.Driver) string { return drivers.MaskedName(driver.FirstName, driver.LastName) })
}

func (d *Service) statement(tx *db.Tx, id string, language i18n.Language, named func(drivers.Driver) string) (*Statement, error) {
	e, err := settlements.ExplainFigures(tx, id)
	if err != nil {
		return nil, err
	}
	driver, err := d.driverOf(tx, e.Settled)
	if err != nil {
		return nil, err
	}
	partner, own, err := d.partner(tx)
	if err != nil {
		return nil, err
	}
	s := &Statement{LogoKey: own.Logo, settled: e.Settled, terms: &e.Terms, partner: partner, colour: own.Color,
		partnerTax: d.shownTaxID(partner.TaxID),
		driver:     named(driver), zone: d.Instance.Location(), bank: i18n.Language(d.Instance.Language), currencySign: e.Settled.Currency.Sign()}
	s.words = words{cmp.Or(language, d.languageOf(driver)), &s.terms.Rules}
	if e.Computed != nil {
		s.explanations = e.Computed.Explanations()
	}
	if s.figures, err = e.Settled.KeptFigures(); err != nil {
		return nil, err
	}
	if s.apps, err = e.Settled.KeptApps(); err != nil {
		return nil, err
	}
	if s.lines, err = e.Lines(engine.CashByApp); err != nil {
		return nil, fmt.Errorf("billing: settlement %d: %w", e.Settled.Number, err)
	}
	if s.transfers, err = e.Settled.KeptTransfers(); err != nil {
		return nil, err
	}
	for _, one := range []struct{ key, name, value string }{
		{"billing:statement.contract", "number", driver.ContractNumber}, {"billing:statement.taxId", "id", masked(driver.TaxID)},
		{"billing:statement.account", "account", maskedAccount(driver.IBAN)},
	} {
		if one.value != "" {
			s.about = append(s.about, s.of(one.key, one.name, one.value))
		}
	}
	return s, nil
}

// FileName is what the PDF is saved as. It names no person.
func (s *Statement) FileName() string {
	return fmt.Sprintf("%s-%d-%s.pdf", s.of("billing:statement.file"), s.settled.Number, s.settled.Period)
}

// day of an instant, where the partner is.
func (s *Statement) day(at time.Time) string {
	return i18n.Day(s.language, calendar.DateOf(at, s.zone, 0))
}

// PDF is the printed statement, with the partner's logo where there is one. The same settlement gives the same bytes.
func (s *Statement) PDF(logo []byte) ([]byte, error) {
	title := s.of("billing:statement.title", "number", fmt.Sprint(s.settled.Number))
	d := pdf.New(pdf.Heading{Title: title, Author: s.partner.Name, Language: string(s.language), At: s.settled.SettledAt,
		Foot: s.partner.Name + " · " + title + " · " + s.driver})
	d.Letterhead(s.colour, s.partner.Name, logo, title,
		[]string{i18n.Days(s.language, s.settled.FirstOn, s.settled.LastOn), s.week(s.settled.Period) + s.supplementary()})
	s.parties(d)
	s.payout(d)
	s.appsTable(d)
	if err := s.chainTable(d); err != nil {
		return nil, err
	}
	s.transfersTable(d)
	if err := s.figuresTable(d); err != nil {
		return nil, err
	}
	return d.Bytes(), nil
}

func (s *Statement) supplementary() string {
	if s.settled.Ordinal == 0 {
		return ""
	}
	return " · " + s.of("billing:statement.supplementary")
}

func (s *Statement) parties(d *pdf.Document) {
	about := []string{s.partner.Street, s.partner.Place}
	if s.partnerTax != "" {
		about = append(about, s.of("billing:statement.taxId", "id", s.partnerTax))
	}
	half := pdf.Width/2 - 4
	high := max(d.Party(pdf.Left, half, s.of("billing:statement.partner"), s.partner.Name, about),
		d.Party(pdf.Left+half+8, half, s.of("billing:statement.driver"), s.driver, s.about))
	d.Y += high + 6
}

// payout is the amount that it is all about, with what became of it.
func (s *Statement) payout(d *pdf.Document) {
	label, value := s.of("statement:toPay"), s.figures[engine.Payout]
	colour := pdf.Ink
	if due := s.figures[engine.Due]; due < 0 {
		label, value, colour = s.of("statement:debt"), due, pdf.Danger
	}
	state, stateColour := s.state()
	d.Rule(pdf.Left, pdf.Right, d.Y, 0.2, pdf.Line)
	d.Y += 4
	d.Text(pdf.Left, d.Y+1, 90, pdf.Style{Size: 11, Bold: true, Head: 2}, label)
	d.Text(pdf.Left, d.Y+6.5, 90, pdf.Style{Size: 9, Colour: stateColour}, state)
	amount := s.amount(value) + "\u00a0" + s.currencySign
	d.Text(pdf.Left+80, d.Y-0.5, pdf.Width-80, pdf.Style{Size: 24, Bold: true, Colour: colour, Right: true}, amount)
	if value >= 0 {
		wide := d.Measure(pdf.Style{Size: 24, Bold: true}, amount)
		d.Rule(pdf.Right-wide, pdf.Right, d.Y+11.6, 0.35, pdf.Ink)
		d.Rule(pdf.Right-wide, pdf.Right, d.Y+12.6, 0.35, pdf.Ink)
	}
	d.Y += 18
}

func (s *Statement) state() (string, pdf.Colour) {
	switch day := s.day(s.settled.SettledAt); {
	case s.Revoked():
		return s.of("billing:statement.revoked", "day", s.day(s.settled.RevokedAt)), pdf.Danger
	case s.settled.AbsorbedInto != "":
		return s.of("billing:statement.absorbed", "week", s.week(s.settled.AbsorbedPeriod)), pdf.Grey
	case s.settled.State == settlements.Paid:
		return s.of("billing:statement.paid", "day", i18n.Day(s.language, s.settled.PaidOn)), pdf.Grey
	case s.figures[engine.Payout] == 0:
		return s.of("billing:statement.closed", "day", day), pdf.Grey
	default:
		return s.of("billing:statement.settled", "day", day), pdf.Grey
	}
}

func section(d *pdf.Document, title string) {
	d.Need(28)
	d.Y += 2
	d.Y += d.Text(pdf.Left, d.Y, pdf.Width, pdf.Style{Size: 11.5, Bold: true, Head: 2}, title) + 2.5
}

func (s *Statement) appsTable(d *pdf.Document) {
	if len(s.apps) == 0 {
		return
	}
	section(d, s.of("billing:statement.apps"))
	columns := []pdf.Column{{Title: s.of("billing:statement.app"), Width: 42, Names: true}}
	for _, f := range []engine.Figure{engine.Income, engine.Bonus, engine.Tips, engine.CashCollected, engine.Fee} {
		columns = append(columns, pdf.Column{Title: s.of("statement:figure_" + f.String()), Width: 24, Right: true})
	}
	columns = append(columns, pdf.Column{Title: s.of("billing:statement.days"), Width: 12, Right: true})
	number := func(a money.Amount) pdf.Cell {
		c := pdf.Cell{Text: s.amount(a)}
		if a == 0 {
			c.Style.Colour = pdf.Grey
		}
		return c
	}
	rows := []pdf.Row{}
	for _, a := range s.apps {
		rows = append(rows, pdf.Row{Cells: []pdf.Cell{{Text: kinds.ProviderName(a.Provider, s.of)}, number(a.Income), number(a.Bonus),
			number(a.Tips), number(a.CashCollected), number(a.Fee), {Text: fmt.Sprint(a.WorkingDays)}}})
	}
	f := &s.figures
	rows = append(rows, pdf.Row{Total: true,
		Cells: []pdf.Cell{{Text: s.of("billing:statement.total")}, number(f[engine.Income]), number(f[engine.Bonus]), number(f[engine.Tips]),
			number(f[engine.CashCollected]), number(f[engine.Fee]), {}}})
	d.Table(columns, rows)
	d.Y += 5
}

// explain is the formula of a figure; empty where nobody knows any more.
func (s *Statement) explain(figure, provider string) (string, error) {
	for _, e := range s.explanations {
		if e.Figure == figure && e.Provider == provider {
			return s.formula(e)
		}
	}
	return "", nil
}

func (s *Statement) chainTable(d *pdf.Document) error {
	section(d, s.of("billing:statement.chain"))
	rows, group := []pdf.Row{}, engine.StartGroup
	for _, l := range s.lines {
		if l.Group != group {
			group = l.Group
			rows = append(rows, pdf.Row{Heading: s.of("statement:group_" + string(group))})
		}
		note, err := s.note(l)
		if err != nil {
			return err
		}
		name := kinds.ProviderName(l.Provider, s.of)
		if l.Provider == "" {
			name = s.of("statement:line_" + l.Name)
		}
		rows = append(rows, pdf.Row{Cells: []pdf.Cell{{Text: name, Note: note}, {Text: s.signed(l.Amount)},
			{Text: s.amount(l.Balance), Style: pdf.Style{Colour: pdf.Grey}}}})
	}
	f := &s.figures
	label, value := s.of("statement:toPay"), f[engine.Payout]
	if f[engine.Due] < 0 {
		label, value = s.of("statement:debt"), f[engine.Due]
	}
	why, err := s.explain(engine.Payout.String(), "")
	if err != nil {
		return err
	}
	if f[engine.Payout] == f[engine.Due] {
		why = ""
	}
	rows = append(rows, pdf.Row{Total: true, Cells: []pdf.Cell{{Text: label, Note: why}, {Text: s.amount(value)}, {}}},
		pdf.Row{Cells: []pdf.Cell{{Text: s.of("statement:carried")}, {Text: s.amount(f[engine.NextPeriodTransfer])}, {}}})
	d.Table([]pdf.Column{{Title: s.of("billing:statement.position"), Width: 116, Names: true},
		{Title: s.of("statement:amountIn", "currency", s.currencySign), Width: 29, Right: true},
		{Title: s.of("statement:balanceIn", "currency", s.currencySign), Width: 29, Right: true}}, rows)
	d.Y += 5
	return nil
}

// note is the formula of a line.
func (s *Statement) note(l engine.Line) (string, error) {
	if len(l.Terms) == 1 {
		return s.explain(l.Terms[0].Figure, l.Terms[0].Provider)
	}
	var text strings.Builder
	for i, t := range l.Terms {
		v := t.Amount
		switch {
		case i > 0 && v < 0:
			text.WriteString(" \u2212 ")
		case i > 0:
			text.WriteString(" + ")
		}
		shown := s.amount(v)
		if i > 0 {
			shown = strings.TrimPrefix(shown, "\u2212")
		}
		text.WriteString(s.figure(t.Figure, "") + "\u00a0" + shown)
	}
	return text.String() + " =\u00a0" + s.amount(l.Amount), nil
}

func (s *Statement) transfersTable(d *pdf.Document) {
	section(d, s.of("statement:transfers"))
	if len(s.transfers) == 0 {
		d.Paragraph(pdf.Style{Colour: pdf.Grey}, s.of("billing:statement.noTransfers"))
		d.Y += 5
		return
	}
	rows := []pdf.Row{}
	for _, t := range s.transfers {
		purpose := s.of("statement:purpose_" + string(t.Purpose))
		cell := pdf.Cell{Text: s.amount(t.Amount)}
		if t.VAT != 0 {
			cell.Note = s.of("billing:statement.vatInside", "amount", s.amount(t.VAT))
		}
		rows = append(rows, pdf.Row{Cells: []pdf.Cell{{Text: purpose}, {Text: s.settled.Title(s.bank, t.Purpose), Language: string(s.bank)},
			cell}})
	}
	rows = append(rows, pdf.Row{Total: true,
		Cells: []pdf.Cell{{Text: s.of("billing:statement.total")}, {}, {Text: s.amount(s.figures[engine.Payout])}}})
	d.Table([]pdf.Column{{Title: s.of("billing:statement.purpose"), Width: 42, Names: true},
		{Title: s.of("billing:statement.transferTitle"), Width: 92},
		{Title: s.of("statement:amountIn", "currency", s.currencySign), Width: 40, Right: true}}, rows)
	d.Y += 5
}

// figuresTable has every figure with its formula: those of the apps first, then in the order in which they are computed.
func (s *Statement) figuresTable(d *pdf.Document) error {
	all := s.explanations
	if len(all) == 0 {
		return nil
	}
	section(d, s.of("billing:statement.figures"))
	ofAll := len(engine.AllFigures())
	rows := []pdf.Row{}
	for _, e := range append(all[ofAll:len(all):len(all)], all[:ofAll]...) {
		if len(e.Parts) == 0 && len(e.Days) == 0 && (e.Reason == "" || e.Value == 0 && e.Provider != "") {
			continue
		}
		how, err := s.formula(e)
		if err != nil {
			return err
		}
		value := s.amount(e.Value)
		if e.Formula == engine.Days {
			value = fmt.Sprint(int64(e.Value))
		}
		rows = append(rows, pdf.Row{Cells: []pdf.Cell{{Text: s.figure(e.Figure, e.Provider), Style: pdf.Style{Size: 8}},
			{Text: how, Style: pdf.Style{Size: 8, Colour: pdf.Grey}}, {Text: value, Style: pdf.Style{Size: 8}}}})
	}
	d.Table([]pdf.Column{{Title: s.of("billing:statement.figure"), Width: 48, Names: true},
		{Title: s.of("billing:statement.formula"), Width: 99},
		{Title: s.of("statement:amountIn", "currency", s.currencySign), Width: 27, Right: true}}, rows)
	d.Y += 3
	d.Paragraph(pdf.Style{Size: 8, Colour: pdf.Grey},
		s.of("billing:statement.rules", "name", s.terms.Rules.Name, "version", fmt.Sprint(s.terms.Schema.Version)))
	return nil
}
