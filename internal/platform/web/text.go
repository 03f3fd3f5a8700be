package web

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/kernel/fault"
)

// Text is UTF-8 without NUL. PostgreSQL can store nothing else, and what one
// engine stores the other must be able to hold.
func cleanText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

func unclean(name string) *fault.Fault { return ErrInvalid.Field(name, fault.WrongFormat) }

// readable refuses requests whose path, query or headers are not text. Bodies
// are looked at where they are read.
func readable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		if name, ok := readableHead(rq); !ok {
			problem(rq.Context(), unclean(name)).write(w)
			return
		}
		next.ServeHTTP(w, rq)
	})
}

func readableHead(rq *http.Request) (name string, ok bool) {
	if !cleanText(rq.URL.Path) {
		return "path", false
	}
	query := rq.URL.RawQuery
	if !strings.Contains(query, "%") && cleanText(query) {
		query = "" // nothing of it stands for other bytes
	}
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		key, value, _ := strings.Cut(pair, "=")
		for _, part := range []string{key, value} {
			if text, err := url.QueryUnescape(part); err == nil && !cleanText(text) {
				return nameOr(key, "query"), false
			}
		}
	}
	for header, values := range rq.Header {
		if slices.ContainsFunc(values, func(v string) bool { return !cleanText(v) }) {
			return header, false
		}
	}
	return "", true
}

// nameOr gives back a name that may be shown, else what stands for it.
func nameOr(name, otherwise string) string {
	if len(name) > 64 || strings.ContainsFunc(name, func(r rune) bool { return r < '-' || r > 'z' }) {
		return otherwise
	}
	return name
}

// Forms reads the form of a request within limits of size and time, refuses one whose fields
// are not text, and lets the rest wait for their turn. It is for handlers beside the
// operations, whose people have not signed in.
func Forms(next http.Handler, limit int64, timeout time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Now().Add(timeout))
		_ = control.SetWriteDeadline(time.Now().Add(timeout + 5*time.Second))
		rq.Body = http.MaxBytesReader(w, rq.Body, limit)
		if err := rq.ParseForm(); err != nil {
			f := faultOf(rq.Context(), err)
			if f.Kind == fault.Internal {
				f = ErrMalformed.Field("body", fault.Wrong).Because(err)
			}
			problem(rq.Context(), f).write(w)
			return
		}
		for name, values := range rq.PostForm {
			if !cleanText(name) || slices.ContainsFunc(values, func(v string) bool { return !cleanText(v) }) {
				problem(rq.Context(), unclean(nameOr(name, "body"))).write(w)
				return
			}
		}
		seen := requestOf(rq.Context())
		if err := seen.turns.take(rq.Context(), seen); err != nil {
			problem(rq.Context(), err).write(w)
			return
		}
		next.ServeHTTP(w, rq)
	})
}

// jsonText reads JSON. Bytes that are no text become NUL, so that the field
// they stand in is refused by name.
func jsonText(format huma.Format) huma.Format {
	unmarshal := format.Unmarshal
	format.Unmarshal = func(data []byte, v any) error {
		if !utf8.Valid(data) {
			data = bytes.ToValidUTF8(data, []byte(`\u0000`))
		}
		return unmarshal(data, v)
	}
	return format
}

// uncleanField is the name of the first text of an input that is none; empty: all are.
func uncleanField(v reflect.Value, name string) string {
	switch v.Kind() {
	case reflect.String:
		if !cleanText(v.String()) {
			return name
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return ""
		}
		if form, ok := v.Interface().(*multipart.Form); ok {
			return uncleanForm(form)
		}
		return uncleanField(v.Elem(), name)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return ""
		}
		for i := range v.Len() {
			if wrong := uncleanField(v.Index(i), fmt.Sprintf("%s[%d]", name, i)); wrong != "" {
				return wrong
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if key.Kind() == reflect.String && !cleanText(key.String()) {
				return name
			}
			if wrong := uncleanField(v.MapIndex(key), inside(name, fmt.Sprint(key.Interface()))); wrong != "" {
				return wrong
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			if wrong := uncleanField(v.Field(i), inside(name, fieldName(f))); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

// fieldName is what a request calls a field; empty: what holds the others.
func fieldName(f reflect.StructField) string {
	for _, tag := range []string{"json", "query", "path", "header", "form"} {
		if name, _, _ := strings.Cut(f.Tag.Get(tag), ","); name != "" {
			return name
		}
	}
	return ""
}

func inside(outer, name string) string {
	if outer == "" || name == "" {
		return outer + name
	}
	return outer + "." + name
}

func uncleanForm(form *multipart.Form) string {
	for name, values := range form.Value {
		if !cleanText(name) || slices.ContainsFunc(values, func(v string) bool { return !cleanText(v) }) {
			return nameOr(name, "body")
		}
	}
	for name, files := range form.File {
		if !cleanText(name) || slices.ContainsFunc(files, func(h *multipart.FileHeader) bool { return !cleanText(h.Filename) }) {
			return nameOr(name, "body")
		}
	}
	return ""
}
