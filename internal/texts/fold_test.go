package texts

import "testing"

func TestPeopleFindNamesWithoutTheirAccents(t *testing.T) {
	for typed, want := range map[string]string{"Łódź": "lodz", " zielona  GÓRA ": "zielona gora", "Żółć": "zolc", "Köln": "koln", "Gießen": "giessen", "Київ": "киів", "": ""} {
		if got := Fold(typed); got != want {
			t.Errorf("%q becomes %q instead of %q", typed, got, want)
		}
	}
}
