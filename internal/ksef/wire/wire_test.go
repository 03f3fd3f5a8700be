package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/billing/einvoice"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/ksef"
	"saldo/internal/testkit/ksefd"
	"saldo/internal/testkit/ksefd/contract"
)

const (
	fleet  official.NIP = "5213017228"
	driver official.NIP = "5260250274"
	other  official.NIP = "1132191233"
)

var ctx = context.Background()

// groups writes down the groups of limits that calls are counted for.
type groups struct {
	seen []string
	wait time.Duration
	err  error
}

func (g *groups) May(_ context.Context, group string) (time.Duration, error) {
	g.seen = append(g.seen, group)
	return g.wait, g.err
}

// environment is a KSeF with its client.
func environment(t *testing.T) (*ksefd.Server, Client) {
	t.Helper()
	s := ksefd.New(t)
	return s, Client{Env: ksef.Env{API: ksefd.API, Codes: ksefd.Codes, Lighthouse: ksefd.Lighthouse}, HTTP: s.Client(),
		Pause: func(context.Context, time.Duration) error { return nil }}
}

func seal(t *testing.T, nip official.NIP) Signature {
	t.Helper()
	c, key := ksefd.Seal(t, string(nip), `Flota "Łódź" & Syn <sp. z o.o.>`)
	return Signature{Certificate: &ksef.Certificate{Certificate: c, Key: key}}
}

// signedIn is a client of a company.
func signedIn(t *testing.T, c Client, nip official.NIP) Client {
	t.Helper()
	tokens, err := c.SignIn(ctx, nip, seal(t, nip))
	if err != nil {
		t.Fatal(err)
	}
	return c.As(tokens)
}

