package wire

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/ksef"
	"saldo/internal/ksef/numbers"
	"saldo/internal/testkit/ksefd"
)

// online is an open session of a company.
func online(t *testing.T, s *ksefd.Server, of Client) (session string, e ksef.Envelope) {
	t.Helper()
	e = envelope(t, s, of)
	session, until, err := of.OpenOnline(ctx, e)
	good(t, err)
	if got := until.Sub(s.Now()); got < 11*time.Hour || got > 12*time.Hour {
		t.Errorf("the session is open for %s", got)
	}
	return session, e
}

// sending sends a file and says what became of it.
func sending(t *testing.T, of Client, session string, one ksef.Sealed, offline bool, corrected string) Sent {
	t.Helper()
	reference, err := of.Send(ctx, session, one, offline, corrected)
	good(t, err)
	sent, err := of.Invoice(ctx, session, reference)
	good(t, err)
	return sent
}

func TestSend_IsTakenAndThenAcceptedOrRefused(t *testing.T) {
	s, c := environment(t)
	s.Grant(string(driver), string(fleet))
	of := signedIn(t, c, fleet)
	session, e := online(t, s, of)
	first := invoice(t, s, driver, fleet, "SF/1")
	accepted := sending(t, of, session, sealed(t, e, first), false, "")
	if accepted.Status.Code != 200 || !numbers.IsInvoice(accepted.KSeF) || accepted.Number != "SF/1" || accepted.Mode != "Online" ||
		accepted.Hash != ksef.Hash(first) || accepted.Status.Err(OfInvoice) != nil {
		t.Errorf("%+v", accepted)
	}
	if upo, err := of.UPO(ctx, accepted.UPO); err != nil || !bytes.Contains(upo, []byte(accepted.KSeF)) {
		t.Errorf("%s %v", upo, err)
	}
	if file, err := of.File(ctx, accepted.KSeF); err != nil || !bytes.Equal(file, first) {
		t.Errorf("%s %v", file, err)
	}
	wrongHash, wrongKey := sealed(t, e, invoice(t, s, driver, fleet, "SF/2")), sealed(t, e, invoice(t, s, driver, fleet, "SF/2"))
	wrongHash.PlainHash = ksef.Hash([]byte("another"))
	wrongKey.Content = bytes.Repeat([]byte{1}, 33)
	wrongKey.Hash = ksef.Hash(wrongKey.Content)
	for why, one := range map[string]struct {
		ksef.Sealed
		code int
		kind Kind
	}{
		"the same again":        {sealed(t, e, first), 440, Refused},
		"no grant":              {sealed(t, e, invoice(t, s, other, fleet, "SF/3")), 410, People},
		"another's":             {sealed(t, e, invoice(t, s, driver, other, "SF/4")), 410, People},
		"no XML":                {sealed(t, e, []byte("<Faktura>")), 430, Refused},
		"a byte order mark":     {sealed(t, e, append([]byte("\xEF\xBB\xBF"), first...)), 430, Refused},
		"an instruction":        {sealed(t, e, append([]byte("<?x y?>"), first...)), 430, Refused},
		"another form":          {sealed(t, e, []byte("<Faktura/>")), 450, Refused},
		"a day to come":         {sealed(t, e, bytes.ReplaceAll(first, []byte("<P_1>202"), []byte("<P_1>209"))), 450, Refused},
		"another file":          {wrongHash, 430, Refused},
		"sealed by another key": {wrongKey, 435, Refused},
	} {
		sent := sending(t, of, session, one.Sealed, false, "")
		if err := sent.Status.Err(OfInvoice); sent.Status.Code != one.code || KindOf(err) != one.kind || sent.KSeF != "" || sent.UPO != "" {
			t.Errorf("%s: %+v", why, sent)
		}
		if one.code == 440 && (sent.Status.Extensions["originalKsefNumber"] != accepted.KSeF ||
			sent.Status.Extensions["originalSessionReferenceNumber"] != session) {
			t.Errorf("%+v", sent.Status.Extensions)
		}
	}
	s.Grant(string(other), string(fleet)) // what had no grant may be sent again
	if sent := sending(t, of, session, sealed(t, e, invoice(t, s, other, fleet, "SF/3")), false, ""); sent.Status.Code != 200 {
		t.Errorf("%+v", sent)
	}
	s.End("invoice", 550)
	one := sealed(t, e, invoice(t, s, driver, fleet, "SF/5"))
	if sent := sending(t, of, session, one, false, ""); KindOf(sent.Status.Err(OfInvoice)) != Again {
		t.Errorf("%+v", sent)
	}
	if sent := sending(t, of, session, one, false, ""); sent.Status.Code != 200 {
		t.Errorf("%+v", sent)
	}
	if n := len(s.Accepted()); n != 3 {
		t.Errorf("%d are accepted", n)
	}
}

