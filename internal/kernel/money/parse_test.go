package money

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestAmountsAreReadAsTheyAreWritten(t *testing.T) {
	for _, c := range []struct {
		text    string
		decimal DecimalSign
		want    Amount
	}{
		{"0", AnyDecimal, 0}, {"7", AnyDecimal, 700}, {"1234", AnyDecimal, 123400}, {"1234,5", AnyDecimal, 123450},
		{"1234.5", AnyDecimal, 123450}, {"1234,50", AnyDecimal, 123450}, {"0,05", AnyDecimal, 5}, {",5", AnyDecimal, 50}, {".05", AnyDecimal, 5},
		{"1 234,50", AnyDecimal, 123450}, {"1\u00a0234,50", AnyDecimal, 123450}, {"1\u202f234,50", AnyDecimal, 123450},
		{"1\u2009234\u2009567,89", AnyDecimal, 123456789}, {"1 234", AnyDecimal, 123400},
		{"1.234,50", AnyDecimal, 123450}, {"1,234.50", AnyDecimal, 123450}, {"1.234.567", AnyDecimal, 123456700}, {"1,234,567", AnyDecimal, 123456700},
		{"1.234.567,8", AnyDecimal, 123456780}, {"1 234.50", AnyDecimal, 123450}, {"1234.500", AnyDecimal, 123450}, {"0.500", AnyDecimal, 50},
		{"12.3400", AnyDecimal, 1234}, {"007,10", AnyDecimal, 710},
		{"1.234", CommaDecimal, 123400}, {"1,234", DotDecimal, 123400}, {"1.234,50", CommaDecimal, 123450}, {"1,234.50", DotDecimal, 123450},
		{"1,230", CommaDecimal, 123}, {"1.230", DotDecimal, 123}, {"1 234 567,00", CommaDecimal, 123456700}, {"12", DotDecimal, 1200},
		{"-1234,50", AnyDecimal, -123450}, {"\u22121234,50", AnyDecimal, -123450}, {"1234,50-", AnyDecimal, -123450}, {"1234,50\u2212", AnyDecimal, -123450},
		{"- 5", AnyDecimal, -500}, {"5 -", AnyDecimal, -500}, {"+5", AnyDecimal, 500}, {" \t12,00\u00a0", AnyDecimal, 1200}, {"-0,00", AnyDecimal, 0},
		{"92233720368547758,07", AnyDecimal, math.MaxInt64}, {"-92233720368547758,08", AnyDecimal, math.MinInt64},
	} {
		if got, err := Parse(c.text, c.decimal); err != nil || got != c.want {
			t.Errorf("%q is %v, %v; not %v", c.text, got, err, c.want)
		}
	}
}

