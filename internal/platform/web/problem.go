package web

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
)

// Faults that any request can meet.
var (
	ErrInternal        = fault.Declare(fault.Internal, "internal")
	ErrMalformed       = fault.Declare(fault.Malformed, "request.malformed")
	ErrInvalid         = fault.Declare(fault.Invalid, "request.invalid")
	ErrTooLarge        = fault.Declare(fault.TooLarge, "request.too_large")
	ErrTimeout         = fault.Declare(fault.Busy, "request.timeout")
	ErrNoRoute         = fault.Declare(fault.NotFound, "request.not_found")
	ErrMethod          = fault.Declare(fault.NotAllowed, "request.method_not_allowed")
	ErrMediaType       = fault.Declare(fault.Unsupported, "request.unsupported_media_type")
	ErrUnauthenticated = fault.Declare(fault.Unauthenticated, "access.unauthenticated")
	// the token is good, but its sign-in is too old for this
	ErrFreshLogin       = fault.Declare(fault.Unauthenticated, "identity.fresh_login_needed")
	ErrForbidden        = fault.Declare(fault.Forbidden, "access.forbidden")
	ErrCrossOrigin      = fault.Declare(fault.Forbidden, "access.cross_origin")
	ErrTooMany          = fault.Declare(fault.TooMany, "request.too_many")
	ErrBusy             = fault.Declare(fault.Busy, "overload.busy")
	ErrFull             = fault.Declare(fault.Busy, "overload.disk_full")
	ErrKeyRequired      = fault.Declare(fault.Malformed, "idempotency.key_required")
	ErrKeyReused        = fault.Declare(fault.Invalid, "idempotency.key_reused")
	errBodyIsIncomplete = errors.New("the body ended early")
)

var statuses = map[fault.Kind]int{
	fault.Malformed: 400, fault.Unauthenticated: 401, fault.Forbidden: 403, fault.NotFound: 404, fault.NotAllowed: 405,
	fault.Conflict: 409, fault.TooLarge: 413, fault.Unsupported: 415, fault.Invalid: 422, fault.TooMany: 429, fault.Internal: 500,
	fault.Busy: 503,
}

// FaultCode is the code of a problem; the contract lists all of them.
type FaultCode string

// Schema lists the declared faults, once for all who name one.
func (FaultCode) Schema(r huma.Registry) *huma.Schema { return once(r, "FaultCode", fault.Codes()) }

// FieldCode is the code of a wrong field; the contract lists all of them.
type FieldCode string

// Schema lists the field codes.
func (FieldCode) Schema(r huma.Registry) *huma.Schema {
	return once(r, "FieldCode", fault.FieldCodes())
}

// once puts a list of texts into the contract under a name and gives the reference to it.
func once[T ~string](r huma.Registry, name string, values []T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	r.Map()[name] = s
	return &huma.Schema{Ref: "#/components/schemas/" + name}
}

// Problem is what a failed request answers (RFC 9457). It holds no value of the
// request and nothing of an inner error.
type Problem struct {
	Type      string            `json:"type"`
	Title     string            `json:"title"`
	Status    int               `json:"status"`
	Code      FaultCode         `json:"code"`
	RequestID string            `json:"requestId"`
	Params    map[string]string `json:"params,omitempty"`
	Fields    []ProblemField    `json:"fields,omitempty" nullable:"false"`

	page  string        // that a browser is shown instead; empty: none
	retry time.Duration // zero: nothing is said of it
}

// ProblemField is one wrong field, named as the request names it.
type ProblemField struct {
	Name   string            `json:"name"`
	Code   FieldCode         `json:"code"`
	Params map[string]string `json:"params,omitempty"`
}

func (p *Problem) Error() string { return string(p.Code) }

// GetStatus, ContentType and GetHeaders are what huma asks of an error.
func (p *Problem) GetStatus() int { return p.Status }

func (p *Problem) ContentType(string) string { return "application/problem+json" }

func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	switch {
	case p.page != "":
		h.Set("Location", p.page)
	case p.Code == FaultCode(ErrFreshLogin.Code):
		h.Set("WWW-Authenticate", `Bearer error="insufficient_user_authentication"`)
	case p.Status == http.StatusUnauthorized:
		h.Set("WWW-Authenticate", `Bearer error="invalid_token"`)
	case p.retry > 0:
		h.Set("Retry-After", strconv.FormatInt(int64((p.retry+time.Second-1)/time.Second), 10))
	case p.Status == http.StatusServiceUnavailable:
		h.Set("Retry-After", "1")
	}
	return h
}

