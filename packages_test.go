package saldo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

type source struct {
	name    string // path of the file
	file    *ast.File
	imports []string
}

// packages are the Go files of the project, without tests, by the folder they are in.
func packages(t *testing.T) map[string][]source {
	t.Helper()
	found := map[string][]source{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && name != "." || slices.Contains([]string{"node_modules", "data", "testdata", "tools"}, entry.Name())) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || path.Dir(name) == "." {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		s := source{name: name, file: file}
		for _, i := range file.Imports {
			what, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, what)
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		found[dir] = append(found[dir], s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
