package payments

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// tolerance is how far the instant of an event may be from now, either way: clocks differ, and a delivery takes a while.
const tolerance = 5 * time.Minute

// Sign signs a body at an instant as Stripe does: t=, the seconds; v1=, HMAC-SHA256 of the seconds, a dot and the body.
func Sign(secret string, at time.Time, body []byte) string {
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(signatureOf(secret, strconv.FormatInt(at.Unix(), 10), body)))
}

// Signed says whether one of the signatures was made with one of the secrets, of this body and about now.
func Signed(signatures string, secrets []string, body []byte, now time.Time) bool {
	var seconds string
	var given [][]byte
	for part := range strings.SplitSeq(signatures, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			if seconds != "" {
				return false
			}
			seconds = value
		case "v1":
			if signature, err := hex.DecodeString(value); err == nil {
				given = append(given, signature)
			}
		}
	}
	at, err := strconv.ParseInt(seconds, 10, 64)
	if away := now.Sub(time.Unix(at, 0)); err != nil || away > tolerance || away < -tolerance {
		return false
	}
	genuine := false
	for _, secret := range secrets {
		want := signatureOf(secret, seconds, body)
		for _, signature := range given {
			genuine = hmac.Equal(signature, want) && secret != "" || genuine
		}
	}
	return genuine
}

func signatureOf(secret, seconds string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(seconds + "."))
	mac.Write(body)
	return mac.Sum(nil)
}
