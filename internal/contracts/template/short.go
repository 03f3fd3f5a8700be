package template

import (
	"net/netip"
	"strings"
)

// ShortAddress is an address without its end, as people see it.
func ShortAddress(address string) string {
	at, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	bits := 24
	if at.Is6() && !at.Is4In6() {
		bits = 48
	}
	prefix, err := at.Unmap().Prefix(bits)
	if err != nil {
		return ""
	}
	return prefix.String()
}

// ShortEmail is an address of which strangers learn little.
func ShortEmail(email string) string {
	name, domain, ok := strings.Cut(email, "@")
	if !ok || name == "" {
		return ""
	}
	return string([]rune(name)[:1]) + "…@" + domain
}

// Initials are what strangers learn of a name.
func Initials(name string) string {
	var all strings.Builder
	for _, word := range strings.Fields(name) {
		all.WriteString(string([]rune(word)[:1]) + ".")
	}
	return all.String()
}
