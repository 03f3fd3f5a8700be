package reading

import (
	"regexp"
	"slices"
	"strings"

	"saldo/internal/invoices/layout"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/official"
	"saldo/internal/ksef/numbers"
)

// codeAddress is what the code on a printed KSeF invoice leads to: the seller, the day of issue and the sum of the file.
var codeAddress = regexp.MustCompile(`(?i)^https://[a-z0-9.-]*ksef[a-z0-9.-]*\.gov\.pl/(?:[a-z-]+/)?invoice/` +
	`(\d{10})/(\d{2})-(\d{2})-(\d{4})/[\w-]{43}=?$`)

// TakeCodes takes over what a KSeF code says: issuer and day of issue, which no reading of a picture can know better.
func TakeCodes(r *Result, codes []string) {
	for _, code := range codes {
		m := codeAddress.FindStringSubmatch(strings.TrimSpace(code))
		if m == nil {
			continue
		}
		issuer, err := official.ParseNIP(m[1])
		on := calendar.Date(m[4] + "-" + m[3] + "-" + m[2])
		if err != nil || !on.Exists() {
			continue
		}
		r.KSeFCode = strings.TrimSpace(code)
		a := r.confirm(IssuerTaxID, string(issuer))
		b := r.confirm(IssueDate, string(on))
		if !a || !b {
			r.Findings = append(r.Findings, CodeDiffer)
		}
		if f, there := r.Field(KSeFNumber); there && !strings.HasPrefix(f.Value, string(issuer)) {
			r.Findings = append(r.Findings, CodeDiffer)
		}
		slices.Sort(r.Findings)
		r.Findings = slices.Compact(r.Findings)
		return
	}
}

// confirm sets a field to what a code says, and says whether a sure reading agrees.
func (r *Result) confirm(name, value string) (agrees bool) {
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Name != name {
			continue
		}
		agrees = f.Value == value || f.Sure < SureFrom
		if f.Value != value {
			f.Page, f.Box = 0, layout.Box{}
		}
		f.Value, f.Sure, f.Rule = value, 1, "ksef-code"
		return agrees
	}
	r.Fields = append(r.Fields, Field{Name: name, Value: value, Sure: 1, Source: OCR, Rule: "ksef-code"})
	return true
}

// MentionsKSeF says whether words speak of KSeF: only then a digital PDF carries a code worth looking for.
func MentionsKSeF(words []layout.Word) bool {
	return slices.ContainsFunc(words, func(w layout.Word) bool {
		return strings.Contains(strings.ToLower(w.Text), "ksef") || ksefOf(w.Text) != ""
	})
}

// printedAlone are the fields that the print may say where XML does not.
var printedAlone = []string{Registration, Mileage, SaleDate, KSeFNumber, BuyerTaxID, IssuerTaxID}

// Merge adds to what XML says what only the print says, such as the vehicle, and where on the print its values stand. Fields keep their
// own source.
func Merge(machine, print Result) Result {
	for i := range machine.Fields {
		f := &machine.Fields[i]
		if p, there := print.Field(f.Name); there && p.Value == f.Value {
			f.Page, f.Box = p.Page, p.Box
		}
	}
	for _, p := range print.Fields {
		if _, there := machine.Field(p.Name); !there && slices.Contains(printedAlone, p.Name) {
			machine.Fields = append(machine.Fields, p)
		}
	}
	machine.KSeFNumber = print.KSeFNumber
	slices.SortStableFunc(machine.Fields, func(a, b Field) int { return slices.Index(Names, a.Name) - slices.Index(Names, b.Name) })
	return machine
}

// Better says whether the first of two readings knows more.
func Better(a, b Result) bool {
	count := func(r Result) (n float64) {
		for _, f := range r.Fields {
			if f.Name != Currency && f.Name != IssuerName {
				n += f.Sure
			}
		}
		return n
	}
	return count(a) >= count(b)
}

// ksefOf is the KSeF number that a text holds, or nothing.
func ksefOf(text string) string {
	if found := ksefText.FindString(strings.ToUpper(text)); found != "" && numbers.IsInvoice(found) {
		return found
	}
	return ""
}
