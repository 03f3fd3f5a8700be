package purchases_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"saldo/internal/ksef/login"
	"saldo/internal/platform/db"
	"saldo/internal/purchases"
	"saldo/internal/testkit"
	"saldo/internal/testkit/ksefd"
)

// 25,000 with SALDO_SOAK=2.
func TestFetch_EachInvoiceOnceToTheGrosz(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := testkit.Times(700, 12_500)
		w.ksef.ExportMost, w.ksef.PartMost, w.ksef.Repeat, w.ksef.Lag = n*9/25, 64_000, 20, time.Hour
		w.connect(t, fleet, 0)
		w.receiveMany(t, n)
		w.receive(t, seller, other, "FV/another's", 100_00)
		w.pass(2 * time.Hour)
		w.receiveMany(t, 3) // behind the mark
		w.ksef.Calls()
		peak := peak(func() { w.look(t) })
		calls := w.ksef.Calls()
		same(t, "exports", w.exports(t, purchases.Buyer), "done done done")
		same(t, "there before the mark moves", w.state(t).Count, int64(n))
		w.day(t)
		w.complete(t)
		if t.Failed() {
			t.Log(w.exports(t, purchases.Buyer), w.ksef.Calls(), w.log.String())
		}
		w.day(t)
		w.complete(t)
		if s := w.state(t); s.LastAt.IsZero() || s.Problem != "" || !s.NextAt.After(s.LastAt) {
			t.Errorf("%+v", s)
		}
		t.Logf("%d invoices, %d calls, the heap grew by %d MB at most", n, len(calls), peak>>20)
	})
}

// Whatever goes wrong once, every invoice comes once, and no worker waits for KSeF.
func TestFetch_Faults(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.ksef.PartMost = 1500
		w.connect(t, fleet, 0)
		const export, status, part = "POST /invoices/exports", "GET /invoices/exports/{referenceNumber}", "GET storage"
		for _, f := range []ksefd.Fault{
			{On: export, Cut: true}, {On: export, Status: 500}, {On: export, Status: 429, Retry: 50 * time.Minute}, {On: export, Status: 401},
			{On: export, Status: 403}, {On: export, Status: 400, Codes: []int{21405}}, {On: export, Empty: true},
			{On: export, Status: 400, Codes: []int{21470}}, {On: export, Status: 400, Codes: []int{21182}},
			{On: status, Cut: true}, {On: status, Status: 500}, {On: status, Status: 429, Retry: 50 * time.Minute}, {On: status, Status: 401},
			{On: status, Status: 410}, {On: status, Status: 403}, {On: status, Status: 400, Codes: []int{21175}}, {On: status, Empty: true},
			{On: part, Cut: true}, {On: part, Status: 500}, {On: part, Status: 404}, {On: part, Spoil: true}, {On: part, After: 1, Spoil: true},
			{On: part, Status: 302, Location: "https://elsewhere.example/"}, {On: part, Bytes: 100},
			{On: "GET /security/public-key-certificates", Status: 500}, {On: "POST /auth/token/refresh", Status: 500},
		} {
			w.receiveMany(t, 2)
			w.ksef.Script(f)
			w.day(t)
			w.day(t)
			if len(w.all(t)) != len(w.want) {
				t.Fatalf("%+v: %d of %d, %s\n%s", f, len(w.all(t)), len(w.want), w.exports(t, purchases.Buyer), w.log.String())
			}
		}
		w.complete(t)
		for _, code := range []int{210, 415, 500, 550} {
			w.receiveMany(t, 2)
			w.ksef.End("export", code)
			w.day(t)
			w.day(t)
			if len(w.all(t)) != len(w.want) {
				t.Fatalf("%d: %d of %d", code, len(w.all(t)), len(w.want))
			}
		}
		w.complete(t)
	})
}

func TestFetch_HoldsNoWorkerWhileKSeFForbidsIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, fleet, 0)
		w.receiveMany(t, 1)
		w.ksef.Script(ksefd.Fault{On: "POST /invoices/exports", Status: 429, Retry: 50 * time.Minute},
			ksefd.Fault{On: "POST /invoices/exports", Status: 429, Retry: 50 * time.Minute})
		from := w.Clock.Now()
		w.look(t) // settling passes what the jobs wait for
		if waited := w.Clock.Now().Sub(from); waited < 50*time.Minute || waited > 2*time.Hour {
			t.Error(waited)
		}
		w.complete(t)
	})
}

// An export that KSeF has forgotten is asked for again from the same time on.
func TestFetch_GoneAfterAWeek(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, fleet, 0)
		w.receiveMany(t, 3)
		w.ksef.Steps = 1
		for range 20 { // of both roles
			w.ksef.Script(ksefd.Fault{On: "GET /invoices/exports/{referenceNumber}", Status: 429, Retry: 24 * time.Hour})
		}
		w.look(t)
		w.complete(t)
		if !strings.HasPrefix(w.exports(t, purchases.Buyer), "lost ") {
			t.Error(w.exports(t, purchases.Buyer))
		}
	})
}

