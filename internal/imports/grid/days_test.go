package grid

import (
	"testing"
)

func TestNamesOfFilesSayTheirDays(t *testing.T) {
	for name, want := range map[string]string{
		"Zarobki na kierowcę-2026W39-The King Sp_ z o_o_.csv":                     "2026-09-21..2026-09-27",
		"Zarobki na kierowcę-2026W39-The King Sp_ z o_o_ (1).csv":                 "2026-09-21..2026-09-27",
		"Zarobki_na_kierowce\u0328-2026-W53-Firma.csv":                            "2026-12-28..2027-01-03",
		"Zarobki na kierowcę-31 sie 2026-1 wrz 2026-DA INVESTMENT SP_ Z O_O_.csv": "2026-08-31..2026-09-01",
		"Zarobki_na_kierowcę_31_sie_2026_1_wrz_2026_DA_INVESTMENT_2025_01.csv":    "2026-08-31..2026-09-01",
		"Zarobki na kierowcę-1 paz\u0301 2026-31 paź 2026-Firma.csv":              "2026-10-01..2026-10-31",
		"Zarobki na kierowcę-13_09_2025-13_09_2025-Firma.csv":                     "2025-09-13..2025-09-13",
		"Umsatz pro Fahrer_in-2025-11-Müller Taxi GmbH.csv":                       "2025-11-01..2025-11-30",
		"Umsatz pro Fahrer_in-2024-02 (1).csv":                                    "2024-02-01..2024-02-29",
		"Umsatz pro Fahrer_in-1 Jan_ 2026-31 März 2026-Müller.csv":                "2026-01-01..2026-03-31",
		"Ganhos por motorista-30 dez 2025-31 mai 2026-Empresa.csv":                "2025-12-30..2026-05-31",
		"Ganhos por motorista-30 de dez de 2025-31 de mai de 2026-Empresa.csv":    "2025-12-30..2026-05-31",
		"Earnings per driver-5 May 2026-11 May 2026-Fleet.csv":                    "2026-05-05..2026-05-11",
		"earnings_2026-09-21_2026-09-27_with_VAT.csv":                             "2026-09-21..2026-09-27",
		"earnings_2026-09-21_2026-09-27 (2).zip":                                  "2026-09-21..2026-09-27",
		"fleet_courier_earnings_and_balances_2026_W34.csv":                        "2026-08-17..2026-08-23",
		"fleet_courier_earnings_and_balances_2026_W39_2.xlsx":                     "2026-09-21..2026-09-27",
		"Заробіток-1 вер 2026-7 вер 2026.csv":                                     "2026-09-01..2026-09-07",
		"bolt-earnings-pl.csv":                                                    "",
		"Zarobki na kierowcę-2025W53-Firma.csv":                                   "", // 2025 has 52 weeks
		"earnings_2026-09-27_2026-09-21.csv":                                      "", // backwards
		"report 2026-09-21.csv":                                                   "", // one day is no span that a portal writes
		"":                                                                        "",
		"9999W52":                                                                 "",
	} {
		got := ""
		if span, ok := Days(name); ok {
			got = string(span.From) + ".." + string(span.To)
		}
		if got != want {
			t.Errorf("%q covers %q instead of %q", name, got, want)
		}
	}
}

func FuzzDays(f *testing.F) {
	f.Add("Zarobki na kierowcę-31 sie 2026-1 wrz 2026-Firma.csv")
	f.Fuzz(func(t *testing.T, name string) {
		if span, ok := Days(name); ok && (span.From == "" || span.To < span.From) {
			t.Errorf("%q covers %v", name, span)
		}
	})
}
