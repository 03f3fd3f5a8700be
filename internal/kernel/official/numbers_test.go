package official

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

const drawings = 3000

// draw gives n digits.
func draw(random *rand.Rand, n int) string {
	digits := make([]byte, n)
	for i := range digits {
		digits[i] = byte('0' + random.IntN(10))
	}
	return string(digits)
}

// source draws the same numbers in every run, so that a failure can be seen again.
func source() *rand.Rand { return rand.New(rand.NewPCG(2026, 11)) }

// completed gives the only last digit with which the number passes, or nothing when none does.
func completed(parse func(text, country string) (number, string, error), digits string) string {
	found := ""
	for last := '0'; last <= '9'; last++ {
		if _, canonical, err := parse(digits+string(last), ""); err == nil {
			if found != "" {
				return ""
			}
			found = canonical
		}
	}
	return found
}

// sum is the check of a number by its weights, written apart from the package.
func sum(digits string, weights string) int {
	total := 0
	for i := range weights {
		total += int(digits[i]-'0') * int(weights[i]-'0')
	}
	return total
}

func TestEveryNIPWithARightSumPasses(t *testing.T) {
	random := source()
	for range drawings {
		head := string(byte('1'+random.IntN(9))) + string(byte('1'+random.IntN(9))) + draw(random, 7)
		check := sum(head, "657234567") % 11
		got := completed(parsers["nip"], head)
		if want := head + fmt.Sprint(check); check == 10 && got != "" || check < 10 && got != want {
			t.Fatalf("%s became %q with a remainder of %d", head, got, check)
		}
	}
}

func TestEveryREGONWithARightSumPasses(t *testing.T) {
	random := source()
	for range drawings {
		head := "1" + draw(random, 7)
		business := head + fmt.Sprint(sum(head, "89234567")%11%10)
		if got := completed(parsers["regon"], head); got != business {
			t.Fatalf("%s became %q", head, got)
		}
		unit := business + draw(random, 4)
		if got := completed(parsers["regon"], unit); got != unit+fmt.Sprint(sum(unit, "2485097361248")%11%10) {
			t.Fatalf("%s became %q", unit, got)
		}
	}
}

