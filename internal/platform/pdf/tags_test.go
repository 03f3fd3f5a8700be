package pdf_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"saldo/internal/platform/pdf"
)

var opened = regexp.MustCompile(`(?s)(\d+) 0 obj\n(.*?)(stream\n|\nendobj)`)

// objects are those of a file by their numbers, as text: what is packed is unpacked, and what is held with others is on its own.
func objects(t *testing.T, content []byte) map[int]string {
	t.Helper()
	found := map[int]string{}
	for at := 0; ; {
		m := opened.FindSubmatchIndex(content[at:])
		if m == nil {
			return found
		}
		number, _ := strconv.Atoi(string(content[at+m[2] : at+m[3]]))
		about := string(content[at+m[4] : at+m[5]])
		if string(content[at+m[6]:at+m[7]]) != "stream\n" {
			found[number] = about
			at += m[1]
			continue
		}
		at += m[1]
		size, _ := strconv.Atoi(regexp.MustCompile(`/Length (\d+)`).FindStringSubmatch(about)[1])
		body := content[at : at+size]
		at += size
		if strings.Contains(about, "/FlateDecode") {
			r, err := zlib.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(number, err)
			}
			if body, err = io.ReadAll(r); err != nil {
				t.Fatal(number, err)
			}
		}
		found[number] = about + "\n" + string(body)
		if m := regexp.MustCompile(`/Type/ObjStm/N (\d+)/First (\d+)`).FindStringSubmatch(about); m != nil {
			count, _ := strconv.Atoi(m[1])
			first, _ := strconv.Atoi(m[2])
			places := strings.Fields(string(body[:first]))
			for i := range count {
				n, _ := strconv.Atoi(places[2*i])
				from, _ := strconv.Atoi(places[2*i+1])
				to := len(body) - first
				if i+1 < count {
					to, _ = strconv.Atoi(places[2*i+3])
				}
				found[n] = strings.TrimSpace(string(body[first+from : first+to]))
			}
		}
	}
}

