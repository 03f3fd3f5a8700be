package i18n

import "testing"

// What browsers write, so that a page that the server has drawn reads the same once its script takes over.
func TestShortDays_AreThoseOfTheWebApplication(t *testing.T) {
	for l, want := range map[Language][5]string{
		Polish:    {"9 lis 2026", "9–15 lis 2026", "28 wrz–4 paź 2026", "29 gru 2025–4 sty 2026", "9 lis 2026"},
		English:   {"9 Nov 2026", "9 – 15 Nov 2026", "28 Sept – 4 Oct 2026", "29 Dec 2025 – 4 Jan 2026", "9 Nov 2026"},
		German:    {"9. Nov. 2026", "9.–15. Nov. 2026", "28. Sept. – 4. Okt. 2026", "29. Dez. 2025 – 4. Jan. 2026", "9. Nov. 2026"},
		Ukrainian: {"9 лист. 2026 р.", "9–15 лист. 2026 р.", "28 вер. – 4 жовт. 2026 р.", "29 груд. 2025 – 4 січ. 2026 рр.", "9 лист. 2026 р."},
		Russian:   {"9 нояб. 2026 г.", "9–15 нояб. 2026 г.", "28 сент. – 4 окт. 2026 г.", "29 дек. 2025 г. – 4 янв. 2026 г.", "9 нояб. 2026 г."},
	} {
		got := [5]string{ShortDay(l, "2026-11-09"), ShortDays(l, "2026-11-09", "2026-11-15"), ShortDays(l, "2026-09-28", "2026-10-04"),
			ShortDays(l, "2025-12-29", "2026-01-04"), ShortDays(l, "2026-11-09", "2026-11-09")}
		if got != want {
			t.Errorf("%s: %q, not %q", l, got, want)
		}
	}
	if got := ShortDays(Polish, "", "2026-11-09"); got != " – 09.11.2026" {
		t.Errorf("%q", got)
	}
}