func TestFetch_WithAnotherKeyOfKSeF(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, fleet, 0)
		w.look(t)
		w.receiveMany(t, 2)
		w.ksef.Rotate()
		w.day(t)
		w.complete(t)
	})
}

// A partner who was away for long misses nothing: KSeF is asked for three months at a time.
func TestFetch_AfterAYear(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, fleet, 0)
		w.look(t)
		for range 4 {
			w.pass(80 * 24 * time.Hour)
			w.receiveMany(t, 2)
		}
		w.look(t)
		w.complete(t)
	})
}

func TestFetch_AccessRemovedMeanwhile(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, fleet, 0)
		w.receiveMany(t, 2)
		remove := func() {
			if err := w.Fleet.DB.Write(t.Context(), anna, func(tx *db.Tx) error { return w.KSeF.Remove(tx) }); err != nil {
				t.Error(err)
			}
		}
		var now atomic.Value
		now.Store("")
		w.KSeF.HTTP = &http.Client{Transport: &between{w.ksef.Client().Transport, func(r *http.Request, _ bool) {
			if at := now.Load().(string); at != "" && strings.Contains(r.URL.Path, at) && now.CompareAndSwap(at, "") {
				remove()
			}
		}}}
		for _, at := range []string{"/invoices/exports", "/invoices/exports/", "/invoice-part/"} {
			now.Store(at)
			w.day(t)
			if now.Load() != "" {
				t.Error("not asked:", at)
			}
			w.connect(t, fleet, 0)
			w.receiveMany(t, 1)
		}
		w.day(t)
		w.complete(t)
		remove()
		w.ksef.Calls()
		w.day(t)
		if calls := w.ksef.Calls(); len(calls) > 0 {
			t.Error(calls)
		}
	})
}

// Another company has invoices of its own, and those of the first stay.
func TestFetch_AnotherCompany(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, fleet, 0)
		w.receiveMany(t, 2)
		w.look(t)
		w.profile(t, other)
		w.day(t)
		w.connect(t, other, 1)
		w.receive(t, seller, other, "FV/other", 100_00)
		w.day(t)
		same(t, "invoices", len(w.all(t)), 3)
	})
}

// between does something before and after a call.
type between struct {
	http.RoundTripper
	what func(r *http.Request, after bool)
}

func (b *between) RoundTrip(r *http.Request) (*http.Response, error) {
	b.what(r, false)
	answer, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		b.what(r, true)
	}
	return answer, err
}

// The process dies before or after each call, and at each file that is stored.
func TestFetch_KilledAtEachStep(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.ksef.PartMost = 1200
		w.connect(t, fleet, 0)
		var steps atomic.Int64
		die := func() {
			if steps.Add(-1) == 0 {
				runtime.Goexit()
			}
		}
		w.KSeF.HTTP = &http.Client{Transport: &between{w.ksef.Client().Transport, func(*http.Request, bool) { die() }}}
		w.Service.Blobs = dying{w.Service.Blobs, die}
		kills := testkit.Times(24, 40)
		for n := range kills {
			w.receiveMany(t, 2)
			steps.Store(int64(n + 1))
			w.day(t)
			steps.Store(0)
			w.day(t)
			if len(w.all(t)) != len(w.want) {
				t.Fatalf("step %d: %d of %d", n+1, len(w.all(t)), len(w.want))
			}
		}
		w.complete(t)
	})
}

func TestFetch_TwoInstances(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		second := w.process(t)
		w.work(t, second)
		w.ksef.ExportMost = 7
		w.connect(t, fleet, 0)
		for range testkit.Times(3, 10) {
			w.receiveMany(t, 20)
			w.day(t)
			w.complete(t)
		}
	})
}

// With the limits of KSeF two roles are fetched for a day without a call that is too fast.
func TestFetch_IsNeverTooFast(t *testing.T) {
	w := newWorld(t, testkit.Engine)
	w.ksef.Limited, w.ksef.Steps = true, 1
	w.connect(t, fleet, 0)
	asked := 0
	for range 26 * 12 {
		w.receiveMany(t, 1)
		w.pass(5 * time.Minute)
		w.look(t)
	}
	for _, one := range w.ksef.Calls() {
		if one == "POST /invoices/exports" {
			asked++
		}
	}
	same(t, "too fast", w.ksef.TooMany(), 0)
	if asked < 15 || asked > 24 {
		t.Errorf("KSeF was asked %d times in 26 hours", asked)
	}
}