func invoice(t *testing.T, s *ksefd.Server, seller, buyer official.NIP, number string) []byte {
	t.Helper()
	today := calendar.Date(s.Now().Add(time.Hour).Format(time.DateOnly)) // near enough to Warsaw's
	file, err := einvoice.FA3(einvoice.Invoice{Number: number, IssuedOn: today, From: today, To: today, MadeAt: s.Now(), Currency: money.PLN,
		Seller: einvoice.Party{Name: "Jan Kowalski Transport", TaxID: string(seller), Street: "ul. Testowa 1", Place: "00-001 Warszawa", Country: "PL"},
		Buyer:  einvoice.Party{Name: "Flota Sp. z o.o.", TaxID: string(buyer), Street: "ul. Flotowa 2", Place: "00-002 Warszawa", Country: "PL"},
		Lines:  []einvoice.Line{{Text: "Usługi przewozu osób", Net: 2000_00, VAT: 160_00, Rate: 8}}})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func good(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// envelope is one for the server's key.
func envelope(t *testing.T, s *ksefd.Server, c Client) (e ksef.Envelope) {
	t.Helper()
	good(t, new(Keyring).Seal(ctx, c, s.Now(), func(made ksef.Envelope) error { e = made; return nil }))
	return e
}

func sealed(t *testing.T, e ksef.Envelope, file []byte) ksef.Sealed {
	t.Helper()
	one, err := e.Seal(file)
	good(t, err)
	return one
}

// answered is the error of a call as KSeF's.
func answered(t *testing.T, err error) *Said {
	t.Helper()
	var s *Said
	if !errors.As(err, &s) {
		t.Fatalf("%v is not KSeF's", err)
	}
	return s
}

// everything makes every call there is, in the order in which they need each other.
func everything(t *testing.T, s *ksefd.Server, c Client) {
	t.Helper()
	keys := new(Keyring)
	s.Token(string(fleet), "20261119-EC-0123456789")
	_, err := keys.SignIn(ctx, c, s.Now(), fleet, Token{Text: "20261119-EC-0123456789"})
	good(t, err)
	tokens, err := c.SignIn(ctx, fleet, seal(t, fleet))
	good(t, err)
	tokens, err = c.Refresh(ctx, tokens)
	good(t, err)
	of := c.As(tokens)
	for _, one := range []struct {
		method, path string
		body         any
	}{{"GET", "/rate-limits", nil}, {"GET", "/limits/context", nil}, {"POST", "/testdata/rate-limits/production", nil},
		{"POST", "/testdata/person", map[string]any{"nip": other, "pesel": "44051401359", "isBailiff": false, "description": "Kierowca"}}} {
		good(t, of.call(ctx, request{method: one.method, path: one.path, group: "other", body: one.body}, nil))
	}
	s.Limited = false
	_, err = of.Rights(ctx)
	good(t, err)

	from := signedIn(t, c, driver)
	var operation referenced
	good(t, from.call(ctx, request{method: "POST", path: "/permissions/authorizations/grants", group: "other", body: map[string]any{
		"subjectIdentifier": identifier{"Nip", string(fleet)}, "permission": selfInvoicing, "description": "Samofakturowanie",
		"subjectDetails": map[string]any{"fullName": "Flota Sp. z o.o."}}}, &operation))
	good(t, from.call(ctx, request{method: "GET", path: at("permissions", "operations", operation.Reference), group: "other"}, nil))
	grants, _, err := of.Received(ctx, 0)
	good(t, err)
	if len(grants) != 1 || grants[0].Seller != driver {
		t.Fatalf("%+v", grants)
	}

	var online, batch string
	good(t, keys.Seal(ctx, of, s.Now(), func(e ksef.Envelope) (err error) {
		if online, _, err = of.OpenOnline(ctx, e); err != nil {
			return err
		}
		reference, err := of.Send(ctx, online, sealed(t, e, invoice(t, s, driver, fleet, "SF/1")), false, "")
		if err != nil {
			return err
		}
		one, err := of.Invoice(ctx, online, reference)
		if err != nil || one.KSeF == "" {
			return fmt.Errorf("%+v %w", one, err)
		}
		if _, err = of.InvoiceUPO(ctx, online, reference); err != nil {
			return err
		}
		if _, err = of.File(ctx, one.KSeF); err != nil {
			return err
		}
		_, err = of.Collective(ctx, []string{one.KSeF})
		return err
	}))
	good(t, of.Close(ctx, online))
	good(t, keys.Seal(ctx, of, s.Now(), func(e ksef.Envelope) error {
		p, err := e.Pack([][]byte{invoice(t, s, driver, fleet, "SF/2")})
		good(t, err)
		reference, uploads, err := of.OpenBatch(ctx, e, p, false)
		batch = reference
		if err == nil {
			good(t, of.Put(ctx, uploads[0], bytes.NewReader(p.Parts[0].Content)))
		}
		return err
	}))
	good(t, of.CloseBatch(ctx, batch))
	for _, session := range []string{online, batch} {
		state, err := of.Session(ctx, session)
		good(t, err)
		if state.Good != 1 || len(state.UPO) != 1 {
			t.Fatalf("%+v", state)
		}
		_, err = of.UPO(ctx, state.UPO[0])
		good(t, err)
		_, _, err = of.Invoices(ctx, session, "")
		good(t, err)
	}
	_, _, err = of.Metadata(ctx, Range{Role: Buyer, From: s.Now().AddDate(0, -1, 0)}, s.Now(), 0)
	good(t, err)
	var export string
	e := envelope(t, s, of)
	export, err = of.Export(ctx, e, Range{Role: Buyer, From: s.Now().AddDate(0, -1, 0)})
	good(t, err)
	parcel, err := of.Exported(ctx, export)
	good(t, err)
	part, err := of.Part(ctx, parcel.Parts[0])
	good(t, err)
	_, err = io.ReadAll(part)
	good(t, errors.Join(err, part.Close()))

	enrol(t, of, ToSignIn)
	_, _, err = of.Certificates(ctx, "", 0)
	good(t, err)
	good(t, from.call(ctx, request{method: "DELETE", path: at("permissions", "authorizations", "grants", grants[0].ID), group: "other"}, nil))
	good(t, of.SignOut(ctx))
}

func TestClient_MakesAllCallsAsTheContractSays(t *testing.T) {
	s, c := environment(t)
	pace := new(groups)
	c.Pace = pace
	everything(t, s, c)
	seen := slices.DeleteFunc(s.Calls(), func(name string) bool { return strings.HasSuffix(name, " storage") })
	if len(seen) != len(pace.seen) {
		t.Fatalf("%d calls, %d were counted", len(seen), len(pace.seen))
	}
	for n, name := range seen {
		want := contract.Published().Operations[name].Group()
		if got := pace.seen[n]; got != want && (got != groupPublic || want != "") && !strings.HasPrefix(name, "POST /testdata/") {
			t.Errorf("%s is counted for %s, not %s", name, got, want)
		}
	}
	for name := range contract.Published().Operations {
		if !slices.Contains(seen, name) {
			t.Errorf("%s is not called", name)
		}
	}
}

func TestClient_FollowsNoRedirection(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	e := envelope(t, s, of)
	online, _, err := of.OpenOnline(ctx, e)
	good(t, err)
	_, err = of.Send(ctx, online, sealed(t, e, invoice(t, s, fleet, other, "1")), false, "")
	good(t, err)
	good(t, of.Close(ctx, online))
	state, err := of.Session(ctx, online)
	good(t, err)
	s.Calls()
	for name, call := range map[string]func() error{
		"POST /auth/challenge":          func() error { _, err := c.Challenge(ctx); return err },
		"GET /certificates/limits":      func() error { _, err := of.MayEnrol(ctx); return err },
		"GET storage":                   func() error { _, err := of.UPO(ctx, state.UPO[0]); return err },
		"GET lighthouse/status":         func() error { _, _, err := of.Weather(ctx); return err },
		"DELETE /auth/sessions/current": func() error { return of.SignOut(ctx) },
	} {
		s.Script(ksefd.Fault{On: name, Status: http.StatusFound, Location: "https://elsewhere.example.com/"})
		if got := answered(t, call()); got.HTTP != http.StatusFound || got.Kind() != Again {
			t.Errorf("%s: %v", name, got)
		}
		if seen := s.Calls(); len(seen) != 1 {
			t.Errorf("%s: %q", name, seen)
		}
	}
}

func TestClient_SendsFilesToItsOwnEnvironmentAlone(t *testing.T) {
	real := Client{Env: ksef.Production}
	for address, right := range map[string]bool{
		"https://api.ksef.mf.gov.pl/storage/a?sig=b": true, "https://storage.ksef.mf.gov.pl/a": true, "https://API.KSEF.mf.gov.pl/a": true,
		"http://api.ksef.mf.gov.pl/a": false, "https://api.ksef.mf.gov.pl:8443/a": false, "https://user@api.ksef.mf.gov.pl/a": false,
		"https://ksef.mf.gov.pl.example.com/a": false, "https://evilksef.mf.gov.pl/a": false, "https://mf.gov.pl/a": false, "https://127.0.0.1/": false,
		"https://example.com/?api.ksef.mf.gov.pl": false, "//api.ksef.mf.gov.pl/a": false, "": false, "https://%zz": false, "file:///etc/passwd": false,
	} {
		if _, err := real.outside(address); (err == nil) != right {
			t.Errorf("%s: %v", address, err)
		}
	}
	for own, host := range map[string]string{"https://localhost:1/v2": "https://other.localhost:1/", "https://127.0.0.1/v2": "https://1.0.0.1/",
		"https://ksef.pl/v2": "https://other.pl/"} {
		if _, err := (Client{Env: ksef.Env{API: own}}).outside(host); err == nil {
			t.Errorf("%s is of the domain of %s", host, own)
		}
	}
	s, c := environment(t)
	for _, address := range []string{"https://elsewhere.org/a", "http://storage-ksef.example.com/a"} {
		_, err := c.UPO(ctx, address)
		_, part := c.Part(ctx, Part{URL: address, SealedSize: 1, Method: "GET"})
		if put := c.Put(ctx, Upload{URL: address, Method: "PUT"}, nil); err == nil || part == nil || put == nil {
			t.Errorf("%s: %v %v %v", address, err, part, put)
		}
	}
	const storage = "https://storage-ksef.example.com/a"
	for _, to := range []Upload{{URL: storage, Method: "DELETE"}, {URL: storage, Method: "PUT", Headers: map[string]string{"Authorization": "Bearer a"}},
		{URL: storage, Method: "PUT", Headers: map[string]string{"Host": "a"}}} {
		if err := c.Put(ctx, to, nil); !errors.Is(err, errUpload) {
			t.Errorf("%+v: %v", to, err)
		}
	}
	if seen := s.Calls(); len(seen) > 0 {
		t.Errorf("%q", seen)
	}
}

func TestClient_ReadsNoMoreThanThereCanBe(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	s.Script(ksefd.Fault{On: "GET /certificates/limits", Bytes: mostAnswer + 1}, ksefd.Fault{On: "GET /certificates/limits", Bytes: mostAnswer},
		ksefd.Fault{On: "GET storage", Bytes: mostFile + 1}, ksefd.Fault{On: "GET /certificates/limits", Bytes: 1 << 20, Status: 500})
	if _, err := of.MayEnrol(ctx); answered(t, err).Reason != reasonTooLarge || KindOf(err) != Refused {
		t.Error(err)
	}
	if _, err := of.MayEnrol(ctx); answered(t, err).Reason != reasonUnreadable || KindOf(err) != Again {
		t.Error(err)
	}
	if _, err := of.UPO(ctx, "https://storage-ksef.example.com/a"); answered(t, err).Reason != reasonTooLarge {
		t.Error(err)
	}
	if _, err := of.MayEnrol(ctx); answered(t, err).HTTP != 500 || KindOf(err) != Again {
		t.Error(err)
	}
	for _, size := range []int64{0, -1, mostPart + 1} {
		if _, err := of.Part(ctx, Part{URL: "https://storage-ksef.example.com/a", Method: "GET", SealedSize: size}); answered(t, err).Reason != reasonTooLarge {
			t.Error(size, err)
		}
	}
}

// What is cut off after KSeF has taken it is asked once: whoever called decides whether it is asked again.
func TestClient_RepeatsNoCallWithoutAnAnswer(t *testing.T) {
	s, c := environment(t)
	s.Grant(string(driver), string(fleet))
	tokens, err := c.SignIn(ctx, fleet, seal(t, fleet))
	good(t, err)
	of, another := c.As(tokens), seal(t, fleet)
	e := envelope(t, s, of)
	open := func() string {
		session, _, err := of.OpenOnline(ctx, e)
		good(t, err)
		return session
	}
	online, ending := open(), open()
	one := sealed(t, e, invoice(t, s, driver, fleet, "SF/1"))
	p, err := e.Pack([][]byte{invoice(t, s, driver, fleet, "SF/2")})
	good(t, err)
	batch, uploads, err := of.OpenBatch(ctx, e, p, false)
	good(t, err)
	put := func() error { return of.Put(ctx, uploads[0], bytes.NewReader(p.Parts[0].Content)) }
	owner, err := of.EnrolData(ctx)
	good(t, err)
	csr, err := owner.Request(seal(t, fleet).Key)
	good(t, err)
	signed, err := c.SignIn(ctx, fleet, another) // refreshing it leaves the other token as it is
	good(t, err)
	received := s.Receive(invoice(t, s, driver, fleet, "FV/1"))
	s.Calls()
	for _, cut := range []struct {
		name string
		call func() error
	}{
		{"POST /auth/challenge", func() error { _, err := c.Challenge(ctx); return err }},
		{"POST /auth/xades-signature", func() error { _, err := c.SignIn(ctx, fleet, another); return err }},
		{"POST /auth/token/redeem", func() error { _, err := c.SignIn(ctx, fleet, another); return err }},
		{"POST /auth/token/refresh", func() error { _, err := c.Refresh(ctx, signed); return err }},
		{"POST /sessions/online", func() error { _, _, err := of.OpenOnline(ctx, e); return err }},
		{"POST /sessions/online/{referenceNumber}/invoices", func() error { _, err := of.Send(ctx, online, one, false, ""); return err }},
		{"POST /sessions/online/{referenceNumber}/close", func() error { return of.Close(ctx, ending) }},
		{"POST /sessions/batch", func() error { _, _, err := of.OpenBatch(ctx, e, p, false); return err }},
		{"PUT storage", put},
		{"POST /sessions/batch/{referenceNumber}/close", func() error { return of.CloseBatch(ctx, batch) }},
		{"POST /invoices/exports", func() error { _, err := of.Export(ctx, e, Range{Role: Buyer, From: s.Now()}); return err }},
		{"POST /invoices/query/metadata", func() error { _, _, err := of.Metadata(ctx, Range{Role: Buyer, From: s.Now()}, s.Now(), 0); return err }},
		{"POST /permissions/query/authorizations/grants", func() error { _, _, err := of.Received(ctx, 0); return err }},
		{"POST /permissions/query/personal/grants", func() error { _, err := of.Rights(ctx); return err }},
		{"POST /certificates/enrollments", func() error { _, err := of.Enrol(ctx, "Saldo", ToSignIn, csr); return err }},
		{"POST /certificates/retrieve", func() error { _, err := of.Retrieve(ctx, "0123456789ABCDEF"); return err }},
		{"POST /certificates/query", func() error { _, _, err := of.Certificates(ctx, "", 0); return err }},
		{"POST /collective-identifiers", func() error { _, err := of.Collective(ctx, []string{received}); return err }},
	} {
		s.Calls()
		s.Script(ksefd.Fault{On: cut.name, Cut: true})
		if got := answered(t, cut.call()); got.HTTP != 0 || got.Kind() != Again {
			t.Errorf("%s: %v", cut.name, got)
		}
		if seen := s.Calls(); count(seen, cut.name) != 1 {
			t.Errorf("%s: %q", cut.name, seen)
		}
	}
	if state, err := of.Session(ctx, batch); err != nil || state.Good != 1 { // what was taken is there
		t.Errorf("%+v %v", state, err)
	}
	sent, _, err := of.Invoices(ctx, online, "")
	if err != nil || len(sent) != 1 || sent[0].Hash != one.PlainHash || sent[0].KSeF == "" {
		t.Errorf("%+v %v", sent, err)
	}
	s.Script(ksefd.Fault{On: "GET /certificates/limits", Hang: true})
	short, cancel := context.WithCancel(ctx)
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := of.MayEnrol(short); !errors.Is(err, context.Canceled) || answered(t, err).HTTP != 0 {
		t.Error(err)
	}
}

func count(seen []string, name string) (n int) {
	for _, one := range seen {
		if one == name {
			n++
		}
	}
	return n
}

func TestPace_IsAskedBeforeACall(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	s.Calls()
	of.Pace = &groups{wait: 50 * time.Minute}
	if _, err := of.MayEnrol(ctx); answered(t, err).Kind() != Later || answered(t, err).After != 50*time.Minute {
		t.Error(err)
	}
	broken := errors.New("broken")
	of.Pace = &groups{err: broken}
	if _, err := of.MayEnrol(ctx); !errors.Is(err, broken) {
		t.Error(err)
	}
	if seen := s.Calls(); len(seen) > 0 {
		t.Errorf("%q", seen)
	}
}

func TestLimits_SayWhenToCallAgain(t *testing.T) {
	s, c := environment(t)
	s.Limited = true
	tokens, err := c.SignIn(ctx, fleet, seal(t, fleet))
	good(t, err)
	of := c.As(tokens)
	var wait time.Duration
	for n := range 200 { // 20 exports in an hour, 16 in a minute, 8 in a second
		_, _, err := of.Metadata(ctx, Range{Role: Buyer, From: s.Now().AddDate(0, 0, -1)}, s.Now(), 0)
		if err == nil {
			s.Advance(5 * time.Second)
			continue
		}
		if n != 20 {
			t.Errorf("the call %d is refused", n)
		}
		got := answered(t, err)
		if wait = got.After; got.HTTP != 429 || got.Kind() != Later || wait <= 0 || wait > time.Hour {
			t.Errorf("%v after %s", got, wait)
		}
		break
	}
	s.Advance(wait + time.Second)
	tokens, err = c.Refresh(ctx, tokens)
	good(t, err)
	if _, _, err := c.As(tokens).Metadata(ctx, Range{Role: Buyer, From: s.Now().AddDate(0, 0, -1)}, s.Now(), 0); err != nil {
		t.Error(err)
	}
}

func TestWeather_IsWhatTheLighthouseSays(t *testing.T) {
	s, c := environment(t)
	c.Access = "a token that the lighthouse must not see"
	if w, notices, err := c.Weather(ctx); err != nil || w != Available || len(notices) > 0 {
		t.Error(w, notices, err)
	}
	start := s.Now().Add(time.Hour).Truncate(time.Second)
	s.Weather("TOTAL_FAILURE", ksefd.Message{ID: "a", EventID: 7, Category: "TOTAL_FAILURE", Type: "FAILURE_START", Title: "Awaria", Start: start, Version: 1})
	w, notices, err := c.Weather(ctx)
	if err != nil || w != TotalFailure || len(notices) != 1 || notices[0].Event != 7 || !notices[0].Start.Equal(start) || notices[0].End != nil {
		t.Error(w, notices, err)
	}
	if all, err := c.Notices(ctx); err != nil || len(all) != 1 || all[0].Type != "FAILURE_START" {
		t.Error(all, err)
	}
	s.Weather("SUNNY")
	if _, _, err := c.Weather(ctx); KindOf(err) != Again {
		t.Error(err)
	}
	c.Lighthouse = ""
	if _, _, err := c.Weather(ctx); !errors.Is(err, errNoSky) {
		t.Error(err)
	}
}

func TestClient_HidesWhatLetsIn(t *testing.T) {
	tokens := Tokens{Access: "secret", Refresh: "secret"}
	for _, text := range []string{fmt.Sprint(tokens), fmt.Sprintf("%+v", Client{}.As(tokens)), fmt.Sprintf("%v", &tokens)} {
		if strings.Contains(text, "secret") {
			t.Error(text)
		}
	}
}

func TestInstant_HasSevenPlacesAndAnOffset(t *testing.T) {
	at := time.Date(2026, 11, 19, 10, 0, 0, 123456789, time.FixedZone("", 3600))
	if got := instant(at).Format(time.RFC3339Nano); got != "2026-11-19T09:00:00.1234567Z" {
		t.Error(got)
	}
}
