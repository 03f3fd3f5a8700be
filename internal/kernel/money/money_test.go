package money

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// edges are where carries, signs and rounding go wrong.
var edges = []int64{
	0, 1, -1, 2, -2, 49, 50, 51, -50, 99, 100, 4999, 5000, 5001, -4999, -5000, 9999, 10_000, 10_001, -10_000, 123_456_789,
	math.MaxInt32, math.MinInt32, math.MaxInt64 / 10_000, math.MaxInt64/10_000 + 1, math.MaxInt64 / 2, math.MaxInt64 - 1, math.MaxInt64,
	math.MinInt64, math.MinInt64 + 1, math.MinInt64 / 2,
}

// pairs yields all edges with each other and many random numbers of every size.
func pairs(yield func(a, b int64) bool) {
	for _, a := range edges {
		for _, b := range edges {
			if !yield(a, b) {
				return
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		a, b := int64(random.Uint64())>>random.UintN(64), int64(random.Uint64())>>random.UintN(64)
		if !yield(a, b) {
			return
		}
	}
}

// agrees compares a result with the exact integer it should be, or with overflow.
func agrees(got Amount, err error, want *big.Int) bool {
	if !want.IsInt64() {
		return errors.Is(err, ErrOverflow) && got == 0
	}
	return err == nil && int64(got) == want.Int64()
}

// roundedHalfAwayFromZero is the definition, written another way than the code: by the remainder.
func roundedHalfAwayFromZero(numerator, denominator *big.Int) *big.Int {
	quotient, remainder := new(big.Int).QuoRem(numerator, denominator, new(big.Int))
	twice := new(big.Int).Abs(remainder)
	if twice.Lsh(twice, 1).Cmp(new(big.Int).Abs(denominator)) >= 0 {
		quotient.Add(quotient, big.NewInt(int64(numerator.Sign()*denominator.Sign())))
	}
	return quotient
}

func TestSumsAreExactOrAnError(t *testing.T) {
	for a, b := range pairs {
		x, y := big.NewInt(a), big.NewInt(b)
		if got, err := Amount(a).Add(Amount(b)); !agrees(got, err, new(big.Int).Add(x, y)) {
			t.Fatalf("%d + %d = %d, %v", a, b, got, err)
		}
		if got, err := Amount(a).Sub(Amount(b)); !agrees(got, err, new(big.Int).Sub(x, y)) {
			t.Fatalf("%d - %d = %d, %v", a, b, got, err)
		}
		if got, err := Amount(a).Neg(); !agrees(got, err, new(big.Int).Neg(x)) {
			t.Fatalf("-%d = %d, %v", a, got, err)
		}
		want := new(big.Int).Add(x, new(big.Int).Lsh(y, 1))
		if got, err := Sum(Amount(a), Amount(b), Amount(b)); !agrees(got, err, want) {
			t.Fatalf("%d + %d + %d = %d, %v", a, b, b, got, err)
		}
	}
	if got, err := Sum(math.MaxInt64, math.MaxInt64, math.MinInt64, math.MinInt64, 7); err != nil || got != 5 {
		t.Errorf("%d, %v", got, err)
	}
	if got, err := Sum(); err != nil || got != 0 {
		t.Errorf("%d, %v", got, err)
	}
}

func TestAShareIsExactAndRoundedOnce(t *testing.T) {
	for a, rate := range pairs {
		product := new(big.Int).Mul(big.NewInt(a), big.NewInt(rate))
		if got, err := Share(Amount(a), Rate(rate)); !agrees(got, err, roundedHalfAwayFromZero(product, big.NewInt(basis))) {
			t.Fatalf("%d of %d = %d, %v", rate, a, got, err)
		}
	}
	for _, c := range []struct {
		amount Amount
		rate   Rate
		want   Amount
	}{
		{10000, 800, 800}, {10000, 850, 850}, {1, 5000, 1}, {-1, 5000, -1}, {1, 4999, 0}, {3, 5000, 2}, {-3, 5000, -2},
		{12345, 2300, 2839}, {-12345, 2300, -2839}, {100, 0, 0}, {100, -5000, -50},
	} {
		if got, err := Share(c.amount, c.rate); err != nil || got != c.want {
			t.Errorf("%d of %d = %d, %v", c.rate, c.amount, got, err)
		}
	}
}

func TestAnExactFigureIsRoundedOnceInTheEnd(t *testing.T) {
	for a, b := range pairs {
		n1, d1, n2, d2 := b%10_000, a%9_000|1, a%777, b%12_300|1
		var e Exact
		e.Add(Amount(a), n1, d1)
		e.Add(Amount(b), n2, d2)
		// a n1/d1 + b n2/d2 over one denominator.
		left := new(big.Int).Mul(big.NewInt(a), big.NewInt(n1))
		right := new(big.Int).Mul(big.NewInt(b), big.NewInt(n2))
		left.Mul(left, big.NewInt(d2)).Add(left, right.Mul(right, big.NewInt(d1)))
		want := roundedHalfAwayFromZero(left, new(big.Int).Mul(big.NewInt(d1), big.NewInt(d2)))
		if got, err := e.Round(); !agrees(got, err, want) {
			t.Fatalf("%d × %d/%d + %d × %d/%d = %d, %v", a, n1, d1, b, n2, d2, got, err)
		}
	}
	// VAT inside: 8 % of 100.00 and 23 % of 50.00 are 7.4074… and 9.3495…, together 16.7569…
	var tax Exact
	tax.Add(10000, 800, 10800)
	tax.Add(5000, 2300, 12300)
	if got, err := tax.Round(); err != nil || got != 1676 {
		t.Errorf("%v, %v", got, err)
	}
	// Twice 0.5 is 1, not the 2 that rounding each would give.
	var halves Exact
	halves.Add(1, 1, 2)
	halves.Add(1, 1, 2)
	if got, err := halves.Round(); err != nil || got != 1 {
		t.Errorf("%v, %v", got, err)
	}
	var none Exact
	if got, err := none.Round(); err != nil || got != 0 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestASplitSumsToTheWholeAndIsFair(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		amount := Amount(int64(random.Uint64()) >> random.UintN(64))
		weights := make([]int64, 1+random.IntN(8))
		total := new(big.Int)
		for i := range weights {
			weights[i] = int64(random.Uint64() >> (4 + random.UintN(60)))
			total.Add(total, big.NewInt(weights[i]))
		}
		parts, err := Split(amount, weights)
		if total.Sign() == 0 {
			if err == nil {
				t.Fatalf("%v by %v gives %v", amount, weights, parts)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if sum, err := Sum(parts...); err != nil || sum != amount {
			t.Fatalf("%v by %v gives %v", amount, weights, parts)
		}
		for i, part := range parts {
			// Less than one unit from the exact share: |part × total - amount × weight| < total.
			off := new(big.Int).Mul(big.NewInt(int64(part)), total)
			off.Sub(off, new(big.Int).Mul(big.NewInt(int64(amount)), big.NewInt(weights[i]))).Abs(off)
			if off.Cmp(total) >= 0 {
				t.Fatalf("%v by %v gives %v", amount, weights, parts)
			}
		}
		opposite, err := amount.Neg()
		if err != nil {
			continue
		}
		mirrored, err := Split(opposite, weights)
		if err != nil {
			t.Fatal(err)
		}
		for i := range parts {
			if mirrored[i] != -parts[i] {
				t.Fatalf("%v by %v gives %v, the opposite %v", amount, weights, parts, mirrored)
			}
		}
	}
}

func TestTheUnitsLeftOverGoToTheLargestRemainders(t *testing.T) {
	for _, c := range []struct {
		amount  Amount
		weights []int64
		want    []Amount
	}{
		{100, []int64{1, 1, 1}, []Amount{34, 33, 33}},
		{-100, []int64{1, 1, 1}, []Amount{-34, -33, -33}},
		{101, []int64{1, 1, 1}, []Amount{34, 34, 33}},
		{10, []int64{1, 2, 4}, []Amount{1, 3, 6}},
		{1, []int64{0, 5, 0}, []Amount{0, 1, 0}},
		{0, []int64{3, 4}, []Amount{0, 0}},
		{math.MinInt64, []int64{1}, []Amount{math.MinInt64}},
		{math.MaxInt64, []int64{math.MaxInt64, 1}, []Amount{math.MaxInt64 - 1, 1}},
	} {
		if got, err := Split(c.amount, c.weights); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%d by %v gives %d, %v", c.amount, c.weights, got, err)
		}
	}
	for _, weights := range [][]int64{nil, {}, {0}, {0, 0}, {1, -1}, {math.MaxInt64, math.MaxInt64}} {
		if got, err := Split(100, weights); err == nil {
			t.Errorf("by %v gives %v", weights, got)
		}
	}
}

func TestAmountsAreWrittenPlainly(t *testing.T) {
	for amount, want := range map[Amount]string{
		0: "0.00", 1: "0.01", -1: "-0.01", 10: "0.10", -123450: "-1234.50", math.MaxInt64: "92233720368547758.07", math.MinInt64: "-92233720368547758.08",
	} {
		if got := amount.String(); got != want {
			t.Errorf("%d is written %s", int64(amount), got)
		}
	}
}

// The fast way and the wide one must be the same arithmetic: mixed sizes, signs and denominators, also beyond 128 bits.
func TestAnExactFigureIsTheSameFractionWhateverItsSize(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func() int64 {
		switch random.IntN(6) {
		case 0:
			return []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1}[random.IntN(6)]
		case 1:
			return int64(random.Uint64())
		}
		return random.Int64N(1<<(1+random.IntN(40))) - random.Int64N(1<<(1+random.IntN(40)))
	}
	wide := 0
	for range 50_000 {
		var e Exact
		want := new(big.Rat)
		for range 1 + random.IntN(5) {
			amount, above, below := number(), number(), number()
			if below == 0 {
				below = 10_000
			}
			e.Add(Amount(amount), above, below)
			want.Add(want, new(big.Rat).Mul(new(big.Rat).SetInt64(amount), new(big.Rat).SetFrac(big.NewInt(above), big.NewInt(below))))
		}
		if e.large != nil {
			wide++
		}
		// floor(|x| + 1/2), with the sign put back
		half := new(big.Rat).Add(new(big.Rat).Abs(want), big.NewRat(1, 2))
		rounded := new(big.Int).Quo(half.Num(), half.Denom())
		if want.Sign() < 0 {
			rounded.Neg(rounded)
		}
		got, err := e.Round()
		if !rounded.IsInt64() {
			if !errors.Is(err, ErrOverflow) {
				t.Fatalf("%s gives %d, %v", want, int64(got), err)
			}
		} else if err != nil || int64(got) != rounded.Int64() {
			t.Fatalf("%s gives %d, %v", want, int64(got), err)
		}
	}
	if wide == 0 || wide == 50_000 {
		t.Errorf("%d of 50000 figures were wide", wide)
	}
}

func TestNothingIsDividedByZero(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it did not panic")
		}
	}()
	new(Exact).Add(1, 1, 0)
}
