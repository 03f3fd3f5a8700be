package i18n

import (
	"testing"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

func TestAmountsRatesAndDaysAreWrittenTheWayPeopleWriteThem(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Amount(Polish, 123456789), "1\u00a0234\u00a0567,89"}, {Amount(German, 123456), "1.234,56"}, {Amount(English, -123456), "\u22121,234.56"},
		{Amount(Ukrainian, 5), "0,05"}, {Amount(Russian, -100), "\u22121,00"}, {Amount(Polish, money.Amount(-1<<63)), "\u221292\u00a0233\u00a0720\u00a0368\u00a0547\u00a0758,08"},
		{Percent(Polish, 800), "8"}, {Percent(German, 850), "8,5"}, {Percent(English, 1225), "12.25"}, {Percent(Polish, 10000), "100"},
		{Day(Polish, "2026-11-08"), "08.11.2026"}, {Day(English, "2026-11-08"), "8\u00a0Nov\u00a02026"}, {Day(German, ""), ""},
		{Days(Ukrainian, calendar.Date("2026-11-02"), "2026-11-08"), "02.11.2026 – 08.11.2026"},
	} {
		if c.got != c.want {
			t.Errorf("%q, not %q", c.got, c.want)
		}
	}
}