// problem turns any error into a problem. What is not a fault is ours: it is
// logged in full and shown only as internal.
func problem(ctx context.Context, err error) *Problem {
	rq := requestOf(ctx)
	f := faultOf(ctx, err)
	p := &Problem{Type: "about:blank", Status: statuses[f.Kind], Code: FaultCode(f.Code), RequestID: rq.id, Params: f.Params, retry: f.Retry}
	p.Title = http.StatusText(p.Status)
	for _, field := range f.Fields {
		p.Fields = append(p.Fields, ProblemField{field.Name, FieldCode(field.Code), field.Params})
	}
	if f.Kind == fault.Internal || f.Code == ErrFull.Code {
		rq.log.LogAttrs(ctx, slog.LevelError, "a request failed", slog.String("request", rq.id), slog.String("route", rq.route),
			slog.Any("error", err))
	}
	rq.code = f.Code
	if rq.page != "" {
		p.page, p.Status = rq.page, http.StatusSeeOther
	}
	return p
}

// Report logs an error that was met too late for the answer to say so.
func Report(ctx context.Context, err error) {
	rq := requestOf(ctx)
	rq.log.LogAttrs(ctx, slog.LevelError, "an answer broke off", slog.String("request", rq.id), slog.String("route", rq.route),
		slog.Any("error", err))
}

func faultOf(ctx context.Context, err error) *fault.Fault {
	var f *fault.Fault
	var size *http.MaxBytesError
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &size):
		return tooLarge(size.Limit)
	case errors.Is(err, errBodyIsIncomplete):
		return ErrMalformed.Because(err)
	case errors.Is(err, db.ErrContended):
		return ErrBusy.Because(err)
	case db.Full(err):
		return ErrFull.Because(err)
	case ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded):
		return ErrTimeout.Because(err)
	}
	return ErrInternal.Because(err)
}

// write answers with a problem from outside huma.
func (p *Problem) write(w http.ResponseWriter) {
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // a client that left does not read it
}

// huma writes its own errors through these two variables, and its validation
// messages through variables of package validation. Both are set once, before
// any router exists: messages become codes, and no value is echoed.
func init() {
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		return &Problem{Status: status, Code: FaultCode(ErrInternal.Code)}
	}
	huma.NewErrorWithContext = func(c huma.Context, status int, msg string, errs ...error) huma.StatusError {
		var limit int64
		if route, ok := c.Operation().Metadata["route"].(Route); ok {
			limit = route.BodyLimit
		}
		p := problem(c.Context(), refused(limit, status, msg, errs))
		for name, values := range p.GetHeaders() { // huma asks for them only where an operation answers
			for _, value := range values {
				c.SetHeader(name, value)
			}
		}
		return p
	}
	for code, messages := range map[fault.FieldCode][]*string{
		fault.Unknown: {&validation.MsgUnexpectedProperty},
		fault.WrongFormat: {&validation.MsgExpectedRFC3339DateTime, &validation.MsgExpectedRFC1123DateTime, &validation.MsgExpectedRFC3339Date,
			&validation.MsgExpectedRFC3339Time, &validation.MsgExpectedRFC5322EmailBare, &validation.MsgExpectedRFC5890Hostname,
			&validation.MsgExpectedRFC2673IPv4, &validation.MsgExpectedRFC2373IPv6, &validation.MsgExpectedRFCIPAddr,
			&validation.MsgExpectedRFC3986AbsoluteURI, &validation.MsgExpectedBase64String},
		fault.WrongType: {&validation.MsgExpectedBoolean, &validation.MsgExpectedNumber, &validation.MsgExpectedInteger,
			&validation.MsgExpectedString, &validation.MsgExpectedArray, &validation.MsgExpectedObject},
		fault.Duplicate: {&validation.MsgExpectedArrayItemsUnique},
	} {
		for _, m := range messages {
			*m = string(code)
		}
	}
	for code, messages := range map[fault.FieldCode][]*string{
		fault.WrongFormat: {&validation.MsgExpectedRFC5322Email, &validation.MsgExpectedRFC3986URI, &validation.MsgExpectedRFC4122UUID,
			&validation.MsgExpectedRegexp, &validation.MsgExpectedDuration, &validation.MsgExpectedBePattern, &validation.MsgExpectedMatchPattern},
		fault.NotOneOf: {&validation.MsgExpectedOneOf, &validation.MsgExpectedConst},
		fault.TooSmall: {&validation.MsgExpectedMinimumNumber, &validation.MsgExpectedExclusiveMinimumNumber},
		fault.TooBig:   {&validation.MsgExpectedMaximumNumber, &validation.MsgExpectedExclusiveMaximumNumber},
		fault.TooShort: {&validation.MsgExpectedMinLength, &validation.MsgExpectedMinItems},
		fault.TooLong:  {&validation.MsgExpectedMaxLength, &validation.MsgExpectedMaxItems},
		fault.Required: {&validation.MsgExpectedRequiredProperty},
	} {
		for _, m := range messages {
			*m = string(code) + "|%v"
		}
	}
}

