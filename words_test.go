package saldo

import (
	"slices"
	"strings"
	"testing"
)

// bannedNames hide what a package is about.
var bannedNames = []string{"util", "utils", "common", "helper", "helpers", "base", "manager", "service", "services", "model", "models", "types", "misc"}

func TestNoPackageHasANameThatHidesItsPurpose(t *testing.T) {
	for name := range packages(t) {
		for part := range strings.SplitSeq(name, "/") {
			if slices.Contains(bannedNames, part) {
				t.Errorf("%s: name it after the trade", name)
			}
		}
	}
}