// read is the tree of a document as a reader sees it, with its texts. It leaves the document in the folder of SALDO_PAPERS for
// whoever wants to look at it.
func read(t *testing.T, content []byte) string {
	t.Helper()
	folder := os.Getenv("SALDO_PAPERS")
	if folder == "" {
		folder = t.TempDir()
	}
	file := filepath.Join(folder, t.Name()+".pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdfinfo", "-struct-text", file).CombinedOutput()
	if err != nil || strings.Contains(string(out), "rror") {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func TestATableIsReadRowByRow_ItsHeadsOnce(t *testing.T) {
	content := sample(t)
	text := read(t, content)
	for _, want := range []string{"Table", "TH:\n         /Scope /Column\n        \"Pozycja\"", "/ColSpan 2", "\"Grupa 2\"",
		"TR\n      TD\n        \"wiersz 119 uwaga", "TD\n        \"119,00\"", "Figure"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if n := strings.Count(text, "Kwota"); n != 1 {
		t.Errorf("the heads are read %d times", n)
	}
	if strings.Contains(text, "stopka") || strings.Contains(text, "1/") {
		t.Error("feet are read as content")
	}
	at := 0
	for i, want := range append(append([]string{}, pangrams...), "Pozycja", "Grupa 0", "wiersz 0 ", "wiersz 39 ", "Grupa 1", "wiersz 40 ",
		"wiersz 119 ") {
		next := strings.Index(text[at:], want)
		if next < 0 {
			t.Fatalf("%d: %q is not read after what stands above it", i, want)
		}
		at += next
	}
}

// TestEveryStrokeIsMarked walks through the pages: whatever is drawn belongs to an element or is marked as none, and each element knows
// its content.
func TestEveryStrokeIsMarked(t *testing.T) {
	d := pdf.New(pdf.Heading{Title: "x", Language: "uk", Foot: "f"})
	d.Bar(pdf.Left, 9, pdf.Width, 1, pdf.Ink)
	d.Text(pdf.Left, 20, 80, pdf.Style{Head: 1, Size: 14}, "Заголовок (ґ) \\ )")
	d.Text(pdf.Left, 30, 80, pdf.Style{}, "")
	d.Text(pdf.Left, 32, 80, pdf.Style{}, "日本 Őő")
	for i, says := range []string{"", "шахівниця"} {
		d.Picture(chequered(t), says, pdf.Left+float64(40*i), 34, 20, 5)
	}
	d.Rule(pdf.Left, pdf.Right, 40, 0.2, pdf.Line)
	d.Paragraph(pdf.Style{Size: 30}, strings.Repeat("довгий текст ", 400)) // over several pages
	d.Table([]pdf.Column{{Title: "A", Width: 100, Names: true}, {Title: "B", Width: 74}}, []pdf.Row{{Heading: "G"},
		{Cells: []pdf.Cell{{Text: "a", Note: "n", Language: "pl"}, {Language: "uk"}}}, {Total: true, Cells: []pdf.Cell{{}, {Text: "1"}}}})
	if err := d.Code("https://example.com", "kod", pdf.Left, 100, 30); err != nil {
		t.Fatal(err)
	}
	content := d.Bytes()
	all := objects(t, content)
	pages, marks, foreign := 0, 0, 0
	owners := regexp.MustCompile(`(\d+)\[([^\]]*)\]`)
	var tree string
	for _, body := range all {
		if strings.HasPrefix(body, "<</Type/StructTreeRoot") {
			tree = body
		}
		if strings.HasPrefix(body, "<</S/TH") && strings.Contains(body, "/Lang(pl)") {
			foreign++
		}
		if strings.HasPrefix(body, "<</S/") && strings.Contains(body, "/Lang(uk)") {
			t.Error("what is in the language of the document says so once more:", body)
		}
	}
	_, tree, _ = strings.Cut(tree, "/Nums[")
	for number, body := range all {
		m := regexp.MustCompile(`^<</Type/Page/.*/StructParents (\d+).*/Contents (\d+) 0 R`).FindStringSubmatch(body)
		if m == nil {
			continue
		}
		pages++
		drawn, _ := strconv.Atoi(m[2])
		ids := marked(t, number, all[drawn])
		marks += ids
		for _, of := range owners.FindAllStringSubmatch(tree, -1) {
			if of[1] == m[1] {
				held := strings.Split(strings.TrimSuffix(of[2], " 0 R "), " 0 R ")
				if len(held) != ids {
					t.Errorf("page %s has %d marks and %d owners", m[1], ids, len(held))
				}
				for id, n := range held {
					at, _ := strconv.Atoi(n)
					if !strings.HasPrefix(all[at], "<</S/") || !strings.Contains(all[at], fmt.Sprintf("/Pg %d 0 R", number)) ||
						!regexp.MustCompile(fmt.Sprintf(`/(K|MCID) %d>`, id)).MatchString(all[at]) {
						t.Errorf("mark %d of page %s is not of %s", id, m[1], all[at])
					}
				}
			}
		}
	}
	if pages < 3 || marks < 10 || foreign != 1 {
		t.Error(pages, marks, foreign)
	}
	if text := read(t, content); strings.Count(text, "\n  P (block)\n") != 2 || !strings.Contains(text, "текст довгий") ||
		!strings.Contains(text, `"a n"`) {
		t.Error("a paragraph over several pages is one, and words stay words:", text)
	}
}

// chequered is a picture through half of which the page is seen.
func chequered(t *testing.T) []byte {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, 8, 2))
	for x := range 8 {
		picture.Set(x, x%2, color.NRGBA{R: 200, A: uint8(255 - 20*x)})
	}
	var content bytes.Buffer
	if err := png.Encode(&content, picture); err != nil {
		t.Fatal(err)
	}
	return content.Bytes()
}

// marked counts the marks of a page and finds what is drawn outside of any.
func marked(t *testing.T, page int, content string) (ids int) {
	t.Helper()
	inside := false
	content = regexp.MustCompile(`(?s)\((\\.|[^\\)])*\)`).ReplaceAllString(content, "()")
	for line := range strings.SplitSeq(content[strings.IndexByte(content, '\n')+1:], "\n") {
		switch {
		case strings.HasSuffix(line, "BDC"), strings.HasSuffix(line, "BMC"):
			if inside {
				t.Errorf("page %d: %s within another", page, line)
			}
			inside = true
			if strings.Contains(line, fmt.Sprintf("<</MCID %d>>", ids)) {
				ids++
			}
		case line == "EMC":
			inside = false
		case !inside && regexp.MustCompile(`(Tj ET|re f|l S|Do Q)$`).MatchString(line):
			t.Errorf("page %d: %q is no part of anything", page, line)
		}
	}
	if inside {
		t.Errorf("page %d ends within a mark", page)
	}
	return ids
}

// TestADocumentSaysWhatItIs has names that XML and PDF would take for their own signs.
func TestADocumentSaysWhatItIs(t *testing.T) {
	title, author := `Müller & Söhne <"GmbH"> ]]> 'Ö' (\) №7`, "Ґедзь & Ко"
	content := pdf.New(pdf.Heading{Title: title, Author: author, Language: "de", At: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC),
		Schema: &pdf.Schema{Title: "Trade & words", Namespace: "urn:x#", Prefix: "tw", Fields: []pdf.Field{{Name: "Level", Value: "A <B>",
			About: "how & what"}}}}).Bytes()
	_, packet, _ := bytes.Cut(content, []byte("/Subtype/XML"))
	_, packet, _ = bytes.Cut(packet, []byte("stream\n"))
	packet, _, _ = bytes.Cut(packet, []byte("\nendstream"))
	texts := map[string]string{}
	r := xml.NewDecoder(bytes.NewReader(packet))
	for path := []string{}; ; {
		token, err := r.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch is := token.(type) {
		case xml.StartElement:
			path = append(path, is.Name.Local)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if text := strings.TrimSpace(string(is)); text != "" {
				texts[strings.Join(path[3:], "/")] += text
			}
		}
	}
	for path, want := range map[string]string{"title/Alt/li": title, "creator/Seq/li": author, "Level": "A <B>",
		"CreateDate": "2026-11-15T12:00:00Z"} {
		if texts[path] != want {
			t.Errorf("%s is %q in %v", path, texts[path], texts)
		}
	}
	all := objects(t, content)
	for _, want := range []string{"/Lang(de)", "/MarkInfo<</Marked true>>", "/DisplayDocTitle true", "/S/GTS_PDFA1"} {
		if !strings.Contains(all[1], want) {
			t.Errorf("%s is not in %s", want, all[1])
		}
	}
	if !bytes.HasPrefix(content, []byte("%PDF-1.7\n")) || !regexp.MustCompile(`/ID\[<[0-9A-F]{32}><[0-9A-F]{32}>\]`).Match(content) ||
		bytes.Contains(content, []byte("/Encrypt")) {
		t.Error("it is no PDF/A")
	}
}

