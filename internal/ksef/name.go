package ksef

import (
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"strings"
)

// shortNames are those that KSeF's own clients write; other attributes go by their numbers.
var shortNames = map[string]string{"2.5.4.3": "CN", "2.5.4.4": "SN", "2.5.4.5": "SERIALNUMBER", "2.5.4.6": "C", "2.5.4.7": "L",
	"2.5.4.8": "S", "2.5.4.9": "STREET", "2.5.4.10": "O", "2.5.4.11": "OU", "2.5.4.12": "T", "2.5.4.42": "G", "2.5.4.43": "I",
	"1.2.840.113549.1.9.1": "E", "0.9.2342.19200300.100.1.25": "DC"}

// issuerName is the name of a certificate's issuer as KSeF's own clients write it: from the last part to the first, values in quotes where
// they have signs of the notation. The standard library's form has numbers in place of organisation identifiers, which KSeF refuses.
func issuerName(raw []byte) (string, error) {
	var names pkix.RDNSequence
	if rest, err := asn1.Unmarshal(raw, &names); err != nil || len(rest) > 0 {
		return "", errors.New("ksef: the certificate's issuer cannot be read")
	}
	parts := make([]string, len(names))
	for n, set := range names {
		var pairs []string
		for _, one := range set {
			key, known := shortNames[one.Type.String()]
			if !known {
				key = "OID." + one.Type.String()
			}
			pairs = append(pairs, key+"="+quoted(fmt.Sprint(one.Value)))
		}
		parts[len(names)-1-n] = strings.Join(pairs, " + ")
	}
	return strings.Join(parts, ", "), nil
}

func quoted(value string) string {
	if !strings.ContainsAny(value, ",+=\"\n<>#;") && strings.TrimSpace(value) == value && value != "" {
		return value
	}
	return `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
}
