package invoices

import (
	"errors"
	"slices"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/invoices/checks"
	"saldo/internal/invoices/reading"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/db"
)

// country is that of the instance.
func (d *Service) country() string { return strings.ToUpper(d.Instance.Code) }

// standing are, in SQL, the invoices that a repeat is measured by: those that somebody has described.
const standing = `state IN ('to_verify', 'approved') AND deleted_at = ''`

// findings lists what there is to say of an invoice.
func (d *Service) findings(tx *db.Tx, i *Invoice) ([]checks.Finding, error) {
	k, err := d.known(tx, i)
	if err != nil {
		return nil, err
	}
	return checks.Findings(i.Details, k), nil
}

func (d *Service) known(tx *db.Tx, i *Invoice) (k checks.Known, err error) {
	vat := d.Instance.VATOn(max(i.IssuedOn, "2000-01-01"))
	k = checks.Known{Country: d.country(), Currency: d.Instance.Currency, Today: d.today(tx), Standard: vat.Standard, Reduced: vat.Reduced}
	if k.PartnerTaxID, err = db.One[string](tx, `SELECT tax_id FROM partner_profiles WHERE tenant_id = $1`); err != nil {
		return k, err
	}
	if k.SameNumber, err = sameNumber(tx, i.IssuerTaxID, i.Number, i.ID); err != nil {
		return k, err
	}
	if i.IssuerTaxID != "" && i.IssuedOn != "" && i.Gross != 0 && i.TwinOf == "" {
		if k.SameAmount, err = one(tx, `SELECT id FROM invoice_images WHERE tenant_id = $1 AND issuer_tax_id = $2 AND issued_on = $3
			AND gross = $4 AND id <> $5 AND twin_of = '' AND `+standing, i.IssuerTaxID, string(i.IssuedOn), int64(i.Gross), i.ID); err != nil {
			return k, err
		}
	}
	if i.IssuerTaxID != "" {
		if k.OfIssuer, err = db.Select[checks.Earlier](tx, `SELECT id, number, gross FROM invoice_images WHERE tenant_id = $1
			AND issuer_tax_id = $2 AND id <> $3 AND `+standing+` ORDER BY number_key LIMIT 500`, i.IssuerTaxID, i.ID); err != nil {
			return k, err
		}
	}
	if err := vehicles(tx, i, &k); err != nil {
		return k, err
	}
	r, err := readingOf(tx, i.ContentHash)
	if err != nil || r.State != Done {
		return k, err
	}
	k.KSeFIssuer, k.KSeFIssuedOn = codeSays(r.Result.KSeFCode)
	k.Read = r.Result.Findings
	return k, nil
}

// vehicles adds what the driver's approved invoices and contracts say of vehicles.
func vehicles(tx *db.Tx, i *Invoice, k *checks.Known) (err error) {
	if i.Registration == "" || i.DriverID == "" {
		return nil
	}
	k.Plates, err = db.Select[string](tx, `SELECT DISTINCT registration FROM invoice_images WHERE tenant_id = $1 AND driver_id`+
		drivers.Those("$2")+` AND registration <> '' AND id <> $3 AND state = 'approved' AND deleted_at = '' ORDER BY registration`, i.DriverID,
		i.ID)
	if err != nil {
		return err
	}
	agreed, err := drivers.VehiclesOf(tx, i.DriverID)
	if k.Plates = append(k.Plates, agreed...); err != nil || i.Mileage == 0 || i.IssuedOn == "" {
		return err
	}
	before, err := db.Select[struct {
		Mileage int64
		On      calendar.Date
	}](tx, `SELECT mileage, CASE WHEN sold_on = '' THEN issued_on ELSE sold_on END AS "on" FROM invoice_images WHERE tenant_id = $1
		AND driver_id`+drivers.Those("$2")+` AND registration = $3 AND mileage > 0 AND id <> $4 AND state = 'approved' AND deleted_at = ''
		AND CASE WHEN sold_on = '' THEN issued_on ELSE sold_on END <= $5 ORDER BY "on" DESC, mileage DESC LIMIT 1`, i.DriverID, i.Registration,
		i.ID, string(i.On()))
	if err == nil && len(before) > 0 {
		k.MileageBefore, k.MileageOn = before[0].Mileage, before[0].On
	}
	return err
}

// one is the only value of a question, or empty.
func one(tx *db.Tx, query string, args ...any) (string, error) {
	id, err := db.One[string](tx, query+` ORDER BY id LIMIT 1`, args...)
	if errors.Is(err, db.ErrNone) {
		return "", nil
	}
	return id, err
}

func sameNumber(tx *db.Tx, issuer, number, except string) (string, error) {
	key := checks.NumberKey(number)
	if issuer == "" || key == "" {
		return "", nil
	}
	return one(tx, `SELECT id FROM invoice_images WHERE tenant_id = $1 AND issuer_tax_id = $2 AND number_key = $3 AND id <> $4 AND `+standing,
		issuer, key, except)
}

