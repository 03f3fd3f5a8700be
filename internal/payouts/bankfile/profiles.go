package bankfile

import (
	"slices"

	"golang.org/x/text/encoding/charmap"

	"saldo/internal/kernel/money"
)

// Profile is how one bank wants its file.
type Profile struct {
	Key       string // remembered with the partner and with each batch: never another meaning
	Bank      string
	Standard  string
	Extension string
	Type      string
	Country   string         // of the accounts that it can hold; empty: any
	Currency  money.Currency // empty: any
	Most      int            // payments; 0: as many as there are
	Splits    bool           // knows split payments

	signs   *charmap.Charmap // nil: UTF-8
	basic   bool             // only the Latin letters, digits and signs of SEPA
	quoted  bool
	refused string // signs that a value cannot have
	note    func(reference string) string
	fourths bool // every text has its four lines, empty ones too
	write   func(*writer) []byte
	name    int // how long a name may be; 0: by lines
}

// The standards.
const (
	Elixir    = "elixir"
	Santander = "santander"
	Pain03    = "pain.001.001.03"
	Pain09    = "pain.001.001.09"
)

func elixir(key, bank string, signs *charmap.Charmap) Profile {
	return Profile{Key: key, Bank: bank, Standard: Elixir, Extension: ".pli", Type: "application/octet-stream", Country: "PL",
		Currency: money.PLN, Splits: true,
		signs: signs, quoted: true, refused: `"|`, note: func(string) string { return "" }, write: (*writer).elixir}
}

var profiles = func() []Profile {
	pko := elixir("pko", "PKO BP iPKO biznes", charmap.ISO8859_2)
	pko.Extension, pko.Most, pko.quoted, pko.refused, pko.fourths, pko.note = ".txt", 5000, false, `",|`, true, short
	millennium := elixir("millennium", "Bank Millennium", nil)
	millennium.note = func(r string) string { return "$$$" + alnum(r) + "$$$" }
	mbank := elixir("mbank", "mBank", nil)
	alior := elixir("alior", "Alior BusinessPro", charmap.Windows1250)
	strict := elixir("elixir", "", charmap.ISO8859_2)
	strict.refused = `"|:;&@$`
	dos := elixir("elixir-cp852", "", charmap.CodePage852)
	dos.refused = strict.refused
	santander := Profile{Key: "santander", Bank: "Erste Bank Polska (Santander)", Standard: Santander, Extension: ".txt",
		Type: "application/octet-stream", Country: "PL", Currency: money.PLN,
		Splits: true, signs: charmap.Windows1250, refused: "|", name: 80, write: (*writer).santander}
	pain := func(key, bank, standard string, currency money.Currency) Profile {
		return Profile{Key: key, Bank: bank, Standard: standard, Extension: ".xml", Type: "application/xml", Currency: currency, basic: true,
			name: 70, write: (*writer).pain}
	}
	return []Profile{pko, millennium, mbank, alior, santander, strict, dos,
		pain("pain03", "", Pain03, ""), pain("pain09", "", Pain09, ""), pain("sepa", "SEPA", Pain09, money.EUR)}
}()

// Profiles are all of them, in the order in which they are offered.
func Profiles() []Profile { return slices.Clone(profiles) }

// Of is the profile of a key.
func Of(key string) (Profile, bool) {
	n := slices.IndexFunc(profiles, func(p Profile) bool { return p.Key == key })
	if n < 0 {
		return Profile{}, false
	}
	return profiles[n], true
}

// Foreign says whether the file can hold accounts of other countries.
func (p Profile) Foreign() bool { return p.Country == "" }

// short is the end of a reference, which tells one from another, as far as a note of sixteen signs holds it.
func short(reference string) string { return reference[max(0, len(reference)-16):] }

// alnum is the same without dashes.
func alnum(reference string) string {
	return short(string(slices.DeleteFunc([]byte(reference), func(b byte) bool { return b == '-' })))
}
