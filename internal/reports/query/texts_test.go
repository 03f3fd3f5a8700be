package query

import (
	"testing"

	"saldo/internal/platform/i18n"
)

func TestEverythingThatCanBeNamedHasATitleInEveryLanguage(t *testing.T) {
	for _, l := range i18n.Languages {
		for _, s := range Model(l) {
			for _, term := range append(append([]Term{{Key: s.Key, Title: s.Title}}, s.Measures...), s.Dimensions...) {
				if term.Title == "" {
					t.Errorf("%s: %s of %s has no title", l, term.Key, s.Key)
				}
				for _, v := range term.Values {
					if v.Title == "" {
						t.Errorf("%s: the value %q of %s of %s has no title", l, v.Key, term.Key, s.Key)
					}
				}
			}
		}
		for _, d := range []string{`{"subject":"settlements","title":{"pl":"x"},"measures":["share:payout","change:payout"],"ask":[{"name":"from","kind":"day"},{"name":"to","kind":"day"}]}`} {
			parsed, err := Parse(d, ForPartner)
			if err != nil {
				t.Fatal(err)
			}
			if heads, asks := parsed.heads(l), parsed.Asks(l); len(heads) != 2 || len(asks) != 2 || asks[0].Title == "" || heads[0].Title == heads[1].Title {
				t.Errorf("%v %v", heads, asks)
			}
		}
	}
}
