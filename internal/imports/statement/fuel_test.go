package statement_test

import (
	"testing"

	"saldo/internal/imports/statement"
)

func TestScaled_ReadsQuantitiesAndPrices(t *testing.T) {
	for _, c := range []struct {
		cell  string
		times int64
		want  int64
	}{{"30,50", 1000, 30_500}, {"28.11", 1000, 28_110}, {"1 234,5", 1000, 1_234_500}, {"1.234,567", 1000, 1_234_567}, {"1,234.567", 1000, 1_234_567},
		{"-20,25", 1000, -20_250}, {"−20,25", 1000, -20_250}, {"6,299", 100_000, 629_900}, {"0,0005", 1000, 1}, {"-0,0005", 1000, -1}, {"88411", 1, 88_411},
		{"88 411", 1, 88_411}, {"", 1, 0}, {"l", 1000, 0}, {"1e9", 1000, 0}, {"1/3", 1000, 0}, {"--1", 1, 0}, {"99999999999999", 1, 0}} {
		if got := statement.Scaled(c.cell, c.times); got != c.want {
			t.Errorf("%q × %d is %d, want %d", c.cell, c.times, got, c.want)
		}
	}
}