func TestEveryDayOfFiveCenturiesHasAPESEL(t *testing.T) {
	random := source()
	months := map[int]int{18: 80, 19: 0, 20: 20, 21: 40, 22: 60}
	days := 0
	for day := time.Date(1800, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2300; day = day.AddDate(0, 0, 1) {
		days++
		head := fmt.Sprintf("%02d%02d%02d", day.Year()%100, int(day.Month())+months[day.Year()/100], day.Day()) + draw(random, 4)
		last := (10 - sum(head, "1379137913")%10) % 10
		p, err := ParsePESEL(head + fmt.Sprint(last))
		sex := map[bool]Sex{true: Female, false: Male}[(head[9]-'0')%2 == 0]
		if err != nil || p.BirthOn() != day.Format(time.DateOnly) || p.Sex() != sex {
			t.Fatalf("%s%d is of %s, %s, %v; not of %s, %s", head, last, p.BirthOn(), p.Sex(), err, day.Format(time.DateOnly), sex)
		}
	}
	if days != 182621 {
		t.Errorf("five centuries have %d days", days)
	}
}

// iban puts the check digits before the rest of an account, by the arithmetic of whole numbers.
func iban(country, rest string) string {
	var digits strings.Builder
	for _, r := range rest + country + "00" {
		if r >= 'A' {
			fmt.Fprint(&digits, r-'A'+10)
		} else {
			digits.WriteRune(r)
		}
	}
	whole, _ := new(big.Int).SetString(digits.String(), 10)
	return fmt.Sprintf("%s%02d%s", country, 98-new(big.Int).Mod(whole, big.NewInt(97)).Int64(), rest)
}

// drawAccount draws an account of the form that the registry has for the country.
func drawAccount(random *rand.Rand, country string) string {
	var rest strings.Builder
	for form := registry[country]; form != ""; {
		size, kind, after := part(form)
		for range size {
			if kind == 'a' || kind == 'c' && random.IntN(2) == 0 {
				rest.WriteByte(byte('A' + random.IntN(26)))
			} else {
				rest.WriteByte(byte('0' + random.IntN(10)))
			}
		}
		form = after
	}
	if country == "PL" {
		bank := draw(random, 7)
		return iban("PL", bank+fmt.Sprint((10-sum(bank, "3971397")%10)%10)+draw(random, 16))
	}
	return iban(country, rest.String())
}

func TestEveryAccountWithARightSumPassesInEveryCountry(t *testing.T) {
	random := source()
	for country := range registry {
		for range 50 {
			want := drawAccount(random, country)
			account, err := ParseAccount(strings.ToLower(want))
			if err != nil || string(account) != want || !account.Domestic(country) {
				t.Fatalf("%s is %q, %v", want, account, err)
			}
			if country == "PL" {
				if bare, err := ParseAccount(want[2:]); bare != account || err != nil {
					t.Fatalf("%s without its country is %q, %v", want, bare, err)
				}
			}
		}
	}
}

func TestEveryGermanNumberHasExactlyOneCheckDigit(t *testing.T) {
	random := source()
	for range drawings {
		head := "1" + draw(random, 7)
		if got := completed(parsers["ust_id_nr"], head); len(got) != 11 || got[:10] != "DE"+head {
			t.Fatalf("%s became %q", head, got)
		}
		// Ten different digits, of which one is replaced by another.
		digits := []byte("1234567890")
		random.Shuffle(len(digits), func(i, j int) { digits[i], digits[j] = digits[j], digits[i] })
		digits[random.IntN(9)+1] = digits[0]
		want := digits[0] != '0'
		if got := completed(parsers["steuer_id"], string(digits)); want != (len(got) == 11) {
			t.Fatalf("%s became %q", digits, got)
		}
	}
}

// Where a check sum guarantees it, no changed digit passes. REGON is not among them: remainders 10 and 0 share a digit.
func TestOneChangedDigitIsRefused(t *testing.T) {
	seen := map[string]int{}
	for _, v := range vectors(t) {
		switch v.Kind {
		case "nip", "pesel", "ust_id_nr", "steuer_id", "account":
			if v.OK {
				seen[v.Kind]++
				refusesEveryChangedDigit(t, v.Kind, v.Canonical)
			}
		}
	}
	random := source()
	for range 200 {
		for _, country := range []string{"PL", "DE", "LT", "UA", "GB"} {
			refusesEveryChangedDigit(t, "account", drawAccount(random, country))
		}
	}
	if len(seen) != 5 {
		t.Errorf("only %v were tried", seen)
	}
}

func refusesEveryChangedDigit(t *testing.T, kind, canonical string) {
	t.Helper()
	for i := range canonical {
		if canonical[i] > '9' {
			continue
		}
		for digit := byte('0'); digit <= '9'; digit++ {
			if digit == canonical[i] {
				continue
			}
			if _, _, err := parsers[kind](canonical[:i]+string(digit)+canonical[i+1:], ""); err != ErrCheckDigit {
				t.Fatalf("%s %s with %c at %d is %v", kind, canonical, digit, i, err)
			}
		}
	}
}

// What a REGON does promise: a change that passes is one between the remainders 10 and 0.
func TestAChangedDigitOfAREGONPassesOnlyBetweenTenAndZero(t *testing.T) {
	random := source()
	passed := 0
	for range drawings {
		head := draw(random, 8)
		check := sum(head, "89234567") % 11
		changed := []byte(head)
		at := random.IntN(8)
		changed[at] = '0' + (changed[at]-'0'+byte(1+random.IntN(9)))%10
		if _, err := ParseREGON(string(changed) + fmt.Sprint(check%10)); err != nil {
			continue
		}
		passed++
		if other := sum(string(changed), "89234567") % 11; check+other != 10 || check*other != 0 {
			t.Fatalf("%s and %s share their check digit with %d and %d", head, changed, check, other)
		}
	}
	if passed == 0 {
		t.Error("no change passed, so this test says nothing")
	}
}

// Swapped neighbours are the other common slip: the sums modulo 11 and 97 catch each of them.
func TestSwappedNeighboursOfANIPAndAnAccountAreRefused(t *testing.T) {
	random := source()
	swap := func(kind, canonical string, from int) {
		for i := from; i+1 < len(canonical); i++ {
			if canonical[i] == canonical[i+1] || canonical[i] > '9' || canonical[i+1] > '9' {
				continue
			}
			swapped := canonical[:i] + canonical[i+1:i+2] + canonical[i:i+1] + canonical[i+2:]
			if _, _, err := parsers[kind](swapped, ""); err != ErrCheckDigit {
				t.Fatalf("%s %s is %v", kind, swapped, err)
			}
		}
	}
	for range 300 {
		if n := completed(parsers["nip"], "5"+draw(random, 8)); n != "" {
			swap("nip", n, 0)
		}
		swap("account", drawAccount(random, "PL"), 2)
		swap("account", drawAccount(random, "DE"), 2)
	}
}

func FuzzNoTextBreaksAParser(f *testing.F) {
	for _, v := range vectors(f) {
		if v.Times == 0 {
			f.Add(v.Input)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for kind, parse := range parsers {
			for _, country := range []string{"PL", "DE", ""} {
				n, canonical, err := parse(text, country)
				if err != nil {
					if _, declared := err.(Reason); !declared || canonical != "" {
						t.Fatalf("%s %q in %q is %q, %v", kind, text, country, canonical, err)
					}
					continue
				}
				for _, again := range []string{canonical, n.Display(), " " + n.Display() + "\u00a0"} {
					if _, same, err := parse(again, country); err != nil || same != canonical {
						t.Fatalf("%s %q in %q is %q, but %q is %q, %v", kind, text, country, canonical, again, same, err)
					}
				}
				if strings.ContainsFunc(canonical, func(r rune) bool { return r <= ' ' || r > '~' }) {
					t.Fatalf("%s %q is %q, which is no plain text", kind, text, canonical)
				}
			}
		}
	})
}

func FuzzOneChangedDigitIsRefused(f *testing.F) {
	f.Add("526025027", uint8(3), uint8(1))
	f.Add("4405140135", uint8(9), uint8(5))
	f.Add("13669597", uint8(0), uint8(9))
	f.Add("109010140000071219812874", uint8(12), uint8(2))
	f.Fuzz(func(t *testing.T, digits string, at, by uint8) {
		if by%10 == 0 || !allDigits(digits) || digits == "" {
			return
		}
		valid := map[string]string{"account": iban("DE", digits)}
		if len(digits) <= 11 {
			for _, kind := range []string{"nip", "pesel", "ust_id_nr", "steuer_id"} {
				valid[kind] = strings.TrimPrefix(completed(parsers[kind], digits), "DE")
			}
		}
		for kind, number := range valid {
			if _, _, err := parsers[kind](number, ""); err != nil {
				continue
			}
			i := int(at) % len(number)
			if number[i] > '9' {
				continue
			}
			changed := number[:i] + string('0'+(number[i]-'0'+by%10)%10) + number[i+1:]
			if _, _, err := parsers[kind](changed, ""); err != ErrCheckDigit {
				t.Fatalf("%s %s and %s: %v", kind, number, changed, err)
			}
		}
	})
}
