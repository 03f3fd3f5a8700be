package validate_test

import (
	"errors"
	"fmt"
	"testing"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
	"saldo/internal/kernel/validate"
)

var errWrong = fault.Declare(fault.Invalid, "validate.test")

func TestForm_NamesEveryWrongField(t *testing.T) {
	f := validate.New(errWrong)
	if f.Err() != nil {
		t.Error("refused before anything was checked")
	}
	f.Text("name", "  ", 10, true)
	f.Text("long", "żółć!", 4, false)
	f.Text("control", "a\x00b", 10, false)
	f.OneOf("colour", "green", []string{"red"})
	f.TaxID("taxId", "123", "PL")
	validate.Number(f, "email", "", true, official.ParseEmail)
	var got *fault.Fault
	if err := f.Err(); !errors.Is(err, errWrong) || !errors.As(err, &got) {
		t.Fatal(err)
	}
	want := "[name required long too_long control wrong_format colour not_allowed taxId wrong_format email required]"
	var all []string
	for _, field := range got.Fields {
		all = append(all, field.Name, string(field.Code))
	}
	if fmt.Sprint(all) != want {
		t.Errorf("%v, want %s", all, want)
	}
	if len(errWrong.Fields) != 0 {
		t.Error("the declared fault has fields of a request")
	}
}

func TestForm_GivesTheCanonicalForm(t *testing.T) {
	f := validate.New(errWrong)
	for _, c := range []struct{ got, want string }{
		{f.Text("name", " Zoë \n  Nowak ", 10, true), "Zoë Nowak"},
		{f.TaxID("taxId", "526-025-02-74", "PL"), "5260250274"},
		{f.TaxID("taxId", " ", "DE"), ""},
		{validate.Number(f, "email", "", false, official.ParseEmail), ""},
		{validate.Cut("żółć i reszta", 4), "żółć"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	if f.Err() != nil {
		t.Error(f.Err())
	}
}
