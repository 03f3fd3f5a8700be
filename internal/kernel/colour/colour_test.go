package colour_test

import (
	"fmt"
	"strings"
	"testing"

	"saldo/internal/kernel/colour"
)

func TestEveryPartnersColourCanBeRead(t *testing.T) {
	for r := 0; r < 16; r++ {
		for g := 0; g < 16; g++ {
			for b := 0; b < 16; b++ {
				brand := fmt.Sprintf("#%02X%02X%02X", r*17, g*17, b*17)
				for night, page := range map[bool]string{false: "#FFFFFF", true: "#14181C"} {
					s := colour.Of(brand, night)
					for what, pair := range map[string][2]string{"button": {s.On, s.Fill}, "link": {s.Text, page}, "link on tint": {s.Text, s.BgStrong}} {
						if c := colour.Contrast(pair[0], pair[1]); c < 4.495 {
							t.Errorf("%s, night %v: %s of %s on %s has %.2f", brand, night, what, pair[0], pair[1], c)
						}
					}
				}
			}
		}
	}
}

// The figures are those of the web application's theme for the same colours.
func TestAGoodColourIsKeptAndOddOnesAreWritten(t *testing.T) {
	if s := colour.Of("#7A4DDE", false); s.Fill != "#7A4DDE" || s.On != "#FFFFFF" {
		t.Errorf("%+v", s)
	}
	if s := colour.Of("#F2C200", false); s.Fill != "#F2C200" || s.On != "#12171D" || s.Text == s.Fill {
		t.Errorf("yellow: %+v", s)
	}
	if s := colour.Of("#FFFFFF", false); s.Fill != "#12171D" {
		t.Errorf("white: %+v", s)
	}
	if v := colour.Variables(colour.Petrol, false); !strings.Contains(v, "--brand-fill:#0B5D68;") {
		t.Errorf("%s", v)
	}
	for _, wrong := range []string{"", "#FFF", "red", "#GGGGGG", "#0B5D68;}"} {
		if colour.Valid(wrong) {
			t.Errorf("%q passes", wrong)
		}
	}
}
