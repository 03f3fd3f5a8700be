package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// hostile is a file that means harm, made while it is sent.
type hostile struct {
	name, file string
	write      func(io.Writer) error
	want       string // what becomes of it: its status and fault, or how many of its rows are good
}

const templateHead = "date;driver_identifier;driver_name;type;amount;description\n"

// repeated writes texts so many times each.
func repeated(pieces ...any) func(io.Writer) error {
	return func(w io.Writer) error {
		for i := 0; i < len(pieces); i += 2 {
			text, times := pieces[i].(string), pieces[i+1].(int)
			batch := max(1, min(times, 64<<10/len(text)))
			many := strings.Repeat(text, batch)
			for ; times > 0; times -= batch {
				if _, err := io.WriteString(w, many[:len(text)*min(times, batch)]); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// entry is a file of an archive: a text that is repeated, or nothing; and what its record says instead of the truth.
type entry struct {
	name, text string
	times      int
	lie        func(*zip.FileHeader)
}

// archived writes an archive whose contents are compressed block by block, so that gigabytes take no time to make.
func archived(entries ...entry) func(io.Writer) error {
	return func(w io.Writer) error {
		out := zip.NewWriter(w)
		for _, e := range entries {
			if e.times == 0 {
				if _, err := out.CreateHeader(&zip.FileHeader{Name: e.name}); err != nil {
					return err
				}
				continue
			}
			var block, end bytes.Buffer
			level := flate.BestCompression // of what is repeated
			if e.times == 1 {
				level = flate.BestSpeed
			}
			for to, finish := range map[*bytes.Buffer]bool{&block: false, &end: true} {
				packer, err := flate.NewWriter(to, level)
				if err != nil {
					return err
				}
				if finish {
					err = packer.Close()
				} else if _, err = io.WriteString(packer, e.text); err == nil {
					err = packer.Flush()
				}
				if err != nil {
					return err
				}
			}
			sum := crc32.NewIEEE()
			for range e.times {
				_, _ = io.WriteString(sum, e.text)
			}
			head := &zip.FileHeader{Name: e.name, Method: zip.Deflate, CRC32: sum.Sum32(), CompressedSize64: uint64(block.Len()*e.times + end.Len()), UncompressedSize64: uint64(len(e.text) * e.times)}
			if e.lie != nil {
				e.lie(head)
			}
			part, err := out.CreateRaw(head)
			if err != nil {
				return err
			}
			for range e.times {
				if _, err := part.Write(block.Bytes()); err != nil {
					return err
				}
			}
			if _, err := part.Write(end.Bytes()); err != nil {
				return err
			}
		}
		return out.Close()
	}
}

// workbook is a workbook of the template whose sheet goes on as the entry does; more parts may follow.
func workbook(sheet entry, more ...entry) func(io.Writer) error {
	const kind = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	var head strings.Builder
	for _, name := range strings.Split(strings.TrimSpace(templateHead), ";") {
		fmt.Fprintf(&head, `<c t="inlineStr"><is><t>%s</t></is></c>`, name)
	}
	relations := `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	shared := ""
	for _, e := range more {
		if e.name == "xl/sharedStrings.xml" {
			shared = `<Relationship Id="s" Type="` + kind + `/sharedStrings" Target="sharedStrings.xml"/>`
		}
	}
	sheet.name = "xl/worksheets/sheet1.xml"
	sheet.text = `<worksheet><dimension ref="A1:XFD1048576"/><sheetData><row>` + head.String() + `</row>` + sheet.text
	return archived(append([]entry{
		{"[Content_Types].xml", `<Types><Override PartName="/xl/workbook.xml" ContentType="image/png"/></Types>`, 1, nil},
		{"_rels/.rels", relations + `<Relationship Id="r" Type="` + kind + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`, 1, nil},
		{"xl/workbook.xml", `<workbook xmlns:r="` + kind + `"><sheets><sheet name="S" sheetId="1" r:id="w"/></sheets></workbook>`, 1, nil},
		{"xl/_rels/workbook.xml.rels", relations + `<Relationship Id="w" Type="` + kind + `/worksheet" Target="worksheets/sheet1.xml"/>` + shared +
			`<Relationship Id="x" Type="` + kind + `/externalLink" Target="file:///etc/passwd" TargetMode="External"/></Relationships>`, 1, nil},
		sheet}, more...)...)
}

// corpus is every hostile table that is known to have hurt somebody.
func corpus() []hostile {
	const row, closing = "2026-11-02;ghost;x;TRIP;1;x\n", `</sheetData></worksheet>`
	const cells = `<row><c t="inlineStr"><is><t>2026-11-02</t></is></c><c><v>7</v></c><c t="inlineStr"><is><t>x</t></is></c><c t="inlineStr"><is><t>TRIP</t></is></c><c><f>1+1</f><v>2</v></c></row>`
	csv := func(pieces ...any) func(io.Writer) error {
		return repeated(append([]any{templateHead, 1, row, 3}, pieces...)...)
	}
	many := make([]entry, 100_000)
	for n := range many {
		many[n] = entry{fmt.Sprint(n, ".csv"), "", 0, nil}
	}
	lies := func(size uint64) func(*zip.FileHeader) {
		return func(h *zip.FileHeader) { h.UncompressedSize64 = size }
	}
	link := func(h *zip.FileHeader) { h.SetMode(fs.ModeSymlink | 0o777) }
	rows := func(plain, whole int) int { // of a file whose reading takes seconds
		if testkit.Soak() > 1 {
			return whole
		}
		return plain
	}
	empty, wrong := rows(1_000_000, 10_000_000), rows(50_000, 1_000_000)
	sheet, shared := rows(20_000, 100_000), rows(200_000, 1_000_000)
	return []hostile{
		{"a line of a gigabyte", "a.csv", csv("x", 1<<30), "413 request.too_large"},
		{"a line as long as an upload may be", "a.csv", csv("x", 250<<20), "failed imports.too_long"},
		{"two million columns", "a.csv", repeated("a;", 2_000_000, "\n", 1), "failed imports.too_long"},
		{"a hundred thousand columns", "a.csv", csv("a;", 100_000, "\n", 1), "failed imports.too_wide"},
		{"NUL bytes", "a.csv", repeated("date;\x00;\x00\n", 1000), "failed imports.not_a_table"},
		{"NUL bytes further down", "a.csv", csv(row, 10_000, "2026-11-02;gho\x00st;x;TRIP;1;x\n", 1), "failed imports.encoding"},
		{"a quote that never closes", "a.csv", csv("\"", 1, row, 200_000), "failed imports.too_long"},
		{"nothing but quotes", "a.csv", csv("\"", 100<<20), "failed imports.too_long"},
		{"pairs of quotes in every cell", "a.csv", csv("\"\"\"\"\"\";\"\"\"\"\n", 100_000), "preview of 3, refuses 100000"},
		{"UTF-7", "a.csv", repeated("+AGQAYQB0AGU-;+AGEAbQBvAHUAbgB0-\n", 1000), "failed imports.not_recognised"},
		{"UTF-16 without a mark", "a.csv", repeated("d\x00a\x00t\x00e\x00;\x00\n\x00", 1000), "failed imports.not_a_table"},
		{"UTF-16 that is cut in two", "a.csv", repeated("\xff\xfe", 1, "d\x00;\x00\n\x00", 1000, "\xd8", 1), "failed imports.not_recognised"},
		{"formulas in every cell", "a.csv", csv("=cmd|' /C calc'!A0;=1+1;@SUM(A1);+1;-1;\t=1\n", 1000), "preview of 3, refuses 1000"},
		{"a column twice", "a.csv", repeated("date;driver_identifier;driver_name;type;amount;amount\n2026-11-02;ghost;x;TRIP;1;1000\n", 1), "preview of 0, refuses 1"},
		{"ten million empty lines", "a.csv", csv("\n", 10_000_000), "failed imports.too_long"},
		{"millions of empty rows", "a.csv", csv(";;;;;\n", empty), "preview of 3, refuses 0"},
		{"as many rows that are wrong", "a.csv", csv("x;y\n", wrong), fmt.Sprint("preview of 3, refuses ", wrong)},

		{"a name that leaves its folder", "a.zip", archived(entry{"../../../../etc/cron.d/x.csv", templateHead + row, 1, nil}, entry{`..\..\windows\x.csv`, templateHead + row, 1, nil}), "preview of 2, refuses 0"},
		{"a link", "a.zip", archived(entry{"passwd.csv", "/etc/passwd", 1, link}), "failed imports.protected"},
		{"a hundred thousand files", "a.zip", archived(many...), "failed imports.too_many"},
		{"an archive in an archive", "a.zip", archived(entry{"b.zip", "PK\x03\x04\x14\x00\x00\x00", 100_000, nil}), "failed imports.not_a_table"},
		{"an archive of a gigabyte", "a.zip", archived(entry{"a.csv", strings.Repeat(row, 40_000), 1000, nil}), "failed imports.too_large"},
		{"an archive that says it is small", "a.zip", archived(entry{"a.csv", strings.Repeat(row, 40_000), 1000, lies(100)}), "failed imports.broken"},
		{"an archive that says it is smaller than its head", "a.zip", archived(entry{"a.csv", templateHead + strings.Repeat(row, 40_000), 1, lies(100)}), "failed imports.broken"},
		{"an archive that says it is larger", "a.zip", archived(entry{"a.csv", templateHead + row, 1, lies(1000)}), "failed imports.broken"},
		{"half a gigabyte of one row", "a.zip", archived(entry{"a.csv", strings.Repeat("x", 1<<20), 500, nil}, entry{"b.csv", templateHead + row, 1, nil}), "failed imports.not_a_table"},

		{"a sheet of a gigabyte", "a.xlsx", workbook(entry{text: strings.Repeat(cells, 5000), times: 1000}), "failed imports.too_large"},
		{"a sheet that says it is small", "a.xlsx", workbook(entry{text: strings.Repeat(cells, 5000), times: 1000, lie: lies(1000)}), "failed imports.broken"},
		{"a large sheet", "a.xlsx", workbook(entry{text: strings.Repeat(cells, sheet) + closing, times: 1}), fmt.Sprintf("preview of %d, refuses 0", sheet)},
		{"few cells in wide rows", "a.xlsx", workbook(entry{text: wide(200_000) + closing, times: 1}), "failed imports.too_large"},
		{"many shared texts", "a.xlsx", workbook(entry{text: cells + closing, times: 1}, entry{"xl/sharedStrings.xml", `<sst>` + strings.Repeat(`<si><t>a text that cells share</t></si>`, shared) + `</sst>`, 1, nil}), "preview of 1, refuses 0"},
		{"two million shared texts", "a.xlsx", workbook(entry{text: cells + closing, times: 1}, entry{"xl/sharedStrings.xml", strings.Repeat(`<si/>`, 2_000_000), 1, nil}), "failed imports.too_large"},
		{"a workbook in a workbook", "a.xlsx", workbook(entry{text: cells + closing, times: 1}, entry{"xl/embeddings/book.xlsx", "PK\x03\x04", 1000, nil}), "preview of 1, refuses 0"},
		{"a macro under another name", "a.xlsx", workbook(entry{text: cells + closing, times: 1}, entry{"xl/vbaProject.bin", "\xD0\xCF\x11\xE0", 1000, nil}), "preview of 1, refuses 0"},
		{"a link to another program", "a.xlsx", workbook(entry{text: `<row><c t="str"><f>DDE("cmd";"/C calc";"x")</f><v>2026-11-02</v></c></row>` + closing, times: 1}), "preview of 0, refuses 1"},
		{"a billion laughs", "a.xlsx", workbook(entry{text: cells + closing, times: 1}, entry{"xl/sharedStrings.xml", laughs(), 1, nil}), "failed imports.broken"},
		{"a workbook with a password", "a.xlsx", repeated("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", 1000), "failed imports.protected"},
		{"a sheet that ends in the middle", "a.xlsx", workbook(entry{text: cells, times: 1}), "failed imports.broken"},
		{"a workbook behind a picture", "a.xlsx", repeated("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", 1000), "failed imports.not_a_table"},
	}
}

// wide is many rows whose one cell stands in the last column that is read.
func wide(rows int) string {
	var b strings.Builder
	for n := range rows {
		fmt.Fprintf(&b, `<row r="%d"><c r="ALL%d"><v>1</v></c></row>`, n+2, n+2)
	}
	return b.String()
}

func laughs() string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE sst [<!ENTITY l0 "ha">`)
	for n := range 30 {
		fmt.Fprintf(&b, `<!ENTITY l%d "%s">`, n+1, strings.Repeat(fmt.Sprintf("&l%d;", n), 10))
	}
	return b.String() + `]><sst><si><t>&l30;</t></si></sst>`
}

var peak = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// memory is the most that the process has held since it was last forgotten, in MB.
func (p *process) memory(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	found := peak.FindSubmatch(status)
	if err != nil || found == nil {
		t.Fatalf("%v: %s", err, status)
	}
	kb, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.Process.Pid), []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
	return kb >> 10
}

// processor is how much of the processors the process has used.
func (p *process) processor(t *testing.T) time.Duration {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	var used time.Duration
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')'):]))
	for _, ticks := range fields[12:14] { // as user and in the kernel, in hundredths of a second
		n, err := strconv.Atoi(ticks)
		if err != nil {
			t.Fatal(err)
		}
		used += time.Duration(n) * 10 * time.Millisecond
	}
	return used
}

const (
	memoryMost = 256              // MB of the whole process
	usedMost   = 30 * time.Second // of the processors: how long it takes depends on what else runs
)

// Each file is refused with its reason, or read as the harmless rows that it holds; whatever it is, the process stays small,
// goes on answering and books nothing. Reading touches no database, so one engine is enough.
func TestHostileFiles_DoNotHarmOthers(t *testing.T) {
	env := append(place(t, "sqlite"), "SALDO_LOG_LEVEL=error")
	p := start(t, env...)
	token := p.token(t)
	d := testkit.Open(t, db.Settings{Folder: strings.TrimPrefix(env[0], "SALDO_DATA=")})
	p.memory(t)
	signedIn := time.Now()
	for n, h := range corpus() {
		if time.Since(signedIn) > time.Minute { // before it expires
			token, signedIn = p.token(t), time.Now()
		}
		began, before := time.Now(), p.processor(t)
		content, into := io.Pipe()
		go func() { into.CloseWithError(h.write(into)) }()
		status, body := p.upload(t, token, fmt.Sprint("hostile-", n), h.file, content)
		content.Close()
		got := fmt.Sprint(status, " ", code(body))
		if status == 201 {
			i := p.analyzed(t, token, made(t, status, body), "analyzing")
			got = strings.TrimSpace(i.Import.Status + " " + i.Import.Fault)
			if c := i.Import.Counts.Transactions; got == "preview" {
				got = fmt.Sprintf("preview of %d, refuses %d", c.All-c.Failed, c.Failed)
			}
		}
		took, used, held := time.Since(began), p.processor(t)-before, p.memory(t)
		t.Logf("%6.2f s, %6.2f s of processor, %4d MB  %s: %s", took.Seconds(), used.Seconds(), held, h.name, got)
		if got != h.want {
			t.Errorf("%s: %s %s instead of %s", h.name, got, body, h.want)
		}
		if held > memoryMost || used > usedMost {
			t.Errorf("%s took %d MB and %s of processor", h.name, held, used)
		}
	}
	testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) error {
		booked, err := db.One[int64](tx.Across(), `SELECT (SELECT COUNT(*) FROM transactions) + (SELECT COUNT(*) FROM unmatched_rows) + (SELECT COUNT(*) FROM unmatched_drivers)`)
		if booked != 0 {
			t.Errorf("%d rows were booked", booked)
		}
		return err
	})
	stop(t, p)
}

var faultCode = regexp.MustCompile(`"code":\s*"([a-z_.]+)"`)

func code(body string) string {
	if found := faultCode.FindStringSubmatch(body); found != nil {
		return found[1]
	}
	return body
}
