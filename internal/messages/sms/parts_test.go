package sms

import (
	"strings"
	"testing"
	"time"
)

func TestParts_OfTexts(t *testing.T) {
	r := strings.Repeat
	for _, c := range []struct {
		name, text string
		parts      int
		encoding   Encoding
	}{
		{"no text", "", 0, GSM7},
		{"one letter", "a", 1, GSM7},
		{"160 of GSM", r("a", 160), 1, GSM7},
		{"161 of GSM", r("a", 161), 2, GSM7},
		{"306 of GSM", r("a", 306), 2, GSM7},
		{"307 of GSM", r("a", 307), 3, GSM7},
		{"80 of the extension", r("€", 80), 1, GSM7},
		{"81 of the extension", r("€", 81), 2, GSM7},
		{"a letter of two places is not divided", r("a", 152) + "€" + r("a", 152), 3, GSM7},
		{"two places that end a part", r("a", 151) + "€" + r("a", 153), 2, GSM7},
		{"153 extensions need three parts of 76", r("{", 153), 3, GSM7},
		{"lines", r("a\n", 80), 1, GSM7},
		{"German", "Grüße, Müller: ÄÖÜäöüß", 1, GSM7},
		{"German of 160", r("ü", 160), 1, GSM7},
		{"Greek capitals", r("Ω", 160), 1, GSM7},
		{"one Polish letter", "Wypłata", 1, UCS2},
		{"70 Polish", r("ł", 70), 1, UCS2},
		{"71 Polish", r("ł", 71), 2, UCS2},
		{"134 with one Polish letter", "ż" + r("a", 133), 2, UCS2},
		{"135 with one Polish letter", "ż" + r("a", 134), 3, UCS2},
		{"Cyrillic", r("Привіт ", 10), 1, UCS2},
		{"Cyrillic of 71", r("Привіт ", 10) + "!", 2, UCS2},
		{"35 emoji", r("🚗", 35), 1, UCS2},
		{"36 emoji", r("🚗", 36), 2, UCS2},
		{"an emoji is not divided", r("ł", 66) + "🚗" + r("ł", 66), 3, UCS2},
		{"an emoji that ends a part", r("ł", 65) + "🚗" + r("ł", 67), 2, UCS2},
		{"accent that GSM does not have", "é à ò", 1, GSM7},
		{"ó is not GSM", "ó", 1, UCS2},
		{"backtick is not GSM", "`" + r("a", 70), 2, UCS2},
		{"tab is not GSM", "\t" + r("a", 70), 2, UCS2},
		{"broken UTF-8", "a\xff", 1, UCS2},
	} {
		if parts, encoding := Parts(c.text); parts != c.parts || encoding != c.encoding {
			t.Errorf("%s: %d parts of %s, not %d of %s", c.name, parts, encoding, c.parts, c.encoding)
		}
	}
}

func TestGSM7_Has127Letters(t *testing.T) {
	seen := map[rune]bool{}
	for _, r := range gsmBasic + gsmExtension {
		if seen[r] {
			t.Errorf("%q twice", r)
		}
		seen[r] = true
	}
	if basic := len([]rune(gsmBasic)); basic != 127 || len([]rune(gsmExtension)) != 10 {
		t.Errorf("%d letters and %d of the extension", basic, len([]rune(gsmExtension)))
	}
}

func TestWithoutDiacritics_FitsIntoFewerParts(t *testing.T) {
	pangram := "Zażółć gęślą jaźń, ZAŻÓŁĆ GĘŚLĄ JAŹŃ – „tak”… 12\u00a0zł"
	got := WithoutDiacritics(pangram)
	if want := `Zazolc gesla jazn, ZAZOLC GESLA JAZN - "tak"... 12 zl`; got != want {
		t.Errorf("got %s", got)
	}
	if _, encoding := Parts(got); encoding != GSM7 {
		t.Error("not GSM 7-bit")
	}
	if got := WithoutDiacritics("Grüße, Привіт"); got != "Grüße, Привіт" {
		t.Errorf("got %s", got)
	}
}

func TestQuietUntil_SevenByTheClock(t *testing.T) {
	warsaw, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, now, want string }{
		{"afternoon", "2026-11-18T14:00:00Z", "2026-11-18T14:00:00Z"},
		{"last moment before", "2026-11-18T19:59:59Z", "2026-11-18T19:59:59Z"},
		{"21:00", "2026-11-18T20:00:00Z", "2026-11-19T06:00:00Z"},
		{"midnight", "2026-11-18T23:00:00Z", "2026-11-19T06:00:00Z"},
		{"6:59:59", "2026-11-19T05:59:59Z", "2026-11-19T06:00:00Z"},
		{"7:00", "2026-11-19T06:00:00Z", "2026-11-19T06:00:00Z"},
		{"end of the year", "2026-12-31T22:30:00Z", "2027-01-01T06:00:00Z"},
		{"evening before clocks go forward", "2026-03-28T21:00:00Z", "2026-03-29T05:00:00Z"},
		{"night in which clocks go forward", "2026-03-29T01:30:00Z", "2026-03-29T05:00:00Z"},
		{"21:00 of the day on which they went forward", "2026-03-29T19:00:00Z", "2026-03-30T05:00:00Z"},
		{"20:59 of that day", "2026-03-29T18:59:00Z", "2026-03-29T18:59:00Z"},
		{"evening before clocks go back", "2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"},
		{"first 2:30 of the night in which clocks go back", "2026-10-25T00:30:00Z", "2026-10-25T06:00:00Z"},
		{"second 2:30", "2026-10-25T01:30:00Z", "2026-10-25T06:00:00Z"},
		{"6:30 of that morning", "2026-10-25T05:30:00Z", "2026-10-25T06:00:00Z"},
	} {
		now, _ := time.Parse(time.RFC3339, c.now)
		if got := QuietUntil(now, warsaw).UTC().Format(time.RFC3339); got != c.want {
			t.Errorf("%s: until %s, not %s", c.name, got, c.want)
		}
	}
}
