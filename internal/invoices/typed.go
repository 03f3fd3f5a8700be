package invoices

import (
	"reflect"
	"slices"

	"saldo/internal/invoices/reading"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/db"
)

// Form is what is sent of an invoice.
type Form struct {
	Details Details
	// Typed are the fields that a person typed or emptied. Nil: the program that sends does not say, and those count as typed whose values
	// were not read from a file of the invoice.
	Typed []string
}

// typedOf are the fields of a form that a person typed, of those that changed where the form does not say it.
func (d *Service) typedOf(tx *db.Tx, i *Invoice, form Form, changed []string) ([]string, error) {
	if form.Typed != nil {
		return slices.DeleteFunc(union(form.Typed, nil), func(name string) bool { return !slices.Contains(fieldNames, name) }), nil
	}
	hashes, err := db.Select[string](tx, `SELECT content_hash FROM invoice_files WHERE tenant_id = $1 AND invoice_id = $2`, i.ID)
	if err != nil {
		return nil, err
	}
	for _, hash := range union(hashes, []string{i.ContentHash}) {
		r, err := readingOf(tx, hash)
		if err != nil {
			return nil, err
		}
		for _, f := range r.Result.Fields {
			read, ok := withText(Details{}, f.Name, f.Value)
			read = read.Normal(validate.New(ErrInvalid), d.country(), Categories)
			if ok && f.Sure >= reading.LookFrom && same(&read, &form.Details, f.Name) {
				changed = slices.DeleteFunc(changed, func(name string) bool { return name == f.Name })
			}
		}
	}
	return changed, nil
}

// mayFill says whether what was read may stand in a field: nobody typed it. Amounts are solved together, so beside one that a person
// typed none is filled in.
func (i *Invoice) mayFill(name string) bool {
	if slices.Contains(i.Touched, name) {
		return false
	}
	return !i.isAmount(name) || !slices.ContainsFunc(i.Touched, i.isAmount)
}

func (i *Invoice) isAmount(name string) bool {
	_, is := fieldAt(&i.Details, name).(*money.Amount)
	return is
}

// keepTyped leaves what a person typed: what was read from an old file does not hold for a new one, and neither does what was emptied
// because it was read wrongly.
func (i *Invoice) keepTyped(currency money.Currency) {
	kept, typed := Details{Currency: currency}, []string{}
	for _, name := range i.Touched {
		value := reflect.ValueOf(fieldAt(&i.Details, name)).Elem()
		if !value.IsZero() {
			reflect.ValueOf(fieldAt(&kept, name)).Elem().Set(value)
			typed = append(typed, name)
		}
	}
	i.Details, i.Touched = kept, typed
}