func TestWhatIsNotOneAmountIsRefusedWithTheReason(t *testing.T) {
	for _, c := range []struct {
		text    string
		decimal DecimalSign
		want    error
	}{
		{"1.234", AnyDecimal, ErrAmbiguous}, {"1,234", AnyDecimal, ErrAmbiguous}, {"-12.345", AnyDecimal, ErrAmbiguous}, {"999,000", AnyDecimal, ErrAmbiguous},
		{"1234,567", AnyDecimal, ErrTooManyDecimals}, {"0,001", AnyDecimal, ErrTooManyDecimals}, {"1,234", CommaDecimal, ErrTooManyDecimals},
		{"1.2345", AnyDecimal, ErrTooManyDecimals}, {"1 234,567", AnyDecimal, ErrTooManyDecimals},
		{"92233720368547758,08", AnyDecimal, ErrOverflow}, {"-92233720368547758,09", AnyDecimal, ErrOverflow}, {strings.Repeat("9", 50), AnyDecimal, ErrOverflow},
		{"1.23", CommaDecimal, ErrGroups}, {"1,23", DotDecimal, ErrGroups}, {"12 34,00", AnyDecimal, ErrGroups}, {"1234 567", AnyDecimal, ErrGroups},
		{"0.123", CommaDecimal, ErrGroups}, {"1..234", AnyDecimal, ErrGroups}, {".234.567", AnyDecimal, ErrGroups}, {"1.23.456", AnyDecimal, ErrGroups},
		{"1234.567,00", AnyDecimal, ErrGroups}, {"1  234", AnyDecimal, ErrGroups},
		{"", AnyDecimal, ErrNotAnAmount}, {" ", AnyDecimal, ErrNotAnAmount}, {"-", AnyDecimal, ErrNotAnAmount}, {",", AnyDecimal, ErrNotAnAmount},
		{"12,", AnyDecimal, ErrNotAnAmount}, {"12.", DotDecimal, ErrNotAnAmount}, {"abc", AnyDecimal, ErrNotAnAmount}, {"1e5", AnyDecimal, ErrNotAnAmount},
		{"12 zł", AnyDecimal, ErrNotAnAmount}, {"--5", AnyDecimal, ErrNotAnAmount}, {"-5-", AnyDecimal, ErrNotAnAmount}, {"+5-", AnyDecimal, ErrNotAnAmount},
		{"1,2,3", CommaDecimal, ErrNotAnAmount}, {"1.234 567,00", AnyDecimal, ErrNotAnAmount}, {"1,234.567,00", AnyDecimal, ErrNotAnAmount},
		{"٣,50", AnyDecimal, ErrNotAnAmount}, {"1'234.50", AnyDecimal, ErrNotAnAmount}, {"1,5 0", AnyDecimal, ErrNotAnAmount}, {"NaN", AnyDecimal, ErrNotAnAmount},
		{"12,50%", AnyDecimal, ErrNotAnAmount}, {"\xff", AnyDecimal, ErrNotAnAmount}, {"1\n234", AnyDecimal, ErrNotAnAmount}, {"1\u0000", AnyDecimal, ErrNotAnAmount},
	} {
		got, err := Parse(c.text, c.decimal)
		if !errors.Is(err, c.want) || got != 0 {
			t.Errorf("%q is %v, %v; not %v", c.text, got, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"1234,5", "1 234,50", "-1.234,50", "1,234.50-", "\u22121\u202f234,5", "1.234", "0.500", "92233720368547758,08"} {
		f.Add(text)
	}
	reasons := []error{ErrNotAnAmount, ErrAmbiguous, ErrGroups, ErrTooManyDecimals, ErrOverflow}
	f.Fuzz(func(t *testing.T, text string) {
		loose, looseErr := Parse(text, AnyDecimal)
		for _, decimal := range []DecimalSign{CommaDecimal, DotDecimal} {
			strict, err := Parse(text, decimal)
			if err == nil && looseErr == nil && strict != loose {
				t.Fatalf("%q is %v, but %v with a known sign", text, loose, strict)
			}
		}
		if looseErr != nil {
			known := false
			for _, reason := range reasons {
				known = known || errors.Is(looseErr, reason)
			}
			if !known || loose != 0 {
				t.Fatalf("%q: %v, %v", text, loose, looseErr)
			}
			return
		}
		for _, decimal := range []DecimalSign{AnyDecimal, DotDecimal} {
			if again, err := Parse(loose.String(), decimal); err != nil || again != loose {
				t.Fatalf("%q is %v, read again %v, %v", text, loose, again, err)
			}
		}
	})
}

func FuzzEveryAmountIsReadBack(f *testing.F) {
	for _, n := range edges {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n int64) {
		text := Amount(n).String()
		for _, spelling := range []string{text, strings.Replace(text, ".", ",", 1), strings.TrimPrefix(text, "-") + map[bool]string{true: "-"}[n < 0]} {
			if got, err := Parse(spelling, AnyDecimal); err != nil || int64(got) != n {
				t.Fatalf("%s is read as %v, %v", spelling, got, err)
			}
		}
	})
}
