package drivers

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/platform/vault"
	"saldo/internal/schemas"
)

// exportBatch is how many drivers an export reads at once.
const exportBatch = 500

// Export says who is exported, and in whose words.
type Export struct {
	Filter   Filter // all of its pages
	Language i18n.Language
	Zone     *time.Location
}

// exported are the columns of an export: the text that is their head, and
// what stands under it.
var exported = []struct {
	key  string
	cell func(e exportWords, d Driver) string
}{
	{"driver-fields:lastName", func(_ exportWords, d Driver) string { return d.LastName }},
	{"driver-fields:firstName", func(_ exportWords, d Driver) string { return d.FirstName }},
	{"exports:drivers.email", func(_ exportWords, d Driver) string { return d.Email }},
	{"driver-fields:phone", func(_ exportWords, d Driver) string { return d.Phone }},
	{"driver-fields:iban", func(_ exportWords, d Driver) string { return string(d.IBAN) }},
	{"driver-fields:accountHolder", func(_ exportWords, d Driver) string { return d.AccountHolder }},
	{"driver-fields:taxId", func(_ exportWords, d Driver) string { return d.TaxID }},
	{"driver-fields:schema", func(e exportWords, d Driver) string { return e.schemas[d.SchemaNumber] }},
	{"driver-fields:contractNumber", func(_ exportWords, d Driver) string { return d.ContractNumber }},
	{"driver-fields:tags", func(_ exportWords, d Driver) string {
		names := make([]string, len(d.Tags))
		for i, t := range d.Tags {
			names[i] = t.Name
		}
		return strings.Join(names, ", ")
	}},
	{"driver-fields:identities", func(_ exportWords, d Driver) string { return strings.Join(spelled(d.Identities), ", ") }},
	{"driver-fields:summaryLanguage", func(_ exportWords, d Driver) string { return d.SummaryLanguage }},
	{"exports:drivers.frequency", func(_ exportWords, d Driver) string {
		if d.SettlementFrequency == 0 {
			return ""
		}
		return strconv.FormatInt(d.SettlementFrequency, 10)
	}},
	{"driver-fields:settledOn", func(_ exportWords, d Driver) string { return d.SettledOn }},
	{"driver-fields:active", func(e exportWords, d Driver) string { return e.flag(d.Active) }},
	{"driver-fields:blocked", func(e exportWords, d Driver) string { return e.flag(d.Blocked) }},
	{"driver-fields:bailiffSeizure", func(e exportWords, d Driver) string { return e.flag(d.Bailiff) }},
	{"driver-fields:createdAt", func(e exportWords, d Driver) string { return string(calendar.DateOf(d.CreatedAt, e.Zone, 0)) }},
}

// exportWords are what cells are made of besides the driver.
type exportWords struct {
	Export
	schemas map[int64]string // 0: the default
}

func (e exportWords) flag(holds bool) string {
	return i18n.Of(e.Language, map[bool]string{true: "driver-fields:yes", false: "exports:drivers.no"}[holds])
}

// Heads are the heads of the columns.
func (e Export) Heads() []string {
	heads := make([]string, len(exported))
	for i, column := range exported {
		heads[i] = i18n.Of(e.Language, column.key)
	}
	return heads
}

// Name is what the drivers are called together.
func (e Export) Name() string { return i18n.Of(e.Language, "driver-fields:title") }

// Write writes the drivers of the filter as rows, and says how many. It reads
// them a batch at a time on the snapshot of the unit: a fleet of any size needs
// little memory, and nobody is left out or comes twice.
func (e Export) Write(tx *db.Tx, v *vault.Vault, to spreadsheet.Sheet) (int64, error) {
	words, err := e.words(tx)
	if err != nil {
		return 0, err
	}
	searched, args := e.Filter.search(tx)
	ids, err := db.Select[string](tx, `SELECT id FROM drivers WHERE `+searched+` AND `+e.Filter.chosen()+e.Filter.by().SQL(),
		args...)
	if err != nil {
		return 0, err
	}
	for from := 0; from < len(ids); from += exportBatch {
		batch := ids[from:min(from+exportBatch, len(ids))]
		in, args := db.Among(2, batch)
		drivers, err := chosenDrivers(tx, v, `tenant_id = $1 AND id`+in, args...)
		if err != nil {
			return 0, err
		}
		byID := map[string]Driver{}
		for _, d := range drivers {
			byID[d.ID] = d
		}
		for _, id := range batch {
			cells := make([]spreadsheet.Cell, len(exported))
			for i, column := range exported {
				cells[i] = spreadsheet.Text(column.cell(words, byID[id]))
			}
			if err := to.Row(cells); err != nil {
				return 0, err
			}
		}
	}
	return int64(len(ids)), nil
}

func (e Export) words(tx *db.Tx) (exportWords, error) {
	words := exportWords{e, map[int64]string{}}
	all, err := schemas.List(tx)
	for _, s := range all {
		words.schemas[s.Number] = s.Rules.Name
		if s.IsDefault {
			words.schemas[0] = i18n.Of(e.Language, "exports:drivers.default", "schema", s.Rules.Name)
		}
	}
	return words, err
}

// Record leaves in the trail that drivers were exported: how many, as what,
// and by which filter. Words that were searched for can be a person's name, so
// the trail knows only that there were some.
func (e Export) Record(tx *db.Tx, format spreadsheet.Format, drivers int64) error {
	return audit.Record(tx, audit.Change{Action: "drivers.export", Kind: "drivers", ID: "all", After: map[string]any{
		"format": format, "drivers": drivers, "searched": strings.TrimSpace(e.Filter.Query) != "", "tag": e.Filter.Tag,
		"income": e.Filter.Income != nil,
		"state":  e.Filter.State, "blocked": e.Filter.Blocked, "missing": e.Filter.Missing}})
}

// FileName is what an export of today is saved as.
func (e Export) FileName(now time.Time, format spreadsheet.Format) string {
	return fmt.Sprintf("drivers-%s.%s", calendar.DateOf(now, e.Zone, 0), format)
}
