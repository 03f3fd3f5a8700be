package kinds

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// What is counted where, from a provider of rides or deliveries, written out
// once more by hand.
const declared = `
income TRIP DELIVERY WAITING_TIME CANCELLATION CLEANING_REPAIR INCREASE ADJUSTMENT REFUND
bonus BONUS PROMO
tips TIP
cash CASH_COLLECTED
fee FEE FEE_TAX FEE_RETURN DELIVERY_FEE CHARGE CHARGE_TAX PAYOUT_FEE ZONE_FEE SUBSCRIPTION CARD_FEE
fuel FUEL
cost COST DEPOSIT
credit INVOICE
tax TAX
contract CONTRACT_COST
settlement SETTLEMENT_COST
overpayment TAX_OVERPAYMENT
previous PREV_PERIOD_TRANSFER
informational PAYOUT BANKABLE
unknown UNKNOWN`

func TestEveryTypeHasItsCategory(t *testing.T) {
	want := map[string]Category{}
	var categories []Category
	for line := range strings.Lines(strings.TrimSpace(declared)) {
		words := strings.Fields(line)
		categories = append(categories, Category(words[0]))
		for _, name := range words[1:] {
			want[name] = Category(words[0])
		}
	}
	got := map[string]Category{}
	for _, line := range Types() {
		if _, twice := got[line.Name]; twice {
			t.Errorf("%s stands twice", line.Name)
		}
		got[line.Name] = line.Category
		if again, ok := Of(line.Name); !ok || again != line {
			t.Errorf("Of(%s) is %+v", line.Name, again)
		}
	}
	if !maps.Equal(got, want) || len(want) != 34 {
		t.Errorf("the table is %v; want %v", got, want)
	}
	if !slices.Equal(categories, Categories()) {
		t.Errorf("the categories are %v", Categories())
	}
}

func TestThreeTypesDependOnWhoBroughtThem(t *testing.T) {
	for _, c := range []struct {
		name, providers string
		amount          int64
		want            Category
	}{
		{"ADJUSTMENT", "BOLT UBER FREENOW UBER_EATS GLOVO STUART BOLT_FOOD INTERNAL", -100, Income},
		{"REFUND", "BOLT UBER FREENOW UBER_EATS GLOVO STUART BOLT_FOOD INTERNAL", 100, Income},
		{"CARD_FEE", "BOLT UBER FREENOW UBER_EATS GLOVO STUART BOLT_FOOD INTERNAL", -100, Fee},
		{"ADJUSTMENT", "ORLEN CIRCLEK FLOTEX REVOLUT PARTNER OTHER", -100, Cost},
		{"ADJUSTMENT", "ORLEN CIRCLEK FLOTEX REVOLUT PARTNER OTHER", 100, Credit},
		{"REFUND", "ORLEN CIRCLEK FLOTEX REVOLUT PARTNER OTHER", -1, Cost},
		{"REFUND", "ORLEN CIRCLEK FLOTEX REVOLUT PARTNER OTHER", 1, Credit},
		{"CARD_FEE", "ORLEN CIRCLEK FLOTEX", -100, Fuel},
		{"CARD_FEE", "REVOLUT PARTNER OTHER", -100, Cost},
		{"TRIP", "BOLT ORLEN PARTNER", -100, Income},
		{"COST", "REVOLUT ORLEN UBER", -100, Cost},
		{"SURPRISE", "UBER PARTNER", 100, Unsorted},
	} {
		for provider := range strings.FieldsSeq(c.providers) {
			if got := CategoryOf(c.name, provider, c.amount); got != c.want {
				t.Errorf("%s of %d from %s is %s, not %s", c.name, c.amount, provider, got, c.want)
			}
		}
	}
}

func TestOnlyWhatIsShownButNotEarnedIsNotCounted(t *testing.T) {
	for _, c := range Categories() {
		if want := c != "informational" && c != "unknown"; c.Counted() != want {
			t.Errorf("%s is counted: %v", c, c.Counted())
		}
	}
	for _, typ := range Types() {
		for provider := range byCode {
			for _, amount := range []int64{-1, 1} {
				if CategoryOf(typ.Name, provider, amount).Counted() != Counted(typ.Name) {
					t.Errorf("whether %s of %s is counted depends on more than the type", typ.Name, provider)
				}
			}
		}
	}
	if Counted("PAYOUT") || Counted("UNKNOWN") || !Counted("TRIP") {
		t.Error("a payout informs and a trip counts")
	}
}

func TestAPartnerEntersThreeTypesByHandEachWithItsSign(t *testing.T) {
	var names []string
	for _, line := range Types() {
		if line.ByHand {
			names = append(names, line.Name)
		}
		if line.Allows(0) {
			t.Errorf("%s of nothing can be booked", line.Name)
		}
	}
	if !slices.Equal(names, []string{"TRIP", "COST", "INVOICE"}) {
		t.Errorf("by hand: %v", names)
	}
	for _, c := range []struct {
		name  string
		signs [2]bool // minus, plus
	}{{"TRIP", [2]bool{true, true}}, {"COST", [2]bool{true, false}}, {"INVOICE", [2]bool{false, true}}, {"CASH_COLLECTED", [2]bool{true, true}}} {
		line, _ := Of(c.name)
		if got := [2]bool{line.Allows(-1), line.Allows(1)}; got != c.signs {
			t.Errorf("%s may be minus, plus: %v", c.name, got)
		}
	}
}

func TestWhatOnlyThePartnerKnowsComesFromItsOwnSheetsAlone(t *testing.T) {
	own := []string{"INVOICE", "CONTRACT_COST", "SETTLEMENT_COST", "TAX_OVERPAYMENT"}
	for _, line := range Types() {
		for provider := range byCode {
			if want := byCode[provider].OwnSheets || !slices.Contains(own, line.Name); line.CarriedBy(provider) != want {
				t.Errorf("%s from %s: %v", line.Name, provider, !want)
			}
		}
		if line.CarriedBy("NOBODY") {
			t.Errorf("%s comes from nobody", line.Name)
		}
	}
}
