package ledger_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"saldo/internal/testkit"
)

func TestEveryActionInTheHistoryOfATransactionHasAText(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range regexp.MustCompile(`(?:recordChange\(tx, |action\w+ += )"transactions\.(\w+)"`).FindAllSubmatch(content, -1) {
			found++
			testkit.HasText(t, "transactions:did_"+string(call[1]))
		}
	}
	if found < 6 {
		t.Errorf("only %d actions are found: are they recorded otherwise?", found)
	}
}
