package wire

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/official"
	"saldo/internal/ksef"
	"saldo/internal/ksef/numbers"
	"saldo/internal/testkit/ksefd"
)

// fetched are the files of an export, by their names.
func fetched(t *testing.T, s *ksefd.Server, of Client, r Range) (Parcel, map[string][]byte) {
	t.Helper()
	e := envelope(t, s, of)
	reference, err := of.Export(ctx, e, r)
	good(t, err)
	parcel, err := of.Exported(ctx, reference)
	good(t, err)
	var whole []byte
	for _, p := range parcel.Parts {
		from, err := of.Part(ctx, p)
		good(t, err)
		content, err := io.ReadAll(from)
		good(t, errors.Join(err, from.Close()))
		opened, err := e.Unseal(content)
		good(t, err)
		if ksef.Hash(opened) != p.Hash || int64(len(opened)) != p.Size {
			t.Error("a part is not what it is named")
		}
		whole = append(whole, opened...)
	}
	files := map[string][]byte{}
	if len(whole) == 0 {
		return parcel, files
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(whole))
	good(t, err)
	for archive := tar.NewReader(unzipped); ; {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return parcel, files
		}
		good(t, err)
		files[head.Name], err = io.ReadAll(archive)
		good(t, err)
	}
}

func TestExport_GivesEachInvoiceOnce(t *testing.T) {
	s, c := environment(t)
	s.ExportMost, s.PartMost = 3, 700
	of := signedIn(t, c, fleet)
	want := map[string]string{}
	for n := range 8 {
		file := invoice(t, s, driver, fleet, fmt.Sprintf("FV/%d", n))
		want[s.Receive(file)+".xml"] = string(file)
	}
	s.Receive(invoice(t, s, driver, other, "FV/another's"))
	s.Advance(time.Minute)
	got := map[string]string{}
	parcels := 0
	for r := (Range{Role: Buyer, From: s.Now().AddDate(0, -1, 0)}); ; {
		parcel, files := fetched(t, s, of, r)
		if parcels++; parcels > 10 || parcel.Next.IsZero() {
			t.Fatalf("%+v", parcel)
		}
		if len(files["_metadata.json"]) == 0 || len(parcel.Parts) < 2 {
			t.Errorf("%d parts, %s", len(parcel.Parts), files["_metadata.json"])
		}
		for name, file := range files {
			if strings.HasSuffix(name, ".xml") {
				got[name] = string(file)
			}
		}
		if r.From = parcel.Next; !parcel.More {
			break
		}
	}
	if len(got) != len(want) || parcels < 3 {
		t.Errorf("%d invoices in %d parcels", len(got), parcels)
	}
	for name, file := range want {
		if got[name] != file {
			t.Errorf("%s: %s", name, got[name])
		}
	}
}

// What is not yet kept for good is fetched when it is.
func TestExport_StopsAtTheMark(t *testing.T) {
	s, c := environment(t)
	s.Lag = time.Hour
	of := signedIn(t, c, fleet)
	number := s.Receive(invoice(t, s, driver, fleet, "FV/1"))
	from := s.Now().AddDate(0, 0, -1)
	parcel, files := fetched(t, s, of, Range{Role: Buyer, From: from})
	if parcel.Invoices != 0 || len(files) != 0 || parcel.More || parcel.Next.After(s.Now().Add(-time.Hour)) {
		t.Errorf("%+v %v", parcel, files)
	}
	if _, err := of.File(ctx, number); !Has(err, 21165) || KindOf(err) != Later {
		t.Error(err)
	}
	late, _ := fetched(t, s, of, Range{Role: Buyer, From: s.Now()})
	if err := late.Err(OfExport); KindOf(err) != Later || !Has(err, 420) {
		t.Error(err)
	}
	s.Advance(2 * time.Hour)
	of = signedIn(t, c, fleet)
	if parcel, files := fetched(t, s, of, Range{Role: Buyer, From: parcel.Next}); parcel.Invoices != 1 || len(files[number+".xml"]) == 0 {
		t.Errorf("%+v %v", parcel, files)
	}
	list, more, err := of.Metadata(ctx, Range{Role: Buyer, From: from}, s.Now(), 0)
	if err != nil || more || len(list) != 1 || list[0].Number != number || !list[0].SelfBilled || list[0].Hash == "" {
		t.Errorf("%+v %v %v", list, more, err)
	}
	if list, _, err := of.Metadata(ctx, Range{Role: Seller, From: from}, s.Now(), 0); err != nil || len(list) != 0 {
		t.Errorf("%+v %v", list, err)
	}
	if _, err := of.File(ctx, "no number"); !errors.Is(err, errNumber) {
		t.Error(err)
	}
	if _, err := signedIn(t, c, other).File(ctx, number); !Has(err, 21164) {
		t.Error(err)
	}
	if _, err := of.Export(ctx, envelope(t, s, of), Range{Role: Buyer, From: s.Now().AddDate(0, -4, 0)}); !Has(err, 21405) {
		t.Error(err)
	}
}

