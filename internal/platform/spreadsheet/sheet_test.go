package spreadsheet

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
		if err := s.Row(Texts([]string{"x", cell})); err != nil {
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
		if cell == "" && read == "" && kind == excelize.CellTypeUnset {
			continue
		}
		if err != nil || read != cell || formula != "" || kind != excelize.CellTypeInlineString && kind != excelize.CellTypeSharedString || format.NumFmt != textFormat {
			t.Errorf("%q was written as %q, formula %q, type %d, format %d, %v", cell, read, formula, kind, format.NumFmt, err)
		}
	}
}

func TestAmountsCountsAndDaysAreNumbersAndTextsAreNot(t *testing.T) {
	row := []Cell{Text("-12"), Amount(-1234567_89), Amount(5), Count(-7), Day("2026-11-02"), Day(""), Day("1899-01-02"), Amount(0), Amount(999_999_999_999_999), Amount(1_000_000_000_000_001)}
	heads := make([]string, len(row))
	for i := range heads {
		heads[i] = fmt.Sprint("h", i)
	}
	var separated, book bytes.Buffer
	for format, file := range map[Format]*bytes.Buffer{CSV: &separated, XLSX: &book} {
		s, err := New(format, file, "Table", heads)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Row(row); err != nil {
			t.Fatal(err)
		}
		if err := s.Foot(row); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if line := strings.Split(separated.String(), "\n")[1]; line != "'-12;-1234567,89;0,05;-7;2026-11-02;;1899-01-02;0,00;9999999999999,99;10000000000000,01" {
		t.Error(line)
	}
	file, err := excelize.OpenReader(&book)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	want := []string{"-12", "-1234567.89", "0.05", "-7", "46328", "", "1899-01-02", "0", "9999999999999.99", "10000000000000.01"}
	for _, line := range []int{2, 3} {
		for i, value := range want {
			at := fmt.Sprintf("%c%d", 'A'+i, line)
			raw, err := file.GetCellValue("Table", at, excelize.Options{RawCellValue: true})
			kind, _ := file.GetCellType("Table", at)
			number := kind != excelize.CellTypeInlineString && kind != excelize.CellTypeSharedString
			if isText := i == 0 || i == 6 || i == 9; err != nil || raw != value || number == isText {
				t.Errorf("%s is %q of type %d, %v", at, raw, kind, err)
			}
		}
	}
	shown, err := file.GetCellValue("Table", "E2")
	if grouped, _ := file.GetCellValue("Table", "B2"); err != nil || shown != "2026-11-02" || grouped != "-1,234,567.89" {
		t.Errorf("%q %q %v", shown, grouped, err)
	}
}

func TestABookHasItsTablesInOrder(t *testing.T) {
	var file bytes.Buffer
	b, err := NewBook(&file)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"First", "Second"} {
		s, err := b.Sheet(name, []string{"Head"})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Row([]Cell{Text("of " + name)}); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	read, err := excelize.OpenReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if got := read.GetSheetList(); !slices.Equal(got, []string{"First", "Second"}) {
		t.Errorf("%q", got)
	}
	if got, err := read.GetCellValue("Second", "A2"); got != "of Second" || err != nil {
		t.Errorf("%q %v", got, err)
	}
}
