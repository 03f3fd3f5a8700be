// Package numbers tells KSeF's numbers from other texts.
package numbers

import (
	"fmt"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/official"
)

// checkSum is the CRC-8 with the polynomial 07 that ends KSeF's numbers.
func checkSum(text string) string {
	var crc byte
	for n := range len(text) {
		crc ^= text[n]
		for range 8 {
			if crc&0x80 != 0 {
				crc = crc<<1 ^ 0x07
			} else {
				crc <<= 1
			}
		}
	}
	return fmt.Sprintf("%02X", crc)
}

// IsInvoice says whether KSeF could have given the number: a tax id, a day, twelve digits and a sum of them all.
func IsInvoice(number string) bool {
	return has(number, "NNNNNNNNNN-DDDDDDDD-XXXXXXXXXXXX-XX") && isDay(number[11:19]) && isNIP(number[:10]) &&
		checkSum(number[:32]) == number[33:]
}

// IsFormer says whether KSeF 1.0 could have given the number, which invoices of that time keep. Its sum is not checked.
func IsFormer(number string) bool {
	return has(number, "NNNNNNNNNN-DDDDDDDD-XXXXXX-XXXXXX-XX") && isDay(number[11:19]) && isNIP(number[:10])
}

// IsCollective says whether KSeF could have given the identifier for several invoices of one seller, which a transfer names.
func IsCollective(identifier string) bool {
	return has(identifier, "NNNNNNNNNN-IZDDDDDD-XXXXXXXXXXXX-XX") && isDay(identifier[13:19]+"01") && isNIP(identifier[:10]) &&
		checkSum(identifier[:32]) == identifier[33:]
}

// has says whether a text is like a pattern of digits N and D and hexadecimal digits X.
func has(text, pattern string) bool {
	if len(text) != len(pattern) {
		return false
	}
	for n := range len(text) {
		c, digit := text[n], text[n] >= '0' && text[n] <= '9'
		switch pattern[n] {
		case 'N', 'D':
			if !digit {
				return false
			}
		case 'X':
			if !digit && (c < 'A' || c > 'F') {
				return false
			}
		default:
			if c != pattern[n] {
				return false
			}
		}
	}
	return true
}

func isDay(digits string) bool {
	return calendar.Date(digits[:4] + "-" + digits[4:6] + "-" + digits[6:]).Exists()
}

func isNIP(digits string) bool {
	_, err := official.ParseNIP(digits)
	return err == nil
}
