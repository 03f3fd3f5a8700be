package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

var messageID = regexp.MustCompile(`(?m)^Message-ID: <([^@>]+)@`)

// arrived counts what the mail server took, by Message-ID, and whom each mail was for.
func arrived(t *testing.T, server *testkit.SMTP) (times map[string]int, to map[string]string) {
	t.Helper()
	times, to = map[string]int{}, map[string]string{}
	for _, m := range server.Taken() {
		id := messageID.FindStringSubmatch(m.Data)
		if id == nil {
			t.Fatalf("a mail without an id: %.300s", m.Data)
		}
		if before, there := to[id[1]]; there && before != m.To {
			t.Errorf("one mail went to %s and %s", before, m.To)
		}
		times[id[1]]++
		to[id[1]] = m.To
	}
	return times, to
}

var (
	linkIn = regexp.MustCompile(`driver-summary/([A-Za-z0-9_-]{43})`)
	fileIn = regexp.MustCompile(`Content-Type: application/pdf; name="[a-z]+-[0-9]+-[0-9]{4}-W[0-9]{2}\.pdf"\r\n\r\n([A-Za-z0-9+/=\r\n]+)\r\n--`)
)

// attached is the PDF that a mail carries.
func attached(t *testing.T, m testkit.Taken) string {
	t.Helper()
	found := fileIn.FindStringSubmatch(m.Data)
	if found == nil {
		t.Fatalf("a mail without its statement: %.2000s", m.Data)
	}
	content, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(found[1], "\r\n", ""))
	if err != nil || !strings.HasPrefix(string(content), "%PDF") {
		t.Fatalf("%.20q %v", content, err)
	}
	return string(content)
}

// read is what anybody gets at an address.
func (p *process) read(t *testing.T, path string) string {
	t.Helper()
	resp, err := http.Get(p.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%d %v", resp.StatusCode, err)
	}
	return string(content)
}

// bill is one that was written down, as the database has it.
type bill struct{ SettlementID, Address, MailID, State string }

func billsOf(t *testing.T, d *db.DB, who access.Actor, sending string) (bills []bill) {
	t.Helper()
	testkit.Read(t, d, who, func(tx *db.Tx) (err error) {
		bills, err = db.Select[bill](tx, `SELECT x.settlement_id, x.address, x.mail_id, m.state FROM summaries x JOIN mails m ON m.tenant_id = x.tenant_id AND m.id = x.mail_id
			WHERE x.tenant_id = $1 AND x.sending_id = $2`, sending)
		return err
	})
	return bills
}

// Bills of everybody are sent while the process is killed: while it is asked to, while mails are written down, while a mail server takes them. No bill is
// called sent that no server took; in the end each was written down once and arrived, under one Message-ID whatever was repeated.
func TestKilledSending_ReachesEachDriverOnce(t *testing.T) {
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			server := testkit.NewSMTP(t)
			server.Slow(20 * time.Millisecond)
			env := append(place(t, engine), "SALDO_LOG_LEVEL=error", "SALDO_SMTP_URL="+server.URL())
			p := start(t, env...)
			token := p.token(t)
			d := databaseOf(t, engine, env)
			who, ids := settledFleet(t, p, token, d, env)
			killed, copies := 0, 0
			// kill lets the process die while something is asked or only awaited, and starts another
			kill := func(within time.Duration, meanwhile func()) {
				doomed := p.Process
				timer := time.AfterFunc(rand.N(within), func() { _ = doomed.Kill() })
				meanwhile()
				_ = p.Wait()
				timer.Stop()
				killed++
				fallSilent(t, d)
				p = start(t, env...)
				token = p.token(t)
			}
			sendings := 0
			for ; killed < kills(); sendings++ {
				key := fmt.Sprint("sending-", sendings)
				var sending struct {
					ID, State                        string
					Recipients, Queued, Sent, Failed int
				}
				prepare := func() int {
					return p.call(t, token, "POST", "/api/summary-sendings", `{"state":"settled","again":true}`, key, &sending)
				}
				kill(60*time.Millisecond, func() { prepare() })
				if status := prepare(); status != 201 {
					t.Fatalf("preparing answers %d", status)
				}
				path := "/api/summary-sendings/" + sending.ID
				begin := func() int { return p.call(t, token, "POST", path+"/start", "", key+"-start", nil) }
				kill(20*time.Millisecond, func() { begin() })
				if status := begin(); status != 202 {
					t.Fatalf("starting answers %d", status)
				}
				// the time in which it can be cancelled is over
				testkit.Write(t, d, who, func(tx *db.Tx) error {
					_, err := tx.Exec(`UPDATE jobs SET run_at = $2 WHERE tenant_id = $1 AND kind = 'summaries.send' AND state = 'waiting'`, tx.Now)
					return err
				})
				before, within := paidDrivers, 600*time.Millisecond
				for going := true; going; {
					kill(within, func() {})
					left := 0
					bills := billsOf(t, d, who, sending.ID)
					times, _ := arrived(t, server) // after them: the next process is sending already
					for _, b := range bills {
						if b.State == "sent" && times[b.MailID] == 0 {
							t.Errorf("the bill to %s is called sent and did not arrive", b.Address)
						}
						if b.State != "sent" {
							left++
						}
					}
					left += paidDrivers - len(bills)
					if left > before-paidDrivers/10 {
						within = within * 3 / 2 // the machine is slow just now
					}
					before = left
					going = left > paidDrivers/10 && killed < 10*kills()
				}
				testkit.Eventually(t, "every bill is sent", func() bool {
					p.call(t, token, "GET", path, "", "", &sending)
					return sending.State == "done" && sending.Queued == 0
				})
				bills := billsOf(t, d, who, sending.ID)
				if sending.Recipients != len(ids) || sending.Sent != len(ids) || sending.Failed != 0 || len(bills) != len(ids) {
					t.Fatalf("%+v, %d written down", sending, len(bills))
				}
				times, to := arrived(t, server)
				once := map[string]bool{}
				for _, b := range bills {
					if to[b.MailID] != b.Address || once[b.SettlementID] {
						t.Errorf("the bill to %s arrived at %q; another of the settlement: %v", b.Address, to[b.MailID], once[b.SettlementID])
					}
					once[b.SettlementID] = true
					copies += times[b.MailID] - 1
				}
				if len(times) != (sendings+1)*len(ids) {
					t.Errorf("%d different mails arrived of %d sendings to %d", len(times), sendings+1, len(ids))
				}
			}
			// only what the process was just sending when it died may have come again, by each of its four workers
			if copies > 4*killed {
				t.Errorf("%d mails came again after %d kills", copies, killed)
			}
			for _, m := range server.Taken() {
				attached(t, m)
			}
			newest := server.Taken()[len(server.Taken())-1]
			if linked := p.read(t, "/api/driver-summaries/"+linkIn.FindStringSubmatch(strings.ReplaceAll(newest.Data, "=\r\n", ""))[1]+"/statement"); linked != attached(t, newest) {
				t.Errorf("the file of a mail has %d bytes, that of its link %d", len(attached(t, newest)), len(linked))
			}
			stop(t, p)
			verified(t, env)
			t.Logf("%d kills, %d sendings to %d, %d mails came again under their Message-ID", killed, sendings, len(ids), copies)
		})
	}
}
