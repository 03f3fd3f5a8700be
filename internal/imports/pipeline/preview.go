package pipeline

import (
	"saldo/internal/imports/counts"
	"saldo/internal/imports/statement"
	"saldo/internal/kernel/money"
)

// Preview is what a person sees of a file before confirming it.
type Preview struct {
	Parts       []Part          `json:"parts"`
	Rows        []PreviewRow    `json:"rows"` // the first below the head
	Counts      counts.Counts   `json:"counts"`
	Totals      counts.Totals   `json:"totals"`
	RowWarnings RowWarnings     `json:"rowWarnings"`
	RowErrors   []RowErrorGroup `json:"rowErrors"`
	Matches     Matches         `json:"matches"`
	Warnings    []Warning       `json:"warnings"`
	Changes     Changes         `json:"changes"`
	// Remembered are the types that rows took because a person gave them to such rows before: it is booked by these, whatever is remembered
	// then.
	Remembered []RememberedRows `json:"remembered,omitempty"`
	// Guessed are types that rows probably have: people can change them once they are booked.
	Guessed  []RememberedRows `json:"guessed,omitempty"`
	Standing string           `json:"standing"` // what was imported when it was made
	// Mappings are those by which it was read: it is booked by these, whatever becomes of them.
	Mappings []Mapping `json:"mappings,omitempty"`
}

// PreviewRow is a row as the file has it, its cells cut.
type PreviewRow struct {
	Part  string   `json:"part"`
	Line  int64    `json:"line"`
	Cells []string `json:"cells"`
}

// RowWarnings are rows whose total is not what their parts add up to.
type RowWarnings struct {
	Count int64                  `json:"count"`
	First []statement.RowWarning `json:"first"`
}

// RowErrorGroup is all row errors of one code.
type RowErrorGroup struct {
	Code  string               `json:"code"`
	Count int64                `json:"count"`
	First []statement.RowError `json:"first"`
}

// Matches say how the people of a file were recognised.
type Matches struct {
	By         map[string]int64 `json:"by"` // how → people
	Pairs      []Pair           `json:"pairs"`
	Unassigned []Stranger       `json:"unassigned"` // the first of them
}

// Pair is somebody whom a file names and a driver of the same name.
type Pair struct {
	Provider string        `json:"provider"`
	Key      statement.Key `json:"key"`
	Name     string        `json:"name"`
	DriverID string        `json:"driverId"`
	Driver   string        `json:"driver"`
	Rows     int64         `json:"rows"`
}

// Stranger is somebody whom a file names and nobody knows.
type Stranger struct {
	Provider string          `json:"provider"`
	Keys     []statement.Key `json:"keys"`
	Name     string          `json:"name"`
	Rows     int64           `json:"rows"`
	Sum      money.Amount    `json:"sum"`
}

// RowErrors lists the codes of row errors, for the contract.
func RowErrorCodes() []string {
	return []string{statement.WrongAmount, statement.WrongDate, statement.NoDate, statement.NoDriver, statement.WrongType,
		statement.WrongCurrency,
		statement.WrongPayment, statement.TooFewCells, statement.TooManyCells, statement.NotInFile}
}

// How much of a preview is kept.
const (
	previewRows    = 20
	previewColumns = 60
	previewCellMax = 120
	previewFirst   = 100 // of errors of a code, warnings, unmatched people
)

func cut(text string) string {
	letters := []rune(text)
	return string(letters[:min(len(letters), previewCellMax)])
}

// emptyPreview is a preview without anything in it.
func emptyPreview() Preview {
	return Preview{Parts: []Part{}, Rows: []PreviewRow{}, RowWarnings: RowWarnings{First: []statement.RowWarning{}},
		RowErrors: []RowErrorGroup{},
		Warnings:  []Warning{}, Changes: Changes{Drivers: []DriverChange{}, Rows: []RowChange{}},
		Matches: Matches{By: map[string]int64{}, Pairs: []Pair{}, Unassigned: []Stranger{}}}
}

// clipped is a part as it is shown.
func (p *Part) clipped() Part {
	preview := *p
	preview.Head = make([]string, min(len(p.Head), previewColumns))
	for n := range preview.Head {
		preview.Head[n] = cut(p.Head[n])
	}
	return preview
}