// codeSays is the issuer and the day that a code of KSeF names.
func codeSays(code string) (issuer string, on calendar.Date) {
	parts := strings.Split(strings.TrimRight(code, "/"), "/")
	if len(parts) < 4 || len(parts[len(parts)-2]) != 10 {
		return "", ""
	}
	day := parts[len(parts)-2]
	on = calendar.Date(day[6:] + "-" + day[3:5] + "-" + day[:2])
	if issuer = parts[len(parts)-3]; len(issuer) != 10 || !on.Exists() {
		return "", ""
	}
	return issuer, on
}

// NumberCheck is whether a number may be used.
type NumberCheck struct {
	Reason      string // empty, too_long or duplicate; empty text: it may
	DuplicateOf string
	Mine        bool // the duplicate is the driver's own
	UploadedAt  string
}

// CheckNumber says whether an issuer's number may be used, as saving does.
func (d *Service) CheckNumber(tx *db.Tx, who Person, number, issuer, except string) (c NumberCheck, err error) {
	details := Details{Number: number, IssuerTaxID: issuer}.Normal(validate.New(ErrInvalid), d.country(), Categories)
	switch {
	case checks.NumberKey(details.Number) == "":
		return NumberCheck{Reason: "empty"}, nil
	case len([]rune(details.Number)) > checks.NumberMax:
		return NumberCheck{Reason: "too_long"}, nil
	}
	other, err := sameNumber(tx, details.IssuerTaxID, details.Number, except)
	if err != nil || other == "" {
		return c, err
	}
	c = NumberCheck{Reason: "duplicate", DuplicateOf: other, Mine: true}
	i, err := Of(tx, other, who.driver)
	if errors.Is(err, ErrNotFound) { // another driver's: this one learns nothing of it
		return NumberCheck{Reason: "duplicate"}, nil
	}
	c.UploadedAt = db.Instant(i.UploadedAt)
	return c, err
}

// Verify says what saving the details would say: what is refused, what the partner would have to confirm, what should be known. Except
// is the invoice that the form is of; empty: a new one.
func (d *Service) Verify(tx *db.Tx, who Person, details Details, except string) ([]checks.Finding, error) {
	i := Invoice{DriverID: who.driver}
	if except != "" {
		var err error
		if i, err = Of(tx, except, who.driver); err != nil {
			return nil, err
		}
	}
	f := validate.New(ErrInvalid)
	i.Details = details.Normal(f, d.country(), Categories)
	i.Details.Complete(f)
	if i.Currency == "" {
		i.Currency = d.Instance.Currency
	}
	found, err := d.findings(tx, &i)
	if err != nil {
		return nil, err
	}
	wrong := []checks.Finding{}
	var refused *fault.Fault
	if errors.As(f.Err(), &refused) {
		for _, field := range refused.Fields {
			wrong = append(wrong, checks.Finding{Code: checks.Incomplete, Severity: checks.Refuse, Field: field.Name, Found: string(field.Code)})
		}
	}
	if who.Side == ByDriver { // other people's invoices are not theirs to know
		found = hideOthers(tx, who.driver, found)
	}
	return slices.Concat(wrong, found), nil
}

// hideOthers takes away what a driver must not see: the invoices of other drivers.
func hideOthers(tx *db.Tx, driver string, found []checks.Finding) []checks.Finding {
	for n := range found {
		if found[n].OtherID == "" {
			continue
		}
		if _, err := Of(tx, found[n].OtherID, driver); err != nil {
			found[n].OtherID, found[n].Expected = "", ""
		}
	}
	return found
}

// hints are what is known before a file is read.
func (d *Service) hints(tx *db.Tx, driver string) (h reading.Hints, err error) {
	h = reading.Hints{Country: d.country(), Today: d.today(tx), Shapes: map[string][]string{}}
	if h.OwnTaxID, err = db.One[string](tx, `SELECT tax_id FROM partner_profiles WHERE tenant_id = $1`); err != nil {
		return h, err
	}
	if driver != "" {
		if h.Plates, err = db.Select[string](tx, `SELECT DISTINCT registration FROM invoice_images WHERE tenant_id = $1 AND driver_id`+
			drivers.Those("$2")+` AND registration <> '' AND state = 'approved' AND deleted_at = '' ORDER BY registration`, driver); err != nil {
			return h, err
		}
		agreed, err := drivers.VehiclesOf(tx, driver)
		if err != nil {
			return h, err
		}
		h.Plates = append(h.Plates, agreed...)
	}
	numbers, err := db.Select[struct{ IssuerTaxID, Number string }](tx, `SELECT issuer_tax_id, number FROM invoice_images WHERE tenant_id = $1
		AND state = 'approved' AND deleted_at = '' ORDER BY uploaded_at DESC, id DESC LIMIT 1000`)
	for _, n := range numbers {
		h.Shapes[n.IssuerTaxID] = append(h.Shapes[n.IssuerTaxID], n.Number)
	}
	return h, err
}

// canonical is the driver that somebody is now.
func canonical(tx *db.Tx, driver string) (string, error) {
	return db.One[string](tx, `SELECT `+drivers.CanonicalID("d")+` FROM drivers d WHERE d.tenant_id = $1 AND d.id = $2`, driver)
}