func tooLarge(limit int64) *fault.Fault {
	return ErrTooLarge.With("limit", limit).Field("body", fault.TooBig, "max", strconv.FormatInt(limit, 10))
}

// refused turns what huma found wrong with a request into a fault.
func refused(limit int64, status int, msg string, errs []error) error {
	for _, err := range errs {
		if db.Full(err) || unkept(err) {
			return ErrFull.Because(err)
		}
		var size *http.MaxBytesError
		if errors.As(err, &size) || strings.Contains(err.Error(), "request body too large") {
			return tooLarge(limit)
		}
	}
	switch {
	case status == http.StatusRequestEntityTooLarge:
		return tooLarge(limit)
	case status == http.StatusUnsupportedMediaType:
		return ErrMediaType
	case status == http.StatusRequestTimeout:
		return ErrTimeout
	case status == http.StatusBadRequest:
		return ErrMalformed.Field("body", fault.Wrong)
	case status == http.StatusUnprocessableEntity:
		f := ErrInvalid
		for _, err := range errs[:min(len(errs), fault.MaxFields)] {
			f = f.Field(fieldOf(err))
		}
		if more := len(errs) - fault.MaxFields; more > 0 {
			f = f.AndMore(more)
		}
		return f
	case msg == "cannot read request body":
		return errBodyIsIncomplete
	}
	return errors.Join(append([]error{errors.New(msg)}, errs...)...)
}

// unkept says whether an upload found no place while it arrived. Of that error huma keeps only the words.
func unkept(err error) bool {
	var detail *huma.ErrorDetail
	return errors.As(err, &detail) && strings.HasPrefix(detail.Message, "cannot read multipart form: ") &&
		strings.HasSuffix(detail.Message, syscall.ENOSPC.Error())
}

// limits says which parameter of a field code its value is.
var limits = map[fault.FieldCode]string{fault.TooShort: "min", fault.TooLong: "max", fault.TooSmall: "min", fault.TooBig: "max",
	fault.NotOneOf: "allowed"}

// fieldOf reads huma's error: the location becomes the field's name, the
// message is one of the codes set in init, or one of huma's fixed texts.
func fieldOf(err error) (string, fault.FieldCode, string, string) {
	var detail *huma.ErrorDetail
	if !errors.As(err, &detail) {
		return "body", fault.Wrong, "", ""
	}
	name := detail.Location
	for _, place := range []string{"body.", "path.", "query.", "header.", "form."} {
		name = strings.TrimPrefix(name, place)
	}
	text, param, _ := strings.Cut(detail.Message, "|")
	code := fault.FieldCode(text)
	switch {
	case code == fault.Required:
		if detail.Location == "body" {
			return param, code, "", ""
		}
		return name + "." + param, code, "", ""
	case strings.HasPrefix(text, "required "):
		return name, fault.Required, "", ""
	case strings.HasPrefix(text, "invalid "):
		return name, fault.WrongType, "", ""
	}
	for _, known := range fault.FieldCodes() {
		if code == known {
			return name, code, limits[code], param
		}
	}
	return name, fault.Wrong, "", ""
}
