package bankstatement

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

const (
	accountA = "PL27114020040000300201355387"
	accountB = "PL61109010140000071219812874"
)

func TestWhatDecidesAboutATransfer(t *testing.T) {
	one := Transfer{ID: "a", Account: accountA, Amount: 100_00, Title: "Rozliczenie 2026-W45 Żółć", EndToEnd: "E1", Reference: "B1"}
	out := Entry{Amount: -100_00, Account: accountA, Title: "rozliczenie 2026-w45 zolc"}
	change := func(e Entry, with func(*Entry)) Entry { with(&e); return e }
	back := change(out, func(e *Entry) { e.Amount, e.Returned = 100_00, true })
	same := one
	same.ID, same.EndToEnd, same.Reference = "b", "E2", ""
	otherB := Transfer{ID: "b", Account: accountB, Amount: 50_00, Title: "Rozliczenie B", EndToEnd: "E2"}
	for _, c := range []struct {
		name      string
		transfers []Transfer
		entries   []Entry
		want      string
	}{
		{"nothing there", []Transfer{one}, nil, "unclear not_found -1 -1"},
		{"the id", []Transfer{one}, []Entry{{Amount: -100_00, EndToEnd: "E1"}}, "paid id 0 -1"},
		{"the reference", []Transfer{one}, []Entry{{Amount: -100_00, Reference: "B1"}}, "paid id 0 -1"},
		{"the id before what looks alike", []Transfer{one}, []Entry{out, {Amount: -100_00, EndToEnd: "E1"}}, "paid id 1 -1"},
		{"the id with another amount", []Transfer{one}, []Entry{{Amount: -99_99, EndToEnd: "E1"}, out}, "unclear other_amount 0 -1"},
		{"the id twice", []Transfer{one}, []Entry{{Amount: -100_00, EndToEnd: "E1"}, {Amount: -100_00, EndToEnd: "E1", Place: "2"}}, "unclear several -1 -1"},
		{"account, amount and title", []Transfer{one}, []Entry{change(out, func(e *Entry) { e.Title = "x" }), out}, "paid title 1 -1"},
		{"account and amount alone", []Transfer{one}, []Entry{change(out, func(e *Entry) { e.Title = "" })}, "paid account 0 -1"},
		{"account and amount of two entries", []Transfer{one}, []Entry{change(out, func(e *Entry) { e.Title = "x" }), change(out, func(e *Entry) { e.Title = "y" })}, "unclear several -1 -1"},
		{"another amount", []Transfer{one}, []Entry{change(out, func(e *Entry) { e.Amount = -100_01 })}, "unclear not_found -1 -1"},
		{"another account", []Transfer{one}, []Entry{change(out, func(e *Entry) { e.Account = accountB })}, "unclear not_found -1 -1"},
		{"an account without its country", []Transfer{one}, []Entry{change(out, func(e *Entry) { e.Account = accountA[2:] })}, "paid title 0 -1"},
		{"a return beats the payment", []Transfer{one}, []Entry{out, back}, "returned title 0 1"},
		{"a return by its id", []Transfer{one}, []Entry{out, {Amount: 100_00, EndToEnd: "E1"}}, "returned id 0 1"},
		{"a return alone", []Transfer{one}, []Entry{back}, "returned title -1 0"},
		{"money of the driver is no return", []Transfer{one}, []Entry{out, change(back, func(e *Entry) { e.Returned = false })}, "paid title 0 -1"},
		{"a return of nobody", []Transfer{one}, []Entry{out, {Amount: 100_00, Returned: true}}, "unclear loose_return 0 -1"},
		{"what is taken back pays nobody", []Transfer{one}, []Entry{change(out, func(e *Entry) { e.Returned = true })}, "unclear not_found -1 -1"},
		{"equal ones, all there", []Transfer{one, same}, []Entry{out, change(out, func(e *Entry) { e.Place = "2" })}, "paid title 0 -1, paid title 1 -1"},
		{"equal ones, one there", []Transfer{one, same}, []Entry{out}, "unclear several -1 -1, unclear several -1 -1"},
		{"one sum", []Transfer{one, otherB}, []Entry{{Amount: -150_00}}, "paid one_sum 0 -1, paid one_sum 0 -1"},
		{"one sum, one returned", []Transfer{one, otherB}, []Entry{{Amount: -150_00}, back}, "returned title 0 1, paid one_sum 0 -1"},
		{"two such sums", []Transfer{one, otherB}, []Entry{{Amount: -150_00}, {Amount: -150_00, Place: "2"}}, "unclear several -1 -1, unclear several -1 -1"},
		{"a sum beside single ones", []Transfer{one, otherB}, []Entry{{Amount: -150_00}, out}, "paid title 1 -1, unclear not_found -1 -1"},
		{"one transfer is no sum", []Transfer{one}, []Entry{{Amount: -100_00}}, "unclear not_found -1 -1"},
		{"a batch's reference on each part", []Transfer{with(one, "B1"), with(otherB, "B1")}, []Entry{change(out, func(e *Entry) { e.Reference = "B1" }), {Amount: -50_00, Account: accountB, Reference: "B1"}}, "paid title 0 -1, paid account 1 -1"},
		{"two files, each its own sum", []Transfer{one, otherB, of(2, one, "c"), of(2, otherB, "d"), of(2, otherB, "e")}, []Entry{{Amount: -150_00}, {Amount: -200_00}},
			"paid one_sum 0 -1, paid one_sum 0 -1, paid one_sum 1 -1, paid one_sum 1 -1, paid one_sum 1 -1"},
		{"two files with one sum", []Transfer{one, otherB, of(2, one, "c"), of(2, otherB, "d")}, []Entry{{Amount: -150_00}}, "unclear several -1 -1, unclear several -1 -1, unclear several -1 -1, unclear several -1 -1"},
		{"before it was there", []Transfer{since(one, "2026-11-17")}, []Entry{on(out, "2026-11-16")}, "unclear not_found -1 -1"},
		{"on its first day", []Transfer{since(one, "2026-11-17")}, []Entry{on(out, "2026-11-16"), on(out, "2026-11-17")}, "paid title 1 -1"},
		{"the older gets the older entry", []Transfer{since(same, "2026-11-17"), since(one, "2026-11-10")}, []Entry{on(out, "2026-11-18"), on(out, "2026-11-11")}, "paid title 0 -1, paid title 1 -1"},
		{"both entries are before the second", []Transfer{since(same, "2026-11-17"), since(one, "2026-11-10")}, []Entry{on(out, "2026-11-12"), on(out, "2026-11-11")}, "unclear not_found -1 -1, paid title 1 -1"},
		{"known as paid, once more", []Transfer{paid(one, "2026-11-16")}, []Entry{on(out, "2026-11-16")}, "unclear known 0 -1"},
		{"known as paid, and another like it", []Transfer{paid(one, "2026-11-16"), same}, []Entry{on(out, "2026-11-16"), on(out, "2026-11-17")}, "unclear known 0 -1, paid title 1 -1"},
		{"known as paid takes nothing of another day", []Transfer{paid(one, "2026-11-09"), same}, []Entry{on(out, "2026-11-16")}, "unclear known -1 -1, paid title 0 -1"},
		{"known as paid, now returned", []Transfer{paid(one, "2026-11-16")}, []Entry{on(back, "2026-11-18")}, "returned title -1 0"},
		{"known as returned, once more", []Transfer{returned(one, "2026-11-18"), same}, []Entry{on(back, "2026-11-18")}, "unclear known -1 0, unclear not_found -1 -1"},
		{"known as one sum, and another file of that sum", []Transfer{paid(one, "2026-11-16"), paid(otherB, "2026-11-16"), of(2, one, "c"), of(2, otherB, "d")},
			[]Entry{on(Entry{Amount: -150_00}, "2026-11-16")}, "unclear known 0 -1, unclear known 0 -1, unclear not_found -1 -1, unclear not_found -1 -1"},
	} {
		var got []string
		for _, p := range Match(c.transfers, c.entries) {
			got = append(got, fmt.Sprint(p.Outcome, " ", p.Why, " ", p.Entry, " ", p.Return))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %q, not %q", c.name, text, c.want)
		}
	}
}

