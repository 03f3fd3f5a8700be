package billing_test

import (
	"testing"

	"saldo/internal/billing"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// BenchmarkStatement is the pages alone, without reading.
func BenchmarkStatement(b *testing.B) {
	w := newFixture(b, "sqlite", "pl")
	w.rules(b, rich)
	id := w.settled(b, w.details("uk"))
	var s *billing.Statement
	testkit.Read(b, w.db, anna, func(tx *db.Tx) (err error) { s, err = w.Statement(tx, id); return err })
	for b.Loop() {
		if _, err := s.PDF(nil); err != nil {
			b.Fatal(err)
		}
	}
}
