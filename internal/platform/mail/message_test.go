package mail

import (
	"strings"
	"testing"
)

func TestAMessageThatCannotBeAMailIsRefusedForGood(t *testing.T) {
	folder, err := OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Delivery){
		"line break in the subject":         func(m *Delivery) { m.Subject = "Hi\r\nBcc: all@example.com" },
		"bare line feed in the subject":     func(m *Delivery) { m.Subject = "Hi\nBcc: all@example.com" },
		"line break in the recipient":       func(m *Delivery) { m.To.Address = "a@example.com>\r\nRCPT TO:<b@example.com" },
		"line break in the recipient name":  func(m *Delivery) { m.To.Name = "A\r\nBcc: b@example.com" },
		"line break in the sender":          func(m *Delivery) { m.From.Address = "a@example.com\r\n" },
		"line break in the sender name":     func(m *Delivery) { m.From.Name = "A\nX: y" },
		"line break in the id":              func(m *Delivery) { m.ID = "a\r\nX: y" },
		"id that leaves the folder":         func(m *Delivery) { m.ID = "../a" },
		"hidden id":                         func(m *Delivery) { m.ID = ".a" },
		"line break in an attachment name":  func(m *Delivery) { m.Attachments[0].Name = "a\r\nX: y.pdf" },
		"line break in an attachment type":  func(m *Delivery) { m.Attachments[0].Type = "text/plain;\r\n X=y" },
		"attachment without a type":         func(m *Delivery) { m.Attachments[0].Type = "" },
		"attachment without a name":         func(m *Delivery) { m.Attachments[0].Name = "" },
		"attachment with an endless name":   func(m *Delivery) { m.Attachments[0].Name = strings.Repeat("ż", 101) },
		"line break in the language":        func(m *Delivery) { m.Language = "pl\r\n" },
		"no address":                        func(m *Delivery) { m.To.Address = "" },
		"address without a domain":          func(m *Delivery) { m.To.Address = "olena" },
		"two addresses":                     func(m *Delivery) { m.To.Address = "a@example.com, b@example.com" },
		"address with a name in it":         func(m *Delivery) { m.To.Address = "A <a@example.com>" },
		"quoted local part":                 func(m *Delivery) { m.To.Address = `"a b"@example.com` },
		"local part servers cannot address": func(m *Delivery) { m.To.Address = "żółw@example.com" },
		"no subject":                        func(m *Delivery) { m.Subject = " " },
		"no text":                           func(m *Delivery) { m.Text = "" },
	} {
		t.Run(name, func(t *testing.T) {
			m := message()
			spoil(&m)
			if err := folder.Send(t.Context(), m); !Permanent(err) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func FuzzNoSubjectOrNameAddsAHeader(f *testing.F) {
	f.Add("Hello", "Jan")
	f.Add("a\r\nBcc: x@example.com", "b\nTo: y@example.com")
	f.Add("=?utf-8?q?=0D=0ABcc:_x?=", "\u2028\u0085")
	f.Fuzz(func(t *testing.T, subject, name string) {
		m := message()
		m.Subject, m.To.Name, m.Attachments[0].Name = subject, name, name
		e, err := compose(m)
		if err != nil {
			return
		}
		l, parsed, err := readHead(strings.NewReader(string(e.content)))
		if err != nil {
			t.Fatalf("the mail cannot be read back: %v", err)
		}
		for header := range parsed.Header {
			if header == "Bcc" || header == "X" {
				t.Fatalf("a header %s was added by %q", header, subject)
			}
		}
		if l.To == "" || len(parsed.Header["To"]) != 1 || len(parsed.Header["Subject"]) != 1 {
			t.Fatalf("headers %v", parsed.Header)
		}
	})
}