func TestExport_Expires(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	s.Receive(invoice(t, s, driver, fleet, "FV/1"))
	s.Steps = 1
	reference, err := of.Export(ctx, envelope(t, s, of), Range{Role: Buyer, From: s.Now().AddDate(0, 0, -1)})
	good(t, err)
	if parcel, err := of.Exported(ctx, reference); err != nil || !parcel.Running(OfExport) {
		t.Errorf("%+v %v", parcel, err)
	}
	parcel, err := of.Exported(ctx, reference)
	good(t, err)
	part := parcel.Parts[0]
	changed := part
	changed.SealedHash = ksef.Hash(nil)
	short, long := part, part
	short.SealedSize--
	long.SealedSize++
	for why, p := range map[string]Part{reasonHash: changed, reasonTooLarge: short, "a part of a part": long} {
		from, err := of.Part(ctx, p)
		good(t, err)
		_, err = io.ReadAll(from)
		if got := answered(t, err); got.Reason != why && why != "a part of a part" {
			t.Errorf("%s: %v", why, got)
		}
		good(t, from.Close())
	}
	bearing, err := http.NewRequestWithContext(ctx, http.MethodGet, part.URL, nil)
	good(t, err)
	bearing.Header.Set("Authorization", "Bearer "+of.Access)
	answer, err := s.Client().Do(bearing)
	good(t, err)
	good(t, answer.Body.Close())
	if breaches := s.Breaches(); answer.StatusCode != 403 || len(breaches) != 1 {
		t.Errorf("%d %q", answer.StatusCode, breaches)
	}
	s.Script(ksefd.Fault{On: "GET storage", Status: 500})
	if _, err := of.Part(ctx, part); KindOf(err) != Again {
		t.Error(err)
	}
	s.Advance(25 * time.Hour)
	of = signedIn(t, c, fleet)
	if _, err := of.Part(ctx, part); answered(t, err).HTTP != 403 {
		t.Error(err)
	}
	if parcel, err := of.Exported(ctx, reference); err != nil || !Has(parcel.Err(OfExport), 210) {
		t.Errorf("%+v %v", parcel, err)
	}
	s.Advance(7 * 24 * time.Hour)
	of = signedIn(t, c, fleet)
	if _, err := of.Exported(ctx, reference); answered(t, err).HTTP != 410 || KindOf(err) != Again {
		t.Error(err)
	}
	if _, err := of.Exported(ctx, strings.Repeat("x", 36)); !Has(err, 21175) {
		t.Error(err)
	}
	s.Steps = 100
	e := envelope(t, s, of)
	for range 10 {
		_, err := of.Export(ctx, e, Range{Role: Buyer, From: s.Now().AddDate(0, 0, -1)})
		good(t, err)
	}
	if _, err := of.Export(ctx, e, Range{Role: Buyer, From: s.Now().AddDate(0, 0, -1)}); !Has(err, 21182) || KindOf(err) != Later {
		t.Error(err)
	}
}

func TestCollective_IsOfOneSeller(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	one, two := s.Receive(invoice(t, s, driver, fleet, "1")), s.Receive(invoice(t, s, driver, fleet, "2"))
	another := s.Receive(invoice(t, s, other, fleet, "1"))
	if got, err := of.Collective(ctx, []string{one, two}); err != nil || !numbers.IsCollective(got) || !strings.HasPrefix(got, string(driver)) {
		t.Error(got, err)
	}
	if _, err := of.Collective(ctx, []string{one, another}); !Has(err, 71001) {
		t.Error(err)
	}
}

func TestReceived_InPages(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	for n := range 150 {
		s.Grant(fmt.Sprintf("5%02d%07d", 10+n%90, n), string(fleet))
	}
	s.Grant(string(fleet), string(driver))
	seen := map[official.NIP]bool{}
	for page := range 2 {
		grants, more, err := of.Received(ctx, page)
		if err != nil || more != (page == 0) {
			t.Error(len(grants), more, err)
		}
		for _, g := range grants {
			seen[g.Seller] = g.ID != "" && !g.Since.IsZero()
		}
	}
	if len(seen) != 150 || seen[fleet] {
		t.Errorf("%d", len(seen))
	}
	s.Restrict(string(fleet), "InvoiceRead")
	if _, _, err := signedIn(t, c, fleet).Received(ctx, 0); KindOf(err) != People {
		t.Error(err)
	}
}
