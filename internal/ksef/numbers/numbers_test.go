package numbers

import (
	"strings"
	"testing"
)

func TestNumbers_HaveTheirSum(t *testing.T) {
	number := func(text string) string { return text + "-" + checkSum(text) }
	good := number("5260250274-20261119-0123456789AB")
	if !IsInvoice(good) {
		t.Errorf("%s is refused", good)
	}
	for _, wrong := range []string{"", good[:34], good + "0", strings.ToLower(good), number("5260250275-20261119-0123456789AB"),
		number("5260250274-20261319-0123456789AB"), good[:33] + "ZZ", strings.Replace(good, "-", "_", 1), number("5260250274-20261119-0123456789AG")} {
		if IsInvoice(wrong) {
			t.Errorf("%q is taken", wrong)
		}
	}
	for given, want := range map[string]bool{"5265877635-20250826-0100001AF629-AF": true, "5265877635-20250826-0100001AF629-AE": false,
		"8992630753-20240105-2C53E1BFBC51-E9": false, "5265877635-20250832-0100001AF629-AF": false} {
		if IsInvoice(given) != want {
			t.Error(given)
		}
	}
	for n := range 32 { // each changed digit is noticed
		changed := []byte(good)
		if changed[n]++; IsInvoice(string(changed)) {
			t.Errorf("%s is taken", changed)
		}
	}
	collective := number("5260250274-IZ202612-0123456789AB")
	if !IsCollective(collective) || IsInvoice(collective) || IsCollective(good) || IsCollective(number("5260250274-IZ202613-0123456789AB")) {
		t.Error(collective)
	}
	if former := "5260250274-20240119-012345-6789AB-0F"; !IsFormer(former) || IsInvoice(former) || IsFormer(good) {
		t.Error(former)
	}
}

// What the checks of numbers in other programs' documentation agree with.
func TestCheckSum(t *testing.T) {
	if got := checkSum("123456789"); got != "F4" { // the check value of CRC-8
		t.Error(got)
	}
}
