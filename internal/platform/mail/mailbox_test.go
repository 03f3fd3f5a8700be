package mail

import (
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

func fill(t *testing.T, folder string, messages ...Delivery) {
	t.Helper()
	f, err := OpenFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range messages {
		if err := f.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC)
		if err := os.Chtimes(filepath.Join(folder, m.ID+".eml"), at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func browse(t *testing.T, folder, path string) (int, http.Header, string) {
	t.Helper()
	w := httptest.NewRecorder()
	handler := http.StripPrefix("/dev/mails", Mailbox(folder))
	handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/dev/mails"+path, nil))
	return w.Code, w.Header(), w.Body.String()
}

func TestTheFolderKeepsOneWholeMailPerID(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data", "mails")
	fill(t, folder, message(), message())
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 || entries[0].Name() != message().ID+".eml" {
		t.Fatalf("entries %v, %v", entries, err)
	}
	info, err := entries[0].Info()
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestAFolderThatCannotBeWrittenIsTriedAgain(t *testing.T) {
	folder := t.TempDir()
	f, err := OpenFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	if err := f.Send(t.Context(), message()); err == nil || Permanent(err) {
		t.Errorf("got %v", err)
	}
	if _, err := Open("", ""); err == nil {
		t.Error("no address and no folder is accepted")
	}
}

func TestTheMailboxListsTheNewestMailFirst(t *testing.T) {
	folder := t.TempDir()
	older, newer := message(), message()
	older.ID, older.Subject = "older", "Older <b>mail</b>"
	newer.ID, newer.Subject = "newer", "Newer mail"
	fill(t, folder, older, newer)
	if err := os.WriteFile(filepath.Join(folder, "broken.eml"), []byte("no mail at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, page := browse(t, folder, "/")
	first, second := strings.Index(page, "Newer mail"), strings.Index(page, "Older &lt;b&gt;mail")
	if code != 200 || first < 0 || second < first || !strings.Contains(page, `href="mail/newer"`) {
		t.Errorf("%d\n%s", code, page)
	}
	if !strings.Contains(page, "3 mails") || !strings.Contains(page, "this file is not a mail") {
		t.Error("the broken file is not shown")
	}
}

func TestAnEmptyMailboxSaysSo(t *testing.T) {
	code, _, page := browse(t, filepath.Join(t.TempDir(), "not yet"), "/")
	if code != 200 || !strings.Contains(page, "No mail yet") {
		t.Errorf("%d\n%s", code, page)
	}
}

func TestTheMailboxShowsAMailWithItsLinksAndFiles(t *testing.T) {
	folder := t.TempDir()
	m := message()
	m.Text = "Otwórz (https://saldo.example/s/abc?x=1&y=2). <script>alert(1)</script>"
	fill(t, folder, m)
	code, _, page := browse(t, folder, "/mail/"+m.ID)
	for _, want := range []string{
		`<h1 lang="pl">Rozliczenie`, `href="https://saldo.example/s/abc?x=1&amp;y=2">https`, "&lt;script&gt;",
		`href="../mailbox.css"`, `href="../"`, m.ID + "/html", m.ID + "/files/0", "Żółć, Абрис.pdf", "2026-11-09 08:15 UTC",
	} {
		if code != 200 || !strings.Contains(page, want) {
			t.Errorf("%d, no %q in\n%s", code, want, page)
		}
	}
	code, header, data := browse(t, folder, "/mail/"+m.ID+"/files/0")
	if code != 200 || data != string(m.Attachments[0].Data) || !strings.HasPrefix(header.Get("Content-Disposition"), "attachment") {
		t.Errorf("%d %v %q", code, header, data)
	}
}

func TestTheHTMLOfAMailCannotActInTheMailbox(t *testing.T) {
	folder := t.TempDir()
	m := message()
	m.HTML = "<script>alert(1)</script>"
	fill(t, folder, m)
	_, header, _ := browse(t, folder, "/mail/"+m.ID+"/html")
	policy := header.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "sandbox ") || strings.Contains(policy, "allow-scripts") ||
		strings.Contains(policy, "allow-same-origin") || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("policy %q", policy)
	}
	_, header, page := browse(t, folder, "/mail/"+m.ID)
	policy = header.Get("Content-Security-Policy")
	if strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("policy %q", policy)
	}
	if strings.Contains(page, "<script") || strings.Contains(page, " style=") || strings.Contains(page, "srcdoc") {
		t.Error("the page holds inline script, inline style or srcdoc")
	}
}

func TestTheMailboxServesNothingButMails(t *testing.T) {
	folder := t.TempDir()
	fill(t, folder, message())
	outside := filepath.Join(filepath.Dir(folder), "secret.eml")
	if err := os.WriteFile(outside, []byte("Subject: secret\r\n\r\nx"), fs.FileMode(0o600)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"/mail/..%2Fsecret", "/mail/nobody", "/mail/nobody/html", "/mail/" + message().ID + "/files/1",
		"/mail/" + message().ID + "/files/-1", "/mail/" + message().ID + "/files/x", "/other",
	} {
		if code, _, _ := browse(t, folder, path); code != http.StatusNotFound {
			t.Errorf("%s gives %d", path, code)
		}
	}
}

func TestTheMailboxIsReadableInLightAndDark(t *testing.T) {
	code, header, css := browse(t, t.TempDir(), "/mailbox.css")
	if code != 200 || !strings.HasPrefix(header.Get("Content-Type"), "text/css") {
		t.Fatalf("%d %v", code, header)
	}
	light, dark, found := strings.Cut(css, "prefers-color-scheme: dark")
	if !found {
		t.Fatal("no dark colours")
	}
	for mode, part := range map[string]string{"light": light, "dark": dark} {
		colours := map[string]float64{}
		for _, m := range regexp.MustCompile(`--(\w+): #(\w{6});`).FindAllStringSubmatch(part, -1) {
			colours[m[1]] = luminance(t, m[2])
		}
		for _, ink := range []string{"text", "text2", "text3", "brand"} {
			for _, background := range []string{"page", "surface"} {
				a, b := colours[ink], colours[background]
				if contrast := (math.Max(a, b) + 0.05) / (math.Min(a, b) + 0.05); contrast < 4.5 {
					t.Errorf("%s: %s on %s has contrast %.2f", mode, ink, background, contrast)
				}
			}
		}
	}
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
