package mail_test

import (
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"regexp"
	"slices"
	"strings"
	"testing"

	"saldo/internal/kernel/colour"
	"saldo/internal/platform/db"
	"saldo/internal/platform/mail"
	"saldo/internal/testkit"
)

// received is what a mail server got, as a mail program reads it.
type received struct {
	header netmail.Header
	parts  map[string]string // by media type
	order  []string
}

func receivedBy(t *testing.T, data string) received {
	t.Helper()
	m, err := netmail.ReadMessage(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("%s %v", kind, err)
	}
	r := received{header: m.Header, parts: map[string]string{}}
	for reader := multipart.NewReader(m.Body, params["boundary"]); ; {
		part, err := reader.NextRawPart()
		if err == io.EOF {
			return r
		}
		if err != nil {
			t.Fatal(err)
		}
		kind, _, err := mime.ParseMediaType(part.Header.Get("Content-Type"))
		if err != nil || part.Header.Get("Content-Transfer-Encoding") != "quoted-printable" {
			t.Fatal(part.Header, err)
		}
		text, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		r.order = append(r.order, kind)
		r.parts[kind] = strings.ReplaceAll(string(text), "\r\n", "\n")
	}
}

// sentAs sends one message and gives what the server took.
func (w world) sentAs(t *testing.T, m mail.Message) received {
	t.Helper()
	before := len(w.server.Taken())
	testkit.Write(t, w.db, north, func(tx *db.Tx) error { _, err := w.queue.Enqueue(tx, m); return err })
	testkit.Eventually(t, "the mail", func() bool { return len(w.server.Taken()) > before })
	return receivedBy(t, w.server.Taken()[before].Data)
}

var tags = regexp.MustCompile(`(?s)<(style|title)>.*?</(style|title)>|<[^>]*>`)

func plain(html string) string {
	html = strings.NewReplacer("&#43;", "+", "&lt;", "<", "&gt;", ">", "&amp;", "&", "&#39;", "'").Replace(tags.ReplaceAllString(html, " "))
	return strings.Join(strings.Fields(html), " ")
}

func TestAMailIsSentInThePartnersNameAsTextAndAsHTML(t *testing.T) {
	w := newWorld(t, testkit.Engine)
	w.queue.At("https://saldo.example")
	w.start(t)
	const link, pdf = "https://saldo.example/app/driver-summary/abc", "https://saldo.example/api/driver-summaries/abc/statement"
	text := "Cześć Paweł,\n\nTwoje rozliczenie jest gotowe. Do wypłaty: 1\u00a0234,56\u00a0zł\n\nZobacz:\n" + link + "\n\nPDF:\n" + pdf + "\n\nA <b>& Co</b>\n"
	r := w.sentAs(t, mail.Message{To: mail.Address{Name: "Paweł", Address: "pawel@mail.example"}, Subject: "Rozliczenie", Text: text, Language: "pl",
		Brand:  mail.Brand{Name: "Wrzos Mobility", Color: "#F2C200", Logo: "/identification/wrzos/logo", ReplyTo: "biuro@wrzos.example"},
		Strong: "1\u00a0234,56\u00a0zł", Actions: []mail.Action{{Address: link, Label: "Zobacz rozliczenie"}, {Address: pdf, Label: "Pobierz PDF", Second: true}}})
	if from := r.header.Get("From"); from != `"Wrzos Mobility" <saldo@fleet.example>` || r.header.Get("Reply-To") != "<biuro@wrzos.example>" {
		t.Errorf("from %s, answers to %s", from, r.header.Get("Reply-To"))
	}
	if !slices.Equal(r.order, []string{"text/plain", "text/html"}) || r.parts["text/plain"] != text {
		t.Errorf("%v, text %q", r.order, r.parts["text/plain"])
	}
	html := r.parts["text/html"]
	for _, want := range []string{`<html lang="pl">`, `src="https://saldo.example/identification/wrzos/logo"`, "height:auto;width:auto;max-height:40px;max-width:200px", `href="` + link + `"`, `href="` + pdf + `"`,
		"prefers-color-scheme: dark", "background:#F2C200;color:#12171D", "A &lt;b&gt;&amp; Co&lt;/b&gt;", "<strong", `content="light dark"`} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in %s", want, html)
		}
	}
	if strings.Contains(html, "ZgotmplZ") || strings.Contains(html, "<script") {
		t.Error(html)
	}
	if got, want := plain(html), "Wrzos Mobility Cześć Paweł, Twoje rozliczenie jest gotowe. Do wypłaty: 1\u00a0234,56\u00a0zł Zobacz: Zobacz rozliczenie PDF: Pobierz PDF A <b>& Co</b>"; got != strings.Join(strings.Fields(want), " ") {
		t.Errorf("the HTML says %q", got)
	}
	own := w.sentAs(t, mail.Message{To: mail.Address{Address: "x@mail.example"}, Subject: "S", Text: "T", Language: "en"})
	if own.header.Get("From") != `"Saldo" <saldo@fleet.example>` || own.header.Get("Reply-To") != "" || !strings.Contains(own.parts["text/html"], colour.Petrol) {
		t.Errorf("%v", own.header)
	}
	// an address that no server accepts is no reason to send nothing
	odd := w.sentAs(t, mail.Message{To: mail.Address{Address: "x@mail.example"}, Subject: "S", Text: "T", Language: "en", Brand: mail.Brand{Name: "N", ReplyTo: "żółw@x.example"}})
	if odd.header.Get("Reply-To") != "" {
		t.Errorf("%v", odd.header)
	}
}

var inline = regexp.MustCompile(`background:(#[0-9A-F]{6})(?:;| !important;) ?color:(#[0-9A-F]{6})`)

// Whatever colour a partner has: buttons and links can be read, by light and by night.
func TestMails_CanBeReadInEveryPartnersColour(t *testing.T) {
	w := newWorld(t, testkit.Engine)
	w.start(t)
	for _, brand := range []string{"#FFFFFF", "#000000", "#F2C200", "#FF0000", "#7A4BE0", "#0B5D68", "#00FF00", "#808080"} {
		html := w.sentAs(t, mail.Message{To: mail.Address{Address: "x@mail.example"}, Subject: "S", Text: "T\nhttps://a.example", Language: "en",
			Brand: mail.Brand{Name: "N", Color: brand}, Actions: []mail.Action{{Address: "https://a.example", Label: "Open"}}}).parts["text/html"]
		pairs := inline.FindAllStringSubmatch(strings.ReplaceAll(html, ": #", ":#"), -1)
		if len(pairs) < 3 {
			t.Fatalf("%v in %s", pairs, html)
		}
		for _, p := range pairs {
			if c := colour.Contrast(p[1], p[2]); c < 4.495 {
				t.Errorf("%s: %s on %s has %.2f", brand, p[2], p[1], c)
			}
		}
	}
}