func TestSend_ByItsHash(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	session, e := online(t, s, of)
	one := sealed(t, e, invoice(t, s, fleet, other, "1"))
	one.Hash = ksef.Hash([]byte("another"))
	if _, err := of.Send(ctx, session, one, false, ""); !Has(err, 21403) || KindOf(err) != Refused {
		t.Error(err)
	}
	in := invoiceSending{one.PlainHash, one.PlainSize, ksef.Hash(one.Content), len(one.Content) + 1, one.Content, false, ""}
	err := of.call(ctx, request{method: "POST", path: at("sessions", "online", session, "invoices"), body: in}, nil)
	if !Has(err, 21402) || KindOf(err) != Refused {
		t.Error(err)
	}
}

func TestSend_CorrectsARefusedOfflineInvoice(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	session, e := online(t, s, of)
	broken, right := []byte("<Faktura/>"), invoice(t, s, fleet, other, "1")
	online := sending(t, of, session, sealed(t, e, []byte("<Faktura>online</Faktura>")), false, "")
	if _, err := of.Send(ctx, session, sealed(t, e, right), true, online.Hash); !Has(err, 21167) {
		t.Error(err)
	}
	refused := sending(t, of, session, sealed(t, e, broken), true, "")
	corrected := sending(t, of, session, sealed(t, e, right), true, refused.Hash)
	if corrected.Status.Code != 200 || corrected.Mode != "Offline" {
		t.Errorf("%+v", corrected)
	}
	if _, err := of.Send(ctx, session, sealed(t, e, right), true, refused.Hash); !Has(err, 21166) {
		t.Error(err)
	}
}

func TestOnline_Ends(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	s.Steps = 1
	session, e := online(t, s, of)
	one := sealed(t, e, invoice(t, s, fleet, other, "1"))
	reference, err := of.Send(ctx, session, one, false, "")
	good(t, err)
	sent, err := of.Invoice(ctx, session, reference)
	if err != nil || !sent.Status.Running(OfInvoice) {
		t.Errorf("%+v %v", sent, err)
	}
	good(t, of.Close(ctx, session))
	if state, err := of.Session(ctx, session); err != nil || !state.Running(OfOnline) || len(state.UPO) > 0 {
		t.Errorf("%+v %v", state, err)
	}
	state, err := of.Session(ctx, session)
	if err != nil || state.Err(OfOnline) != nil || state.Running(OfOnline) || state.Invoices != 1 || state.Good != 1 || len(state.UPO) != 1 {
		t.Errorf("%+v %v", state, err)
	}
	for _, again := range []error{of.Close(ctx, session), func() error { _, err := of.Send(ctx, session, one, false, ""); return err }()} {
		if !Has(again, 21180) || KindOf(again) != Again {
			t.Error(again)
		}
	}
	if _, err := of.Session(ctx, strings.Repeat("x", 36)); !Has(err, 21173) {
		t.Error(err)
	}
	s.Advance(4 * 24 * time.Hour) // the address of the UPO has expired
	of = signedIn(t, c, fleet)
	if _, err := of.UPO(ctx, state.UPO[0]); answered(t, err).HTTP != 403 {
		t.Error(err)
	}
	if upo, err := of.InvoiceUPO(ctx, session, reference); err != nil || !bytes.Contains(upo, []byte(sent.Hash)) {
		t.Errorf("%s %v", upo, err)
	}

	s.Steps = 0
	empty, _ := online(t, s, of)
	good(t, of.Close(ctx, empty))
	if state, err := of.Session(ctx, empty); err != nil || !Has(state.Err(OfOnline), 440) {
		t.Errorf("%+v %v", state, err)
	}
	session, e = online(t, s, of)
	sending(t, of, session, sealed(t, e, []byte("<Faktura/>")), false, "")
	late, e2 := online(t, s, of)
	s.Advance(13 * time.Hour) // sessions end by KSeF's clock
	of = signedIn(t, c, fleet)
	if state, err := of.Session(ctx, session); err != nil || !Has(state.Err(OfOnline), 445) {
		t.Errorf("%+v %v", state, err)
	}
	if _, err := of.Send(ctx, late, sealed(t, e2, invoice(t, s, fleet, other, "2")), false, ""); !Has(err, 21180) {
		t.Error(err)
	}
	wrong := e
	wrong.Sealed = e.Sealed[:len(e.Sealed)-8] + "AAAAAAA="
	broken, _, err := of.OpenOnline(ctx, wrong)
	good(t, err)
	if state, err := of.Session(ctx, broken); err != nil || KindOf(state.Err(OfOnline)) != Keys {
		t.Errorf("%+v %v", state, err)
	}
	stranger := signedIn(t, c, driver)
	if _, err := stranger.Session(ctx, session); !Has(err, 21173) {
		t.Error(err)
	}
	s.Restrict(string(driver), "InvoiceRead")
	stranger = signedIn(t, c, driver)
	if _, _, err := stranger.OpenOnline(ctx, e); KindOf(err) != People || answered(t, err).Reason != "missing-permissions" {
		t.Error(err)
	}
}

