package official

import (
	"errors"
	"testing"
)

func TestVATIDs_AreReadInOneForm(t *testing.T) {
	for _, c := range []struct {
		text, country, want string
		err                 error
	}{
		{"521-301-72-28", "PL", "PL5213017228", nil}, {"pl 5213017228", "PL", "PL5213017228", nil}, {"5213017229", "PL", "", ErrCheckDigit},
		{"DE 136 695 976", "DE", "DE136695976", nil}, {"136695977", "DE", "", ErrCheckDigit}, {"ATU12345678", "AT", "ATU12345678", nil},
		{"U12345678", "AT", "ATU12345678", nil}, {"12345678", "AT", "", ErrForm}, {"123456789", "GR", "EL123456789", nil},
		{"EL123456789", "GR", "EL123456789", nil}, {"FR40303265045", "FR", "FR40303265045", nil}, {"NL123456789B01", "NL", "NL123456789B01", nil},
		{"SE1234567890", "SE", "", ErrForm}, {"GB999999973", "GB", "", ErrCountry}, {"", "PL", "", ErrForm}, {"12345678ą", "DK", "", ErrCharacters},
	} {
		got, err := ParseVATID(c.text, c.country)
		if c.err == nil && (err != nil || got != c.want) || c.err != nil && !errors.Is(err, c.err) {
			t.Errorf("%q of %s: %q, %v", c.text, c.country, got, err)
		}
		if c.err == nil {
			if again, err := ParseVATID(got, c.country); err != nil || again != got {
				t.Errorf("%q again: %q, %v", got, again, err)
			}
		}
	}
	if VATPrefix("GR") != "EL" || VATPrefix("PL") != "PL" || VATPrefix("CH") != "" || VATPrefix("") != "" {
		t.Error("prefixes")
	}
}