func TestAnAttachedFileComesBackAsItWas(t *testing.T) {
	of := func(file []byte) []byte {
		d := pdf.New(pdf.Heading{Title: "x", Language: "de", Attached: &pdf.Attachment{Name: "factur-x.xml", About: "Rechnung (1)",
			Type: "text/xml", Relation: "Alternative", Content: file}})
		d.Paragraph(pdf.Style{}, "x")
		return d.Bytes()
	}
	file := []byte("<?xml version=\"1.0\"?>\r\n<a>endstream endobj \x00\xff(</a>\n")
	content := of(file)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "x.pdf"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("pdfdetach", "-saveall", "-o", folder, filepath.Join(folder, "x.pdf")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got, err := os.ReadFile(filepath.Join(folder, "factur-x.xml")); err != nil || !bytes.Equal(got, file) {
		t.Errorf("%v: %q", err, got)
	}
	if catalog := objects(t, content)[1]; !strings.Contains(catalog, "/AF[") || !strings.Contains(string(content),
		"/AFRelationship/Alternative") || !strings.Contains(string(content), "/Subtype/text#2Fxml") {
		t.Error(catalog)
	}
	id := regexp.MustCompile(`/ID\[<\w+>`)
	if !bytes.Equal(content, of(file)) || bytes.Equal(id.Find(content), id.Find(of(append(file, '\n')))) {
		t.Error("the same file has the same name, another one another")
	}
}

// TestTheProfileOfColoursIsSound adds the primaries up: at full strength they are the white of D50.
func TestTheProfileOfColoursIsSound(t *testing.T) {
	var profile []byte
	for _, body := range objects(t, sample(t)) {
		if strings.HasPrefix(body, "<</N 3") {
			profile = []byte(body[strings.IndexByte(body, '\n')+1:])
		}
	}
	if len(profile) < 128 || int(binary.BigEndian.Uint32(profile)) != len(profile) || string(profile[12:24]) != "mntrRGB XYZ " ||
		string(profile[36:40]) != "acsp" {
		t.Fatalf("%q", profile)
	}
	tags := map[string][]byte{}
	for i := range int(binary.BigEndian.Uint32(profile[128:])) {
		entry := profile[132+12*i:]
		at, size := binary.BigEndian.Uint32(entry[4:]), binary.BigEndian.Uint32(entry[8:])
		if at%4 != 0 || int(at+size) > len(profile) {
			t.Fatal(string(entry[:4]), at, size)
		}
		tags[string(entry[:4])] = profile[at : at+size]
	}
	for i := range 3 {
		at := func(name string) int32 { return int32(binary.BigEndian.Uint32(tags[name][8+4*i:])) }
		if off := at("rXYZ") + at("gXYZ") + at("bXYZ") - at("wtpt"); off < -2 || off > 2 {
			t.Error(i, off)
		}
	}
	if len(tags["rTRC"]) != 32 || !bytes.Equal(tags["rTRC"], tags["bTRC"]) || !strings.HasPrefix(string(tags["desc"]), "mluc") ||
		tags["chad"] == nil || tags["cprt"] == nil {
		t.Error(tags)
	}
}
