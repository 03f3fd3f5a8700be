package testkit

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
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

// Constants are the values of the string constants that a folder declares with a type, so that a test that walks them
// meets a new one too.
func Constants(t testing.TB, folder, typ string) (values []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(Root(t), folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if name, ok := spec.Type.(*ast.Ident); !ok || name.Name != typ {
				return true
			}
			for _, value := range spec.Values {
				if literal, ok := value.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					text, err := strconv.Unquote(literal.Value)
					if err != nil {
						t.Fatal(err)
					}
					values = append(values, text)
				}
			}
			return true
		})
	}
	if len(values) == 0 {
		t.Fatalf("%s declares no constants of type %s", folder, typ)
	}
	return values
}
