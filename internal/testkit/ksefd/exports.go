package ksefd

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"time"
)

type filters struct {
	SubjectType string
	DateRange   struct {
		DateType string
		From     time.Time
		To       *time.Time

		RestrictToPermanentStorageHwmDate bool
	}
	SellerNIP       string `json:"sellerNip"`
	KsefNumber      string
	InvoiceNumber   string
	IsSelfInvoicing *bool
}

// found are the invoices of a selection from the oldest on, and when each is counted.
func (c *call) found(f filters) (all []*invoice) {
	for _, i := range c.store {
		at := i.stored
		switch f.DateRange.DateType {
		case "Issue":
			at, _ = time.ParseInLocation(time.DateOnly, i.read.IssuedOn, warsaw)
		case "Invoicing":
			at = i.sent
		}
		switch {
		case !c.concerns(i, f.SubjectType), at.Before(f.DateRange.From), f.DateRange.To != nil && at.After(*f.DateRange.To),
			i.stored.After(c.mark()),
			f.SellerNIP != "" && f.SellerNIP != i.read.Seller.NIP, f.KsefNumber != "" && f.KsefNumber != i.number,
			f.InvoiceNumber != "" && f.InvoiceNumber != i.read.Number, f.IsSelfInvoicing != nil && *f.IsSelfInvoicing != (i.read.SelfBilled == "1"):
			continue
		}
		all = append(all, i)
	}
	return all
}

// wrong says by which code a selection is refused; 0: it is not.
func (c *call) wrong(f filters) int {
	to := c.now()
	if f.DateRange.To != nil {
		to = *f.DateRange.To
	}
	switch {
	case f.DateRange.From.AddDate(0, 3, 1).Before(to), to.Before(f.DateRange.From) && f.DateRange.To != nil:
		return 21405
	case f.DateRange.From.After(c.mark()) && f.DateRange.RestrictToPermanentStorageHwmDate:
		return 21183
	}
	return 0
}

func (c *call) query() reply {
	f := read[filters](c)
	if code := c.wrong(f); code != 0 {
		return c.bad(code)
	}
	all := c.found(f)
	if c.r.URL.Query().Get("sortOrder") == "Desc" {
		slices.Reverse(all)
	}
	part, more := page(c, all)
	list := []object{}
	for _, i := range part {
		list = append(list, i.metadata())
	}
	return ok(object{"hasMore": more, "isTruncated": false, "permanentStorageHwmDate": stamp(c.mark()), "invoices": list})
}

func (i *invoice) metadata() object {
	gross, _ := new(big.Rat).SetString(i.read.Gross)
	vat := new(big.Rat)
	for _, text := range slices.Concat(i.read.VAT, i.read.VAT2, i.read.VAT3) {
		if one, ok := new(big.Rat).SetString(text); ok {
			vat.Add(vat, one)
		}
	}
	number := func(r *big.Rat) json.Number { return json.Number(r.FloatString(2)) }
	buyer := object{"type": "None"}
	if nipForm.MatchString(i.read.Buyer.NIP) {
		buyer = object{"type": "Nip", "value": i.read.Buyer.NIP}
	}
	return object{"ksefNumber": i.number, "invoiceNumber": i.read.Number, "issueDate": i.read.IssuedOn, "invoicingDate": stamp(i.sent),
		"acquisitionDate": stamp(i.acquired), "permanentStorageDate": stamp(i.stored),
		"seller": object{"nip": i.read.Seller.NIP, "name": i.read.Seller.Name}, "buyer": object{"identifier": buyer, "name": i.read.Buyer.Name},
		"netAmount": number(new(big.Rat).Sub(gross, vat)), "grossAmount": number(gross), "vatAmount": number(vat), "currency": i.read.Currency,
		"invoicingMode": i.mode(), "invoiceType": kinds[i.read.Kind], "formCode": object{"systemCode": cmp.Or(i.read.Form.System, "FA (3)"),
			"schemaVersion": "1-0E", "value": "FA"},
		"isSelfInvoicing": i.read.SelfBilled == "1", "hasAttachment": false, "invoiceHash": i.hash}
}

// export is one that was asked for.
type export struct {
	nip        string
	began      time.Time
	code       int
	steps      int
	encryption encryption
	parts      []*file
	plain      [][]byte
	details    object
}

func (c *call) export() reply {
	in := read[struct {
		Encryption      encryption
		Filters         filters
		CompressionType string
		OnlyMetadata    bool
	}](c)
	if in.Filters.SubjectType == "SubjectAuthorized" {
		return c.bad(21181)
	}
	e := &export{nip: c.who.nip, began: c.now(), code: c.ending("export"), steps: c.Steps, encryption: in.Encryption}
	running := 0
	for _, one := range c.exports {
		if one.nip == e.nip && one.steps > 0 {
			running++
		}
	}
	if running >= 10 {
		return c.bad(21182)
	}
	switch err := e.encryption.open(c.Server); {
	case errors.Is(err, errKey):
		return c.bad(21470)
	case err != nil:
		e.code = 415
	}
	switch c.wrong(in.Filters) {
	case 21405:
		return c.bad(21405)
	case 21183:
		e.code = 420
	}
	id := c.id("EH")
	c.exports[id] = e
	if e.code == 200 {
		c.pack(e, id, append(c.repeated(in.Filters), c.found(in.Filters)...), in.CompressionType, in.OnlyMetadata)
	}
	return reply{status: http.StatusCreated, value: object{"referenceNumber": id}}
}

