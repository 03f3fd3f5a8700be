package feeds_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"saldo/internal/connections"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/drive"
	"saldo/internal/testkit"
)

func (w *world) connectBox(t *testing.T, confirm bool) {
	t.Helper()
	w.Connections.Trust = w.box.Trust()
	w.save(t, connections.Mailbox, connections.Change{Password: testkit.DrivePassword,
		Public: connections.Public{Address: w.box.Address, Account: "anna", Folder: testkit.MailFolder, Confirm: confirm}})
}

// statement is a message with a file of so many refuellings of a day.
func statement(id, name string, on calendar.Date, n int) string {
	var rows []testkit.Refuelling
	for i := range n {
		rows = append(rows, testkit.Refuelling{Card: cardOf(i % 4), On: on, Gross: 100_00, Bill: fmt.Sprint("M/", on, "/", i)})
	}
	return letter(id, name, testkit.OrlenFile(rows, on, on))
}

func letter(id, name, content string) string {
	return "From: raporty@issuer.example\r\nSubject: Zestawienie\r\nMessage-ID: <" + id + "@issuer.example>\r\n" +
		"Content-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\nContent-Type: text/plain\r\n\r\nW załączeniu.\r\n--B\r\n" +
		"Content-Type: text/csv\r\nContent-Disposition: attachment; filename=\"" + name + "\"\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		base64.StdEncoding.EncodeToString([]byte(content)) + "\r\n--B--\r\n"
}

func TestMailbox_TakesEachStatementOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.box.Deliver(t, statement("1", "paliwo.csv", today, 3))
		w.box.Deliver(t, "Subject: Dzień dobry\r\nMessage-ID: <2>\r\n\r\nNic tu nie ma.\r\n")
		w.connectBox(t, false)
		w.fetch(t, connections.Mailbox)
		same(t, "files", w.states(t), "preview")
		file := w.files(t)[0]
		same(t, "marked", file.Source+" "+file.FileName+" "+file.Provider, "fuel.mailbox paliwo.csv ORLEN")
		if read := w.box.Read(t); !slices.Equal(read, []uint32{1}) {
			t.Errorf("marked as read: %v", read)
		}
		w.box.Deliver(t, "Received: by another way\r\n"+statement("1", "paliwo.csv", today, 3)) // delivered again
		w.box.Deliver(t, statement("3", "inna nazwa.csv", today, 3))                            // the same file, in another message
		w.fetch(t, connections.Mailbox)
		w.fetch(t, connections.Mailbox)
		same(t, "files", w.states(t), "preview")
		if read := w.box.Read(t); !slices.Equal(read, []uint32{1, 3, 4}) {
			t.Errorf("marked as read: %v", read)
		}
		w.box.Deliver(t, statement("1", "paliwo.csv", today.AddDays(-1), 2)) // somebody uses the id of the first
		w.fetch(t, connections.Mailbox)
		same(t, "files", w.states(t), "preview preview")
	})
}

func TestMailbox_HostileMessagesHoldUpNoOther(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		deep := statement("d", "a.csv", today, 1)
		for range 20 {
			deep = "Content-Type: message/rfc822\r\n\r\n" + deep
		}
		w.box.Deliver(t, deep)
		w.box.Deliver(t, "Content-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\nContent-Type: text/csv\r\n\r\nbez końca")
		w.box.Deliver(t, letter("z", "../../bomba.zip", "PK\x03\x04 nie jest to archiwum"))
		w.box.Deliver(t, letter("h", "=?utf-8?q?=00=0d=0a?=.csv", "<script>alert(1)</script>"))
		w.box.Deliver(t, statement("1", "paliwo.csv", today, 3))
		w.connectBox(t, false)
		w.fetch(t, connections.Mailbox)
		states := strings.Fields(w.states(t))
		if len(states) != 3 || states[0] != "failed" || states[1] != "failed" || states[2] != "preview" {
			t.Errorf("%v", states)
		}
		same(t, "refused", w.last(t, connections.Mailbox).Refused, 2)
		if c := w.connection(t, connections.Mailbox); c.State != connections.Working {
			t.Errorf("%+v", c)
		}
		if read := w.box.Read(t); !slices.Equal(read, []uint32{3, 4, 5}) {
			t.Errorf("marked as read: %v", read)
		}
		for _, f := range w.files(t) {
			if strings.ContainsAny(f.FileName, "/\\\r\n\x00") {
				t.Errorf("a file is called %q", f.FileName)
			}
		}
		w.fetch(t, connections.Mailbox)
		same(t, "again", len(strings.Fields(w.states(t))), 3)
	})
}

// Wherever the connection breaks, each statement is there once in the end, and none is marked as read before.
func TestMailbox_AConnectionThatBreaksLosesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range 3 {
			w.box.Deliver(t, statement(fmt.Sprint(i), fmt.Sprint(i, ".csv"), today.AddDays(-i), 4))
		}
		w.connectBox(t, false)
		for after := 0; after < 12_000; after += 1_500 {
			w.box.Cut(after)
			w.fetch(t, connections.Mailbox)
			if files, read := len(w.files(t)), len(w.box.Read(t)); read > files {
				t.Fatalf("cut after %d bytes: %d files, %d messages are marked as read", after, files, read)
			}
		}
		w.box.Cut(-1)
		w.fetch(t, connections.Mailbox)
		same(t, "files", w.states(t), "preview preview preview")
		same(t, "read", len(w.box.Read(t)), 3)
		if c := w.connection(t, connections.Mailbox); c.State != connections.Working {
			t.Errorf("%+v", c)
		}
	})
}

func TestMailbox_AWrongPasswordIsTriedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connectBox(t, false)
		w.box.SetPassword("changed at the other side")
		before := w.box.Logins(testkit.DrivePassword)
		for range 3 {
			w.night(t)
		}
		same(t, "logins", w.box.Logins(testkit.DrivePassword)-before, 1)
		if c := w.connection(t, connections.Mailbox); c.State != connections.Stopped || c.Reason != drive.Denied {
			t.Errorf("%+v", c)
		}
	})
}

func TestMailbox_ConfirmsWhatIsUsual(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connectBox(t, true)
		for i, want := range []string{"preview", "success success", "success success preview"} {
			w.box.Deliver(t, statement(fmt.Sprint(i), fmt.Sprint(i, ".csv"), today.AddDays(-i), []int{4, 5, 20}[i]))
			w.night(t)
			same(t, "files", w.states(t), want)
			if i == 0 {
				w.confirm(t, 0)
			}
		}
		same(t, "reasons", w.reasons(t), "waits:no_history confirmed waits:unusual")
	})
}
