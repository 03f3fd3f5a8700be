package wire

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Said is what KSeF said instead of doing what it was asked.
type Said struct {
	Thing  Thing // that ended with the code; empty: the call itself was refused
	HTTP   int   // 0: there was no answer, and what was asked for may have been done
	Codes  []int
	Reason string // one word of the machine's own
	Trace  string // by which KSeF finds the call again
	After  time.Duration
	// Words are KSeF's own. They may name people: they are for whoever may see the invoice, never for a log.
	Words []string

	cause error // that of the context
}

func (s *Said) Error() string {
	text := "ksef: no answer"
	if s.HTTP != 0 {
		text = fmt.Sprintf("ksef: HTTP %d", s.HTTP)
	}
	if s.Thing != "" {
		text += " " + string(s.Thing)
	}
	for _, code := range s.Codes {
		text += fmt.Sprintf(" %d", code)
	}
	if s.Reason != "" {
		text += " " + s.Reason
	}
	if s.Trace != "" {
		text += " (" + s.Trace + ")"
	}
	return text
}

// Unwrap is why the caller gave up, if it did.
func (s *Said) Unwrap() error { return s.cause }

// Has says whether an error is KSeF's with the code.
func Has(err error, code int) bool {
	var s *Said
	if errors.As(err, &s) {
		for _, one := range s.Codes {
			if one == code {
				return true
			}
		}
	}
	return false
}

// KindOf says what is to be done about an error; empty: it is none of KSeF's.
func KindOf(err error) Kind {
	var s *Said
	if errors.As(err, &s) {
		return s.Kind()
	}
	return ""
}

// The reasons that are not KSeF's own.
const (
	reasonUnreadable = "unreadable"
	reasonTooLarge   = "too-large"
	reasonHash       = "hash"
)

// errAddress is the answer to an address that is not KSeF's.
var errAddress = errors.New("ksef: this is no address of the environment")

// failure is an error as KSeF writes it: problem details, or its own form.
type failure struct {
	TraceID    string `json:"traceId"`
	ReasonCode string `json:"reasonCode"`
	Errors     []struct {
		Code        int      `json:"code"`
		Description string   `json:"description"`
		Details     []string `json:"details"`
	} `json:"errors"`
	Exception *struct {
		List []struct {
			Code        int      `json:"exceptionCode"`
			Description string   `json:"exceptionDescription"`
			Details     []string `json:"details"`
		} `json:"exceptionDetailList"`
	} `json:"exception"`
}

// Kind is what is to be done about what KSeF said.
type Kind string

// The kinds.
const (
	Again   Kind = "again"   // nothing is wrong with what was sent: take the step anew, in a new session if it had one
	Later   Kind = "later"   // as Again, not before After has passed
	SignIn  Kind = "sign in" // with a new token
	Keys    Kind = "keys"    // fetch KSeF's keys and take the step anew
	People  Kind = "people"  // somebody has to give a right, or another certificate
	Refused Kind = "refused" // what was sent will never be taken
	running Kind = "running" // ask again
	done    Kind = "done"
)

// codes of calls that are refused. Those that are not here are Refused.
var codes = map[int]Kind{
	21001: Refused, 21217: Refused, 21401: Refused, 21402: Refused, 21403: Refused, 21405: Refused, 9101: Refused, 9102: Refused,
	9103:  Refused,
	21115: People, 21117: People, 21308: People, 21406: People, 9105: People, 25001: People, 25002: People, 25006: People, 25007: People,
	21111: SignIn, 21301: SignIn, 21304: SignIn,
	21470: Keys,
	21155: Again, 21173: Again, 21180: Again, 21208: Again, 21175: Again, 21205: Again,
	21165: Later, 21182: Later, 21183: Later,
	21166: Refused, 21167: Refused, 21157: Refused, 21161: Refused, 21164: Refused, 21181: Refused, 21418: Refused,
	71001: Refused, 71002: Refused, 30001: Refused, 25003: Refused, 25004: Refused, 25005: Again, 25010: Refused, 25011: Refused,
}

// Thing is what KSeF does by itself after a call was taken.
type Thing string

// The things.
const (
	OfSignIn     Thing = "sign-in"
	OfOnline     Thing = "online session"
	OfBatch      Thing = "batch"
	OfInvoice    Thing = "invoice"
	OfExport     Thing = "export"
	OfPermission Thing = "permission"
	OfEnrolment  Thing = "enrolment"
)

// endings are the codes with which things end.
var endings = map[Thing]map[int]Kind{
	OfSignIn:     {415: People, 425: SignIn, 450: People, 460: People, 470: People, 480: People},
	OfOnline:     {170: running, 415: Keys, 440: Again, 445: Refused},
	OfBatch:      {150: running, 405: Again, 415: Keys, 420: Refused, 430: Refused, 435: Again, 440: Again, 445: Refused},
	OfInvoice:    {150: running, 405: Again, 410: People, 415: People, 430: Refused, 435: Refused, 440: Refused, 450: Refused},
	OfExport:     {210: Again, 415: Keys, 420: Later},
	OfPermission: {400: Refused, 410: Refused, 420: People, 430: People, 440: Refused, 450: Refused},
	OfEnrolment:  {400: Refused},
}

// Kind says what is to be done.
func (s *Said) Kind() Kind {
	if s.Thing != "" && len(s.Codes) > 0 {
		return Status{Code: s.Codes[0]}.kind(s.Thing)
	}
	switch {
	case s.HTTP == http.StatusTooManyRequests, s.HTTP == http.StatusServiceUnavailable && s.After > 0:
		return Later
	case s.HTTP == http.StatusUnauthorized:
		return SignIn
	case s.HTTP == http.StatusForbidden:
		return People
	case s.Reason == reasonTooLarge:
		return Refused
	case s.HTTP < http.StatusBadRequest, s.HTTP >= http.StatusInternalServerError, s.HTTP == http.StatusRequestTimeout,
		s.HTTP == http.StatusGone:
		return Again
	}
	for _, code := range s.Codes {
		if kind, known := codes[code]; known {
			return kind
		}
	}
	return Refused
}

// Status is how far KSeF is with something.
type Status struct {
	Code        int      `json:"code"`
	Description string   `json:"description"`
	Details     []string `json:"details"` // may name people
}

func (s Status) kind(of Thing) Kind {
	switch s.Code {
	case 100:
		return running
	case 200:
		return done
	case 500, 550:
		return Again
	}
	if kind, known := endings[of][s.Code]; known {
		return kind
	}
	return Refused
}

// Running says whether KSeF is still at it.
func (s Status) Running(of Thing) bool { return s.kind(of) == running }

// Err is nil while KSeF is at it and where it has done it, else what it says.
func (s Status) Err(of Thing) error {
	if kind := s.kind(of); kind == running || kind == done {
		return nil
	}
	return &Said{Thing: of, HTTP: http.StatusOK, Codes: []int{s.Code}, Words: append([]string{s.Description}, s.Details...)}
}
