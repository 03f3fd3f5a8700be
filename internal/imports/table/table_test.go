package table

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// read is every row of every table, as `part:line:cells`, or the refusal.
func read(name string, content []byte) ([]string, error) {
	tables, err := Open(name, bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, err
	}
	var found []string
	for _, t := range tables {
		for row, err := range t.Rows() {
			if err != nil {
				return found, err
			}
			found = append(found, fmt.Sprintf("%s:%d:%s", t.Part, row.Line, strings.Join(row.Cells, "/")))
		}
	}
	return found, nil
}

func TestACSVIsReadWhateverWroteIt(t *testing.T) {
	const text = "Kierowca;Kwota;Opis\r\n\"Żółkiewski; Łukasz\";1 234,56;\"dwa\r\nwiersze\"\r\n Grażyna ;-5;świeżość ąęńć\r\n"
	want := []string{":1:Kierowca/Kwota/Opis", ":2:Żółkiewski; Łukasz/1 234,56/dwa\nwiersze", ":4:Grażyna/-5/świeżość ąęńć"}
	for name, as := range map[string]encoding.Encoding{"UTF-8": encoding.Nop, "UTF-8 marked": unicode.UTF8BOM, "windows-1250": charmap.Windows1250, "ISO-8859-2": charmap.ISO8859_2,
		"UTF-16 LE": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "UTF-16 BE": unicode.UTF16(unicode.BigEndian, unicode.UseBOM)} {
		for _, delimiter := range []string{";", ",", "\t"} {
			written := text
			if delimiter != ";" {
				written = strings.NewReplacer("Kierowca;Kwota;Opis", strings.Join([]string{"Kierowca", "Kwota", "Opis"}, delimiter), "\";1 234,56;\"", "\""+delimiter+"\"1 234,56\""+delimiter+"\"",
					"Grażyna ;-5;", "Grażyna "+delimiter+"-5"+delimiter).Replace(text)
			}
			content, err := as.NewEncoder().Bytes([]byte(written))
			if err != nil {
				t.Fatal(err)
			}
			got, err := read("a.csv", content)
			if err != nil || strings.Join(got, "|") != strings.Join(want, "|") {
				t.Errorf("%s with %q: %q, %v", name, delimiter, got, err)
			}
		}
	}
}

