package billing

import (
	"testing"

	"saldo/internal/kernel/money"
)

func TestAmountsInPolishWords(t *testing.T) {
	for a, want := range map[money.Amount]string{0: "zero zł 00/100", 1: "zero zł 01/100", 1_00: "jeden zł 00/100", 14_05: "czternaście zł 05/100", 22_00: "dwadzieścia dwa zł 00/100", 105_99: "sto pięć zł 99/100",
		1000_00: "tysiąc zł 00/100", 2105_07: "dwa tysiące sto pięć zł 07/100", 12_000_00: "dwanaście tysięcy zł 00/100", 21_019_00: "dwadzieścia jeden tysięcy dziewiętnaście zł 00/100",
		1_000_000_00: "milion zł 00/100", 3_400_522_10: "trzy miliony czterysta tysięcy pięćset dwadzieścia dwa zł 10/100", 5_000_000_00: "pięć milionów zł 00/100", 1_000_000_000_00: "1000000000.00 zł"} {
		if got := inPolish(a); got != want {
			t.Errorf("%d: %s", int64(a), got)
		}
	}
}