func with(t Transfer, reference string) Transfer { t.Reference = reference; return t }

func of(file int64, t Transfer, id string) Transfer {
	t.File, t.ID, t.EndToEnd, t.Reference = file, id, "", ""
	return t
}
func since(t Transfer, day calendar.Date) Transfer    { t.Since = day; return t }
func paid(t Transfer, day calendar.Date) Transfer     { t.PaidOn = day; return t }
func returned(t Transfer, day calendar.Date) Transfer { t.PaidOn, t.ReturnedOn = day, day; return t }
func on(e Entry, day calendar.Date) Entry             { e.Day = day; return e }

// random are transfers and entries that are often alike.
func random(r *rand.Rand) (transfers []Transfer, entries []Entry) {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	for i := range r.IntN(6) {
		transfers = append(transfers, Transfer{ID: fmt.Sprint("t", i), Account: pick(accountA, accountB), Amount: money.Amount(1 + r.IntN(3)), Title: pick("x", "y", "Ł"), EndToEnd: pick("", fmt.Sprint("E", i), "E0"), Reference: pick("", "B", fmt.Sprint("B", i)),
			Since: calendar.Date(pick("", "2026-11-16", "2026-11-17")), PaidOn: calendar.Date(pick("", "", "", "2026-11-17"))})
	}
	for i := range r.IntN(9) {
		amount := money.Amount(r.IntN(8)) - 5
		entries = append(entries, Entry{Day: calendar.Date("2026-11-15").AddDays(r.IntN(4)), Amount: amount, Account: pick("", accountA, accountB), Title: pick("", "x", "y", "l"), EndToEnd: pick("", "", "E0", "E1", "E2"), Reference: pick("", "", "B", "B1"), Returned: r.IntN(3) == 0, Place: fmt.Sprint("line ", i)})
	}
	return transfers, entries
}

