package titles

import (
	"fmt"
	"strings"
	"testing"

	"saldo/internal/kernel/calendar"
	"saldo/internal/ksef/numbers"
)

// Numbers of two sellers that KSeF could have given.
const (
	one        = "5265877635-20250826-0100001AF629-AF"
	two        = "5265877635-20250826-0100001AF62A-C0"
	stranger   = "5260250274-20261119-0123456789AB-E9"
	collective = "5265877635-IZ202701-0123456789AB-DD"
)

// TestOf_NumbersOfTheTest are such that KSeF could have given them.
func TestOf_NumbersOfTheTest(t *testing.T) {
	if !numbers.IsInvoice(one) || !numbers.IsInvoice(two) || !numbers.IsInvoice(stranger) || !numbers.IsCollective(collective) {
		t.Error("a number has a wrong sum")
	}
}

func TestOf(t *testing.T) {
	sold := func(number, ksef string) Invoice { return Invoice{Number: number, KSeFNumber: ksef} }
	exempt, failed := sold("SF/1", one), sold("SF/1", one)
	exempt.Exempt, failed.Failure = true, true
	var many []Invoice
	for n := range mostTogether + 1 {
		many = append(many, sold(fmt.Sprint(n), one))
	}
	for name, c := range map[string]struct {
		on         calendar.Date
		invoices   []Invoice
		collective string
		want       string
		missing    bool
	}{
		"before 2027":                {"2026-12-31", []Invoice{sold("SF/1", one)}, "", "SF/1", false},
		"from 2027":                  {"2027-01-01", []Invoice{sold("SF/1", one)}, "", one, false},
		"long after":                 {"2031-05-05", []Invoice{sold("SF/1", one)}, "", one, false},
		"not known yet":              {"2027-01-01", []Invoice{sold("SF/1", "")}, "", "SF/1", true},
		"no number of KSeF":          {"2027-01-01", []Invoice{sold("SF/1", one[:34]+"0")}, "", "SF/1", true},
		"not issued before 2027":     {"2026-12-31", []Invoice{{}}, "", "", false},
		"not issued":                 {"2027-01-01", []Invoice{{}}, "", "", true},
		"exempt":                     {"2027-01-01", []Invoice{exempt}, "", "SF/1", false},
		"of a failure":               {"2027-01-01", []Invoice{failed}, "", "SF/1", false},
		"several":                    {"2027-01-01", []Invoice{sold("SF/1", one), sold("SF/2", two)}, collective, collective, false},
		"several before 2027":        {"2026-12-31", []Invoice{sold("SF/1", one), sold("SF/2", two)}, collective, "SF/1 SF/2", false},
		"several without identifier": {"2027-01-01", []Invoice{sold("SF/1", one), sold("SF/2", two)}, "", "SF/1 SF/2", true},
		"several, one of them alone": {"2027-01-01", []Invoice{sold("SF/1", one), sold("SF/2", two)}, one, "SF/1 SF/2", true},
		"several, one not known":     {"2027-01-01", []Invoice{sold("SF/1", one), sold("SF/2", "")}, collective, "SF/1 SF/2", true},
		"of two sellers":             {"2027-01-01", []Invoice{sold("SF/1", one), sold("SF/2", stranger)}, collective, "SF/1 SF/2", true},
		"one and one of a failure":   {"2027-01-01", []Invoice{failed, sold("SF/2", two)}, "", two + " SF/1", false},
		"two and one of a failure":   {"2027-01-01", []Invoice{failed, sold("SF/2", two), sold("SF/3", one)}, collective, collective + " SF/1", false},
		"too many":                   {"2027-01-01", many, collective, "", true},
		"none":                       {"2027-01-01", nil, "", "", false},
	} {
		got, missing := Of(c.on, c.invoices, c.collective)
		if name == "too many" && strings.HasPrefix(got, "0 1 2 ") {
			got = ""
		}
		if got != c.want || missing != c.missing {
			t.Errorf("%s: %q %v, not %q %v", name, got, missing, c.want, c.missing)
		}
	}
}
