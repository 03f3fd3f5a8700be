package identity

import (
	"bytes"
	"errors"

	"github.com/go-jose/go-jose/v4/json"
)

// latest is the second after which no time of a token lies: the last of the year 9999. Larger numbers turn into any other time.
const latest = 253402300799

// readClaims reads what a token says, as strictly as it was meant: names count letter by letter and once, which Go's own reader does
// not ask for, times are numbers that a clock can show, and no text holds a zero byte, which PostgreSQL cannot be asked for.
func readClaims(payload []byte, into any) error {
	if bytes.Contains(payload, []byte(`\u0000`)) {
		return errors.New("a text has a zero byte")
	}
	var times struct {
		Ends       *float64 `json:"exp"`
		Begins     *float64 `json:"nbf"`
		Made       *float64 `json:"iat"`
		SignedInAt *float64 `json:"auth_time"`
	}
	if err := json.Unmarshal(payload, &times); err != nil {
		return err
	}
	for _, at := range []*float64{times.Ends, times.Begins, times.Made, times.SignedInAt} {
		if at != nil && (*at < 0 || *at > latest) {
			return errors.New("a time that is none")
		}
	}
	return json.Unmarshal(payload, into)
}

// UnmarshalJSON reads the claims of an access token.
func (c *Claims) UnmarshalJSON(payload []byte) error {
	type plain Claims
	return readClaims(payload, (*plain)(c))
}

// UnmarshalJSON reads the claims of a logout token.
func (c *logoutClaims) UnmarshalJSON(payload []byte) error {
	type plain logoutClaims
	return readClaims(payload, (*plain)(c))
}
