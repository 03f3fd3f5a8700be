package invoices

import (
	"reflect"
	"slices"

	"saldo/internal/invoices/reading"
)

// fieldNames are the names of all fields of an invoice: those that are read, and those that only people know.
var fieldNames = append(slices.Clone(reading.Names), "vatOther", "category", "description", "correctedNumber")

// fieldAt is where the details have a field; nil: there is no such field.
func fieldAt(d *Details, name string) any {
	switch name {
	case reading.Number:
		return &d.Number
	case reading.IssueDate:
		return &d.IssuedOn
	case reading.SaleDate:
		return &d.SoldOn
	case reading.IssuerTaxID:
		return &d.IssuerTaxID
	case reading.IssuerName:
		return &d.IssuerName
	case reading.BuyerTaxID:
		return &d.BuyerTaxID
	case reading.Net:
		return &d.Net
	case reading.Gross:
		return &d.Gross
	case reading.VATStandard:
		return &d.VATStandard
	case reading.VATReduced:
		return &d.VATReduced
	case reading.VATZeroBase:
		return &d.BaseZero
	case "vatOther":
		return &d.VATOther
	case reading.Registration:
		return &d.Registration
	case reading.Mileage:
		return &d.Mileage
	case reading.Currency:
		return &d.Currency
	case reading.KSeFNumber:
		return &d.KsefNumber
	case "category":
		return &d.Category
	case "description":
		return &d.Description
	case "correctedNumber":
		return &d.CorrectedNumber
	}
	return nil
}

// same says whether a field is the same in two details.
func same(a, b *Details, name string) bool {
	return reflect.DeepEqual(fieldAt(a, name), fieldAt(b, name))
}

// differing are the fields of two details that are not the same.
func differing(a, b *Details) (changed []string) {
	for _, name := range fieldNames {
		if !same(a, b, name) {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return changed
}