func TestBatch_Of1000InvoicesTakesTwelveCallsAtMost(t *testing.T) {
	s, c := environment(t)
	s.Limited = true
	var drivers []string
	files := make([][]byte, 1000)
	for n := range files {
		files[n] = invoice(t, s, driver, fleet, fmt.Sprintf("SF/%d", n+1))
	}
	s.Grant(string(driver), string(fleet))
	s.Calls()
	of := signedIn(t, c, fleet)
	var session string
	good(t, new(Keyring).Seal(ctx, of, s.Now(), func(e ksef.Envelope) error {
		p, err := e.Pack(files)
		good(t, err)
		reference, uploads, err := of.OpenBatch(ctx, e, p, false)
		if err != nil {
			return err
		}
		session = reference
		for _, u := range uploads {
			good(t, of.Put(ctx, u, bytes.NewReader(p.Parts[u.Ordinal-1].Content)))
		}
		return nil
	}))
	good(t, of.CloseBatch(ctx, session))
	state, err := of.Session(ctx, session)
	good(t, err)
	if state.Good != 1000 || state.Err(OfBatch) != nil {
		t.Errorf("%+v", state)
	}
	sent, next, err := of.Invoices(ctx, session, "")
	good(t, err)
	if len(sent) != 1000 || next != "" {
		t.Errorf("%d %q", len(sent), next)
	}
	upo, err := of.UPO(ctx, state.UPO[0])
	good(t, err)
	for n, one := range sent {
		if one.Status.Code != 200 || one.Hash != ksef.Hash(files[n]) || !bytes.Contains(upo, []byte(">"+one.KSeF+"<")) {
			t.Fatalf("%+v", one)
		}
		drivers = append(drivers, one.KSeF)
	}
	slices.Sort(drivers)
	if len(slices.Compact(drivers)) != 1000 {
		t.Error("numbers are given twice")
	}
	if seen := s.Calls(); len(seen) > 12 {
		t.Errorf("%d calls: %q", len(seen), seen)
	}
}

func TestBatch_InSeveralPages(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	files := make([][]byte, 1001)
	for n := range files {
		files[n] = fmt.Appendf(nil, "<Faktura>%d</Faktura>", n)
	}
	e := envelope(t, s, of)
	p, err := e.Pack(files)
	good(t, err)
	session, uploads, err := of.OpenBatch(ctx, e, p, false)
	good(t, err)
	good(t, of.Put(ctx, uploads[0], bytes.NewReader(p.Parts[0].Content)))
	good(t, of.CloseBatch(ctx, session))
	if state, err := of.Session(ctx, session); err != nil || !Has(state.Err(OfBatch), 445) || state.Failed != 1001 {
		t.Errorf("%+v %v", state, err)
	}
	first, next, err := of.Invoices(ctx, session, "")
	good(t, err)
	rest, end, err := of.Invoices(ctx, session, next)
	if err != nil || len(first) != 1000 || len(rest) != 1 || next == "" || end != "" || rest[0].Ordinal != 1001 {
		t.Errorf("%d %d %q %q %v", len(first), len(rest), next, end, err)
	}
	if _, _, err := of.Invoices(ctx, session, "nonsense"); !Has(err, 21418) {
		t.Error(err)
	}
}