// repeated are invoices from before a selection that are in an export once more.
func (c *call) repeated(f filters) (all []*invoice) {
	for n, i := range c.store {
		if c.Repeat > 0 && n%c.Repeat == 0 && c.concerns(i, f.SubjectType) && i.stored.Before(f.DateRange.From) {
			all = append(all, i)
		}
	}
	return all
}

func (c *call) pack(e *export, id string, all []*invoice, kind string, bare bool) {
	e.details = object{"isTruncated": len(all) > c.ExportMost, "permanentStorageHwmDate": stamp(c.mark())}
	if all = all[:min(len(all), c.ExportMost)]; len(all) > 0 && e.details["isTruncated"] == true {
		e.details["lastPermanentStorageDate"] = stamp(all[len(all)-1].stored)
	}
	list := []object{}
	var files []packed
	for _, i := range all {
		list = append(list, i.metadata())
		if !bare {
			files = append(files, packed{i.number + ".xml", i.file})
		}
	}
	about, err := json.Marshal(object{"invoices": list})
	if err != nil {
		panic(err)
	}
	whole := archived(append(files, packed{"_metadata.json", about}), kind)
	e.details["invoiceCount"], e.details["size"] = len(all), len(whole)
	for n := 0; len(all) > 0 && len(whole) > 0; n++ {
		part := whole[:min(len(whole), c.PartMost)]
		whole = whole[len(part):]
		e.plain = append(e.plain, part)
		name := fmt.Sprintf("%s/invoice-part/%s-%03d.%s.aes", strings.ToLower(id), id, n+1, map[bool]string{true: "tar.gz",
			false: "zip"}[kind == "TarGz"])
		e.parts = append(e.parts, c.keep(name, e.encryption.encrypt(part), 24*time.Hour))
	}
}

func archived(files []packed, kind string) []byte {
	var b bytes.Buffer
	if kind == "TarGz" {
		zipped := gzip.NewWriter(&b)
		w := tar.NewWriter(zipped)
		for _, f := range files {
			_ = w.WriteHeader(&tar.Header{Name: f.name, Mode: 0o600, Size: int64(len(f.content))})
			_, _ = w.Write(f.content)
		}
		_, _ = w.Close(), zipped.Close()
		return b.Bytes()
	}
	w := zip.NewWriter(&b)
	for _, f := range files {
		one, _ := w.Create(f.name)
		_, _ = one.Write(f.content)
	}
	_ = w.Close()
	return b.Bytes()
}

func (c *call) exported() reply {
	e := c.exports[c.path["referenceNumber"]]
	switch {
	case e == nil || e.nip != c.who.nip:
		return c.bad(21175)
	case c.now().Sub(e.began) > 7*24*time.Hour:
		return c.problem(http.StatusGone, nil)
	}
	code := e.code
	switch {
	case e.steps > 0:
		e.steps--
		return ok(object{"status": status(100)})
	case code == 200 && len(e.parts) > 0 && !c.now().Before(e.parts[0].till):
		code = 210
	}
	out := object{"status": status(code), "completedDate": stamp(e.began)}
	if code != 200 {
		return ok(out)
	}
	parts := []object{}
	for n, p := range e.parts {
		parts = append(parts, object{"ordinalNumber": n + 1, "partName": fmt.Sprintf("part-%03d.aes", n+1), "method": "GET", "url": c.address(p),
			"partSize": len(e.plain[n]), "partHash": hash(e.plain[n]), "encryptedPartSize": len(p.content), "encryptedPartHash": p.hash,
			"expirationDate": stamp(p.till)})
		out["packageExpirationDate"] = stamp(p.till)
	}
	e.details["parts"] = parts
	out["package"] = e.details
	return ok(out)
}

func (c *call) collect() reply {
	in := read[struct{ Invoices []struct{ KsefNumber string } }](c)
	seller := ""
	if len(in.Invoices) == 0 || len(in.Invoices) > 500 {
		return c.bad(21405)
	}
	for _, one := range in.Invoices {
		at := slices.IndexFunc(c.store, func(i *invoice) bool {
			return i.number == one.KsefNumber && (c.concerns(i, "Subject1") || c.concerns(i, "Subject2"))
		})
		if at < 0 || seller != "" && seller != c.store[at].read.Seller.NIP {
			return c.bad(71001)
		}
		if seller = c.store[at].read.Seller.NIP; c.collected[one.KsefNumber] >= 5 {
			return c.bad(71002)
		}
	}
	for _, one := range in.Invoices {
		c.collected[one.KsefNumber]++
	}
	c.counter++
	return reply{status: http.StatusCreated, value: object{"collectiveIdentifierNumber": withSum(fmt.Sprintf("%s-IZ%s-%012X", seller,
		c.now().In(warsaw).Format("200601"), c.counter))}}
}
