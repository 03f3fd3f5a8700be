package sheet

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// hostile are texts that a spreadsheet would compute, or that a file could
// lose; true: CSV needs the apostrophe.
var hostile = map[string]bool{
	`=HYPERLINK("http://evil.example","click")`: true,
	"+48601234567": true,
	"-2+3":         true,
	"@SUM(1;2)":    true,
	"\t=1+1":       true,
	"\r=1+1":       true,
	"\n=1+1":       true,
	"  =1+1":       true,
	"\u00a0=1+1":   true,
	"\u200b=1+1":   true,
	"\ufeff=1+1":   true,
	"＝1+1":         true,
	"＋1":           true,
	"－1":           true,
	"＠SUM(1)":      true,
	"﹦1+1":         true,
	"'=1+1":        true,
	"'quoted'":     true,
	`"=1+1"`:       false,
	"a=b":          false,
	"Nowak; Jan":   false,
	"line\nbreak":  false,
	"Żółć Їжак":    false,
	"0012345678":   false,
	"1e5":          false,
	"_x0041_":      false,
	"<b>&amp;</b>": false,
	" x ":          false,
	"":             false,
}

func written(t *testing.T, f Format, cells []string) []byte {
	t.Helper()
	var file bytes.Buffer
	s, err := New(f, &file, "Drivers", []string{"First", "=Last"})
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range cells {
		if err := s.Row([]string{"x", cell}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func cellsOf() (cells []string) {
	for cell := range hostile {
		cells = append(cells, cell)
	}
	slices.Sort(cells)
	return cells
}

func TestNoCellOfACSVBeginsLikeAFormulaAndAllReadBack(t *testing.T) {
	cells := cellsOf()
	file := written(t, CSV, cells)
	text, marked := strings.CutPrefix(string(file), "\ufeff")
	if !marked {
		t.Errorf("%q", text[:40])
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma = ';'
	rows, err := reader.ReadAll()
	if err != nil || len(rows) != len(cells)+1 || rows[0][1] != "'=Last" {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, cell := range cells {
		read := rows[i+1][1]
		if got := strings.TrimPrefix(read, "'"); got != cell || (read != cell) != hostile[cell] {
			t.Errorf("%q was written as %q", cell, read)
		}
	}
}

func TestEveryCellOfAWorkbookIsTextAndReadsBack(t *testing.T) {
	cells := cellsOf()
	file, err := excelize.OpenReader(bytes.NewReader(written(t, XLSX, cells)))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for i, cell := range cells {
		at := fmt.Sprintf("B%d", i+2)
		read, err := file.GetCellValue("Drivers", at)
		formula, _ := file.GetCellFormula("Drivers", at)
		kind, _ := file.GetCellType("Drivers", at)
		style, _ := file.GetCellStyle("Drivers", at)
		format, _ := file.GetStyle(style)
		if err != nil || read != cell || formula != "" || kind != excelize.CellTypeInlineString && kind != excelize.CellTypeSharedString || format.NumFmt != textFormat {
			t.Errorf("%q was written as %q, formula %q, type %d, format %d, %v", cell, read, formula, kind, format.NumFmt, err)
		}
	}
}
