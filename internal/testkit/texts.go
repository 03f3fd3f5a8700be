package testkit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"saldo/internal/platform/i18n"
)

// HasText checks that a text exists in all languages, be it the server's or the web application's alone. Codes that
// become a part of a key (types:type_ and the code) are complete only if a test walks all of them.
func HasText(t testing.TB, key string) {
	t.Helper()
	file, name, _ := strings.Cut(key, ":")
	for _, language := range i18n.Languages {
		content, err := os.ReadFile(filepath.Join(Root(t), "locales", string(language), file+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var texts map[string]string
		if err := json.Unmarshal(content, &texts); err != nil {
			t.Fatalf("%s/%s: %v", language, file, err)
		}
		if texts[name] == "" && texts[name+"_other"] == "" {
			t.Errorf("there is no text %s in %s", key, language)
		}
	}
}
