package i18n

import (
	"strings"
	"testing"
)

func TestPeopleFindNamesWithoutTheirAccents(t *testing.T) {
	for typed, want := range map[string]string{"Łódź": "lodz", " zielona  GÓRA ": "zielona gora", "Żółć": "zolc", "Köln": "koln", "Gießen": "giessen", "Київ": "киів", "": ""} {
		if got := Fold(typed); got != want {
			t.Errorf("%q becomes %q instead of %q", typed, got, want)
		}
	}
}

func TestLatinLettersFoldAsAllOthers(t *testing.T) {
	for r := rune(0); r < 0x250; r++ {
		for _, text := range []string{string(r), "a" + string(r) + "Ż", " " + string(r) + " " + string(r) + "  x "} {
			if got, want := Fold(text), strings.Join(strings.Fields(folded(text)), " "); got != want {
				t.Errorf("%q (%U) folds to %q, not %q", text, r, got, want)
			}
		}
	}
}