func TestBatch_IsRefusedAsAWhole(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	e := envelope(t, s, of)
	p, err := e.Pack([][]byte{invoice(t, s, fleet, other, "1")})
	good(t, err)
	open := func(p ksef.Package) (string, Upload) {
		t.Helper()
		session, uploads, err := of.OpenBatch(ctx, e, p, true)
		good(t, err)
		return session, uploads[0]
	}
	put := func(to Upload, content []byte) {
		t.Helper()
		to.Size = int64(len(content))
		good(t, of.Put(ctx, to, bytes.NewReader(content)))
	}
	session, to := open(p)
	if err := of.CloseBatch(ctx, session); !Has(err, 21205) || KindOf(err) != Again {
		t.Error(err)
	}
	put(to, p.Parts[0].Content[1:])
	if err := of.CloseBatch(ctx, session); !Has(err, 21157) {
		t.Error(err)
	}
	put(to, bytes.Repeat([]byte{1}, len(p.Parts[0].Content)))
	good(t, of.CloseBatch(ctx, session))
	if state, err := of.Session(ctx, session); err != nil || !Has(state.Err(OfBatch), 405) {
		t.Errorf("%+v %v", state, err)
	}
	garbage := p
	junk, err := e.Seal([]byte("no archive"))
	good(t, err)
	garbage.Parts, garbage.Size, garbage.Hash = []ksef.Sealed{junk}, int64(junk.PlainSize), junk.PlainHash
	session, to = open(garbage)
	put(to, junk.Content)
	good(t, of.CloseBatch(ctx, session))
	if state, err := of.Session(ctx, session); err != nil || !Has(state.Err(OfBatch), 430) {
		t.Errorf("%+v %v", state, err)
	}
	session, to = open(p)
	s.Advance(21 * time.Minute)
	if err := of.Put(ctx, to, bytes.NewReader(p.Parts[0].Content)); answered(t, err).HTTP != 403 {
		t.Error(err)
	}
	of = signedIn(t, c, fleet)
	if err := of.CloseBatch(ctx, session); !Has(err, 21208) || KindOf(err) != Again {
		t.Error(err)
	}
	session, to = open(p)
	s.Script(ksefd.Fault{On: "PUT storage", Cut: true})
	if err := of.Put(ctx, to, bytes.NewReader(p.Parts[0].Content)); answered(t, err).HTTP != 0 {
		t.Error(err)
	}
	good(t, of.CloseBatch(ctx, session)) // it was taken all the same
	if state, err := of.Session(ctx, session); err != nil || state.Good != 1 {
		t.Errorf("%+v %v", state, err)
	}
}

func TestFiles_AreThoseThatKSeFNamed(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	session, e := online(t, s, of)
	reference, err := of.Send(ctx, session, sealed(t, e, invoice(t, s, fleet, other, "1")), false, "")
	good(t, err)
	sent, err := of.Invoice(ctx, session, reference)
	good(t, err)
	for name, call := range map[string]func() ([]byte, error){
		"GET storage":                     func() ([]byte, error) { return of.UPO(ctx, sent.UPO) },
		"GET /invoices/ksef/{ksefNumber}": func() ([]byte, error) { return of.File(ctx, sent.KSeF) },
		"GET /sessions/{referenceNumber}/invoices/{invoiceReferenceNumber}/upo": func() ([]byte, error) { return of.InvoiceUPO(ctx, session, reference) },
	} {
		s.Script(ksefd.Fault{On: name, Spoil: true}, ksefd.Fault{On: name, After: 1, Status: 500})
		if file, err := call(); KindOf(err) != Again || answered(t, err).Reason != reasonHash || file != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := call(); answered(t, err).HTTP != 500 || KindOf(err) != Again {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSend_WhereTheGrantIsTakenBack(t *testing.T) {
	s, c := environment(t)
	s.Grant(string(driver), string(fleet))
	of := signedIn(t, c, fleet)
	session, e := online(t, s, of)
	if sent := sending(t, of, session, sealed(t, e, invoice(t, s, driver, fleet, "1")), false, ""); sent.Status.Code != 200 {
		t.Errorf("%+v", sent)
	}
	s.Revoke(string(driver), string(fleet)) // within the session
	if sent := sending(t, of, session, sealed(t, e, invoice(t, s, driver, fleet, "2")), false, ""); sent.Status.Code != 410 {
		t.Errorf("%+v", sent)
	}
	if grants, _, err := of.Received(ctx, 0); err != nil || len(grants) != 0 {
		t.Error(grants, err)
	}
}
