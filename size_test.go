package saldo

import (
	"bufio"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// How long a line, a file and a package may be before they are hard to read.
const (
	lineMost    = 140
	fileMost    = 520
	packageMost = 3000
)

// large lists the packages that may be longer, with the reason.
var large = map[string]string{
	"internal/api": "one file for each area: routes, shapes, handlers; the areas share no state",
}

func TestSizes_CanBeRead(t *testing.T) {
	for name, files := range packages(t) {
		all := 0
		for _, s := range files {
			file, err := os.Open(s.name)
			if err != nil {
				t.Fatal(err)
			}
			lines, n := bufio.NewScanner(file), 0
			for lines.Scan() {
				n++
				if long := utf8.RuneCountInString(lines.Text()); long > lineMost {
					t.Errorf("%s:%d has %d characters", s.name, n, long)
				}
			}
			if err := file.Close(); err != nil || lines.Err() != nil {
				t.Fatal(err, lines.Err())
			}
			if n > fileMost {
				t.Errorf("%s has %d lines", s.name, n)
			}
			all += n
		}
		if all > packageMost && large[name] == "" && !strings.HasPrefix(name, "internal/testkit") {
			t.Errorf("%s has %d lines", name, all)
		}
	}
}
