package numbers

import "testing"

// Whatever a stranger's file names as a number is one kind at most, and any other number is not it.
func FuzzNumbers(f *testing.F) {
	for _, seed := range []string{"", "5265877635-20250826-0100001AF629-AF", "5260250274-20240119-012345-6789AB-0F", "5260250274-IZ202612-0123456789AB-00",
		"5265877635-20250826-0100001AF629-AF\x00", "٥265877635-20250826-0100001AF629-AF", "5265877635-00000000-0100001AF629-AF"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		invoice, former, collective := IsInvoice(text), IsFormer(text), IsCollective(text)
		if invoice && (former || collective) || former && collective {
			t.Errorf("%q is of two kinds", text)
		}
		if (invoice || collective) && text[32:] != "-"+checkSum(text[:32]) {
			t.Errorf("%q has another sum", text)
		}
		for n := range len(text) {
			changed := []byte(text)
			if changed[n] ^= 1; (invoice && IsInvoice(string(changed))) || (collective && IsCollective(string(changed))) {
				t.Errorf("%q and %q are numbers", text, changed)
			}
		}
	})
}
