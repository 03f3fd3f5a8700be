package table

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
)

// bookOf is a workbook of one sheet, written by hand; more replaces its parts or adds others.
func bookOf(t testing.TB, sheetData string, more map[string]string) []byte {
	t.Helper()
	const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">%s</Relationships>`
	const kind = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	parts := map[string]string{
		"[Content_Types].xml": `<Types/>`,
		"_rels/.rels":         fmt.Sprintf(relations, `<Relationship Id="rId1" Type="`+kind+`officeDocument" Target="xl/workbook.xml"/>`),
		"xl/workbook.xml":     `<workbook xmlns:r="` + strings.TrimSuffix(kind, "/") + `"><sheets><sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": fmt.Sprintf(relations, `<Relationship Id="a" Type="`+kind+`worksheet" Target="worksheets/sheet1.xml"/>
			<Relationship Id="b" Type="`+kind+`sharedStrings" Target="/xl/sharedStrings.xml"/><Relationship Id="c" Type="`+kind+`chartsheet" Target="c.xml"/>
			<Relationship Id="d" Type="`+kind+`externalLink" TargetMode="External" Target="file:///etc/passwd"/>`),
		"xl/sharedStrings.xml":     `<sst><si><t>zero</t></si><si><r><t>on</t></r><r><t xml:space="preserve">e </t></r><rPh><t>spoken</t></rPh></si></sst>`,
		"xl/worksheets/sheet1.xml": `<?xml version="1.0"?><worksheet><dimension ref="A1:XFD1048576"/><sheetData>` + sheetData + `</sheetData><mergeCells/></worksheet>`,
	}
	maps.Copy(parts, more)
	return archive(t, parts)
}

func TestEveryKindOfCellIsRead(t *testing.T) {
	got, err := read("a.xlsx", bookOf(t, `<row r="2"><c r="A2" t="s"><v>1</v></c><c r="C2" t="str"><f>A1</f><v>a_x000A_b</v></c><c t="b"><v>1</v></c><c r="XFD2" s="3"/></row>
		<row><c><v>12.5</v></c><c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c><c t="e"><v>#N/A</v></c><c><f>cmd|' /C calc'!A0</f></c></row>
		<row r="9" spans="1:2"/><row r="1048576"><c r="B1048576" t="d"><v>2026-11-02</v></c></row>`, nil))
	if want := "S:2:one//a\nb/1|S:3:12.5/inline/#N/A|S:1048576:/2026-11-02"; err != nil || strings.Join(got, "|") != want {
		t.Errorf("%q, %v", got, err)
	}
}

// What goes wrong in the middle of a sheet refuses the file: the rows before it are not all of it.
func TestAWorkbookThatIsNotInOrderIsRefused(t *testing.T) {
	row := `<row r="1"><c r="A1"><v>1</v></c></row>`
	for name, c := range map[string]struct {
		sheetData string
		more      map[string]string
		want      Reason
	}{
		"a sheet that ends early":       {"", map[string]string{"xl/worksheets/sheet1.xml": `<worksheet><sheetData>` + row}, ErrBroken},
		"a sheet that is not there":     {"", map[string]string{"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Type="worksheet" Target="no.xml"/></Relationships>`}, ErrBroken},
		"an ampersand in the middle":    {row + `<row r="2"><c><v>1 & 2</v></c></row>`, nil, ErrBroken},
		"a thousand laughs":             {"", map[string]string{"xl/worksheets/sheet1.xml": `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><worksheet><sheetData><row><c><v>&b;</v></c></row></sheetData></worksheet>`}, ErrBroken},
		"an entity from outside":        {"", map[string]string{"xl/sharedStrings.xml": `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><sst><si><t>&a;</t></si></sst>`}, ErrBroken},
		"a row before another":          {`<row r="5"><c><v>1</v></c></row><row r="3"><c><v>2</v></c></row>`, nil, ErrBroken},
		"a row twice":                   {row + row, nil, ErrBroken},
		"a cell twice":                  {`<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>`, nil, ErrBroken},
		"a cell of another row":         {`<row r="1"><c r="A2"><v>1</v></c></row>`, nil, ErrBroken},
		"a text that is not there":      {`<row><c t="s"><v>2</v></c></row>`, nil, ErrBroken},
		"a row beyond the last":         {`<row r="1048577"><c><v>1</v></c></row>`, nil, ErrTooLarge},
		"the last column":               {`<row r="1"><c r="XFD1"><v>1</v></c></row>`, nil, ErrTooWide},
		"cells without end":             {`<row>` + strings.Repeat(`<c><v>1</v></c>`, ColumnsMax+1) + `</row>`, nil, ErrTooWide},
		"a text without end":            {`<row><c><v>` + strings.Repeat("x", RecordMax*2) + `</v></c></row>`, nil, ErrTooLong},
		"long cells":                    {`<row>` + strings.Repeat(`<c><v>`+strings.Repeat("x", RecordMax/2)+`</v></c>`, 3) + `</row>`, nil, ErrTooLong},
		"elements in elements":          {`<row>` + strings.Repeat(`<x>`, 1_000_000), nil, ErrBroken},
		"more texts than rows":          {"", map[string]string{"xl/sharedStrings.xml": `<sst>` + strings.Repeat(`<si/>`, sharedMax+1) + `</sst>`}, ErrTooLarge},
		"one part as two sheets":        {"", map[string]string{"xl/workbook.xml": `<workbook><sheet name="S" id="a"/><sheet name="T" id="a"/></workbook>`}, ErrBroken},
		"no sheet but a chart":          {"", map[string]string{"xl/workbook.xml": `<workbook><sheet name="S" id="c"/></workbook>`}, ErrBroken},
		"a sheet of nobody":             {"", map[string]string{"xl/workbook.xml": `<workbook><sheet name="S" id="z"/></workbook>`}, ErrBroken},
		"a part in two ways of writing": {"", map[string]string{"XL/workbook.xml": `<workbook/>`}, ErrBroken},
		"no workbook":                   {"", map[string]string{"_rels/.rels": `<Relationships/>`}, ErrBroken},
		"more parts than any":           {"", many(workbookParts), ErrTooMany},
	} {
		if got, err := read("a.xlsx", bookOf(t, c.sheetData, c.more)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v instead of %v, %d rows", name, err, c.want, len(got))
		}
	}
}

func many(n int) map[string]string {
	parts := map[string]string{}
	for i := range n {
		parts[fmt.Sprint("xl/media/", i)] = ""
	}
	return parts
}

func TestAnArchiveWithoutEndIsNotEvenListed(t *testing.T) {
	content := archive(t, many(30_000))
	read := &counted{bytes.NewReader(content), 0}
	if _, err := Open("a.zip", read, int64(len(content))); !errors.Is(err, ErrTooMany) || read.bytes > directoryMax+sampled {
		t.Errorf("%v after %d of %d bytes", err, read.bytes, len(content))
	}
}

type counted struct {
	*bytes.Reader
	bytes int
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	c.bytes += len(p)
	return c.Reader.ReadAt(p, at)
}