func TestEveryEntryServesOneTransferWhateverTheOrder(t *testing.T) {
	outcomes := map[string]int{}
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		transfers, entries := random(r)
		proposals := Match(transfers, entries)
		if len(proposals) != len(transfers) {
			t.Fatalf("seed %d: %d proposals of %d", seed, len(proposals), len(transfers))
		}
		served := map[int]int{}
		for i, p := range proposals {
			outcomes[string(p.Outcome)+" "+string(p.Why)]++
			if p.TransferID != transfers[i].ID {
				t.Fatalf("seed %d: %+v", seed, p)
			}
			if p.Entry >= 0 {
				if !p.OneSum || i == 0 {
					served[p.Entry]++
				}
				if p.OneSum != proposals[0].OneSum {
					t.Fatalf("seed %d: a sum of some: %+v", seed, proposals)
				}
				if e := entries[p.Entry]; e.Amount >= 0 || e.Returned || !p.OneSum && p.Why != OtherAmount && -e.Amount != transfers[i].Amount {
					t.Fatalf("seed %d: %+v by %+v", seed, p, e)
				} else if (p.Why == ByTitle || p.Why == ByAccount) && p.Outcome == Paid && e.Day < transfers[i].Since {
					t.Fatalf("seed %d: %+v before it was there", seed, p)
				}
			}
			if p.Return >= 0 {
				served[p.Return]++
				if e := entries[p.Return]; e.Amount != transfers[i].Amount || p.Outcome != Returned {
					t.Fatalf("seed %d: %+v by %+v", seed, p, e)
				}
			}
			if (p.Outcome == Paid && p.Entry < 0) || (p.Outcome == Returned && p.Return < 0) {
				t.Fatalf("seed %d: %+v by nothing", seed, p)
			}
		}
		for e, times := range served {
			if times != 1 {
				t.Fatalf("seed %d: entry %d serves %d transfers: %+v", seed, e, times, proposals)
			}
		}
		mixed := slices.Clone(entries)
		r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		if a, b := placed(proposals, entries), placed(Match(transfers, mixed), mixed); a != b {
			t.Fatalf("seed %d: in another order\n%s\n%s", seed, a, b)
		}
	}
	if len(outcomes) < 9 {
		t.Errorf("not all outcomes came about: %v", outcomes)
	}
}

// placed are proposals with the places of their entries.
func placed(proposals []Proposal, entries []Entry) string {
	place := func(e int) string {
		if e < 0 {
			return "-"
		}
		return entries[e].Place
	}
	var text strings.Builder
	for _, p := range proposals {
		fmt.Fprintln(&text, p.TransferID, p.Outcome, p.Why, place(p.Entry), place(p.Return))
	}
	return text.String()
}