// What strangers send is kept, and read only where it is an invoice of the form that is read.
func TestFetch_KeepsWhatItDoesNotRead(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, fleet, 0)
		good := string(w.file(t, seller, fleet, "FV/1", 100_00))
		for name, c := range map[string]struct{ content, form, unread, shown string }{
			"FA(2)": {strings.ReplaceAll(strings.ReplaceAll(good, "FA (3)", "FA (2)"), "2025/06/25/13775", "2023/06/29/12648"), "FA (2)",
				"other_form", "FA (2)"},
			"PEF":       {`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>1</ID></Invoice>`, "PEF (3)", "other_form", "PEF"},
			"no XML":    {"PESEL " + pesel, "FA (3)", "broken", "FA (3)"},
			"a type":    {`<!DOCTYPE x [<!ENTITY a "b">]>` + good, "FA (3)", "broken", "FA (3)"},
			"deep":      {strings.Replace(good, "<Fa>", strings.Repeat("<a>", 50)+strings.Repeat("</a>", 50)+"<Fa>", 1), "FA (3)", "too_deep", "FA (3)"},
			"no amount": {strings.Replace(good, "<P_15>", "<P_15>x", 1), "FA (3)", "damaged", "FA (3)"},
		} {
			number := w.ksef.ReceiveForeign([]byte(c.content), c.form, seller, fleet, "N/"+name)
			w.day(t)
			p := w.all(t)[number]
			if p.Unread != c.unread || p.Form != c.shown || p.Gross != 0 || p.Number != "N/"+name || p.SellerTaxID != seller || p.SellerName == "" {
				t.Errorf("%s: %+v", name, p)
			}
		}
	})
}

func TestFetch_AsAThirdPartyAtNight(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, fleet, 0)
		file := strings.Replace(string(w.file(t, seller, other, "FV/third", 100_00)), "</Podmiot2>", `</Podmiot2><Podmiot3><DaneIdentyfikacyjne><NIP>`+
			fleet+`</NIP><Nazwa>Flota</Nazwa></DaneIdentyfikacyjne><Adres><KodKraju>PL</KodKraju><AdresL1>x</AdresL1></Adres><Rola>4</Rola></Podmiot3>`, 1)
		number := w.ksef.Receive([]byte(file))
		w.day(t)
		if p := w.all(t)[number]; p.Role != purchases.Third || p.BuyerTaxID != other || p.Gross != 123_00 {
			t.Errorf("%+v", p)
		}
	})
}

// By day every hour and once in the night, by the clock on the wall.
func TestSlots(t *testing.T) {
	w := newWorld(t, testkit.Engine)
	slots := func(r purchases.Role, from string, hours int) int {
		at, err := time.ParseInLocation("2006-01-02 15:04", from, w.Fleet.Instance.Location())
		if err != nil {
			t.Fatal(err)
		}
		seen, last := map[string]bool{}, ""
		for range hours * 12 {
			one := purchases.SlotOf(w.Service, at, "north", r)
			if one < last {
				t.Errorf("%s: %q after %q", at, one, last)
			}
			seen[one], last = true, one
			at = at.Add(5 * time.Minute)
		}
		return len(seen)
	}
	for _, day := range []string{"2026-11-19 05:00", "2026-03-28 05:00", "2026-10-24 05:00"} {
		same(t, day, slots(purchases.Buyer, day, 24), 17)
		same(t, day, slots(purchases.Third, day, 24), 2)
	}
}

func TestFetch_SecretsAreNowhere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, fleet, 0)
		w.receiveMany(t, 2)
		w.ksef.ReceiveForeign([]byte("PESEL "+pesel), "FA (3)", seller, fleet, "N/1")
		w.ksef.Steps = 3
		w.ksef.Script(ksefd.Fault{On: "GET storage", Status: 500}, ksefd.Fault{On: "POST /invoices/exports", Status: 500})
		w.look(t)
		var token string
		if c, err := w.KSeF.Client(t.Context(), anna); err != nil {
			t.Fatal(err)
		} else {
			token = c.Access
		}
		var all strings.Builder
		for _, table := range []string{"ksef_fetches", "ksef_exports", "purchases", "audit_entries", "jobs"} {
			testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
				return db.EachRow(tx, func(cells []any) error { fmt.Fprintf(&all, "%s %s\n", table, cells); return nil },
					`SELECT `+strings.Join(testkit.Columns(t, w.Fleet.DB, table), ", ")+` FROM `+table+` WHERE tenant_id = $1`)
			})
		}
		text := all.String() + w.log.String()
		if !strings.Contains(text, "Warsztat") || !strings.Contains(w.log.String(), "away") {
			t.Error("nothing was read")
		}
		for _, secret := range []string{pesel, token, "eyJ", base64.StdEncoding.EncodeToString(w.key), "invoice-part", "sig="} {
			if strings.Contains(text, secret) {
				t.Errorf("%.20q is there", secret)
			}
		}
		testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM ksef_exports WHERE tenant_id = $1 AND key_sealed <> ''`)
			same(t, "keys that nobody needs", n, 0)
			return err
		})
	})
}

func TestFetch_Off(t *testing.T) {
	w := newWorld(t, testkit.Engine)
	w.KSeF.Environment = ""
	w.look(t)
	if s := w.state(t); s != (purchases.State{}) {
		t.Errorf("%+v", s)
	}
	w.KSeF.Environment = "test"
	if s := w.state(t); s != (purchases.State{}) { // no certificate
		t.Errorf("%+v", s)
	}
	var err error
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error { _, _, err = w.Of(tx, "x"); return nil })
	if !errors.Is(err, purchases.ErrNotFound) || login.ErrNone == nil {
		t.Error(err)
	}
}