func TestUkrainianAndGermanLettersSurviveOldEncodings(t *testing.T) {
	for text, as := range map[string]encoding.Encoding{"Водій;Загальний дохід\nОлександр Петренко;12\n": charmap.Windows1251, "Fahrer;Umsatz\nJörg Müßig;12\n": charmap.Windows1252} {
		content, err := as.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := read("a.csv", content)
		if want := strings.ReplaceAll(strings.Split(text, "\n")[1], ";", "/"); err != nil || !strings.Contains(strings.Join(got, "|"), want) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func archive(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	w := zip.NewWriter(&buffer)
	for name, text := range parts {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

func workbook(t testing.TB, fill func(*excelize.File)) []byte {
	t.Helper()
	book := excelize.NewFile()
	fill(book)
	buffer, err := book.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

func TestArchivesAndWorkbooksAreTables(t *testing.T) {
	got, err := read("a.zip", archive(t, map[string]string{"../../etc/earnings.csv": "a,b\n1,2\n", "__MACOSX/._earnings.csv": "\x00\x01"}))
	if err != nil || strings.Join(got, "|") != "earnings.csv:1:a/b|earnings.csv:2:1/2" {
		t.Errorf("%q, %v", got, err)
	}
	got, err = read("a.xlsx", workbook(t, func(book *excelize.File) {
		for cell, value := range map[string]any{"A3": "Kurier", "B3": "Kwota", "A4": "=SUM(1)", "B4": 12.35, "A6": "+48500", "B6": -3} {
			if err := book.SetCellValue("Sheet1", cell, value); err != nil {
				t.Fatal(err)
			}
		}
	}))
	if err != nil || strings.Join(got, "|") != "Sheet1:3:Kurier/Kwota|Sheet1:4:=SUM(1)/12.35|Sheet1:6:+48500/-3" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestHostileFilesAreRefusedWithTheirReason(t *testing.T) {
	big := archive(t, map[string]string{"a.csv": "a,b\n" + strings.Repeat("1,2\n", 1_000_000)})
	lying := bytes.Clone(big)
	at := bytes.LastIndex(lying, []byte("PK\x01\x02"))
	copy(lying[at+24:], []byte{5, 0, 0, 0}) // the directory says five bytes
	many := map[string]string{}
	for i := range PartsMax + 1 {
		many[fmt.Sprint(i, ".csv")] = "a,b\n"
	}
	for name, c := range map[string]struct {
		content []byte
		want    Reason
	}{
		"nothing":                  {nil, ErrEmpty},
		"a picture":                {[]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), ErrNotATable},
		"one word":                 {[]byte("hello"), ErrNotATable},
		"NUL":                      {[]byte("a,b\n1,\x002\n"), ErrNotATable},
		"NUL later":                {[]byte("a,b\n" + strings.Repeat("1,2\n", sampled) + "1,\x00\n"), ErrEncoding},
		"half UTF-8":               {[]byte("ą,b\n" + strings.Repeat("1,2\n", sampled) + "1,\xB9\n"), ErrEncoding},
		"an unclosed quote":        {[]byte("a,b\n1,\"" + strings.Repeat("x\n", 2<<20)), ErrTooLong},
		"one endless line":         {append([]byte("a,b\n"), bytes.Repeat([]byte("1,"), 4<<20)...), ErrTooLong},
		"a quote nobody can place": {[]byte("a,b,c\n\"1\"x,2,\"3\"\n"), ErrBroken},
		"too many columns":         {append([]byte("a,b\n"), bytes.Repeat([]byte("1,"), ColumnsMax+1)...), ErrTooWide},
		"a cut archive":            {big[:len(big)/2], ErrBroken},
		"a lying archive":          {lying, ErrBroken},
		"too many parts":           {archive(t, many), ErrTooMany},
		"an empty archive":         {archive(t, nil), ErrNotATable},
		"an archive inside":        {archive(t, map[string]string{"b.zip": string(big)}), ErrNotATable},
		"no workbook":              {archive(t, map[string]string{"[Content_Types].xml": "<x/>"}), ErrBroken},
		"a bomb":                   {archive(t, map[string]string{"[Content_Types].xml": "<x/>", "xl/worksheets/sheet1.xml": strings.Repeat("<row/>", WorkbookMax/6+1)}), ErrTooLarge},
		"an old workbook":          {[]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1rest"), ErrOldFormat},
	} {
		if _, err := read("a.csv", c.content); !errors.Is(err, c.want) {
			t.Errorf("%s: %v instead of %v", name, err, c.want)
		}
	}
	if _, err := read("a.xlsx", []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1rest")); !errors.Is(err, ErrProtected) {
		t.Error("a workbook with a password is refused as", err)
	}
}

func TestAFileCutAnywhereIsReadOrRefused(t *testing.T) {
	for _, whole := range [][]byte{[]byte("a;b\n\"ą;1\";2\n3;4\n"), archive(t, map[string]string{"a.csv": "a,b\n1,2\n"}), workbook(t, func(book *excelize.File) {
		if err := book.SetCellValue("Sheet1", "A1", "ą"); err != nil {
			t.Fatal(err)
		}
	})} {
		for cut := range len(whole) {
			_, err := read("a", whole[:cut])
			var reason Reason
			if err != nil && !errors.As(err, &reason) {
				t.Fatalf("cut at %d of %d: %v", cut, len(whole), err)
			}
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte("a;b\n1;2\n"))
	f.Add([]byte("\xFF\xFEa\x00;\x00b\x00"))
	f.Add([]byte("PK\x03\x04"))
	f.Add(archive(f, map[string]string{"a.csv": "a,b\n1,2\n"}))
	f.Add(workbook(f, func(book *excelize.File) {
		if err := book.SetSheetRow("Sheet1", "A1", &[]any{"a", 2.5, true}); err != nil {
			f.Fatal(err)
		}
	}))
	f.Fuzz(func(t *testing.T, content []byte) {
		_, err := read("a.csv", content)
		var reason Reason
		if err != nil && !errors.As(err, &reason) {
			t.Fatal(err)
		}
	})
}
