// Package fault declares what can go wrong in words that a program can act on
// and a person can read in five languages. A fault has a stable code; its
// texts live in the interface, which does not compile while one is missing.
package fault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Kind groups faults by what the caller should do; each kind is one HTTP status.
type Kind string

const (
	Malformed       Kind = "malformed"       // not understood at all
	Unauthenticated Kind = "unauthenticated" // sign in first
	Forbidden       Kind = "forbidden"       // this role may not
	NotFound        Kind = "not_found"       // not there, or not yours
	NotAllowed      Kind = "not_allowed"     // the address has no such method
	Conflict        Kind = "conflict"        // the state forbids it now
	TooLarge        Kind = "too_large"
	Unsupported     Kind = "unsupported" // wrong media type
	Invalid         Kind = "invalid"     // understood, but a field is wrong
	TooMany         Kind = "too_many"    // wait a while
	Busy            Kind = "busy"        // nothing was done; try again
	Internal        Kind = "internal"    // ours; the request id finds it in the log
)

// FieldCode says what is wrong with one field.
type FieldCode string

const (
	Required    FieldCode = "required"
	TooShort    FieldCode = "too_short"
	TooLong     FieldCode = "too_long"
	TooSmall    FieldCode = "too_small"
	TooBig      FieldCode = "too_large"
	WrongType   FieldCode = "wrong_type"
	WrongFormat FieldCode = "wrong_format"
	NotOneOf    FieldCode = "not_allowed"
	Unknown     FieldCode = "unknown"
	Duplicate   FieldCode = "duplicate"
	Overlaps    FieldCode = "overlaps" // another entry of the same list
	Wrong       FieldCode = "invalid"
)

// FieldCodes lists every field code, for the contract.
func FieldCodes() []FieldCode {
	return []FieldCode{Required, TooShort, TooLong, TooSmall, TooBig, WrongType, WrongFormat, NotOneOf, Unknown, Duplicate, Overlaps, Wrong}
}

// Field is one wrong field of a request, named as in the request.
type Field struct {
	Name   string
	Code   FieldCode
	Params map[string]string
}

// Fault is an error with a code. Values made by With, Field and Because are
// copies: a declared fault never changes.
type Fault struct {
	Code   string
	Kind   Kind
	Params map[string]string
	Fields []Field
	Retry  time.Duration // after which the same may be asked again; zero: it is not known
	cause  error
}

var (
	mu       sync.Mutex
	declared = map[string]*Fault{}
)

// Declare makes a fault. Codes are `package.what`, or one word for those of
// the ground; declaring one code twice panics.
func Declare(kind Kind, code string) *Fault {
	mu.Lock()
	defer mu.Unlock()
	if _, twice := declared[code]; twice {
		panic("fault: " + code + " is declared twice")
	}
	f := &Fault{Code: code, Kind: kind}
	declared[code] = f
	return f
}

// Codes lists every declared code in order, for the contract.
func Codes() []string {
	mu.Lock()
	defer mu.Unlock()
	codes := make([]string, 0, len(declared))
	for code := range declared {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return codes
}

func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.Code)
	for _, field := range f.Fields {
		fmt.Fprintf(&b, "; %s %s", field.Name, field.Code)
	}
	if f.cause != nil {
		b.WriteString(": " + f.cause.Error())
	}
	return b.String()
}

// Unwrap gives the cause, which is logged and never shown.
func (f *Fault) Unwrap() error { return f.cause }

// Is makes errors.Is compare codes.
func (f *Fault) Is(target error) bool {
	other, ok := target.(*Fault)
	return ok && other.Code == f.Code
}

func (f *Fault) copied() *Fault {
	c := *f
	c.Params = make(map[string]string, len(f.Params)+1)
	for k, v := range f.Params {
		c.Params[k] = v
	}
	c.Fields = slices.Clone(f.Fields)
	return &c
}

// With adds a parameter that the text shows. Never personal data: the text
// reaches logs.
func (f *Fault) With(name string, value any) *Fault {
	c := f.copied()
	c.Params[name] = fmt.Sprint(value)
	return c
}

// MaxFields is how many wrong fields a fault names. Of the rest it says how
// many there are, in the parameter "more": what a caller gets wrong many times
// must not cost more than what is done with it.
const MaxFields = 50

// Field adds a wrong field. Params come in pairs: name, value.
func (f *Fault) Field(name string, code FieldCode, params ...string) *Fault {
	c := f.copied()
	if len(c.Fields) >= MaxFields {
		return c.AndMore(1)
	}
	field := Field{Name: name, Code: code}
	for i := 0; i+1 < len(params); i += 2 {
		if field.Params == nil {
			field.Params = map[string]string{}
		}
		field.Params[params[i]] = params[i+1]
	}
	c.Fields = append(c.Fields, field)
	return c
}

// AndMore says that further fields are wrong, without naming them.
func (f *Fault) AndMore(count int) *Fault {
	before, _ := strconv.Atoi(f.Params["more"]) // absent: none
	return f.With("more", before+count)
}

// After says when the same may be asked again.
func (f *Fault) After(wait time.Duration) *Fault {
	c := f.copied()
	c.Retry = wait
	return c
}

// Because keeps the cause for the log.
func (f *Fault) Because(cause error) *Fault {
	c := f.copied()
	c.cause = cause
	return c
}
